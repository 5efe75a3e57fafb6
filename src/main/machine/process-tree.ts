/** Which processes belong to a program: decided from process rows alone, remembered while the tree falls apart. */
import type { ProcessRow } from './process-table.ts';

/** Tells two processes apart that had the same pid one after the other. */
export function processKey(process: { readonly pid: number; readonly startTime: string | null }): string {
	return `${process.pid}@${process.startTime}`;
}

/**
 * The processes of one program over several listings. A process is in the tree only when that is positively known:
 * - its parent is in the tree and not younger than it (a parent's pid may be somebody else's by now), or
 * - it is in a session or process group that only the tree can have made; that finds children whose parent has
 *   ended and which init or another reaper has taken over.
 * What the program merely shares with others, as the terminal's session or the pipeline it was started in, is never a
 * reason. Once in the tree, always in it, however its parent or group changes.
 */
export class ProcessTree {
	readonly #root: ProcessRow;
	readonly #members = new Set<string>();
	readonly #sessions = new Set<number>();
	readonly #groups = new Set<number>();
	/** Sessions and groups of those that started the program: it may be in them, it did not make them. */
	readonly #foreign = new Set<number>();
	/** Other commands of the same pipeline: in the same group, and not the program's. */
	readonly #siblings = new Set<string>();
	#ancestors: ReadonlySet<number> = new Set();

	constructor(root: ProcessRow) {
		this.#root = root;
		if (root.sessionId !== null && root.sessionId !== root.pid) this.#foreign.add(root.sessionId);
		if (root.groupId !== null && root.groupId !== root.pid) this.#foreign.add(root.groupId);
		this.#add(root);
	}

	/** Takes in a listing. Returns the living members, every parent before its children. */
	update(rows: readonly ProcessRow[]): ProcessRow[] {
		const byPid = new Map(rows.map((row) => [row.pid, row]));
		const root = byPid.get(this.#root.pid);
		if (root !== undefined && processKey(root) === processKey(this.#root)) this.#lookAround(root, byPid);

		const living = new Map<number, ProcessRow>();
		for (const row of rows) {
			if (this.#members.has(processKey(row))) living.set(row.pid, row);
		}
		let found = true;
		while (found) {
			found = false;
			for (const row of rows) {
				if (living.has(row.pid) || !this.#belongs(row, living, byPid)) continue;
				this.#add(row);
				living.set(row.pid, row);
				found = true;
			}
		}
		return parentsFirst([...living.values()]);
	}

	#add(row: ProcessRow): void {
		this.#members.add(processKey(row));
		if (row.sessionId !== null) this.#sessions.add(row.sessionId);
		if (row.groupId !== null) this.#groups.add(row.groupId);
	}

	/** While the root lives: who started it, and who else was started with it. */
	#lookAround(root: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>): void {
		this.#ancestors = ancestorsOf(root.pid, byPid);
		for (const pid of this.#ancestors) {
			const ancestor = byPid.get(pid);
			if (ancestor?.groupId) this.#foreign.add(ancestor.groupId);
			if (ancestor?.sessionId) this.#foreign.add(ancestor.sessionId);
		}
		// A session of its own has nobody in it who was not started by it.
		if (root.groupId === null || root.sessionId === root.pid) return;
		for (const row of byPid.values()) {
			if (row.pid !== root.pid && row.groupId === root.groupId && row.parentPid === root.parentPid) {
				this.#siblings.add(processKey(row));
			}
		}
	}

	#belongs(
		row: ProcessRow,
		living: ReadonlyMap<number, ProcessRow>,
		byPid: ReadonlyMap<number, ProcessRow>,
	): boolean {
		if (row.pid <= 1 || row.startedAt < this.#root.startedAt) return false;
		if (this.#ancestors.has(row.pid) || this.#siblings.has(processKey(row))) return false;
		const parent = living.get(row.parentPid);
		if (parent !== undefined) return parent.startedAt <= row.startedAt;
		if (this.#made(row.sessionId, this.#sessions, byPid)) return true;
		if (!this.#made(row.groupId, this.#groups, byPid)) return false;
		// The root's own group may be a pipeline's: then only orphans are the root's, for sure.
		return row.groupId !== this.#root.pid || this.#isOrphan(row);
	}

	/** Whether the tree has made this session or group, and it is still that one. */
	#made(id: number | null, ids: ReadonlySet<number>, byPid: ReadonlyMap<number, ProcessRow>): boolean {
		if (id === null || id <= 1 || !ids.has(id) || this.#foreign.has(id)) return false;
		// A number is free for another process, and its session, only when everybody has left the first one.
		const leader = byPid.get(id);
		return leader === undefined || this.#members.has(processKey(leader));
	}

	#isOrphan(row: ProcessRow): boolean {
		if (row.parentPid === this.#root.parentPid) return false;
		return row.parentPid <= 1 || this.#ancestors.has(row.parentPid);
	}
}

/** The pids of all that stand above a process, itself not included. */
export function ancestorsOf(pid: number, byPid: ReadonlyMap<number, ProcessRow>): Set<number> {
	const ancestors = new Set<number>();
	let at = byPid.get(pid)?.parentPid;
	while (at !== undefined && at > 0 && at !== pid && !ancestors.has(at)) {
		ancestors.add(at);
		at = byPid.get(at)?.parentPid;
	}
	return ancestors;
}

/** A process with all its descendants by parent pid. */
export function withDescendants(pid: number, rows: readonly ProcessRow[]): Set<number> {
	const pids = new Set([pid]);
	for (const row of parentsFirst(rows)) {
		if (pids.has(row.parentPid)) pids.add(row.pid);
	}
	return pids;
}

function parentsFirst(rows: readonly ProcessRow[]): ProcessRow[] {
	const pids = new Set(rows.map((row) => row.pid));
	const children = new Map<number, ProcessRow[]>();
	const ordered = new Set<ProcessRow>();
	for (const row of rows) {
		if (!pids.has(row.parentPid)) ordered.add(row);
		const siblings = children.get(row.parentPid);
		if (siblings === undefined) children.set(row.parentPid, [row]);
		else siblings.push(row);
	}
	// A set is walked in the order of adding, also what is added on the way.
	for (const row of ordered) for (const child of children.get(row.pid) ?? []) ordered.add(child);
	// Pids that were used again can make a ring of parents, which has no first.
	for (const row of rows) ordered.add(row);
	return [...ordered];
}
