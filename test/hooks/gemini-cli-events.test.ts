import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Happening } from '../../src/main/floor/events.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { createGeminiCliDialect } from '../../src/main/hooks/gemini-cli.ts';
import { expectSound } from './any-payload.ts';
import { AT, endOf } from './dialect-payloads.ts';
import { happening, parse, recorded, SESSION, shell } from './gemini-cli-payloads.ts';

describe('every event of the tables', () => {
	const call = { callId: null, tool: 'Bash', input: { command: 'npm t' } };
	const ended = endOf(call);
	const permission = (message: string): Happening => ({ kind: 'waiting', on: 'permission', message });
	const asks = (details: unknown, message = 'Tool X requires confirmation'): Payload => ({
		notification_type: 'ToolPermission',
		message,
		details,
	});
	const rows: readonly (readonly [string, Payload, Happening])[] = [
		['SessionStart', { source: 'resume' }, { kind: 'session-start', source: 'resume' }],
		['SessionStart', {}, { kind: 'session-start', source: '' }],
		['SessionEnd', { reason: 'exit' }, { kind: 'session-end', reason: 'exit' }],
		['BeforeAgent', { prompt: 'go on' }, { kind: 'prompt', text: 'go on' }],
		['BeforeAgent', {}, { kind: 'prompt', text: '' }],
		[
			'BeforeAgent',
			{ prompt: '<hook_context>a note</hook_context>\n\nsay hello' },
			{ kind: 'prompt', text: 'say hello' },
		],
		[
			'BeforeAgent',
			{ prompt: 'what is <hook_context>x</hook_context>?' },
			{ kind: 'prompt', text: 'what is <hook_context>x</hook_context>?' },
		],
		['AfterAgent', { prompt_response: 'Done.' }, { kind: 'turn-end', message: 'Done.' }],
		['AfterAgent', { prompt_response: '[no response text]' }, { kind: 'turn-end', message: '' }],
		['AfterAgent', {}, { kind: 'turn-end', message: '' }],
		['BeforeTool', shell, { kind: 'tool-call', ...call }],
		['BeforeTool', {}, { kind: 'tool-call', callId: null, tool: 'unknown tool', input: undefined }],
		[
			'BeforeTool',
			{ tool_name: ['Bash'] },
			{ kind: 'tool-call', callId: null, tool: 'unknown tool', input: undefined },
		],
		[
			'AfterTool',
			{ ...shell, tool_response: { llmContent: 'Output: one\nProcess Group PGID: 7', returnDisplay: 'one' } },
			{ ...ended, result: 'one' },
		],
		['AfterTool', shell, { ...ended, result: undefined }],
		['Notification', asks({ type: 'exec', command: 'npm  t' }), permission('wants to run `npm t`')],
		['Notification', asks({ type: 'edit', filePath: '/w/a.ts' }), permission('wants to edit `/w/a.ts`')],
		['Notification', asks({ type: 'edit', fileName: 'a.ts' }), permission('wants to edit `a.ts`')],
		['Notification', asks({ type: 'mcp', toolName: 'send' }), permission('wants to use `send`')],
		['Notification', asks({ type: 'info', prompt: 'x.dev' }), permission('wants to look up `x.dev`')],
		['Notification', asks({ type: 'sandbox_expansion' }), permission('Tool X requires confirmation')],
		['Notification', asks(null), permission('Tool X requires confirmation')],
		[
			'Notification',
			asks({ type: 'ask_user', title: 'Which port?' }),
			{ kind: 'waiting', on: 'question', message: 'Which port?' },
		],
		['Notification', { notification_type: 'Tomorrow', message: 'm' }, { kind: 'other' }],
		['Notification', {}, { kind: 'other' }],
		['PreCompress', { trigger: 'auto' }, { kind: 'other' }],
		['PreCompress', { trigger: 'manual' }, { kind: 'other' }],
		['BeforeModel', {}, { kind: 'other' }],
		['AfterModel', {}, { kind: 'other' }],
		['BeforeToolSelection', {}, { kind: 'other' }],
		['EventOfTomorrow', { prompt: 'x' }, { kind: 'other' }],
		['constructor', {}, { kind: 'other' }],
	];

	test.each(rows)('%s %j', (event, fields, expected) => {
		expect(happening(event, fields)).toEqual(expected);
	});

	test('a long text of an agent is shortened, a surrogate that was cut in two is replaced', () => {
		const long = happening('BeforeAgent', { prompt: 'x'.repeat(1_000_000) });
		expect(long.kind === 'prompt' && long.text.length).toBeLessThanOrEqual(4_000);
		expect(happening('AfterAgent', { prompt_response: 'a\ud83d' })).toEqual({
			kind: 'turn-end',
			message: 'a\ufffd',
		});
	});
});

