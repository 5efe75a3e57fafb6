/**
 * What the operating system says about processes, in one shape for all systems. Each system has one file that
 * implements `ProcessTable`; everything that decides (who belongs to a tree, what may be signalled) is written once,
 * against this.
 */

/** One running process. Zombies are no rows: they have ended, only nobody has asked for their exit code yet. */
export interface ProcessRow {
	readonly pid: number;
	readonly parentPid: number;
	/** Process group; `null` where the system has none or does not tell. */
	readonly groupId: number | null;
	/** Session; `null` where the system has none or does not tell. */
	readonly sessionId: number | null;
	/** Opaque and equal for the same process only, also across reboots where the system allows it. */
	readonly startTime: string;
	/** Comparable with other rows of the same boot, unit of the system's choice: a child is never older than its parent. */
	readonly startedAt: number;
}

/** `gone`: positively not there (or a zombie). `unknown`: something may be there, the system does not say what. */
export type ProcessLookup = ProcessRow | 'gone' | 'unknown';

export interface ProcessTable {
	/** One process, as fresh as the system gives it. Never throws. */
	read(pid: number): Promise<ProcessLookup>;
	/** All processes that can be seen; `null` when the system would not list them. Not atomic. Never throws. */
	list(): Promise<readonly ProcessRow[] | null>;
	/** The command line as the process shows it (untrusted text), `null` when it cannot be read. Never throws. */
	command(pid: number): Promise<string | null>;
}

/** Whether the pid is taken at all, by a process of whoever. `null`: the system would not say. */
export function pidTaken(pid: number): boolean | null {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) return null;
		if (error.code === 'ESRCH') return false;
		return error.code === 'EPERM' ? true : null;
	}
}
