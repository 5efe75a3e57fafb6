/** Questions about single processes and their trees, asked from the operating system. */
import type { ProcessIdentity } from '../floor/events.ts';
import { LinuxProcessTable } from './linux-processes.ts';
import type { ProcessRow, ProcessTable } from './process-table.ts';
import { ProcessTree } from './process-tree.ts';
import { PsProcessTable } from './ps-processes.ts';
import { WindowsProcessTable } from './windows-processes.ts';

export function processTableOf(platform: NodeJS.Platform): ProcessTable {
	if (platform === 'linux' || platform === 'android') return new LinuxProcessTable();
	return platform === 'win32' ? new WindowsProcessTable() : new PsProcessTable();
}

/** The processes of this machine. */
export const machineProcesses: ProcessTable = processTableOf(process.platform);

/**
 * The identity of a running process: pid and start time. `null` when there is none, or when the system does not tell
 * its start time, so that it could not be told from a later process with the same pid.
 */
export async function identifyProcess(
	pid: number,
	table: ProcessTable = machineProcesses,
): Promise<ProcessIdentity | null> {
	if (!Number.isSafeInteger(pid) || pid < 1) return null;
	const row = await table.read(pid);
	return typeof row === 'string' ? null : { pid: row.pid, startTime: row.startTime };
}

/**
 * Whether exactly this process still runs. A zombie has ended; so has a process whose pid now belongs to another one.
 * `null`: cannot be told (the system does not show it, or the identity has no start time).
 */
export async function isAlive(
	identity: ProcessIdentity,
	table: ProcessTable = machineProcesses,
): Promise<boolean | null> {
	const row = await table.read(identity.pid);
	if (row === 'gone') return false;
	if (row === 'unknown' || identity.startTime === null) return null;
	return row.startTime === identity.startTime;
}

/** The command line of exactly this process (untrusted text); `null` when it is gone or does not show one. */
export async function commandOf(
	identity: ProcessIdentity,
	table: ProcessTable = machineProcesses,
): Promise<string | null> {
	const command = await table.command(identity.pid);
	// Asked afterwards, so that the text cannot be that of a process which came in between.
	return (await isAlive(identity, table)) === true ? command : null;
}

/**
 * What runs below a process now, every parent before its children, the process itself not included: its descendants,
 * and orphans that only it can have started. Empty when the process is gone or not positively known.
 */
export async function processTree(
	identity: ProcessIdentity,
	table: ProcessTable = machineProcesses,
): Promise<ProcessIdentity[]> {
	const rows = await table.list();
	const root = rows === null ? undefined : findProcess(rows, identity);
	if (rows === null || root === undefined) return [];
	const members = new ProcessTree(root).update(rows);
	return members
		.filter((row) => row.pid !== root.pid)
		.map((row) => ({ pid: row.pid, startTime: row.startTime }));
}

/** The row of exactly this process. */
export function findProcess(rows: readonly ProcessRow[], identity: ProcessIdentity): ProcessRow | undefined {
	return rows.find((row) => row.pid === identity.pid && row.startTime === identity.startTime);
}
