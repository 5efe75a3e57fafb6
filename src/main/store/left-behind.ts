/** What an atomic replace leaves beside its file when the process is killed in between. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A temporary file of this age was left by a process that was killed, ms. */
const LEFT_BEHIND_MS = 60_000;
/** Files beside which left temporary files were looked for. */
const swept = new Set<string>();

/** Removes temporary files that killed processes left, once for each file. */
export function sweep(target: string): void {
	if (swept.has(target)) return;
	swept.add(target);
	const start = `${basename(target)}.`;
	const directory = dirname(target);
	try {
		for (const name of readdirSync(directory)) {
			if (!name.startsWith(start) || !/^\d+$/.test(name.slice(start.length))) continue;
			const path = join(directory, name);
			const { mtimeMs } = statSync(path);
			if (Date.now() - mtimeMs > LEFT_BEHIND_MS) rmSync(path, { force: true });
		}
	} catch {
		// A directory that cannot be listed, or a file that another swept: whatever matters is said when writing.
		return;
	}
}
