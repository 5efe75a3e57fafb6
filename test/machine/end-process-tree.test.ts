import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { endProcessTree } from '../../src/main/machine/end-process-tree.ts';
import type { ProcessRow, ProcessTable } from '../../src/main/machine/process-table.ts';
import { isAlive, machineProcesses, processTree } from '../../src/main/machine/processes.ts';
import { endStarted, processIn, startShell, until } from './real-processes.ts';

const patient = { graceMs: 10_000, pollMs: 20 };
const hasty = { graceMs: 100, pollMs: 20 };

afterEach(endStarted);

describe.runIf(process.platform === 'linux')('a real tree', () => {
	it('is ended to the last leaf, and only then called stopped', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'floor-end-'));
		const stranger = await startShell('sleep 60');
		const { identity } = await startShell(
			`(sh -c 'echo $$ > ${directory}/orphan; sleep 60; true' &)
			sh -c 'echo $$ > ${directory}/child; sleep 60; true'; true`,
		);
		const orphan = await processIn(join(directory, 'orphan'));
		const child = await processIn(join(directory, 'child'));
		await until(async () => (await processTree(identity)).length === 4);
		const seen: { pids: readonly number[]; signal: string }[] = [];
		const end = await endProcessTree(identity, {
			...patient,
			onProgress: (pids, signal) => seen.push({ pids, signal }),
		});
		expect(end.phase).toBe('stopped');
		expect(end.pids).toEqual(expect.arrayContaining([identity.pid, orphan.pid, child.pid]));
		expect(seen[0]?.signal).toBe('SIGTERM');
		expect(seen[0]?.pids).toHaveLength(5);
		for (const gone of [identity, orphan, child]) expect(await isAlive(gone)).toBe(false);
		expect(await isAlive(stranger.identity)).toBe(true);
	});

	it('does not go on with the next command of a script', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'floor-end-'));
		const inner = `sleep 60; touch ${directory}/inner-went-on`;
		const { identity } = await startShell(`sh -c '${inner}'; touch ${directory}/went-on`);
		await until(async () => (await processTree(identity)).length === 2);
		expect((await endProcessTree(identity, patient)).phase).toBe('stopped');
		expect(existsSync(join(directory, 'inner-went-on'))).toBe(false);
		expect(existsSync(join(directory, 'went-on'))).toBe(false);
	});

	it('is killed when it does not listen, with the children that it starts meanwhile', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'floor-end-'));
		const { identity } = await startShell(
			`trap "(sleep 60; sleep 60) & echo \\$! > ${directory}/late" TERM
			echo $$ > ${directory}/ready
			while true; do sleep 1; done`,
		);
		await processIn(join(directory, 'ready'));
		const seen: string[] = [];
		const end = await endProcessTree(identity, {
			graceMs: 1_500,
			pollMs: 20,
			onProgress: (_, signal) => seen.push(signal),
		});
		expect(end.phase).toBe('stopped');
		expect(seen).toContain('SIGKILL');
		expect(await isAlive(identity)).toBe(false);
		expect(existsSync(join(directory, 'late'))).toBe(true);
		expect(await processTree(identity)).toEqual([]);
	});

	it('is found gone when it has ended before', async () => {
		const { child, identity } = await startShell('sleep 60');
		const exited = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGKILL');
		await exited;
		expect(await endProcessTree(identity, hasty)).toEqual({ phase: 'stopped', pids: [], denied: [] });
	});

	it('is left alone when the pid belongs to another process now', async () => {
		const { identity } = await startShell('sleep 60');
		const earlier = { ...identity, startTime: 'boot/1' };
		expect(await endProcessTree(earlier, hasty)).toEqual({ phase: 'stopped', pids: [], denied: [] });
		expect(await isAlive(identity)).toBe(true);
	});

	it('is left alone when its start time is not known', async () => {
		const { identity } = await startShell('sleep 60');
		const end = await endProcessTree({ pid: identity.pid, startTime: null }, hasty);
		expect(end).toEqual({ phase: 'process-unknown', pids: [identity.pid], denied: [] });
		expect(await isAlive(identity)).toBe(true);
	});

	it('is reported as running where the system refuses the signal, and the rest is ended', async () => {
		const { identity } = await startShell('sleep 60 & sleep 60; true');
		await until(async () => (await processTree(identity)).length === 2);
		const signal = (pid: number, name: NodeJS.Signals): void => {
			if (pid !== identity.pid) process.kill(pid, name);
			else throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
		};
		// A shell that waits for its child goes on when that ends, so the refusing one is held here.
		process.kill(identity.pid, 'SIGSTOP');
		const end = await endProcessTree(identity, { ...hasty, signal });
		expect(end).toEqual({ phase: 'still-running', pids: [identity.pid], denied: [identity.pid] });
	});
});

