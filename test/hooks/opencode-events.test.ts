import { describe, expect, it, test } from 'vitest';
import { createOpencodeDialect } from '../../src/main/hooks/opencode.ts';
import { opencodeUsage } from '../../src/main/hooks/opencode-usage.ts';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { endOf } from './dialect-payloads.ts';
import { CHILD, happening, parse } from './opencode-payloads.ts';

const calls: [name: string, args: unknown, tool: string, input: unknown][] = [
	['bash', { command: 'npm t', workdir: '/w' }, 'Bash', { command: 'npm t', workdir: '/w' }],
	['read', { filePath: '/a', offset: 3 }, 'Read', { file_path: '/a', offset: 3 }],
	['write', { filePath: '/a', content: 'x' }, 'Write', { file_path: '/a', content: 'x' }],
	[
		'edit',
		{ filePath: '/a', oldString: 'x', newString: 'y', replaceAll: true },
		'Edit',
		{ file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
	],
	['grep', { pattern: 'x', include: '*.ts' }, 'Grep', { pattern: 'x', glob: '*.ts' }],
	['glob', { pattern: '*' }, 'Glob', { pattern: '*' }],
	['webfetch', { url: 'https://a' }, 'WebFetch', { url: 'https://a' }],
	['task', { prompt: 'x', subagent_type: 'general' }, 'Task', { prompt: 'x', subagent_type: 'general' }],
	['skill', { name: 'x' }, 'Skill', { skill: 'x' }],
	['todowrite', { todos: [] }, 'TodoWrite', { todos: [] }],
	[
		'apply_patch',
		{ patchText: '*** Begin Patch\n*** Update File: src/a.ts\n' },
		'Edit',
		{ file_path: 'src/a.ts', patch: '*** Begin Patch\n*** Update File: src/a.ts\n' },
	],
	['apply_patch', {}, 'apply_patch', {}],
	['invalid', { tool: 'nosuch', error: 'no' }, 'nosuch', { tool: 'nosuch', error: 'no' }],
	['my-server_delete_row', { id: 1 }, 'my-server_delete_row', { id: 1 }],
	['bash', undefined, 'Bash', undefined],
	['bash', null, 'Bash', undefined],
];

describe('a call', () => {
	test.each(calls)('of %s %j', (name, args, tool, input) => {
		expect(happening('tool.execute.before', { tool: name, callID: 'c', args })).toEqual({
			kind: 'tool-call',
			callId: 'c',
			tool,
			input,
		});
	});

	it('only reads where it provably does', async () => {
		const isReadOnly = await createReadOnlyJudge();
		const reads = calls.flatMap(([name, args]) => {
			const event = parse('tool.execute.before', { tool: name, args });
			return event.kind === 'tool-call' && isReadOnly(event.tool, event.input).readOnly ? [name] : [];
		});
		expect(reads).toEqual(['read', 'grep', 'glob', 'todowrite']);
		const shell = parse('tool.execute.before', { tool: 'bash', args: { command: 'cat notes.txt' } });
		expect(shell.kind === 'tool-call' && isReadOnly(shell.tool, shell.input).readOnly).toBe(true);
	});
});

describe('a result', () => {
	const write = { tool: 'write', callID: 'c', args: { filePath: '/a' } };
	const written = { callId: 'c', tool: 'Write', input: { file_path: '/a' } };
	const shell = { tool: 'bash', callID: 'c', args: {} };
	const ran = { callId: 'c', tool: 'Bash', input: {} };
	test.each([
		[
			{ ...write, output: 'Wrote' },
			{ ...endOf(written), result: 'Wrote', changedFile: '/a' },
		],
		[
			{ ...shell, output: '(no output)', exit: 0 },
			{ ...endOf(ran), result: '(no output)' },
		],
		[
			{ ...shell, output: 'no', exit: 3 },
			{ ...endOf(ran), result: 'no', failed: true },
		],
		[
			{ ...shell, content: [{ type: 'text', text: 'a' }] },
			{ ...endOf(ran), result: 'a' },
		],
		[
			{ ...shell, content: [{ type: 'text', text: 'a' }], isError: true },
			{ ...endOf(ran), result: 'a', failed: true },
		],
	])('%j', (payload, expected) => {
		expect(happening('tool.execute.after', payload)).toEqual(expected);
	});

	test.each([
		['File /a not found', true],
		['The user rejected permission to use this specific tool call.', false],
		['The user dismissed this question', false],
		['Tool execution aborted', false],
		['Task cancelled', false],
	])('error "%s": the agent’s own: %s', (error, failed) => {
		expect(happening('tool.execute.error', { ...write, error })).toEqual({
			...endOf(written),
			result: error,
			failed,
		});
	});
});

describe('a turn', () => {
	const api = (data: object, name = 'APIError') => ({ error: { name, data } });
	test.each([
		[api({ statusCode: 429, message: 'Rate limit reached' }), 'provider', 'rate_limit'],
		[api({ statusCode: 429, message: 'You have reached your spend limit.' }), 'provider', 'billing_error'],
		[api({ statusCode: 402, message: 'Insufficient credits' }), 'provider', 'billing_error'],
		[api({ statusCode: 401, message: 'bad key' }), 'provider', 'authentication_failed'],
		[api({ statusCode: 529, message: 'Overloaded' }), 'provider', 'overloaded'],
		[api({ statusCode: 502, message: 'Bad Gateway' }), 'provider', 'server_error'],
		[api({ message: 'Cannot connect to API: refused' }), 'provider', 'connection'],
		[api({ statusCode: 404, message: 'no such thing' }), 'provider', 'APIError'],
		[api({ message: 'x' }, 'ProviderAuthError'), 'provider', 'authentication_failed'],
		[api({ message: 'x' }, 'UnknownError'), 'provider', 'UnknownError'],
		[api({ statusCode: 400, message: 'invalid thing' }), 'agent', 'APIError'],
		[api({ message: 'too long' }, 'ContextOverflowError'), 'agent', 'ContextOverflowError'],
		[api({}, 'MessageOutputLengthError'), 'agent', 'MessageOutputLengthError'],
		[{}, 'provider', 'unknown'],
	])('that failed, %j: blame %s, %s', (payload, blame, error) => {
		expect(happening('session.error', payload)).toMatchObject({ kind: 'turn-failed', blame, error });
	});

	test.each([
		['Rate limit reached for requests', 'rate_limit'],
		['You have reached your spend limit.', 'billing_error'],
		['Provider is overloaded', 'overloaded'],
		['Connection reset by server', 'connection'],
		['Bad Gateway', 'server_error'],
		['boom', 'unknown'],
	])('that is tried again, "%s", is the provider’s trouble: %s', (message, error) => {
		const status = { type: 'retry', attempt: 1, message, next: 1 };
		expect(happening('session.status', { status })).toEqual({
			kind: 'provider-trouble',
			error,
			message,
			status: null,
		});
	});

	it('ends once, and an error is not hidden by the idleness after it', () => {
		const dialect = createOpencodeDialect();
		const kindOf = (event: string, fields = {}) => parse(event, fields, dialect).kind;
		const aborted = api({ message: 'Aborted' }, 'MessageAbortedError');
		expect(kindOf('session.error', api({ statusCode: 500 }))).toBe('turn-failed');
		expect(kindOf('session.idle')).toBe('other');
		expect(kindOf('chat.message', { prompt: 'again' })).toBe('prompt');
		expect(kindOf('session.error', aborted)).toBe('turn-end');
		expect(kindOf('session.idle')).toBe('other');
		expect(kindOf('session.idle', { sessionID: 'ses_9', rootID: 'ses_9' })).toBe('turn-end');
		expect(kindOf('tool.execute.before', { tool: 'bash' })).toBe('tool-call');
		expect(kindOf('session.idle')).toBe('turn-end');
	});
});

describe('a subagent', () => {
	it('belongs to the agent at the root, by its own id and kind', () => {
		expect(parse('tool.execute.before', { ...CHILD, tool: 'bash' })).toMatchObject({
			sessionId: 'ses_1',
			subagentId: 'ses_2',
			subagentType: 'general',
		});
		expect(parse('tool.execute.before', { agent: 'build' })).toMatchObject({
			sessionId: 'ses_1',
			subagentId: null,
			subagentType: null,
		});
	});

	test.each([
		['session.seen', {}, 'subagent-start'],
		['session.idle', {}, 'subagent-end'],
		['chat.message', { prompt: 'do it' }, 'other'],
		['session.compacting', {}, 'other'],
		['session.compacted', {}, 'other'],
		['session.error', { error: { name: 'APIError', data: { statusCode: 500 } } }, 'provider-trouble'],
		['session.error', { error: { name: 'APIError', data: { statusCode: 400 } } }, 'other'],
		['session.error', { error: { name: 'MessageAbortedError' } }, 'other'],
		['permission.asked', { permission: 'bash' }, 'waiting'],
	])('%s %j: %s', (event, fields, kind) => {
		expect(happening(event, { ...CHILD, ...fields }).kind).toBe(kind);
	});
});

describe('the rest', () => {
	test.each([
		['session.seen', { source: 'resume' }, { kind: 'session-start', source: 'resume' }],
		['session.end', {}, { kind: 'session-end', reason: 'exit' }],
		['chat.message', { prompt: '' }, { kind: 'other' }],
		['session.compacting', {}, { kind: 'compact-start' }],
		['session.compacted', {}, { kind: 'compact-end' }],
		['question.asked', { question: 'which?' }, { kind: 'waiting', on: 'question', message: 'which?' }],
		[
			'permission.asked',
			{ permission: 'bash', patterns: ['npm *'], command: 'npm t' },
			{ kind: 'waiting', on: 'permission', message: 'wants to use bash: `npm t`' },
		],
		[
			'permission.asked',
			{ permission: 'edit', patterns: ['a.ts', 7, 'b.ts'] },
			{ kind: 'waiting', on: 'permission', message: 'wants to use edit: `a.ts, b.ts`' },
		],
		['permission.asked', {}, { kind: 'waiting', on: 'permission', message: 'wants to use a tool' }],
		['session.status', { status: { type: 'busy' } }, { kind: 'other' }],
		['hello', {}, { kind: 'other' }],
	])('%s %j', (event, fields, expected) => {
		expect(happening(event, fields)).toEqual(expected);
	});

	it('is told once by its delivery, which nothing else has', () => {
		const keys = [
			parse('hello', { delivery: '7-x-1' }),
			parse('tool.execute.before', { delivery: '7-x-1' }),
			parse('tool.execute.before', { delivery: '7-x-2' }),
			parse('tool.execute.before', { delivery: '7-x-2', sessionID: 'ses_9', rootID: 'ses_9' }),
		].map((event) => event.dedupeKey);
		expect(new Set(keys).size).toBe(4);
		expect(parse('tool.execute.before').dedupeKey).toBeNull();
	});
});

describe('the tokens of a call', () => {
	const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 100, write: 7 } };
	const message = { id: 'msg_1', modelID: 'm-1', tokens, time: { completed: 9 } };
	const session = { sessionID: 'ses_1', rootID: 'ses_1' };

	it('are those of its message, thoughts with the output', () => {
		const usage = {
			input: 10,
			output: 7,
			cacheRead: 100,
			cacheCreation: 7,
			cacheCreation1h: 0,
			webSearches: 0,
		};
		expect(opencodeUsage('message.updated', { ...session, message })).toEqual({
			key: 'opencode msg_1',
			model: 'm-1',
			at: 9,
			usage,
		});
	});

	test.each([-5, 0, Number.NaN, '9'])('with the moment %j: it is not told', (completed) => {
		const told = opencodeUsage('message.updated', {
			...session,
			message: { ...message, time: { completed } },
		});
		expect(told?.at).toBeNull();
	});

	test.each([
		['session.idle', { message }],
		['message.updated', {}],
		['message.updated', { message: { ...message, modelID: null } }],
		['message.updated', { message: { ...message, tokens: { input: 0, output: -3 } } }],
	])('of %s %j: none', (event, payload) => {
		expect(opencodeUsage(event, { ...session, ...payload })).toBeNull();
	});
});
