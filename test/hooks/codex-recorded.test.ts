/** What the real program sent, through the real forwarder and the real route into a real floor, and back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import { order, steer } from '../../src/main/floor/orders.ts';
import { codexDialect } from '../../src/main/hooks/codex.ts';
import { forwardCommand, writeForwardProgram } from '../../src/main/hooks/install/forward-program.ts';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { hookRoutes } from '../../src/main/hooks/routes.ts';
import { settingsSchema } from '../../src/shared/settings.ts';
import { RECORDINGS, recorded } from './codex-payloads.ts';
import { AT, type Recorded } from './dialect-payloads.ts';

const isReadOnly = await createReadOnlyJudge();

let server: ReturnType<typeof Fastify>;
let url: string;
let floor: Floor;
let counted: FloorEvent[];
let now: number;
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
		dialects: [codexDialect],
		now: () => now,
		identifyProcess: async (pid: number) => ({ pid, startTime: 'then' }),
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
	url = await server.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(() => server.close());

/** The reply, when the event has been counted as well. */
async function tell({ event, body }: Recorded): Promise<unknown> {
	const before = counted.length;
	now += 1_000;
	const response = await fetch(`${url}/hooks/codex/${event}`, { method: 'POST', body: JSON.stringify(body) });
	expect(response.status).toBe(200);
	while (counted.length === before) await new Promise<void>((resolve) => waiting.push(resolve));
	return response.json();
}

function agentOf({ body }: Recorded) {
	const found = floor.agentOfSession('codex', String(body.session_id));
	if (!found) throw new Error('the agent is not on the floor');
	return found;
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
		expect(floor.agents().map(({ sessionId }) => sessionId)).toEqual([lines[0]?.body.session_id]);
		expect(counted.map(({ name: told }) => told)).toEqual(lines.map(({ event }) => event));
	});

	it('counts an event once that two installations tell of', async () => {
		const lines = recorded('basic');
		for (const line of lines) {
			await tell(line);
			if (line.event !== 'PreToolUse' && line.event !== 'PostToolUse') continue;
			now += 1;
			await fetch(`${url}/hooks/codex/${line.event}`, { method: 'POST', body: JSON.stringify(line.body) });
		}
		expect(counted.filter(({ kind }) => kind === 'tool-call')).toHaveLength(1);
	});
});

describe('the ladder', () => {
	const call = first('basic', 'PreToolUse');
	const result = first('basic', 'PostToolUse');
	const prompt = first('basic', 'UserPromptSubmit');

	it('a note goes with the next event that carries one', async () => {
		await tell(prompt);
		steer(floor, agentOf(call).id, 'Look at the logs first.', now);
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
		order(floor, agentOf(call).id, 'constrain', '', now);
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
		order(floor, agentOf(call).id, 'stop', '', now);
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
			await writeForwardProgram(data, { baseUrl: url, agentToken: 'token' }, process.platform);
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
			order(floor, agentOf(start).id, 'stop', 'Enough — «übergenug».', now);
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
