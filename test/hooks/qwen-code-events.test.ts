import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { qwenCodeDialect } from '../../src/main/hooks/qwen-code.ts';
import { anything, expectSound, payloadOf } from './any-payload.ts';
import { AT, endOf } from './dialect-payloads.ts';
import { happening, parse, SESSION, shell, shellResult } from './qwen-code-payloads.ts';

describe('who, where and when', () => {
	it('is told by the payload', () => {
		const fields = { agent_id: 'general-purpose-1', agent_type: 'general-purpose', model: 'qwen3-coder' };
		expect(parse('SessionStart', fields)).toMatchObject({
			client: 'qwen-code',
			name: 'SessionStart',
			sessionId: SESSION.session_id,
			subagentId: 'general-purpose-1',
			subagentType: 'general-purpose',
			directory: '/home/dev/app',
			transcriptPath: SESSION.transcript_path,
			model: 'qwen3-coder',
		});
	});

	it('falls back to the transcript, the directory, and nothing', () => {
		const { session_id, ...rest } = SESSION;
		expect(parse('Stop', {}, rest).sessionId).toBe(session_id);
		expect(parse('Stop', {}, { cwd: '/home/dev/app/' }).sessionId).toMatch(/^dir:/);
		expect(parse('Stop', {}, {}).sessionId).toBe('unattributed');
	});
});

describe('prompts', () => {
	it('are what a person submitted', () => {
		const fields = { prompt: 'fix it\n<context>…', submitted_prompt: 'fix it' };
		expect(happening('UserPromptSubmit', fields)).toEqual({ kind: 'prompt', text: 'fix it' });
	});

	it('of editors, which declare nothing, are taken as they come', () => {
		expect(happening('UserPromptSubmit', { prompt: 'fix it' })).toEqual({ kind: 'prompt', text: 'fix it' });
	});

	it('are none where only results of tools are sent to the model', () => {
		for (const prompt of ['', ' '])
			expect(happening('UserPromptSubmit', { prompt })).toEqual({ kind: 'other' });
		expect(happening('UserPromptSubmit')).toEqual({ kind: 'other' });
	});

	it('are none where words are sent on within one: they have its key', () => {
		const person = parse('UserPromptSubmit', { prompt: 'fix it', submitted_prompt: 'fix it' });
		const within = parse('UserPromptSubmit', { prompt: 'a hook wants more' });
		expect(within.dedupeKey).toBe(person.dedupeKey);
		expect(person.dedupeKey).not.toBeNull();
		const next = {
			prompt: 'fix it',
			submitted_prompt: 'fix it',
			prompt_id: `${SESSION.session_id}########2`,
		};
		expect(parse('UserPromptSubmit', next).dedupeKey).not.toBe(person.dedupeKey);
	});
});

describe('calls', () => {
	const ids = { tool_use_id: 'toolu_1796070131072_kw6ajw2jx', tool_call_id: 'call_1' };

	it('have the id that a batch has for them as well', () => {
		expect(happening('PreToolUse', { ...shell, ...ids })).toMatchObject({
			kind: 'tool-call',
			callId: 'call_1',
		});
		const { tool_use_id } = ids;
		expect(happening('PreToolUse', { ...shell, tool_use_id })).toMatchObject({ callId: tool_use_id });
		expect(happening('PreToolUse', shell)).toMatchObject({ callId: null });
		expect(parse('PreToolUse', shell).dedupeKey).toBeNull();
	});

	it('end once, whichever event tells of it first', () => {
		const failure = parse('PostToolUseFailure', { ...shell, ...ids, error: 'no' });
		const rejected = {
			...shell,
			tool_call_id: 'call_1',
			tool_response: { error_type: 'invalid_tool_params' },
		};
		const batch = parse('PostToolBatch', { tool_calls: [rejected] });
		expect(batch.dedupeKey).toBe(failure.dedupeKey);
	});

	it('that failed say how', () => {
		const error = shellResult('no database', { exit: '1' });
		const fields = { ...shell, ...ids, error, is_interrupt: false, duration_ms: 14 };
		expect(happening('PostToolUseFailure', fields)).toEqual({
			...endOf({
				callId: 'call_1',
				tool: 'Bash',
				input: { command: 'npm t', description: 'Run it', run_in_background: false },
			}),
			result: 'no database\nExit Code: 1',
			failed: true,
			durationMs: 14,
		});
		expect(happening('PostToolUseFailure', { ...fields, is_interrupt: true })).toMatchObject({
			interrupted: true,
		});
	});

	it('that wrote a file name it, unless they failed', () => {
		const edit = {
			tool_name: 'edit',
			tool_input: { file_path: '/home/dev/app/a', old_string: '', new_string: '' },
		};
		expect(happening('PostToolUse', edit)).toMatchObject({ changedFile: '/home/dev/app/a' });
		expect(happening('PostToolUseFailure', edit)).toMatchObject({ changedFile: null });
		const cell = { tool_name: 'notebook_edit', tool_input: { notebook_path: '/home/dev/app/a.ipynb' } };
		expect(happening('PostToolUse', cell)).toMatchObject({ changedFile: '/home/dev/app/a.ipynb' });
		const read = { tool_name: 'read_file', tool_input: { file_path: '/home/dev/app/a' } };
		expect(happening('PostToolUse', read)).toMatchObject({ changedFile: null });
	});
});

