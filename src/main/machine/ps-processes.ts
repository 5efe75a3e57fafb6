/** Processes of macOS and the BSDs, asked from ps(1). */
import { execFile } from 'node:child_process';
import { type ProcessLookup, type ProcessRow, type ProcessTable, pidTaken } from './process-table.ts';

const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=';
const DEADLINE_MS = 5_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Reads the answer of `ps -o pid=,ppid=,pgid=,stat=,lstart=`, given in the C locale and in UTC. Zombies are left out. */
export function parsePs(text: string): ProcessRow[] {
	const rows: ProcessRow[] = [];
	for (const line of text.split('\n')) {
		const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
		if (match === null) continue;
		const [, pid, parentPid, groupId, state, started] = match;
		const startedAt = Date.parse(`${started} UTC`);
		if (started === undefined || Number.isNaN(startedAt) || state?.startsWith('Z')) continue;
		rows.push({
			pid: Number(pid),
			parentPid: Number(parentPid),
			groupId: Number(groupId),
			sessionId: null,
			startTime: new Date(startedAt).toISOString(),
			startedAt,
		});
	}
	return rows;
}

export class PsProcessTable implements ProcessTable {
	async read(pid: number): Promise<ProcessLookup> {
		const text = await ps(['-o', COLUMNS, '-p', String(pid)]);
		const row = text === null ? undefined : parsePs(text).find((each) => each.pid === pid);
		if (row !== undefined) return row;
		if (pidTaken(pid) === false) return 'gone';
		// ps knows it and it is no row: a zombie.
		return text !== null && new RegExp(`^\\s*${pid}\\s+\\d+\\s+\\d+\\s+Z`, 'm').test(text)
			? 'gone'
			: 'unknown';
	}

	async list(): Promise<readonly ProcessRow[] | null> {
		const text = await ps(['-A', '-o', COLUMNS]);
		return text === null ? null : parsePs(text);
	}

	async command(pid: number): Promise<string | null> {
		const text = (await ps(['-ww', '-o', 'command=', '-p', String(pid)]))?.trim();
		return text === undefined || text === '' ? null : text;
	}
}

/** What ps printed; `null` when it failed or found nothing. */
function ps(args: readonly string[]): Promise<string | null> {
	const options = {
		env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
		timeout: DEADLINE_MS,
		maxBuffer: MAX_OUTPUT_BYTES,
	};
	return new Promise((resolve) => {
		execFile('ps', args, options, (error, stdout) => resolve(error === null ? stdout : null));
	});
}