describe('who and where', () => {
	const who = (common: Payload) => parse('AfterAgent', {}, common).sessionId;

	test('a session is known by its id, else by its transcript, else by its directory', () => {
		expect(who(SESSION)).toBe(SESSION.session_id);
		expect(who({ transcript_path: SESSION.transcript_path })).toBe('session-2026-11-30T09-14-829d4046');
		expect(who({ transcript_path: 'C:\\Users\\dev\\.gemini\\tmp\\a\\chats\\session-1.json' })).toBe(
			'session-1',
		);
		// Before the first prompt the CLI sends an empty path.
		expect(who({ transcript_path: '', cwd: '/w/app' })).toMatch(/^dir:[0-9a-f]{32}$/);
		expect(who({ cwd: '/w/app' })).toBe(who({ cwd: '/w/app/' }));
		expect(who({ cwd: '/w/app' })).not.toBe(who({ cwd: '/w/other' }));
		expect(who({})).toBe('unattributed');
		expect(who({ session_id: 'x'.repeat(1_000) }).length).toBeLessThanOrEqual(200);
	});

	test('directory, transcript, model and process are passed on', () => {
		const process = { pid: 4711, startTime: '99' };
		const payload = { ...SESSION, llm_request: { model: 'gemini-x' } };
		expect(createGeminiCliDialect().parse('BeforeModel', payload, { at: AT, process })).toMatchObject({
			at: AT,
			client: 'gemini-cli',
			name: 'BeforeModel',
			directory: SESSION.cwd,
			transcriptPath: SESSION.transcript_path,
			model: 'gemini-x',
			process,
		});
	});
});

describe('whatever arrives', () => {
	const names = [
		...['session_id', 'transcript_path', 'cwd', 'timestamp', 'prompt', 'prompt_response', 'source', 'reason'],
		...['tool_name', 'tool_input', 'tool_response', 'mcp_context', 'notification_type', 'message'],
		...['details', 'llm_request', '__proto__'],
	];
	const events = ['SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent', 'BeforeTool', 'AfterTool'];
	const dialect = createGeminiCliDialect();

	function sane(event: string, payload: Payload): void {
		expectSound(dialect.parse(event, payload, { at: AT, process: null }));
	}

	test('it becomes an event, and nothing is thrown', () => {
		const known = fc.constantFrom(
			'run_shell_command',
			'replace',
			'ToolPermission',
			'2026-11-30T09:14:16.197Z',
		);
		const value = fc.oneof(known, fc.string({ unit: 'binary' }), fc.anything({ withBigInt: true }));
		fc.assert(
			fc.property(
				fc.constantFrom(...events, 'Notification', 'Tomorrow'),
				fc.array(fc.tuple(fc.constantFrom(...names), value)),
				(event, pairs) => sane(event, Object.fromEntries(pairs)),
			),
			{ numRuns: 500 },
		);
	});

	test.each(['basic', 'tools'])('what the real program sent (%s) becomes events, field by field', (name) => {
		const all = recorded(name);
		for (const { event, body } of all) {
			for (const field of Object.keys(body)) {
				const { [field]: _, ...without } = body;
				sane(event, without);
				sane(event, { ...body, [field]: { $: [body[field]] } });
			}
		}
		expect(all.length).toBeGreaterThan(7);
	});
});
