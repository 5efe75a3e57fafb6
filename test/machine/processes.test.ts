import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseStat } from '../../src/main/machine/linux-processes.ts';
import { commandOf, identifyProcess, isAlive, processTree } from '../../src/main/machine/processes.ts';
import { PsProcessTable, parsePs } from '../../src/main/machine/ps-processes.ts';
import { parseCim } from '../../src/main/machine/windows-processes.ts';
import { endStarted, processIn, startShell, until } from './real-processes.ts';

afterEach(endStarted);

describe.skipIf(process.platform === 'win32')('a real process', () => {
	it('is identified, alive, and gone once it has ended', async () => {
		const { child, identity } = await startShell('sleep 60');
		expect(identity.startTime).not.toBeNull();
		expect(await isAlive(identity)).toBe(true);
		const exited = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGKILL');
		await exited;
		expect(await isAlive(identity)).toBe(false);
		expect(await identifyProcess(identity.pid)).toBeNull();
	});

	it('is not another one with the same pid', async () => {
		const { identity } = await startShell('sleep 60');
		const earlier = { ...identity, startTime: `${identity.startTime}0` };
		expect(await isAlive(earlier)).toBe(false);
		expect(await commandOf(earlier)).toBeNull();
		expect(await processTree(earlier)).toEqual([]);
	});

	it('without a known start time cannot be told from another one', async () => {
		expect(await isAlive({ pid: process.pid, startTime: null })).toBeNull();
	});

	it('shows its command line', async () => {
		const { identity } = await startShell('sleep 61; true');
		await until(async () => (await commandOf(identity)) === 'sh -c sleep 61; true');
	});

	it.each([0, -1, 1.5, Number.NaN, 2 ** 40])('has no pid %s', async (pid) => {
		expect(await identifyProcess(pid)).toBeNull();
	});
});

describe.runIf(process.platform === 'linux')('on Linux', () => {
	it('counts a zombie as gone', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'floor-zombie-'));
		// The inner shell tells its pid and becomes a zombie, for `sleep` never asks for the exit code of a child.
		const script = `(sh -c 'echo $$ > ${directory}/pid; read line < ${directory}/go' &) ; exec sleep 60`;
		const inheriting = script.replace('&) ;', '&').replace('(sh', 'sh');
		await startShell(`mkfifo ${directory}/go; ${inheriting}`);
		const child = await processIn(join(directory, 'pid'));
		expect(await isAlive(child)).toBe(true);
		process.kill(child.pid, 'SIGKILL');
		await until(async () => (await isAlive(child)) === false);
		// The pid is still taken: it is a zombie, not nothing.
		expect(() => process.kill(child.pid, 0)).not.toThrow();
	});

	it('lists descendants parents first, with an orphan that left its parent, and nobody else', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'floor-tree-'));
		const stranger = await startShell('sleep 60');
		const { identity } = await startShell(
			`(sh -c 'echo $$ > ${directory}/orphan; sleep 60; true' &)
			sh -c 'echo $$ > ${directory}/child; sh -c "echo \\$\\$ > ${directory}/grandchild; read line" < /dev/zero; true'
			true`,
		);
		const orphan = await processIn(join(directory, 'orphan'));
		const child = await processIn(join(directory, 'child'));
		const grandchild = await processIn(join(directory, 'grandchild'));
		const pids = (await processTree(identity)).map((each) => each.pid);
		expect(pids).toEqual(expect.arrayContaining([orphan.pid, child.pid, grandchild.pid]));
		expect(pids.indexOf(child.pid)).toBeLessThan(pids.indexOf(grandchild.pid));
		for (const other of [identity.pid, stranger.identity.pid, process.pid, 1])
			expect(pids).not.toContain(other);
	});

	it('says the same as ps', async () => {
		const { identity } = await startShell('sleep 60 & sleep 60 & wait');
		const table = new PsProcessTable();
		await until(async () => (await processTree(identity)).length === 2);
		const byPs = await identifyProcess(identity.pid, table);
		expect(byPs).not.toBeNull();
		if (byPs === null) return;
		expect(await isAlive(byPs, table)).toBe(true);
		const pids = async (tree: Promise<{ pid: number }[]>) => (await tree).map((each) => each.pid).sort();
		expect(await pids(processTree(byPs, table))).toEqual(await pids(processTree(identity)));
		expect(await commandOf(byPs, table)).toBe(await commandOf(identity));
	});
});

describe('what the systems print', () => {
	it('is read from /proc/<pid>/stat whatever the program calls itself', () => {
		const stat = (name: string, state = 'S', threads = '1') =>
			`4242 (${name}) ${state} 17 4242 4000 34816 4242 4194304 1 2 3 4 5 6 7 8 20 0 ${threads} 0 987654 1 2`;
		for (const name of ['node', 'a) S 1 1 1', '((', 'two words', 'line\nbreak', ') Z 9 (']) {
			expect(parseStat(stat(name), 'b00t')).toEqual({
				pid: 4242,
				parentPid: 17,
				groupId: 4242,
				sessionId: 4000,
				startTime: 'b00t/987654',
				startedAt: 987654,
				ended: false,
			});
		}
		expect(parseStat(stat('node', 'Z'), 'b00t')?.ended).toBe(true);
		// The main thread has ended, its workers go on.
		expect(parseStat(stat('node', 'Z', '5'), 'b00t')?.ended).toBe(false);
		for (const torn of ['', '4242', '4242 (node', '4242 (node) S 17', 'x (node) S 1 1 1']) {
			expect(parseStat(torn, 'b00t')).toBeNull();
		}
	});

	it('is read from ps of macOS, without zombies', () => {
		const printed = [
			'    1     0     1 Ss   Mon Nov 30 10:31:05 2026    ',
			'  612     1   612 S+   Tue Dec  1 00:00:01 2026    ',
			'  613   612   612 Z+   Tue Dec  1 00:00:02 2026    ',
			'ps: something else',
		].join('\n');
		expect(parsePs(printed)).toEqual([
			expect.objectContaining({ pid: 1, parentPid: 0, groupId: 1, startTime: '2026-11-30T10:31:05.000Z' }),
			expect.objectContaining({ pid: 612, parentPid: 1, startedAt: Date.UTC(2026, 11, 1, 0, 0, 1) }),
		]);
	});

	it('is read from CIM of Windows, where start times are longer than a double holds', () => {
		const rows = parseCim('4 0 639000000000000001\r\n1200 4 639000000000000002\r\n\r\nnoise\r\n');
		expect(rows.map((row) => [row.pid, row.parentPid, row.startTime])).toEqual([
			[4, 0, '639000000000000001'],
			[1200, 4, '639000000000000002'],
		]);
	});
});
