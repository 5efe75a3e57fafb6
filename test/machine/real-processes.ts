/** Real processes for tests, which end with the test whatever happens. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../../src/main/floor/events.ts';
import { identifyProcess } from '../../src/main/machine/processes.ts';

const started: number[] = [];

/** Starts `sh -c script` as the leader of its own session, and waits until it can be identified. */
export async function startShell(script: string, options: { detached?: boolean } = {}): Promise<Started> {
	const child = spawn('sh', ['-c', script], { detached: options.detached ?? true, stdio: 'ignore' });
	const pid = await new Promise<number>((resolve, reject) => {
		child.once('error', reject);
		child.once('spawn', () => resolve(child.pid ?? 0));
	});
	started.push(pid);
	return { child, identity: await mustIdentify(pid) };
}

export interface Started {
	readonly child: ChildProcess;
	readonly identity: ProcessIdentity;
}

export async function mustIdentify(pid: number): Promise<ProcessIdentity> {
	const identity = await identifyProcess(pid);
	if (identity === null) throw new Error(`no process ${pid}`);
	started.push(pid);
	return identity;
}

/** Waits until a script has written its pid into the file, and returns that process. */
export async function processIn(file: string): Promise<ProcessIdentity> {
	await until(() => existsSync(file) && /^\d+\n$/.test(readFileSync(file, 'utf8')));
	return mustIdentify(Number(readFileSync(file, 'utf8')));
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	for (let round = 0; round < 1_000; round++) {
		if (await condition()) return;
		await delay(10);
	}
	throw new Error('it never became true');
}

/** For `afterEach`: nothing that a test started outlives it. */
export function endStarted(): void {
	for (const pid of started.splice(0)) {
		for (const target of [-pid, pid]) {
			try {
				process.kill(target, 'SIGKILL');
			} catch {
				// Already gone, as it should be, or the leader of no group.
			}
		}
	}
}