/** A machine made of rows; a signal ends a process unless it is told otherwise. */
class FakeMachine implements ProcessTable {
	rows: ProcessRow[];
	readonly signals: string[] = [];
	constructor(rows: ProcessRow[]) {
		this.rows = rows;
	}
	async read(pid: number): Promise<ProcessRow | 'gone'> {
		return this.rows.find((each) => each.pid === pid) ?? 'gone';
	}
	async list(): Promise<readonly ProcessRow[] | null> {
		return [...this.rows];
	}
	async command(): Promise<string | null> {
		return null;
	}
	readonly signal = (pid: number, name: string): void => {
		this.signals.push(`${name} ${pid}`);
		this.rows = this.rows.filter((each) => each.pid !== pid);
	};
}
const row = (pid: number, parentPid: number): ProcessRow => ({
	pid,
	parentPid,
	groupId: pid,
	sessionId: pid,
	startTime: `t${pid}`,
	startedAt: pid,
});
const agent = { pid: 30, startTime: 't30' };

describe('nothing is signalled that is not positively the agent', () => {
	it('signals parents before children', async () => {
		const machine = new FakeMachine([row(1, 0), row(30, 1), row(41, 40), row(40, 30), row(50, 1)]);
		const end = await endProcessTree(agent, { ...hasty, table: machine, signal: machine.signal, self: 50 });
		expect(end.phase).toBe('stopped');
		expect(machine.signals).toEqual(['SIGTERM 30', 'SIGTERM 40', 'SIGTERM 41']);
	});

	it('spares a process that got the pid between the listing and the signal', async () => {
		const machine = new FakeMachine([row(1, 0), row(30, 1), row(40, 30)]);
		const later = { ...row(40, 1), startTime: 'later', startedAt: 99 };
		const signal = (pid: number, name: string): void => {
			machine.signal(pid, name);
			machine.rows = machine.rows.map((each) => (each.pid === 40 ? later : each));
		};
		const end = await endProcessTree(agent, { ...hasty, table: machine, signal, self: 99 });
		expect(end).toEqual({ phase: 'stopped', pids: [30, 40], denied: [] });
		expect(machine.signals).toEqual(['SIGTERM 30']);
		expect(machine.rows).toEqual([row(1, 0), later]);
	});

	it('finds the child that was born while the listing went on without it', async () => {
		const machine = new FakeMachine([row(1, 0), row(30, 1)]);
		const newborn = { ...row(60, 1), groupId: 30, sessionId: 30 };
		const list = machine.list.bind(machine);
		let listings = 0;
		machine.list = async () => {
			const rows = await list();
			// Listed for the agent, for the signal, and then the one that misses the child.
			if (++listings === 3) machine.rows = [...machine.rows, newborn];
			return rows;
		};
		const end = await endProcessTree(agent, { ...hasty, table: machine, signal: machine.signal, self: 99 });
		expect(end).toEqual({ phase: 'stopped', pids: [30, 60], denied: [] });
	});

	it('spares itself, those it lives by and those it started, when the agent started the floor', async () => {
		const machine = new FakeMachine([
			row(1, 0),
			row(30, 1),
			row(35, 30),
			row(40, 35), // the floor
			row(41, 40), // its window
			row(50, 30), // the agent's own
		]);
		const end = await endProcessTree(agent, { ...hasty, table: machine, signal: machine.signal, self: 40 });
		expect(end).toEqual({ phase: 'still-running', pids: [30, 35, 40], denied: [30, 35, 40] });
		expect(machine.signals).toEqual(['SIGTERM 50']);
	});

	it('does nothing on a machine that lists no processes', async () => {
		const machine = new FakeMachine([row(30, 1)]);
		machine.list = async () => null;
		const end = await endProcessTree(agent, { ...hasty, table: machine, signal: machine.signal });
		expect(end).toEqual({ phase: 'process-unknown', pids: [30], denied: [] });
		expect(machine.signals).toEqual([]);
	});

	it('does not call stopped what it could not list', async () => {
		const machine = new FakeMachine([row(1, 0), row(30, 1)]);
		let listings = 0;
		machine.list = async () => (listings++ === 0 ? [...machine.rows] : null);
		const end = await endProcessTree(agent, { ...hasty, table: machine, signal: machine.signal, self: 99 });
		expect(end.phase).toBe('still-running');
	});

	it('has init and the process with pid 0 nowhere', async () => {
		const machine = new FakeMachine([row(1, 0), row(30, 1)]);
		const end = await endProcessTree(
			{ pid: 1, startTime: 't1' },
			{ ...hasty, table: machine, signal: machine.signal, self: 30 },
		);
		expect(end.phase).toBe('still-running');
		expect(machine.signals).toEqual([]);
	});
});

it('lists the processes of this machine, itself among them', async () => {
	const rows = await machineProcesses.list();
	expect(rows?.some((each) => each.pid === process.pid)).toBe(true);
});
