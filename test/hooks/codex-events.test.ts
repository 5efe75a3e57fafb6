import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Happening } from '../../src/main/floor/events.ts';
import { codexDialect } from '../../src/main/hooks/codex.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { expectSound } from './any-payload.ts';
import { bash, happening, parse, RECORDINGS, recorded, SESSION } from './codex-payloads.ts';
import { AT, endOf } from './dialect-payloads.ts';

const call = { callId: 'call_1', tool: 'Bash', input: { command: 'npm t' } };
const ended = endOf(call);

describe('every event of the tables', () => {
	const rows: readonly (readonly [string, Payload, Happening])[] = [
		['SessionStart', { source: 'startup' }, { kind: 'session-start', source: 'startup' }],
		['SessionStart', { source: 'compact' }, { kind: 'session-start', source: 'compact' }],
		['SessionStart', {}, { kind: 'session-start', source: '' }],
		['SessionEnd', { reason: 'other' }, { kind: 'session-end', reason: 'other' }],
		['UserPromptSubmit', { prompt: 'go on' }, { kind: 'prompt', text: 'go on' }],
		// An agent's order to its subagent is nobody's word.
		['UserPromptSubmit', { prompt: 'say hi', agent_id: 'a1' }, { kind: 'other' }],
		['PreToolUse', bash, { kind: 'tool-call', ...call }],
		['PreToolUse', {}, { kind: 'tool-call', callId: null, tool: 'unknown tool', input: undefined }],
		['PostToolUse', { ...bash, tool_response: 'out\nerr\n' }, { ...ended, result: 'out\nerr\n' }],
		['PostToolUse', { ...bash, tool_response: '' }, { ...ended, result: '' }],
		['PostToolUse', bash, { ...ended, result: undefined }],
		// A command that prints what a patch answers with is still a command.
		[
			'PostToolUse',
			{ ...bash, tool_response: 'Exit code: 1\nWall time: 0 seconds\nOutput:\nx' },
			{ ...ended, result: 'Exit code: 1\nWall time: 0 seconds\nOutput:\nx' },
		],
		[
			'PostToolUse',
			{ ...bash, tool_response: { content: [{ type: 'text', text: 'no' }], isError: true } },
			{ ...ended, result: 'no', failed: true },
		],
		[
			'PermissionRequest',
			{ tool_name: 'Bash', tool_input: { command: 'touch\n ran', description: 'because' } },
			{ kind: 'waiting', on: 'permission', message: 'wants to run Bash `touch ran`: because' },
		],
		[
			'PermissionRequest',
			{ tool_name: 'apply_patch', tool_input: { command: '*** Begin Patch\n*** Add File: a.txt\n+x' } },
			{ kind: 'waiting', on: 'permission', message: 'wants to use Write `/w/app/a.txt`' },
		],
		[
			'PermissionRequest',
			{ tool_name: 'mcp__x__y', tool_input: {} },
			{ kind: 'waiting', on: 'permission', message: 'wants to use mcp__x__y' },
		],
		['Stop', { last_assistant_message: 'All done.' }, { kind: 'turn-end', message: 'All done.' }],
		['Stop', { last_assistant_message: null }, { kind: 'turn-end', message: '' }],
		['Interrupt', {}, { kind: 'turn-end', message: '' }],
		['PreCompact', { trigger: 'auto' }, { kind: 'compact-start' }],
		['PostCompact', { trigger: 'auto' }, { kind: 'compact-end' }],
		['SubagentStart', { agent_id: 'a1' }, { kind: 'subagent-start' }],
		['SubagentStop', { agent_id: 'a1' }, { kind: 'subagent-end' }],
		['PreModelRequest', { kind: 'sampling', attempt_number: 1 }, { kind: 'other' }],
		['Tomorrow', {}, { kind: 'other' }],
	];

	test.each(rows)('%s %j', (event, fields, expected) => {
		expect(happening(event, fields)).toEqual(expected);
	});

	test.each([
		['rate_limit', 'provider'],
		['overloaded', 'provider'],
		['server_error', 'provider'],
		['billing_error', 'provider'],
		['authentication_failed', 'provider'],
		['unknown', 'provider'],
		['invalid_request', 'agent'],
	])('a turn that failed with %s is the %s’s', (error, blame) => {
		expect(happening('StopFailure', { error, error_details: 'd' })).toEqual({
			kind: 'turn-failed',
			error,
			blame,
			message: 'd',
		});
	});
});

describe('what a patch says about itself', () => {
	const patch = (command: string, tool_response?: unknown): Payload => ({
		tool_name: 'apply_patch',
		tool_input: { command },
		tool_use_id: 'call_2',
		tool_response,
	});
	const answer = (code: number, seconds: number, text: string) =>
		`Exit code: ${code}\nWall time: ${seconds} seconds\nOutput:\n${text}`;
	const update = '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch\n';

	test('a success names the file that it wrote, and the time that it took is no part of the result', () => {
		const [one, other] = [0, 3].map((seconds) =>
			happening('PostToolUse', patch(update, answer(0, seconds, 'Success.\nM a.ts\n'))),
		);
		expect(one).toEqual(other);
		expect(one).toMatchObject({ failed: false, changedFile: '/w/app/a.ts', result: 'Success.\nM a.ts\n' });
	});

	test('a failure wrote nothing', () => {
		expect(happening('PostToolUse', patch(update, answer(1, 0, 'no such file')))).toMatchObject({
			failed: true,
			changedFile: null,
			result: 'no such file',
		});
	});
});