describe('a batch', () => {
	const call = (error_type: string | undefined, more = {}) => ({
		tool_name: 'no_such_tool',
		tool_input: { a: 1 },
		tool_use_id: 'call_8',
		tool_call_id: 'call_8',
		status: 'error',
		tool_response: { error: 'not found in registry', error_type, ...more },
	});

	it.each(['tool_not_registered', 'invalid_tool_params'])('tells of a call that was rejected: %s', (type) => {
		expect(happening('PostToolBatch', { tool_calls: [call(undefined), call(type)] })).toEqual({
			...endOf({ callId: 'call_8', tool: 'no_such_tool', input: { a: 1 } }),
			result: 'not found in registry',
			failed: true,
		});
	});

	it.each([
		[undefined, { status: 'success' }],
		['execution_denied', {}],
		['file_not_found', {}],
	])('says nothing of what others told: %s', (type, more) => {
		expect(happening('PostToolBatch', { tool_calls: [call(type, more)] })).toEqual({ kind: 'other' });
	});

	it('of several calls was one turn', () => {
		const calls = [call(undefined), { ...call(undefined), tool_call_id: 'call_9' }];
		expect(happening('PostToolBatch', { tool_calls: calls })).toEqual({
			kind: 'tool-batch',
			callIds: ['call_8', 'call_9'],
		});
	});

	it.each([undefined, null, 'x', {}, [], [null], [[]]])('without sense is nothing: %j', (tool_calls) => {
		expect(happening('PostToolBatch', { tool_calls })).toEqual({ kind: 'other' });
	});
});

describe('waiting', () => {
	it.each([
		[shell, 'wants to run `npm t`'],
		[{ tool_name: 'write_file', tool_input: { file_path: '/a' } }, 'wants to use Write on `/a`'],
		[{ tool_name: 'mcp__db__drop', tool_input: {} }, 'wants to use mcp__db__drop'],
	])('for a permission: %j', (fields, message) => {
		expect(happening('PermissionRequest', fields)).toEqual({ kind: 'waiting', on: 'permission', message });
	});

	it('for an answer', () => {
		const tool_input = { questions: [{ question: 'Which one?' }] };
		expect(happening('PermissionRequest', { tool_name: 'ask_user_question', tool_input })).toEqual({
			kind: 'waiting',
			on: 'question',
			message: 'Which one?',
		});
	});

	it.each([
		['permission_prompt', 'permission'],
		['idle_prompt', 'turn-done'],
		['elicitation_dialog', 'question'],
	])('as notified: %s', (notification_type, on) => {
		expect(happening('Notification', { notification_type, message: 'x' })).toEqual({
			kind: 'waiting',
			on,
			message: 'x',
		});
	});

	it('is not what a login is', () => {
		expect(happening('Notification', { notification_type: 'auth_success', message: 'x' })).toEqual({
			kind: 'other',
		});
	});
});

describe('turns', () => {
	it('end in order', () => {
		expect(happening('Stop', { last_assistant_message: 'All done.' })).toEqual({
			kind: 'turn-end',
			message: 'All done.',
		});
	});

	it.each([
		['rate_limit', 'provider'],
		['server_error', 'provider'],
		['authentication_failed', 'provider'],
		['billing_error', 'provider'],
		['something new', 'provider'],
		['invalid_request', 'agent'],
		['max_output_tokens', 'agent'],
		['loop_detected', 'agent'],
	])('fail by %s: the %s is to blame', (error, blame) => {
		const fields = { error, error_details: '429 …', last_assistant_message: 'shown' };
		expect(happening('StopFailure', fields)).toEqual({ kind: 'turn-failed', blame, error, message: '429 …' });
	});

	it('are about compaction and subagents by these names', () => {
		const kinds = ['PreCompact', 'PostCompact', 'SubagentStart', 'SubagentStop', 'SessionDelete'].map(
			(event) => happening(event).kind,
		);
		expect(kinds).toEqual(['compact-start', 'compact-end', 'subagent-start', 'subagent-end', 'other']);
	});
});

describe('whatever arrives', () => {
	const names = [
		...['session_id', 'transcript_path', 'cwd', 'prompt_id', 'agent_id', 'prompt', 'submitted_prompt'],
		...['tool_name', 'tool_input', 'tool_response', 'tool_use_id', 'tool_call_id', 'tool_calls', 'error'],
		...['notification_type', 'message', 'duration_ms', '__proto__'],
	];
	const events = [
		...['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'],
		...['PermissionRequest', 'Notification', 'Stop', 'StopFailure', 'SubagentStart', 'Tomorrow'],
	];
	const known = fc.constantFrom<unknown>(
		'run_shell_command',
		'edit',
		{ llmContent: shellResult('x') },
		[{ tool_response: { error_type: 'tool_not_registered' } }],
		'\nError: \nExit Code: \nSignal: \nProcess Group PGID: ',
	);

	test('nothing is thrown, and the event is sound', () => {
		const value = fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), anything, known);
		fc.assert(
			fc.property(fc.constantFrom(...events), payloadOf(names, value), (event, payload) => {
				expectSound(qwenCodeDialect.parse(event, payload, { at: AT, process: null }));
			}),
			{ numRuns: 1_000 },
		);
	});

	test('of a megabyte in every field, nothing is thrown', () => {
		const long = '\nError: \nSignal: {"a 😀/\\ '.repeat(60_000);
		for (const event of events)
			expectSound(parse(event, Object.fromEntries(names.map((name) => [name, long]))));
		expectSound(parse('PostToolUseFailure', { ...shell, error: shellResult(long, { exit: '1' }) }));
	});
});
