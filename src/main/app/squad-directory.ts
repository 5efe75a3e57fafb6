/** Which repository a working directory belongs to, as far as its state file is concerned. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The directory whose `.squad` keeps the state file; `isMirrored` is false where nobody has such a directory. */
export interface SquadDirectory {
	readonly root: string;
	readonly isMirrored: boolean;
}

/**
 * The nearest of `directory` and its ancestors that has a `.squad`, up to the root of the git repository. Outside of a
 * repository only the directory itself: a `.squad` in the home directory must not speak for everything below it.
 */
export function squadDirectoryOf(directory: string): SquadDirectory {
	const start = resolve(directory);
	let nearest: string | null = null;
	for (let at = start; ; at = dirname(at)) {
		if (nearest === null && isDirectory(join(at, '.squad'))) nearest = at;
		// A work tree has a file of that name.
		if (isThere(join(at, '.git'))) return { root: nearest ?? at, isMirrored: nearest !== null };
		if (dirname(at) === at) return { root: start, isMirrored: nearest === start };
	}
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
	} catch {
		// Not ours to look into: no state file of ours either.
		return false;
	}
}

function isThere(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false }) !== undefined;
	} catch {
		// It cannot be looked at, so nothing is known above it either.
		return true;
	}
}
