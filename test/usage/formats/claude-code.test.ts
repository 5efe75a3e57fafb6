import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../src/main/usage/formats/claude-code.ts';
import type { LogSink, ProviderTrouble, SessionFacts } from '../../../src/main/usage/session-format.ts';
import { assistantLine, userLine } from '../transcript-files.ts';

/** What the lines of one file tell. */
async function told(lines: readonly string[], path = '/p/s-1.jsonl') {
	const seen = {
		responses: [] as string[],
		troubles: [] as ProviderTrouble[],
		facts: [] as SessionFacts[],
		unreadable: [] as string[],
	};
	const sink: LogSink = {
		response: ({ key }) => seen.responses.push(key),
		trouble: (trouble) => seen.troubles.push(trouble),
		about: (facts) => seen.facts.push(facts),
		unreadable: (what) => seen.unreadable.push(what),
	};
	const reader = await claudeCode.open(path, sink, null);
	for (const line of lines) reader.line(Buffer.from(line));
	return { ...seen, memory: reader.memory() };
}

const AT = '2026-11-30T13:01:07.120Z';

/** As the program writes it when it tries again. */
function retryRow(error: object, more: object = {}): string {
	const type = { type: 'system', subtype: 'api_error', level: 'error' };
	return JSON.stringify({ ...type, error, retryInMs: 618, retryAttempt: 1, timestamp: AT, ...more });
}

/** As it writes it when it gave up. */
function endRow(text: string, more: object): string {
	const message = {
		id: 'f050bd58',
		model: '<synthetic>',
		role: 'assistant',
		type: 'message',
		usage: { input_tokens: 0, output_tokens: 0 },
		content: [{ type: 'text', text }],
	};
	return JSON.stringify({ type: 'assistant', timestamp: AT, message, isApiErrorMessage: true, ...more });
}

describe("where Claude Code's sessions lie", () => {
	it('is below its own directory, or where the user moved it', () => {
		expect(claudeCode.roots({}, '/home/dev')).toEqual([
			join('/home/dev', '.claude', 'projects'),
			join('/home/dev', '.config', 'claude', 'projects'),
		]);
		expect(claudeCode.roots({ CLAUDE_CONFIG_DIR: '/elsewhere' }, '/home/dev')).toEqual([
			join('/elsewhere', 'projects'),
		]);
		expect(claudeCode.roots({ CLAUDE_CONFIG_DIR: '/a, /b,' }, '/home/dev')).toEqual(
			['/a, /b,', '/a', '/b'].map((directory) => join(directory, 'projects')),
		);
	});

	it.each([
		['/h/.claude/projects/-w-app/s-7f.jsonl', 's-7f', false],
		['C:\\Users\\dev\\.claude\\projects\\C--w-app\\s-7f.jsonl', 's-7f', false],
		['/p/s-7f/subagents/agent-a.jsonl', 's-7f', true],
		['C:\\p\\s-7f\\subagents\\workflows\\wf_1\\agent-b.jsonl', 's-7f', true],
		['/p/agent-77.jsonl', 'agent-77', true],
		['/subagents/tool-results/projects/-w-app/s-7f.jsonl', 's-7f', false],
		['/subagents/x/projects/-w-app/s-7f/subagents/agent-a.jsonl', 's-7f', true],
		['/subagents/x/projects/-w-app/agent-77.jsonl', 'agent-77', true],
	])('%s is of a session', (path, sessionId, isSubagent) => {
		expect(claudeCode.identify(path)).toEqual({ sessionId, mode: 'lines', isSubagent });
	});

	it.each(['/p/s-7f/subagents/agent-a.meta.json', '/p/notes.txt', '/p/s-7f/tool-results/a.jsonl'])(
		'%s is no session',
		(path) => {
			expect(claudeCode.identify(path)).toBeNull();
		},
	);
});

describe('what a transcript tells of its session', () => {
	it('is the directory in which it began, once, also after a restart', async () => {
		const rows = readFileSync('test/recordings/claude-code.transcript.jsonl', 'utf8').trimEnd().split('\n');
		const { facts, memory } = await told([...rows, userLine('later').replace('{', '{"cwd":"/visited",')]);
		expect(facts).toEqual([{ directory: '/home/dev/app' }]);
		expect(memory).toEqual({ knowsDirectory: true });
	});

	it("is the parent, in an older version's file of a subagent", async () => {
		const row = userLine('go').replace('{', '{"cwd":"/w",');
		expect((await told([row], '/p/agent-77.jsonl')).facts).toEqual([
			{ directory: '/w', parentSessionId: 's-1' },
		]);
	});
});

