/** Which repository a working directory belongs to, as far as its state file is concerned. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../store/file-target.ts';

/** The directory whose `.squad` keeps the state file; `isMirrored` is false where nobody has such a directory. */
export interface SquadDirectory {
	readonly root: string;
	readonly isMirrored: boolean;
	/** There is one, but it is a link that leads out of the repository: nothing is read or written there. */
	readonly isAstray: boolean;
	/** The repository; outside of one the directory itself. Links are followed within it. */
	readonly repository: string;
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
		if (isThere(join(at, '.git'))) return found(nearest ?? at, nearest !== null, at);
		if (dirname(at) === at) return found(start, nearest === start, start);
	}
}

function found(root: string, isThere: boolean, repository: string): SquadDirectory {
	const isMirrored = isThere && isInside(join(root, '.squad'), repository);
	return { root, isMirrored, isAstray: isThere && !isMirrored, repository };
}

function isInside(path: string, directory: string): boolean {
	try {
		return isWithin(realpathSync(path), directory);
	} catch {
		// Gone meanwhile, or not ours to look into.
		return false;
	}
}

/** False also for what cannot be looked at. */
export function isDirectory(path: string): boolean {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
	} catch {
		// Not ours to look into.
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
