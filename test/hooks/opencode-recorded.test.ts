/** What the plugin in opencode 1.18.33 really sent, replayed through the real routes into a real floor. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpencodeDialect } from '../../src/main/hooks/opencode.ts';
import { opencodeUsage } from '../../src/main/hooks/opencode-usage.ts';
import { HookFloor } from './hook-floor.ts';
import { eventsOf, recording } from './opencode-payloads.ts';

let bench: HookFloor;

beforeEach(async () => {
	bench = await HookFloor.start(createOpencodeDialect());
});

afterEach(() => bench.stop());

const replay = (name: string): Promise<unknown[]> => bench.tellAll(recording(name));
const onlyAgent = () => bench.onlyAgent();

describe('a session', () => {
	it('is one agent from its first event to its last, and nothing is said to it', async () => {
		const replies = await replay('basic');
		expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toEqual(new Set(['{}']));
		expect(bench.counted.map((event) => event.kind).filter((kind) => kind !== 'other')).toEqual([
			'session-start',
			'prompt',
			...Array.from({ length: 7 }, () => ['tool-call', 'tool-result']).flat(),
			'turn-end',
			'session-end',
		]);
		const agent = onlyAgent();
		expect(agent).toMatchObject({
			client: 'opencode',
			directory: '/home/dev/app',
			model: 'stub-model',
			state: { kind: 'exited' },
		});
		expect(agent.lastTools.toReversed().map(({ tool, target, outcome }) => [tool, target, outcome])).toEqual([
			['Bash', 'echo hello-floor', 'ok'],
			['Read', 'notes.txt', 'ok'],
			['Edit', 'nofile.txt', 'failed'],
			['nosuch', '', 'failed'],
			['Write', 'new.txt', 'ok'],
			['Edit', 'new.txt', 'ok'],
			['Bash', 'echo oops; exit 3', 'failed'],
		]);
	});

	it('told twice over is counted once', async () => {
		for (const recorded of recording('basic')) {
			await bench.tell(recorded);
			await bench.post(recorded);
		}
		expect(bench.counted).toHaveLength(recording('basic').length);
	});

	it('tells each model call’s tokens, as opencode adds them up', () => {
		const usages = recording('basic').map(({ event, body }) => opencodeUsage(event, body));
		const known = usages.filter((usage) => usage !== null);
		expect(known).toHaveLength(8);
		expect(new Set(known.map(({ key }) => key)).size).toBe(8);
		expect(known.every(({ usage, model }) => usage.input === 900 && model === 'stub-model')).toBe(true);
	});
});

describe('a loop', () => {
	it('gives equal calls and equal results, each counted', () => {
		const results = eventsOf('loop').filter((event) => event.kind === 'tool-result');
		expect(results).toHaveLength(6);
		expect(new Set(results.map(({ input, result }) => JSON.stringify([input, result]))).size).toBe(1);
		expect(results.every(({ failed }) => failed)).toBe(true);
		expect(new Set(results.map((event) => event.dedupeKey)).size).toBe(results.length);
	});
});

describe('a turn that the floor ended', () => {
	it('ends once, in the ordinary way, and the refused call did not fail', async () => {
		await replay('stopped');
		const kinds = bench.counted.map(({ kind }) => kind).filter((kind) => kind !== 'other');
		expect(kinds).toEqual(['session-start', 'prompt', 'tool-call', 'turn-end', 'session-end']);
	});
});

describe('a compaction', () => {
	it('begins and ends, and the program’s own word to go on is no person’s prompt', async () => {
		await replay('compaction');
		const kinds = bench.counted.map(({ kind }) => kind).filter((kind) => kind !== 'other');
		const call = ['tool-call', 'tool-result'];
		expect(kinds.slice(2)).toEqual([...call, 'compact-start', 'compact-end', ...call]);
		expect(kinds.filter((kind) => kind === 'prompt')).toHaveLength(1);
	});
});

describe('tools of an MCP server', () => {
	it('keep their names, and fail as the server says', () => {
		const results = eventsOf('mcp').filter((event) => event.kind === 'tool-result');
		expect(results).toMatchObject([
			{ tool: 'my-server_echo', result: 'echoed\ntwo', failed: false },
			{ tool: 'my-server_fail', result: 'no such note', failed: true },
		]);
	});
});

describe('subagents', () => {
	it('belong to the session and are gone when they are done; nobody spoke to them', async () => {
		await replay('subagents');
		const ids = new Set(bench.counted.map((event) => event.subagentId).filter((id) => id !== null));
		expect(ids.size).toBe(1);
		expect(onlyAgent().sessionId).toBe(recording('subagents')[0]?.body.sessionID);
		expect(onlyAgent().subagents).toEqual([]);
		expect(bench.counted.map((event) => event.kind)).toContain('subagent-start');
		expect(bench.counted.filter((event) => event.kind === 'prompt')).toHaveLength(1);
	});
});

describe('a person is asked', () => {
	it('and says no: that ends the wait and is no error of the agent’s', async () => {
		const asked = recording('permission').findIndex(({ event }) => event === 'permission.asked');
		for (const recorded of recording('permission').slice(0, asked + 1)) await bench.tell(recorded);
		expect(onlyAgent().state).toMatchObject({
			kind: 'waiting',
			reason: 'wants to use bash: `echo hi`',
			needsYou: true,
		});
		for (const recorded of recording('permission').slice(asked + 1)) await bench.tell(recorded);
		expect(bench.counted.find((event) => event.kind === 'tool-result')).toMatchObject({ failed: false });
		expect(onlyAgent().state).not.toMatchObject({ reason: expect.stringContaining('wants to use') });
	});
});

describe('a failed model call', () => {
	it('that is tried again is the provider’s trouble, and the turn goes on', () => {
		const troubles = eventsOf('rate-limited').filter((event) => event.kind === 'provider-trouble');
		expect(troubles).toHaveLength(2);
		for (const trouble of troubles) {
			expect(trouble).toMatchObject({ error: 'rate_limit', message: 'Rate limit reached for requests' });
		}
		expect(eventsOf('rate-limited').map(({ kind }) => kind)).toContain('turn-end');
	});

	it.each([
		['key-refused', 'provider', 'authentication_failed', 'bad key'],
		['invalid', 'agent', 'APIError', 'invalid thing'],
	] as const)('%s: the turn failed once, blame %s', (name, blame, error, message) => {
		const ends = eventsOf(name).filter(({ kind }) => kind === 'turn-failed' || kind === 'turn-end');
		expect(ends).toMatchObject([{ kind: 'turn-failed', blame, error, message }]);
	});
});
