/** Recorded payloads of the real program through the real route, into a real floor. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { order, steer } from '../../src/main/floor/orders.ts';
import { qwenCodeDialect } from '../../src/main/hooks/qwen-code.ts';
import type { Recorded } from './dialect-payloads.ts';
import { HookFloor } from './hook-floor.ts';
import { RECORDINGS, recorded, SESSION, shell, shellResult } from './qwen-code-payloads.ts';

let bench: HookFloor;

beforeEach(async () => {
	bench = await HookFloor.start(qwenCodeDialect);
});

afterEach(() => bench.stop());

async function hook(line: Recorded): Promise<unknown> {
	bench.now += 1_000;
	return bench.tell(line);
}

const tell = (event: string, fields: Record<string, unknown> = {}) =>
	hook({ event, body: { ...SESSION, ...fields } });
const agent = () => bench.agentOf(SESSION.session_id);
const begin = () => tell('UserPromptSubmit', { prompt: 'go', submitted_prompt: 'go' });

describe('a session of Qwen Code', () => {
	it.each(RECORDINGS)(
		'stands on the floor as it was recorded, and nothing is said to it (%s)',
		async (name) => {
			const lines = recorded(name);
			for (const line of lines) {
				bench.now += 1_000;
				expect(await bench.post(line)).toEqual({});
			}
			await bench.post({ event: 'SessionEnd', body: { ...lines[0]?.body, reason: 'other' } });
			const [seen, ...others] = bench.floor.agents();
			expect(others).toEqual([]);
			expect(seen).toMatchObject({ client: 'qwen-code', directory: '/home/dev/app' });
			expect(bench.counted.filter(({ kind }) => kind === 'prompt')).toHaveLength(1);
		},
	);

	it('shows its calls with their outcome, those that the program itself rejected too', async () => {
		for (const line of recorded('tools')) {
			bench.now += 1_000;
			await bench.post(line);
		}
		const [seen] = bench.floor.agents();
		const calls = seen?.calls.map(({ tool, outcome }) => `${tool} ${outcome}`) ?? [];
		expect(calls).toEqual(
			expect.arrayContaining(['Bash failed', 'Read ok', 'Edit ok', 'no_such_tool failed']),
		);
		expect(calls.join()).not.toContain('running');
	});

	it('reads a note after a tool, once', async () => {
		await begin();
		steer(bench.floor, agent().id, 'look at the log', bench.now);
		expect(await tell('PreToolUse', shell)).toEqual({});
		expect(await tell('PostToolUse', { ...shell, tool_response: { llmContent: 'x' } })).toMatchObject({
			hookSpecificOutput: {
				hookEventName: 'PostToolUse',
				additionalContext: expect.stringContaining('look at the log'),
			},
		});
		expect(await tell('UserPromptSubmit', { prompt: '' })).toEqual({});
	});

	it('is kept to reading', async () => {
		await begin();
		order(bench.floor, agent().id, 'constrain', '', bench.now);
		const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };
		expect(await tell('PreToolUse', { tool_name: 'read_file', tool_input: {} })).toEqual({});
		expect(await tell('PreToolUse', { tool_name: 'write_file', tool_input: {} })).toMatchObject(denied);
		expect(await tell('PreToolUse', shell)).toMatchObject(denied);
		expect(await tell('UserPromptSubmit', { prompt: '' })).toEqual({});
	});

	it('is stopped: no tool, no permission, no prompt, and no model is asked within its turn', async () => {
		await begin();
		order(bench.floor, agent().id, 'stop', '', bench.now);
		expect(await tell('PreToolUse', shell)).toMatchObject({
			hookSpecificOutput: { permissionDecision: 'deny' },
		});
		expect(await tell('PermissionRequest', shell)).toMatchObject({
			hookSpecificOutput: { decision: { behavior: 'deny' } },
		});
		expect(await tell('UserPromptSubmit', { prompt: '' })).toMatchObject({ decision: 'block' });
		const next = { prompt: 'go on', submitted_prompt: 'go on', prompt_id: 'next' };
		expect(await tell('UserPromptSubmit', next)).toMatchObject({ decision: 'block' });
		expect(await tell('Stop')).toEqual({});
	});

	it('is caught in a loop, which its own words to the model between two calls do not hide', async () => {
		await begin();
		for (let call = 1; call <= 12; call += 1) {
			const ids = { tool_call_id: `call_${call}`, tool_use_id: `toolu_${call}` };
			await tell('PreToolUse', { ...shell, ...ids });
			await tell('PostToolUseFailure', { ...shell, ...ids, error: shellResult('no', { exit: '1' }) });
			await tell('UserPromptSubmit', { prompt: '' });
			bench.now += 30_000;
			bench.floor.beat(bench.now);
		}
		expect(agent().level).not.toBe('healthy');
	});

	it('counts each event once that two installations tell of', async () => {
		for (const line of recorded('tools')) {
			bench.now += 1_000;
			await bench.post(line);
			await bench.post(line);
		}
		for (const kind of ['tool-call', 'tool-result'] as const) {
			const ids = bench.counted.flatMap((event) => (event.kind === kind ? [event.callId] : []));
			expect(new Set(ids).size).toBe(ids.length);
		}
	});
});