describe('what a power cut leaves in a transcript', () => {
	it.each([
		['a torn prompt', userLine('long').slice(0, -9)],
		['a torn answer', assistantLine({ id: 'lost', text: 'x'.repeat(5_000) }).slice(0, -9)],
	])('hides no answer behind it: %s', async (_what, torn) => {
		const { responses, unreadable } = await told([
			`\uFEFF${userLine('go')}\r`,
			`${torn}\0\0\0${assistantLine({ id: 'kept', requestId: null })}`,
			'\0\0',
			' \r',
		]);
		expect({ responses, unreadable }).toEqual({ responses: ['kept'], unreadable: ['line'] });
	});
});

describe('a torn row behind which the next one goes on in the same line', () => {
	const lost = assistantLine({ id: 'lost', text: 'x'.repeat(3_000) });

	it.each([2, 20, 150, lost.length - 300, lost.length - 1])(
		'hides no answer: torn after %d characters',
		async (length) => {
			const line = `${lost.slice(0, length)}${assistantLine({ id: 'kept', requestId: null })}`;
			const { responses, unreadable } = await told([line, assistantLine({ id: 'next', requestId: null })]);
			expect({ responses, unreadable }).toEqual({
				responses: length < '{"parentUuid":'.length ? ['next'] : ['kept', 'next'],
				unreadable: ['line'],
			});
		},
	);
});

describe("trouble at the provider, in the program's own rows", () => {
	it.each([
		[{ status: 429, formatted: '429 slow down' }, 'rate_limit', 429, '429 slow down'],
		[{ status: 529, formatted: '529 Overloaded' }, 'overloaded', 529, '529 Overloaded'],
		[{ status: 500, message: '500 Internal server error' }, 'server_error', 500, '500 Internal server error'],
		[
			{ message: 'Connection error.', connection: { code: 'ECONNRESET' } },
			'connection',
			null,
			'Connection error.',
		],
		[{ cause: { code: 'FailedToOpenSocket' } }, 'connection', null, 'FailedToOpenSocket'],
	])('a retry after %o', async (error, kind, status, message) => {
		const { troubles } = await told([retryRow(error)]);
		expect(troubles).toEqual([
			{
				at: Date.parse(AT),
				error: kind,
				message,
				status,
				model: null,
				resetsAt: null,
				isRetry: true,
			},
		]);
	});

	it('is unknown where an older row has only words', async () => {
		const row = retryRow({}, { error: undefined, content: 'API Error (Request timed out.)' });
		expect((await told([row])).troubles).toMatchObject([
			{ error: 'unknown', message: 'API Error (Request timed out.)', isRetry: true },
		]);
	});

	it('ends a turn with its status, and with the time that its words name', async () => {
		const words = "You've hit your session limit · resets 3:40pm (UTC)";
		const { troubles, responses } = await told([
			endRow(words, { error: 'rate_limit', apiErrorStatus: 429 }),
			endRow('Overloaded', { error: 'server_error', apiErrorStatus: 529 }),
			endRow('no', { error: { type: 'billing_error' } }),
			endRow('limit', { error: 'rate_limit', quotaLimits: { resetsAt: 1_796_050_000 } }),
			endRow('Please try again in 20s', { error: 'rate_limit' }),
		]);
		expect(responses).toEqual([]);
		expect(troubles).toMatchObject([
			{
				error: 'rate_limit',
				status: 429,
				message: words,
				isRetry: false,
				resetsAt: Date.parse('2026-11-30T15:40:00Z'),
			},
			{ error: 'overloaded', status: 529 },
			{ error: 'billing_error', status: null },
			{ error: 'rate_limit', resetsAt: 1_796_050_000_000 },
			{ error: 'rate_limit', resetsAt: Date.parse(AT) + 20_000 },
		]);
	});

	it('is also found in a long row', async () => {
		const { troubles } = await told([endRow(`limit ${'x'.repeat(5_000)}`, { error: 'rate_limit' })]);
		expect(troubles).toHaveLength(1);
		expect(troubles[0]?.message).toHaveLength(1_000);
	});

	it("is none where the error is the agent's own", async () => {
		const { troubles } = await told([
			endRow('Prompt is too long', { error: 'invalid_request', apiErrorStatus: 400 }),
			endRow('too long', { error: 'max_output_tokens' }),
			retryRow({ status: 400, message: '400 bad request' }),
		]);
		expect(troubles).toEqual([]);
	});

	it('is none where a prompt, a tool or the model only quotes it', async () => {
		const banner = "You've hit your session limit · resets 3:40pm (UTC)";
		const quoted = [retryRow({ status: 429 }), endRow(banner, { error: 'rate_limit' }), banner];
		const { troubles } = await told([
			...quoted.map(userLine),
			...quoted.map((text, index) => assistantLine({ id: `m${index}`, text })),
			JSON.stringify({
				type: 'user',
				toolUseResult: { type: 'system', subtype: 'api_error', error: { status: 429 } },
			}),
			JSON.stringify({ type: 'progress', data: { message: { type: 'assistant', isApiErrorMessage: true } } }),
		]);
		expect(troubles).toEqual([]);
	});
});
