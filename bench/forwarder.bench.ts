/**
 * What a hook costs an agent that can only run commands: the forwarder with the floor up, crashed and ended, beside curl
 * alone, and beside `curl --version`, which only starts: what this machine takes to start a program at all at this moment.
 * All are started the same way, by a process that stays, which tells how long each took without the cost of this one.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { FloorProcess } from '../e2e/support/floor-process.ts';
import {
	forgetFloorAddress,
	forwardCommand,
	writeForwardProgram,
} from '../src/main/hooks/install/forward-program.ts';
import type { BenchRow } from './run.ts';
import { timesOf } from './support/times.ts';

export const title =
	'Forwarder of command hooks: target under 15 ms, of which a machine at work spends most on starting curl';

const RUNS = 400;
const WARM_UP = 30;

/** Runs commands one after the other as agents do, in a small process, so that a fork costs what it costs them. */
if (process.argv[2] === 'runner') serveRuns();

export async function run(): Promise<BenchRow[]> {
	if (!hasCurl()) return [{ ms: 'there is no curl on this machine' }];
	const data = await mkdtemp(join(tmpdir(), 'agent-floor-bench-forward-'));
	const floor = await FloorProcess.start({ heartbeatSeconds: 10 });
	try {
		const { url, agentToken } = floor.server;
		await writeForwardProgram(data, { baseUrl: url, agentToken }, process.platform);
		const payload = join(data, 'payload.json');
		await writeFile(payload, JSON.stringify(PAYLOAD));
		const up = await compare(data, payload, url, agentToken);
		await floor.dispose();
		// Its address still stands there: as after a crash.
		const crashed = await compare(data, payload, url, agentToken);
		await forgetFloorAddress(data);
		const ended = await compare(data, payload, url, agentToken);
		return [...rowsOf('up', up), ...rowsOf('crashed', crashed), ...rowsOf('ended', ended)];
	} finally {
		await floor.dispose();
		await rm(data, { recursive: true, force: true });
	}
}

const PAYLOAD = {
	session_id: 'bench-forward',
	turn_id: 'turn-1',
	transcript_path: '/home/dev/.codex/sessions/2026/11/30/rollout-bench.jsonl',
	cwd: '/home/dev/app',
	hook_event_name: 'PreToolUse',
	model: 'gpt-5.4',
	permission_mode: 'default',
	tool_name: 'Bash',
	tool_input: { command: 'make test' },
	tool_use_id: 'call_1',
};

interface Compared {
	/** `curl --version`. */
	readonly start: readonly number[];
	readonly curl: readonly number[];
	readonly forwarder: readonly number[];
}

function rowsOf(floor: string, { start, curl, forwarder }: Compared): BenchRow[] {
	const started = timesOf(start);
	const alone = timesOf(curl);
	const ours = timesOf(forwarder);
	const row = (name: 'p50' | 'p99'): BenchRow => ({
		ms: `${name}, floor ${floor}`,
		'curl --version': started[name],
		'curl alone': alone[name],
		'the forwarder': ours[name],
		'added to a start': Math.round((ours[name] - started[name]) * 10) / 10,
	});
	return [row('p50'), row('p99')];
}

/** In turn, so that both meet the same machine. */
async function compare(data: string, payload: string, url: string, token: string): Promise<Compared> {
	const runner = fork(import.meta.filename, ['runner'], { execArgv: ['--no-warnings'] });
	const time = async (line: string): Promise<number> => {
		runner.send({ line, payload });
		const [ms] = (await once(runner, 'message')) as [number];
		return ms;
	};
	const target = `${url}/hooks/codex/PreToolUse`;
	const alone = `curl -q -s -f -X POST -H 'Authorization: Bearer ${token}' --data-binary @- ${target}`;
	const forwarder = forwardCommand(data, process.platform, 'codex', 'PreToolUse');
	const times = { start: [] as number[], curl: [] as number[], forwarder: [] as number[] };
	for (let number = 0; number < RUNS + WARM_UP; number += 1) {
		const start = await time('curl -q --version');
		const curl = await time(alone);
		const ours = await time(forwarder);
		if (number < WARM_UP) continue;
		times.start.push(start);
		times.curl.push(curl);
		times.forwarder.push(ours);
	}
	runner.disconnect();
	await once(runner, 'exit');
	return times;
}

interface Order {
	readonly line: string;
	readonly payload: string;
}

function serveRuns(): void {
	process.on('message', ({ line, payload }: Order) => {
		const began = performance.now();
		const child = spawn('/bin/sh', ['-c', `exec ${line} <"$1"`, 'sh', payload], {
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		child.stdout.resume();
		// Until its output ends, which is what an agent waits for.
		child.once('close', () => process.send?.(performance.now() - began));
	});
}

function hasCurl(): boolean {
	return (process.env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, 'curl')));
}
