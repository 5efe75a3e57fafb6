/** Where a file really lies: links are followed, but not out of the directory in which they were found. */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { StoreError, systemCodeOf } from './store-error.ts';

export interface FileTarget {
	readonly path: string;
	/** The name belongs to a link, and the file is another one. */
	readonly isLink: boolean;
}

/** The limits of what may be touched by the name of a file, and what it costs when that does not go: a sentence. */
export interface FileBounds {
	/** Links are followed within this directory only: what a repository brings must not reach out of it. */
	readonly within: string;
	readonly meaning: string;
}

/**
 * The file behind that name; it need not exist, its directory must. Throws a `StoreError` for a link that leads out of
 * `within`, and the file system's error.
 */
export function fileTarget(file: string, { within, meaning }: FileBounds): FileTarget {
	const named = join(realpathSync(dirname(file)), basename(file));
	const path = realPathOf(named);
	if (!isWithin(path, within)) {
		throw new StoreError({
			code: 'not-writable',
			message: `${file} is a link that leads out of ${within}, to ${path}. It is neither read nor written.`,
			meaning,
			remedy: 'Put the file itself there in place of the link.',
		});
	}
	return { path, isLink: path !== named };
}

/** Whether a path, links resolved, lies in that directory. Throws the file system's error for a directory that is none. */
export function isWithin(path: string, directory: string): boolean {
	const way = relative(realpathSync(directory), path);
	return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A link to nothing stands for itself: whatever is written replaces it. */
function realPathOf(file: string): string {
	try {
		return realpathSync(file);
	} catch (error) {
		if (systemCodeOf(error) === 'ENOENT') return file;
		throw error;
	}
}
