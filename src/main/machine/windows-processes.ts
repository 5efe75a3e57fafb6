/** Processes of Windows, asked from CIM (class Win32_Process) through PowerShell. */
import { execFile } from 'node:child_process';
import { type ProcessLookup, type ProcessRow, type ProcessTable, pidTaken } from './process-table.ts';

const DEADLINE_MS = 15_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const TICKS_PER_MS = 10_000n;

/** Reads lines of "pid parentPid ticks" (100 ns steps of .NET's DateTime, UTC). */
export function parseCim(text: string): ProcessRow[] {
	const rows: ProcessRow[] = [];
	for (const line of text.split('\n')) {
		const match = /^\s*(\d+) (\d+) (\d+)\s*$/.exec(line);
		if (match === null) continue;
		const [, pid, parentPid, ticks = '0'] = match;
		rows.push({
			pid: Number(pid),
			parentPid: Number(parentPid),
			groupId: null,
			sessionId: null,
			startTime: ticks,
			startedAt: Number(BigInt(ticks) / TICKS_PER_MS),
		});
	}
	return rows;
}

export class WindowsProcessTable implements ProcessTable {
	async read(pid: number): Promise<ProcessLookup> {
		const rows = await this.#query(`-Filter "ProcessId=${pid}"`);
		return rows?.find((row) => row.pid === pid) ?? (pidTaken(pid) === false ? 'gone' : 'unknown');
	}

	list(): Promise<readonly ProcessRow[] | null> {
		return this.#query('');
	}

	async command(pid: number): Promise<string | null> {
		const text = await powershell(
			`(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}" -Property CommandLine).CommandLine`,
		);
		return text?.trim() || null;
	}

	async #query(filter: string): Promise<ProcessRow[] | null> {
		// Processes of the kernel have no creation date; they are nobody's agents.
		const text = await powershell(
			`Get-CimInstance Win32_Process ${filter} -Property ProcessId,ParentProcessId,CreationDate | ` +
				`Where-Object CreationDate | ForEach-Object { '{0} {1} {2}' -f ` +
				'$_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToUniversalTime().Ticks }',
		);
		return text === null ? null : parseCim(text);
	}
}

/** What the command printed; `null` when it failed. */
function powershell(command: string): Promise<string | null> {
	const utf8 = '[Console]::OutputEncoding = [System.Text.Encoding]::UTF8; ';
	const args = ['-NoProfile', '-NonInteractive', '-Command', utf8 + command];
	const options = { timeout: DEADLINE_MS, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true };
	return new Promise((resolve) => {
		execFile('powershell.exe', args, options, (error, stdout) => resolve(error === null ? stdout : null));
	});
}
