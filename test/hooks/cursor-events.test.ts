/** Payloads by the public description: the program cannot be run here. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { order, steer } from '../../src/main/floor/orders.ts';
import { cursorDialect } from '../../src/main/hooks/cursor.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { anything, expectSound, payloadOf } from './any-payload.ts';
import { AT, endOf, happeningIn } from './dialect-payloads.ts';
import { HookFloor } from './hook-floor.ts';

const BASE = {
	conversation_id: '668320d2-2fd8-4888-b33c-2a466fec86e7',
	generation_id: '490b90b7-a2ce-4c2c-bb76-cb77b125df2f',
	model: 'composer-2',
	cursor_version: '3.7.21',
	workspace_roots: ['/home/dev/app'],
	user_email: 'dev@example.org',
	transcript_path: null,
};
const shell = {
	tool_name: 'Shell',
	tool_input: { command: 'npm test', working_directory: '/home/dev/app/web' },
	tool_use_id: 'call_1',
	cwd: '/home/dev/app/web',
};

const parse = (event: string, fields: Payload = {}, base: Payload = BASE) =>
	cursorDialect.parse(event, { ...base, ...fields }, { at: AT, process: { pid: 9, startTime: 'then' } });
const happening = (event: string, fields: Payload = {}) => happeningIn(parse(event, fields));

describe('who, where and when', () => {
	it('is told by the payload, but for the process: the editor’s is not one agent’s to end', () => {
		expect(parse('preToolUse', shell)).toMatchObject({
			client: 'cursor',
			sessionId: BASE.conversation_id,
			directory: '/home/dev/app',
			model: 'composer-2',
			process: null,
		});
	});

	it('falls back to the session, the directory, and nothing', () => {
		expect(parse('stop', { session_id: 's1' }, {}).sessionId).toBe('s1');
		expect(parse('stop', { workspace_roots: ['/w/app'] }, {}).sessionId).toMatch(/^dir:/);
		expect(parse('stop', {}, {}).sessionId).toBe('unattributed');
	});
});

describe('calls', () => {
	it.each([
		[shell, 'Bash'],
		[{ ...shell, workspace_roots: ['C:\\w\\app'] }, 'PowerShell'],
		[{ tool_name: 'Read' }, 'Read'],
		[{ tool_name: 'StrReplace' }, 'Edit'],
		[{ tool_name: 'MCP:db:query' }, 'mcp__db__query'],
		[{ tool_name: 'SemanticSearch' }, 'SemanticSearch'],
		[{}, 'unknown tool'],
	])('%j are known as %s', (fields, tool) => {
		expect(happening('preToolUse', fields)).toMatchObject({ kind: 'tool-call', tool });
	});

	it('of an MCP server may carry their input as text', () => {
		const fields = { tool_name: 'MCP:db:query', tool_input: '{"query":"SELECT 1"}' };
		expect(happening('preToolUse', fields)).toMatchObject({ input: { query: 'SELECT 1' } });
		expect(happening('preToolUse', { ...fields, tool_input: '{' })).toMatchObject({ input: '{' });
	});

	it.each([
		['{"exitCode":0,"stdout":"ok"}', { result: 'ok', failed: false }],
		['{"exitCode":2,"stdout":"no","stderr":"db"}', { result: 'no\ndb\nExit Code: 2', failed: true }],
		['plain', { result: 'plain', failed: false }],
		[undefined, { result: undefined, failed: false }],
	])('end with what came back: %j', (tool_output, expected) => {
		expect(happening('postToolUse', { ...shell, tool_output, duration: 12 })).toEqual({
			...endOf({ callId: 'call_1', tool: 'Bash', input: shell.tool_input }),
			durationMs: 12,
			...expected,
		});
	});

	it('end with an error', () => {
		const fields = { error_message: 'timed out', failure_type: 'timeout', is_interrupt: false };
		expect(happening('postToolUseFailure', { ...shell, ...fields })).toMatchObject({
			result: 'timed out',
			failed: true,
		});
		expect(happening('postToolUseFailure', { ...shell, is_interrupt: true })).toMatchObject({
			interrupted: true,
		});
	});

	it('that wrote a file name it', () => {
		const write = { tool_name: 'Write', tool_input: { path: '/home/dev/app/a' } };
		expect(happening('postToolUse', write)).toMatchObject({ changedFile: '/home/dev/app/a' });
		expect(happening('afterFileEdit', { file_path: '/a', edits: [] })).toEqual({
			kind: 'file-changed',
			path: '/a',
		});
	});
});

describe('turns', () => {
	it.each([
		['completed', { kind: 'turn-end', message: '' }],
		['aborted', { kind: 'turn-end', message: '' }],
		['error', { kind: 'turn-failed', blame: 'provider', error: 'error', message: '' }],
	])('end as %s', (status, expected) => {
		expect(happening('stop', { status, loop_count: 0 })).toEqual(expected);
	});
});

describe('on the floor', () => {
	const withFloor = async (
		story: (tell: (event: string, fields?: Payload) => Promise<unknown>, floor: HookFloor) => Promise<void>,
	) => {
		const bench = await HookFloor.start(cursorDialect);
		try {
			await story((event, fields = {}) => {
				bench.now += 1_000;
				return bench.tell({ event, body: { ...BASE, ...fields } });
			}, bench);
		} finally {
			await bench.stop();
		}
	};
	const agent = (bench: HookFloor) => bench.agentOf(BASE.conversation_id);

	it('a command of which several events tell is one call', () =>
		withFloor(async (tell, bench) => {
			await tell('beforeSubmitPrompt', { prompt: 'go' });
			await tell('preToolUse', shell);
			await tell('beforeShellExecution', { command: 'npm test', cwd: '/home/dev/app' });
			await tell('afterShellExecution', { command: 'npm test', output: 'ok', duration: 1 });
			await tell('postToolUse', { ...shell, tool_output: '{"exitCode":0,"stdout":"ok"}' });
			// The project's hooks are installed as well.
			await bench.post({ event: 'preToolUse', body: { ...BASE, ...shell } });
			expect(agent(bench).calls).toHaveLength(1);
			expect(agent(bench).calls).toMatchObject([{ tool: 'Bash', outcome: 'ok' }]);
		}));

	it('it is steered, constrained and stopped', () =>
		withFloor(async (tell, bench) => {
			await tell('beforeSubmitPrompt', { prompt: 'go' });
			steer(bench.floor, agent(bench).id, 'look at the log', bench.now);
			expect(await tell('preToolUse', shell)).toEqual({});
			expect(await tell('postToolUse', { ...shell, tool_output: 'x' })).toEqual({
				additional_context: expect.stringContaining('look at the log'),
			});
			order(bench.floor, agent(bench).id, 'constrain', '', bench.now);
			expect(await tell('preToolUse', { tool_name: 'Read', tool_input: {} })).toEqual({});
			expect(await tell('preToolUse', { ...shell, tool_use_id: 'call_2' })).toMatchObject({
				permission: 'deny',
			});
			order(bench.floor, agent(bench).id, 'stop', '', bench.now);
			expect(await tell('preToolUse', { tool_name: 'Read', tool_input: {} })).toMatchObject({
				permission: 'deny',
			});
			expect(await tell('beforeSubmitPrompt', { prompt: 'go on', generation_id: 'next' })).toMatchObject({
				continue: false,
			});
			expect(await tell('stop', { status: 'completed' })).toEqual({});
		}));
});

describe('whatever arrives', () => {
	const names = [
		...['conversation_id', 'generation_id', 'session_id', 'model', 'workspace_roots', 'cwd', 'prompt'],
		...['tool_name', 'tool_input', 'tool_use_id', 'tool_output', 'error_message', 'duration', 'status'],
		...['file_path', 'reason', '__proto__'],
	];
	const events = [
		...['sessionStart', 'beforeSubmitPrompt', 'preToolUse', 'postToolUse', 'postToolUseFailure'],
		...['afterFileEdit', 'stop', 'sessionEnd', 'tomorrow'],
	];
	const known = fc.constantFrom<unknown>('Shell', 'Write', 'MCP:', '{"exitCode":1}', '{}', ['/a'], [null]);

	test('nothing is thrown, and the event is sound', () => {
		const value = fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), anything, known);
		fc.assert(
			fc.property(fc.constantFrom(...events), payloadOf(names, value), (event, payload) => {
				expectSound(cursorDialect.parse(event, payload, { at: AT, process: null }));
			}),
			{ numRuns: 1_000 },
		);
	});
});
