import { spawn } from 'node:child_process';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endProcessTree } from '../../src/main/machine/end-process-tree.ts';
import { identifyProcess } from '../../src/main/machine/processes.ts';
import { RunningTestFloor } from '../support/running-floor.ts';

describe('an order that was acknowledged', () => {
	let floor: RunningTestFloor;
	beforeEach(async () => {
		floor = await RunningTestFloor.start();
	});
	afterEach(() => floor.dispose());

	it('reaches the disk although the database was locked at that moment', async () => {
		await floor.hook('UserPromptSubmit', { session_id: 's1', cwd: '/w/app', prompt: 'x' });
		await expect.poll(() => floor.snapshot().agents[0]?.id).toBe('claude-code:s1');
		const other = new SqliteDatabase(join(floor.directory, 'floor.db'));
		other.exec('BEGIN IMMEDIATE');
		expect(await floor.request('control:stop', { agentId: 'claude-code:s1' })).toMatchObject({ ok: true });
		other.exec('COMMIT');
		// No event comes any more from a stopped agent: it must be kept without one.
		const kept = () => other.prepare('SELECT order_kind AS kind FROM agents').get();
		await expect.poll(kept, { timeout: 10_000 }).toEqual({ kind: 'stop' });
		other.close();
	});
});

describe.skipIf(process.platform === 'win32')('the end of a process', () => {
	it('is called off when it is no longer wanted', async () => {
		const program = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 0.1; done'], { stdio: 'ignore' });
		const root = await identifyProcess(program.pid ?? 0);
		if (!root) throw new Error('the program is not there');
		let isWanted = true;
		const ending = endProcessTree(root, {
			graceMs: 400,
			pollMs: 50,
			isStillWanted: () => isWanted,
			onProgress: () => {
				isWanted = false;
			},
		});
		expect((await ending).phase).toBe('still-running');
		expect(program.exitCode).toBeNull();
		expect(program.signalCode).toBeNull();
		program.kill('SIGKILL');
	});
});
