/** Recorded payloads of the real program through the real route, into a real floor. */
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import { order, steer } from '../../src/main/floor/orders.ts';
import { createGeminiCliDialect } from '../../src/main/hooks/gemini-cli.ts';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { hookRoutes } from '../../src/main/hooks/routes.ts';
import { settingsSchema } from '../../src/shared/settings.ts';
import { AT } from './dialect-payloads.ts';
import { recorded, SESSION, shell, stamp } from './gemini-cli-payloads.ts';

const isReadOnly = await createReadOnlyJudge();

let server: ReturnType<typeof Fastify>;
let floor: Floor;
let counted: FloorEvent[];
let now: number;
/** Whatever waits for an event to be counted. */
let waiting: (() => void)[];

beforeEach(async () => {
	const settings = settingsSchema.parse({});
	floor = new Floor({ getSettings: () => settings, isReadOnly });
	counted = [];
	waiting = [];
	now = AT;
	server = Fastify();
	await server.register(hookRoutes, {
		floor,
		dialects: [createGeminiCliDialect()],
		now: () => now,
		identifyProcess: async () => null,
		onEvent: (event: FloorEvent) => {
			counted.push(event);
			for (const wake of waiting.splice(0)) wake();
		},
		consent: () => null,
		isDemoPlaying: () => false,
		onError: (error: unknown) => {
			throw error;
		},
	});
	await server.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(() => server.close());

async function post(event: string, body: unknown): Promise<unknown> {
	const [address] = server.addresses();
	const response = await fetch(`http://127.0.0.1:${address?.port}/hooks/gemini-cli/${event}`, {
		method: 'POST',
		body: JSON.stringify(body),
	});
	expect(response.status).toBe(200);
	return response.json();
}

/** Replies go out before events are counted. */
async function untilCounted(events: number): Promise<void> {
	while (counted.length < events) await new Promise<void>((resolve) => waiting.push(resolve));
}

/** The reply, when the event has been counted as well. */
async function hook(event: string, body: unknown): Promise<unknown> {
	now += 1_000;
	const events = counted.length + 1;
	const reply = await post(event, body);
	await untilCounted(events);
	return reply;
}

const tell = (event: string, fields: Record<string, unknown> = {}) =>
	hook(event, { ...SESSION, timestamp: stamp(now - AT), ...fields });

function agent() {
	const found = floor.agentOfSession('gemini-cli', SESSION.session_id);
	if (!found) throw new Error('the agent is not on the floor');
	return found;
}

describe('a session of Gemini CLI', () => {
	it.each(['basic', 'tools'])('stands on the floor as it was recorded (%s)', async (name) => {
		const sessions = new Set<string>();
		for (const { event, body } of recorded(name)) {
			expect(await hook(event, body)).toEqual({});
			if (event === 'SessionEnd') sessions.add(String(body.session_id));
		}
		expect(sessions.size).toBe(1);
		for (const id of sessions) {
			const seen = floor.agentOfSession('gemini-cli', id);
			expect(seen).toMatchObject({ directory: '/home/dev/app', exited: { reason: 'session ended (exit)' } });
			expect(seen?.calls.map((call) => call.outcome)).not.toContain('running');
			expect(seen?.calls.map((call) => call.tool)).toContain('Bash');
		}
	});

	it('is not thought to compact because of PreCompress', async () => {
		await tell('SessionStart', { source: 'startup' });
		await tell('PreCompress', { trigger: 'auto' });
		expect(agent().compactingSince).toBeNull();
	});

	it('reads a note after a tool, once', async () => {
		await tell('BeforeAgent', { prompt: 'go' });
		steer(floor, agent().id, 'look at the log', now);
		expect(await tell('BeforeTool', shell)).toEqual({});
		const reply = await tell('AfterTool', { ...shell, tool_response: { llmContent: 'Output: x' } });
		expect(reply).toMatchObject({
			hookSpecificOutput: {
				hookEventName: 'AfterTool',
				additionalContext: expect.stringContaining('look at the log'),
			},
		});
		expect(await tell('AfterTool', shell)).toEqual({});
	});

	it('is kept to reading', async () => {
		await tell('BeforeAgent', { prompt: 'go' });
		order(floor, agent().id, 'constrain', '', now);
		const read = { tool_name: 'read_file', tool_input: { file_path: 'a' } };
		const write = { tool_name: 'write_file', tool_input: { file_path: 'a', content: '' } };
		expect(await tell('BeforeTool', read)).toEqual({});
		expect(await tell('BeforeTool', { ...shell, tool_input: { command: 'git status' } })).toEqual({});
		expect(await tell('BeforeTool', write)).toMatchObject({ decision: 'deny' });
		expect(await tell('BeforeTool', shell)).toMatchObject({ decision: 'deny' });
		expect(agent().calls.at(-1)).toMatchObject({ outcome: 'denied' });
	});

	it('is stopped: before and after tools, and at its next prompt', async () => {
		await tell('BeforeAgent', { prompt: 'go' });
		order(floor, agent().id, 'stop', '', now);
		expect(await tell('BeforeTool', shell)).toMatchObject({ continue: false, decision: 'deny' });
		expect(await tell('AfterTool', shell)).toMatchObject({ continue: false });
		expect(await tell('BeforeAgent', { prompt: 'go on' })).toMatchObject({ decision: 'deny' });
	});

	it('is caught in a loop, and a second delivery of its hooks does not count', async () => {
		const tool_response = { llmContent: 'Output: no\nExit Code: 1\nProcess Group PGID: 7' };
		let calls = 0;
		const rounds = async (count: number) => {
			for (let round = 0; round < count; round++) {
				now += 1_000;
				const body = { ...SESSION, ...shell, timestamp: stamp(now - AT), tool_response };
				for (const event of ['BeforeTool', 'BeforeTool', 'AfterTool', 'AfterTool']) await post(event, body);
			}
			calls += count;
			await untilCounted(1 + 2 * calls);
			now += 30_000;
			floor.beat(now);
		};
		await tell('BeforeAgent', { prompt: 'go' });
		await rounds(3);
		expect(agent().level).toBe('healthy');
		await rounds(9);
		expect(agent().level).toBe('steering');
		expect(agent().calls.map((call) => call.outcome)).toEqual(Array.from({ length: 12 }, () => 'failed'));
		expect(counted).toHaveLength(25);
	});
});
