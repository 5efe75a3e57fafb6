/** What the real program sent, through the real forwarder and the real route into a real floor, and back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { order, steer } from '../../src/main/floor/orders.ts';
import { codexDialect } from '../../src/main/hooks/codex.ts';
import { forwardCommand, writeForwardProgram } from '../../src/main/hooks/install/forward-program.ts';
import { RECORDINGS, recorded } from './codex-payloads.ts';
import type { Recorded } from './dialect-payloads.ts';
import { HookFloor } from './hook-floor.ts';

let bench: HookFloor;

beforeEach(async () => {
	bench = await HookFloor.start(codexDialect);
});

afterEach(() => bench.stop());

/** The reply, when the event has been counted as well. */
async function tell(line: Recorded): Promise<unknown> {
	bench.now += 1_000;
	return bench.tell(line);
}

function agentOf({ body }: Recorded) {
	return bench.agentOf(String(body.session_id));
}

function first(name: (typeof RECORDINGS)[number], event: string): Recorded {
	const found = recorded(name).find((line) => line.event === event);
	if (!found) throw new Error(`no ${event} in ${name}`);
	return found;
}

describe('sessions of Codex as they were recorded', () => {
	it.each(RECORDINGS)('%s: one agent, and nothing is said to it', async (name) => {
		const lines = recorded(name);
		for (const line of lines) expect(await tell(line)).toEqual({});
		expect(bench.floor.agents().map(({ sessionId }) => sessionId)).toEqual([lines[0]?.body.session_id]);
		expect(bench.counted.map(({ name: told }) => told)).toEqual(lines.map(({ event }) => event));
	});

	it('counts an event once that two installations tell of', async () => {
		const lines = recorded('basic');
		for (const line of lines) {
			await tell(line);
			if (line.event !== 'PreToolUse' && line.event !== 'PostToolUse') continue;
			bench.now += 1;
			await bench.post(line);
		}
		expect(bench.counted.filter(({ kind }) => kind === 'tool-call')).toHaveLength(1);
	});
});

describe('the ladder', () => {
	const call = first('basic', 'PreToolUse');
	const result = first('basic', 'PostToolUse');
	const prompt = first('basic', 'UserPromptSubmit');

	it('a note goes with the next event that carries one', async () => {
		await tell(prompt);
		steer(bench.floor, agentOf(call).id, 'Look at the logs first.', bench.now);
		expect(await tell(call)).toEqual({
			hookSpecificOutput: {
				hookEventName: 'PreToolUse',
				additionalContext: expect.stringContaining('Look at the logs first.'),
			},
		});
		expect(await tell(result)).toEqual({});
	});

	it('a constrained agent reads, and writes nothing, neither by shell nor by patch', async () => {
		await tell(prompt);
		order(bench.floor, agentOf(call).id, 'constrain', '', bench.now);
		expect(await tell(call)).toEqual({});
		const write = {
			...call,
			body: { ...call.body, tool_use_id: 'w', tool_input: { command: 'echo x > a' } },
		};
		const denial = { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) };
		expect(await tell(write)).toEqual(denial);
		const patch = first('patch-refused', 'PreToolUse');
		const session_id = call.body.session_id;
		expect(await tell({ ...patch, body: { ...patch.body, session_id } })).toEqual(denial);
	});

	it('a stopped agent gets no tool, no permission, no prompt, no compaction', async () => {
		await tell(prompt);
		order(bench.floor, agentOf(call).id, 'stop', '', bench.now);
		const body = { ...call.body, prompt: 'again', turn_id: 'later' };
		const replies = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'PreCompact', 'SessionStart'];
		const said = [];
		for (const event of replies) said.push(await tell({ event, body }));
		expect(said).toEqual([
			{ hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) },
			{
				hookSpecificOutput: expect.objectContaining({
					decision: expect.objectContaining({ behavior: 'deny' }),
				}),
			},
			{ decision: 'block', reason: expect.stringContaining('stopped') },
			{ continue: false, stopReason: expect.stringContaining('stopped') },
			{ continue: false, stopReason: expect.stringContaining('stopped') },
		]);
	});
});

it.skipIf(process.platform === 'win32')(
	'goes through the forwarder to the byte, and the denial comes back',
	async () => {
		const data = await mkdtemp(join(tmpdir(), 'agent-floor-codex-'));
		try {
			await writeForwardProgram(data, { baseUrl: bench.url, agentToken: 'token' }, process.platform);
			const forward = async ({ event, body }: Recorded) => {
				const child = spawn('/bin/sh', ['-lc', forwardCommand(data, process.platform, 'codex', event)]);
				let out = '';
				child.stdout.on('data', (chunk: Buffer) => {
					out += chunk.toString('utf8');
				});
				child.stdin.end(JSON.stringify(body));
				await once(child, 'close');
				return out;
			};
			const start = first('basic', 'SessionStart');
			expect(await forward(start)).toBe('{}\n');
			expect(agentOf(start).process).toEqual({ pid: process.pid, startTime: 'then' });
			order(bench.floor, agentOf(start).id, 'stop', 'Enough — «übergenug».', bench.now);
			const reply: unknown = JSON.parse(await forward(first('basic', 'PreToolUse')));
			expect(reply).toEqual({
				hookSpecificOutput: {
					hookEventName: 'PreToolUse',
					permissionDecision: 'deny',
					permissionDecisionReason: expect.stringContaining('Enough — «übergenug».'),
				},
			});
		} finally {
			await rm(data, { recursive: true, force: true });
		}
	},
);
