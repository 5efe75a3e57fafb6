/** Processes of Linux, read from /proc (proc(5), "/proc/pid/stat"). */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ProcessLookup, type ProcessRow, type ProcessTable, pidTaken } from './process-table.ts';

/** /proc files are memory: reading one takes microseconds. After this many the event loop gets its turn. */
const READS_PER_TURN = 64;

/**
 * Reads one line of /proc/<pid>/stat. The command name stands in brackets and may itself contain brackets, blanks and
 * line breaks, so that the fields are counted from the last bracket on. `null` when it is no such line.
 */
export function parseStat(text: string, bootId: string): (ProcessRow & { readonly ended: boolean }) | null {
	const open = text.indexOf('(');
	const close = text.lastIndexOf(')');
	if (open < 1 || close < open) return null;
	const pid = Number(text.slice(0, open));
	const fields = text
		.slice(close + 1)
		.trim()
		.split(' ');
	const state = fields[0];
	const [parentPid, groupId, sessionId] = fields.slice(1, 4).map(Number);
	const threads = Number(fields[17]);
	const ticks = fields[19];
	if (parentPid === undefined || groupId === undefined || sessionId === undefined) return null;
	if (!Number.isInteger(pid) || state === undefined || ticks === undefined || !/^\d+$/.test(ticks))
		return null;
	return {
		pid,
		parentPid,
		groupId,
		sessionId,
		// Ticks count from the boot, so they mean nothing without it.
		startTime: `${bootId}/${ticks}`,
		startedAt: Number(ticks),
		// A main thread that has ended is shown as a zombie while other threads of the process still run.
		ended: state === 'X' || state === 'x' || (state === 'Z' && !(threads > 1)),
	};
}

export class LinuxProcessTable implements ProcessTable {
	#bootId: string | null = null;

	async read(pid: number): Promise<ProcessLookup> {
		try {
			const row = parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'), this.#boot());
			if (row === null) return 'unknown';
			return row.ended ? 'gone' : row;
		} catch {
			// Gone, or hidden from us (hidepid): only the second still takes signals.
			return pidTaken(pid) === false ? 'gone' : 'unknown';
		}
	}

	async list(): Promise<readonly ProcessRow[] | null> {
		let names: string[];
		try {
			names = await readdir('/proc');
		} catch {
			return null;
		}
		const rows: ProcessRow[] = [];
		let reads = 0;
		for (const name of names) {
			if (!/^\d+$/.test(name)) continue;
			if (++reads % READS_PER_TURN === 0) await nextTurn();
			const row = await this.read(Number(name));
			if (typeof row === 'object') rows.push(row);
		}
		return rows;
	}

	async command(pid: number): Promise<string | null> {
		try {
			const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ');
			return text === '' ? null : text;
		} catch {
			return null;
		}
	}

	#boot(): string {
		if (this.#bootId === null) {
			try {
				this.#bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
			} catch {
				// A container without it: then identities hold for this boot only.
				this.#bootId = 'boot';
			}
		}
		return this.#bootId;
	}
}