describe('who and where', () => {
	test('all of it', () => {
		expect(parse('PreToolUse', { ...bash, agent_id: 'a1', agent_type: 'default' })).toMatchObject({
			at: AT,
			client: 'codex',
			name: 'PreToolUse',
			sessionId: '01a2-s',
			subagentId: 'a1',
			subagentType: 'default',
			directory: '/w/app',
			transcriptPath: SESSION.transcript_path,
			model: 'gpt-5.5',
		});
	});

	const ROLLOUT =
		'/h/.codex/sessions/2026/11/30/rollout-2026-11-30T17-42-09-01A22D8C-c337-7972-a5b0-95cc5b4d28c3.jsonl';
	test.each([
		[{ session_id: 's' }, 's'],
		[{ transcript_path: ROLLOUT }, '01a22d8c-c337-7972-a5b0-95cc5b4d28c3'],
		[
			{ transcript_path: `C:\\Users\\a\\.codex\\sessions\\2026\\11\\30\\${ROLLOUT.split('/').at(-1)}` },
			'01a22d8c-c337-7972-a5b0-95cc5b4d28c3',
		],
		[{ transcript_path: null }, 'unattributed'],
		[{}, 'unattributed'],
	])('the session of %j is %s', (common, sessionId) => {
		expect(parse('Stop', {}, common).sessionId).toBe(sessionId);
	});

	test('a subagent’s rollout makes no session of its own', () => {
		const common = { cwd: '/w/app/', transcript_path: ROLLOUT, agent_id: 'a1' };
		expect(parse('Stop', {}, common).sessionId).toBe(parse('Stop', {}, { cwd: '/w/app' }).sessionId);
	});

	test('one happening told twice has one key; another turn’s call of the same name has another', () => {
		const key = (event: string, fields: Payload) => parse(event, fields).dedupeKey;
		expect(key('PreToolUse', bash)).toBe(key('PreToolUse', { ...bash, extra: 1 }));
		expect(key('PreToolUse', bash)).not.toBe(key('PostToolUse', bash));
		expect(key('PreToolUse', bash)).not.toBe(key('PreToolUse', { ...bash, turn_id: 'next' }));
		expect(key('PreToolUse', { ...bash, tool_use_id: undefined })).toBeNull();
		expect(key('UserPromptSubmit', { prompt: 'a' })).not.toBe(key('UserPromptSubmit', { prompt: 'b' }));
		expect(key('UserPromptSubmit', { prompt: 'a', turn_id: undefined })).toBeNull();
		expect(key('SubagentStart', { agent_id: 'a' })).not.toBe(key('SubagentStart', { agent_id: 'b' }));
		expect(key('Stop', {})).toBeNull();
	});
});

describe('whatever arrives', () => {
	const names = [
		'session_id',
		'turn_id',
		'transcript_path',
		'cwd',
		'model',
		'prompt',
		'tool_name',
		'tool_input',
		'tool_use_id',
		'tool_response',
		'agent_id',
		'error',
		'last_assistant_message',
		'__proto__',
	];
	const events = [
		'SessionStart',
		'UserPromptSubmit',
		'PreToolUse',
		'PostToolUse',
		'PermissionRequest',
		'Stop',
		'StopFailure',
		'SubagentStart',
		'Tomorrow',
	];

	function sane(event: string, payload: Payload): void {
		const parsed = codexDialect.parse(event, payload, { at: AT, process: null });
		expectSound(parsed);
		expect(() => JSON.stringify(parsed)).not.toThrow();
	}

	test('gives a sane event', () => {
		const value = fc.oneof(
			fc.jsonValue(),
			fc.string({ unit: 'binary' }),
			fc.constant('x'.repeat(100_000)),
			fc.constantFrom('apply_patch', 'Bash', 'view_image'),
		);
		const payload = fc.dictionary(fc.constantFrom(...names), value);
		fc.assert(fc.property(fc.constantFrom(...events), payload, sane), { numRuns: 500 });
	});

	test.each(RECORDINGS)('what the real program sent in "%s" is all understood', (name) => {
		for (const { event, body } of recorded(name)) {
			sane(event, body);
			const parsed = codexDialect.parse(event, body, { at: AT, process: null });
			expect(parsed.sessionId).toBe(body.session_id);
			const isChildsPrompt = event === 'UserPromptSubmit' && body.agent_id !== undefined;
			if (!isChildsPrompt) expect([event, parsed.kind]).not.toEqual([event, 'other']);
		}
	});
});
