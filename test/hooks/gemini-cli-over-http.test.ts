/** Recorded payloads of the real program through the real route, into a real floor. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { order, steer } from '../../src/main/floor/orders.ts';
import { createGeminiCliDialect } from '../../src/main/hooks/gemini-cli.ts';
import { AT, type Recorded } from './dialect-payloads.ts';
import { recorded, SESSION, shell, stamp } from './gemini-cli-payloads.ts';
import { HookFloor } from './hook-floor.ts';

let bench: HookFloor;

beforeEach(async () => {
	bench = await HookFloor.start(createGeminiCliDialect());
});

afterEach(() => bench.stop());

/** The reply, when the event has been counted as well. */
async function hook(line: Recorded): Promise<unknown> {
	bench.now += 1_000;
	return bench.tell(line);
}

const tell = (event: string, fields: Record<string, unknown> = {}) =>
	hook({ event, body: { ...SESSION, timestamp: stamp(bench.now - AT), ...fields } });

const agent = () => bench.agentOf(SESSION.session_id);

describe('a session of Gemini CLI', () => {
	it.each(['basic', 'tools'])('stands on the floor as it was recorded (%s)', async (name) => {
		const sessions = new Set<string>();
		for (const { event, body } of recorded(name)) {
			expect(await hook({ event, body })).toEqual({});
			if (event === 'SessionEnd') sessions.add(String(body.session_id));
		}
		expect(sessions.size).toBe(1);
		for (const id of sessions) {
			const seen = bench.floor.agentOfSession('gemini-cli', id);
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
		steer(bench.floor, agent().id, 'look at the log', bench.now);
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
		order(bench.floor, agent().id, 'constrain', '', bench.now);
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
		order(bench.floor, agent().id, 'stop', '', bench.now);
		expect(await tell('BeforeTool', shell)).toMatchObject({ continue: false, decision: 'deny' });
		expect(await tell('AfterTool', shell)).toMatchObject({ continue: false });
		expect(await tell('BeforeAgent', { prompt: 'go on' })).toMatchObject({ decision: 'deny' });
	});

	it('is caught in a loop, and a second delivery of its hooks does not count', async () => {
		const tool_response = { llmContent: 'Output: no\nExit Code: 1\nProcess Group PGID: 7' };
		let calls = 0;
		const rounds = async (count: number) => {
			for (let round = 0; round < count; round++) {
				bench.now += 1_000;
				const body = { ...SESSION, ...shell, timestamp: stamp(bench.now - AT), tool_response };
				for (const event of ['BeforeTool', 'BeforeTool', 'AfterTool', 'AfterTool']) {
					await bench.post({ event, body });
				}
			}
			calls += count;
			await bench.untilCounted(1 + 2 * calls);
			bench.now += 30_000;
			bench.floor.beat(bench.now);
		};
		await tell('BeforeAgent', { prompt: 'go' });
		await rounds(3);
		expect(agent().level).toBe('healthy');
		await rounds(9);
		expect(agent().level).toBe('steering');
		expect(agent().calls.map((call) => call.outcome)).toEqual(Array.from({ length: 12 }, () => 'failed'));
		expect(bench.counted).toHaveLength(25);
	});
});
