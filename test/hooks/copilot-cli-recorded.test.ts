/** What Copilot CLI 1.0.102 really sent, replayed through the real routes into a real floor. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { order, resume, steer } from '../../src/main/floor/orders.ts';
import { createCopilotCliDialect } from '../../src/main/hooks/copilot-cli.ts';
import { eventsOf, recording } from './copilot-cli-payloads.ts';
import { AT, type Recorded } from './dialect-payloads.ts';
import { HookFloor } from './hook-floor.ts';

let bench: HookFloor;

beforeEach(async () => {
	bench = await HookFloor.start(createCopilotCliDialect());
});

afterEach(() => bench.stop());

/** The reply, when the event has been counted as well. */
const tell = (recorded: Recorded) => bench.tell(recorded);

const replay = (name: string): Promise<unknown[]> => bench.tellAll(recording(name));
const onlyAgent = () => bench.onlyAgent();

describe('a session', () => {
	it('is one agent from its first event to its last, and nothing is said to it', async () => {
		const replies = await replay('tools');
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
			client: 'copilot-cli',
			directory: '/home/dev/app',
			state: { kind: 'exited' },
		});
		expect(agent.doing).toBeNull();
		expect(agent.lastTools.toReversed().map(({ tool, target, outcome }) => [tool, target, outcome])).toEqual([
			['Bash', 'echo hello-floor', 'ok'],
			['Bash', 'echo oops; exit 3', 'failed'],
			['Write', '/home/dev/app/a.txt', 'ok'],
			['Read', '/home/dev/app/a.txt', 'ok'],
			['Edit', '/home/dev/app/a.txt', 'ok'],
			['Grep', 'two', 'ok'],
			['Glob', '*.txt', 'ok'],
		]);
	});

	it('told twice over is counted once', async () => {
		for (const recorded of recording('tools')) {
			await tell(recorded);
			await bench.post(recorded);
		}
		expect(bench.counted).toHaveLength(recording('tools').length);
	});

	it('that is first heard of in its middle is on the floor all the same', async () => {
		const call = recording('tools').find(({ event }) => event === 'preToolUse');
		if (!call) throw new Error('no call recorded');
		await tell(call);
		expect(onlyAgent().doing).toMatchObject({ tool: 'Bash', target: 'echo hello-floor' });
	});
});

describe('a loop', () => {
	it('gives equal calls and equal results, although every command has another shell', () => {
		const results = eventsOf('loop').filter((event) => event.kind === 'tool-result');
		expect(results.length).toBeGreaterThan(8);
		expect(new Set(results.map(({ input, result }) => JSON.stringify([input, result]))).size).toBe(1);
		expect(new Set(results.map((event) => event.dedupeKey)).size).toBe(results.length);
	});
});

describe('what fails', () => {
	it('is the agent’s own error when a tool refuses it', () => {
		const failures = eventsOf('failures').filter((event) => event.kind === 'tool-result');
		expect(failures.map(({ tool, result, failed }) => [tool, result, failed])).toEqual([
			['Edit', 'Path not absolute', true],
			['Read', 'Path does not exist', true],
			['Bash', '"command": Required', true],
			['nosuchtool', "Tool 'nosuchtool' does not exist.", true],
		]);
	});

	it('is the agent’s own error when an MCP server says so', () => {
		const results = eventsOf('mcp').filter((event) => event.kind === 'tool-result');
		expect(results).toMatchObject([
			{ tool: 'mcp__my-server-delete_row', failed: false },
			{ tool: 'mcp__my-server-fail-it', failed: true, result: "MCP server 'my-server': nope" },
		]);
	});

	it.each([
		['rate-limited', 'rate_limit', "Sorry, you've hit a rate limit. Please try again in 2 hours."],
		['no-quota', 'billing_error', 'You have no quota'],
		['connection-refused', 'model_call', expect.stringContaining('Connection refused')],
	])('%s is the provider’s trouble: %s', async (name, error, message) => {
		await replay(name);
		const failures = bench.counted.filter((event) => event.kind === 'turn-failed');
		expect(failures.length).toBeGreaterThan(0);
		for (const failure of failures) expect(failure).toMatchObject({ blame: 'provider', error, message });
		expect(onlyAgent().level).toBe('healthy');
	});
});

describe('subagents', () => {
	it('belong to the session, however deep, and are gone when they are done', async () => {
		await replay('subagents');
		const ids = new Set(bench.counted.map((event) => event.subagentId).filter((id) => id !== null));
		expect(ids.size).toBe(2);
		expect(onlyAgent().sessionId).toBe(recording('subagents')[0]?.body.sessionId);
		expect(onlyAgent().subagents).toEqual([]);
		expect(bench.counted.filter((event) => event.kind === 'prompt')).toHaveLength(1);
	});
});

