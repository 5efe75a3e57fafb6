/**
 * Ends a program with all that it started, and says so only when every process was seen gone. Files are not touched.
 *
 * Signals go to parents before their children: a shell whose child is ended first goes on with its next command.
 * Windows has no polite signal for a program without a window; there Node ends the process at once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../floor/events.ts';
import type { ProcessRow, ProcessTable } from './process-table.ts';
import { ancestorsOf, ProcessTree, processKey, withDescendants } from './process-tree.ts';
import { findProcess, isAlive, machineProcesses } from './processes.ts';

export type EndSignal = 'SIGTERM' | 'SIGKILL';

export interface EndTreeOptions {
	/** How long the programs may take to end by themselves after SIGTERM, ms. */
	readonly graceMs: number;
	/** How often the tree is listed again meanwhile, ms. */
	readonly pollMs: number;
	/** Told whenever the living part of the tree has changed: the pids, parents first, and the signal they had last. */
	readonly onProgress?: (pids: readonly number[], signal: EndSignal) => void;
	/** Asked before each round of signals; once false, nothing is signalled any more. */
	readonly isStillWanted?: () => boolean;
	/** For tests: the processes, the way to signal one, and the process that must outlive this. */
	readonly table?: ProcessTable;
	readonly signal?: (pid: number, signal: EndSignal) => void;
	readonly self?: number;
}

export interface TreeEnd {
	/**
	 * `stopped`: every process of the tree was seen gone. `still-running`: the time is up and `pids` are there.
	 * `process-unknown`: the program is not positively known, so nothing was signalled.
	 */
	readonly phase: 'stopped' | 'still-running' | 'process-unknown';
	/** `stopped`: those that were ended (empty: it was gone before). Otherwise: those that are still there. */
	readonly pids: number[];
	/** Those of `pids` that could not be signalled: the system refused (children of sudo), or the floor lives by them. */
	readonly denied: number[];
}

/** How long a process may take to vanish after SIGKILL; longer means that the kernel holds it. */
const KILL_SETTLE_MS = 2_000;

/** Ends the tree below and including `root`. Throws only what `onProgress` throws. */
export async function endProcessTree(root: ProcessIdentity, options: EndTreeOptions): Promise<TreeEnd> {
	const table = options.table ?? machineProcesses;
	const rows = await table.list();
	const row = rows === null ? undefined : findProcess(rows, root);
	if (row === undefined) {
		const gone = (await isAlive(root, table)) === false;
		return { phase: gone ? 'stopped' : 'process-unknown', pids: gone ? [] : [root.pid], denied: [] };
	}
	return new TreeEnding(row, options, table).run();
}

/** One run of it. */
class TreeEnding {
	readonly #tree: ProcessTree;
	readonly #options: EndTreeOptions;
	readonly #table: ProcessTable;
	readonly #send: (pid: number, signal: EndSignal) => void;
	readonly #self: number;
	readonly #seen = new Set<number>();
	readonly #signalled = new Map<string, EndSignal>();
	readonly #denied = new Set<string>();
	#living: readonly ProcessRow[];
	#lastTold = '';

	constructor(root: ProcessRow, options: EndTreeOptions, table: ProcessTable) {
		this.#tree = new ProcessTree(root);
		this.#living = [root];
		this.#options = options;
		this.#table = table;
		this.#send = options.signal ?? ((pid, signal) => process.kill(pid, signal));
		this.#self = options.self ?? process.pid;
	}

	async run(): Promise<TreeEnd> {
		for (const [signal, periodMs] of [
			['SIGTERM', this.#options.graceMs],
			['SIGKILL', KILL_SETTLE_MS],
		] as const) {
			const until = performance.now() + periodMs;
			do {
				if (await this.#signalLiving(signal)) {
					return { phase: 'stopped', pids: [...this.#seen], denied: [] };
				}
				await delay(Math.min(this.#options.pollMs, Math.max(0, until - performance.now())));
			} while (performance.now() < until && !this.#allDenied(signal));
		}
		if (await this.#signalLiving('SIGKILL')) return { phase: 'stopped', pids: [...this.#seen], denied: [] };
		return {
			phase: 'still-running',
			pids: this.#living.map((row) => row.pid),
			denied: this.#living.filter((row) => this.#denied.has(processKey(row))).map((row) => row.pid),
		};
	}

	/** Lists, signals what has not had this signal yet, new children included. True when nothing is left. */
	async #signalLiving(signal: EndSignal): Promise<boolean> {
		// A listing is not atomic: a child born during one that is empty is in the next.
		const rows = (await this.#look()) ?? (await this.#look());
		if (rows === null) return true;
		const untouchable = this.#untouchable(rows);
		if (this.#living.some((row) => row.pid === this.#self)) {
			// The program has started the floor; what the floor started is not the program's.
			const ours = withDescendants(this.#self, rows);
			this.#living = this.#living.filter((row) => row.pid === this.#self || !ours.has(row.pid));
		}
		if (this.#options.isStillWanted?.() === false) return false;
		for (const row of this.#living) {
			this.#seen.add(row.pid);
			const key = processKey(row);
			if (this.#signalled.get(key) === signal) continue;
			if (untouchable.has(row.pid)) this.#denied.add(key);
			else if (await this.#signalOne(row, signal)) this.#signalled.set(key, signal);
		}
		this.#tell(signal);
		return false;
	}

	/** Lists into `#living`. Returns the listing, or `null` when nothing of the tree is in it. */
	async #look(): Promise<readonly ProcessRow[] | null> {
		const rows = await this.#table.list();
		// Not listed is not seen gone: what was there last is still there.
		if (rows === null) return this.#living;
		this.#living = this.#tree.update(rows);
		return this.#living.length === 0 ? null : rows;
	}

	/** Never signalled, whatever the tree says: init, ourselves, and those we live by. */
	#untouchable(rows: readonly ProcessRow[]): Set<number> {
		const byPid = new Map(rows.map((row) => [row.pid, row]));
		return new Set([0, 1, this.#self, ...ancestorsOf(this.#self, byPid)]);
	}

	/** True when the signal was sent, or nobody was there to get it. */
	async #signalOne(row: ProcessRow, signal: EndSignal): Promise<boolean> {
		// The pid may have passed to another process since the listing; nothing is awaited between this and the signal.
		const now = await this.#table.read(row.pid);
		if (now === 'gone') return true;
		if (now === 'unknown' || now.startTime !== row.startTime) return false;
		try {
			this.#send(row.pid, signal);
			this.#denied.delete(processKey(row));
		} catch (error) {
			// ESRCH: it went by itself in this moment. Anything else is a refusal, and told as one.
			if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
				this.#denied.add(processKey(row));
			}
		}
		return true;
	}

	/** True when waiting longer is of no use: all that is left has refused even the last signal. */
	#allDenied(signal: EndSignal): boolean {
		return signal === 'SIGKILL' && this.#living.every((row) => this.#denied.has(processKey(row)));
	}

	#tell(signal: EndSignal): void {
		const pids = this.#living.map((row) => row.pid);
		const told = `${signal} ${pids.join(' ')}`;
		if (told === this.#lastTold) return;
		this.#lastTold = told;
		this.#options.onProgress?.(pids, signal);
	}
}
