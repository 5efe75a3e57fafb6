/** A damaged file is never deleted or written over: it is kept under a dated name, and its owner is told. */
import { existsSync, renameSync } from 'node:fs';

/**
 * Renames `file`, and those of `file + suffix` that exist, to `<file>.corrupt-2026-11-30T10-42-00` (UTC), with a
 * counter when that name is taken. Returns the new name. Throws the file system's error.
 */
export function setAside(file: string, suffixes: readonly string[], at: number): string {
	const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
	const wanted = `${file}.corrupt-${stamp}`;
	let name = wanted;
	for (let count = 2; existsSync(name); count += 1) name = `${wanted}-${count}`;
	renameSync(file, name);
	for (const suffix of suffixes) {
		if (existsSync(file + suffix)) renameSync(file + suffix, name + suffix);
	}
	return name;
}