describe('nobody spoke', () => {
	it('when autopilot tells its own agent to go on (github/copilot-cli#2144)', () => {
		const prompts = eventsOf('autopilot').filter((event) => event.name === 'userPromptSubmitted');
		expect(prompts.map((event) => event.kind)).toEqual(['prompt', 'other']);
	});
});

describe('a person is asked', () => {
	it('when the notification says so', async () => {
		const asked = recording('permission').findIndex(({ event }) => event === 'notification');
		for (const recorded of recording('permission').slice(0, asked)) await tell(recorded);
		expect(onlyAgent().state.kind).toBe('live');
		for (const recorded of recording('permission').slice(asked, asked + 1)) await tell(recorded);
		expect(onlyAgent().state).toMatchObject({
			kind: 'waiting',
			reason: 'Run command: echo ran > ran.txt',
			needsYou: true,
		});
	});
});

describe('a command in the background', () => {
	it('leaves no id of a shell in the results', () => {
		const results = eventsOf('background').filter((event) => event.kind === 'tool-result');
		expect(results.map(({ tool, result }) => [tool, result]).filter(([tool]) => tool !== 'TaskList')).toEqual(
			[
				['Bash', '<command started in background with shellId>'],
				['BashOutput', 'late'],
				['stop_bash', '<command with id stopped>'],
			],
		);
	});
});

describe('the operator', () => {
	const step = (name: string) => {
		const found = recording('tools').find(({ event }) => event === name);
		if (!found) throw new Error(`no ${name} recorded`);
		return found;
	};
	const later = (recorded: Recorded, fields: Record<string, unknown> = {}): Recorded => ({
		event: recorded.event,
		body: { ...recorded.body, ...fields, timestamp: Number(recorded.body.timestamp) + ++ticks },
	});
	let ticks = 0;

	it('steers: the note goes along with the next result', async () => {
		await tell(step('preToolUse'));
		steer(bench.floor, onlyAgent().id, 'look at the log', AT);
		expect(await tell(step('postToolUse'))).toEqual({
			additionalContext: expect.stringContaining('look at the log'),
		});
		expect(await tell(later(step('postToolUse')))).toEqual({});
	});

	it('constrains: reading passes, the write is refused with the reason', async () => {
		await tell(step('sessionStart'));
		order(bench.floor, onlyAgent().id, 'constrain', '', AT);
		expect(await tell(later(step('preToolUse'), { toolName: 'view', toolArgs: { path: '/a' } }))).toEqual({});
		expect(await tell(later(step('preToolUse'), { toolName: 'create', toolArgs: { path: '/a' } }))).toEqual({
			permissionDecision: 'deny',
			permissionDecisionReason: expect.stringContaining('limits this agent to reading'),
		});
		// The permission is asked for after a tool that passed.
		expect(await tell(later(step('permissionRequest')))).toEqual({});
	});

	it('stops: no tool, no permission, no prompt, until it is resumed', async () => {
		await tell(step('sessionStart'));
		const { id } = onlyAgent();
		order(bench.floor, id, 'stop', '', AT);
		const reason = expect.stringContaining('stopped this agent');
		expect(await tell(later(step('preToolUse'), { toolName: 'view', toolArgs: { path: '/a' } }))).toEqual({
			permissionDecision: 'deny',
			permissionDecisionReason: reason,
		});
		expect(await tell(later(step('permissionRequest')))).toEqual({
			behavior: 'deny',
			message: reason,
			interrupt: true,
		});
		expect(await tell(later(step('userPromptSubmitted')))).toEqual({ decision: 'block', reason });
		const own = { prompt: 'You have not yet marked the task as complete using the task_complete tool.' };
		expect(await tell(later(step('userPromptSubmitted'), own))).toEqual({ decision: 'block', reason });
		expect(await tell(later(step('agentStop')))).toEqual({});
		resume(bench.floor, id, AT);
		expect(await tell(later(step('preToolUse')))).toEqual({});
	});

	it('stops its subagents too', async () => {
		await tell(step('sessionStart'));
		order(bench.floor, onlyAgent().id, 'stop', '', AT);
		const { sessionId } = step('sessionStart').body;
		const child = { sessionId: 'child', agentId: 'child', parentAgentId: sessionId };
		expect(await tell(later(step('preToolUse'), child))).toMatchObject({ permissionDecision: 'deny' });
		expect(await tell(later(step('userPromptSubmitted'), child))).toMatchObject({ decision: 'block' });
	});

	it('holds: tools wait, talk does not', async () => {
		await tell(step('sessionStart'));
		order(bench.floor, onlyAgent().id, 'hold', '', AT);
		expect(await tell(later(step('preToolUse')))).toMatchObject({ permissionDecision: 'deny' });
		expect(await tell(later(step('userPromptSubmitted')))).toEqual({});
	});
});
