/** What a hook costs an agent: round trips at 200 events/s from 500 sessions, beside a server that does nothing. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, Agent as HttpAgent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FloorProcess } from '../e2e/support/floor-process.ts';
import type { BenchRow } from './run.ts';
import { quantileOf } from './support/times.ts';

export const title = 'Hook round trip at 200 events/s from 500 sessions: target p99 under 5 ms added';

const SESSIONS = 500;
const EVENTS_PER_SECOND = 200;
const SECONDS = 15;
const WARM_UP_SECONDS = 3;

// The server that does nothing runs in a process of its own, as the floor does.
if (process.argv[2] === 'idle-server') serveIdle();

export async function run(): Promise<BenchRow[]> {
	const idle = await startIdle();
	const floor = await FloorProcess.start({ heartbeatSeconds: 10 });
	try {
		const nothing = await measure(idle.url, 'x');
		const ours = await measure(floor.server.url, floor.server.agentToken);
		const row = (name: string, pick: (times: Times) => number): BenchRow => ({
			ms: name,
			'a server that does nothing': round(pick(nothing)),
			'the floor': round(pick(ours)),
			added: round(pick(ours) - pick(nothing)),
		});
		return [
			row('p50', ({ sorted }) => quantileOf(sorted, 0.5)),
			row('p90', ({ sorted }) => quantileOf(sorted, 0.9)),
			row('p99', ({ sorted }) => quantileOf(sorted, 0.99)),
			row('p99 before a tool', ({ gating }) => quantileOf(gating, 0.99)),
			row('worst', ({ sorted }) => quantileOf(sorted, 1)),
		];
	} finally {
		idle.stop();
		await floor.dispose();
	}
}

interface Times {
	readonly sorted: number[];
	/** Of PreToolUse alone: what an agent waits for before it may act. */
	readonly gating: number[];
}

async function measure(url: string, token: string): Promise<Times> {
	const agent = new HttpAgent({ keepAlive: true, maxSockets: 64 });
	const all: number[] = [];
	const gating: number[] = [];
	const pending: Promise<void>[] = [];
	const began = performance.now();
	for (let number = 0; number < EVENTS_PER_SECOND * SECONDS; number += 1) {
		const due = began + (number * 1000) / EVENTS_PER_SECOND;
		const wait = due - performance.now();
		if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
		const warm = number >= EVENTS_PER_SECOND * WARM_UP_SECONDS;
		pending.push(
			post(agent, url, token, number).then((ms) => {
				if (!warm) return;
				all.push(ms);
				if (number % 2 === 0) gating.push(ms);
			}),
		);
	}
	await Promise.all(pending);
	agent.destroy();
	const ascending = (one: number, other: number): number => one - other;
	return { sorted: all.sort(ascending), gating: gating.sort(ascending) };
}

/** Every session calls a tool, then reports its result: half of all events gate. */
function post(agent: HttpAgent, url: string, token: string, number: number): Promise<number> {
	const event = number % 2 === 0 ? 'PreToolUse' : 'PostToolUse';
	const turn = Math.floor(number / 2);
	const session = turn % SESSIONS;
	const body = JSON.stringify({
		session_id: `bench-${session}`,
		transcript_path: `/home/dev/.claude/projects/app/bench-${session}.jsonl`,
		cwd: `/home/dev/app-${session}`,
		permission_mode: 'default',
		hook_event_name: event,
		tool_name: 'Bash',
		tool_input: { command: `make step-${turn}`, description: 'one step' },
		tool_use_id: `toolu_${turn}`,
		...(event === 'PostToolUse' && {
			tool_response: { stdout: 'x'.repeat(2_000), stderr: '', interrupted: false },
		}),
	});
	const began = performance.now();
	return new Promise((resolve, reject) => {
		const message = request(
			`${url}/hooks/claude-code/${event}`,
			{
				method: 'POST',
				agent,
				headers: { authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(body) },
			},
			(response) => {
				response.resume();
				response.once('end', () => resolve(performance.now() - began));
			},
		);
		message.once('error', reject);
		message.end(body);
	});
}

async function startIdle(): Promise<{ url: string; stop: () => void }> {
	const child = fork(import.meta.filename, ['idle-server'], { execArgv: ['--no-warnings'] });
	const [port] = (await once(child, 'message')) as [number];
	return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function serveIdle(): void {
	const server = createServer((message, response) => {
		message.resume();
		message.once('end', () => response.end('{}'));
	});
	server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

function round(ms: number): number {
	return Math.round(ms * 100) / 100;
}
