/** The built window, held in memory: only what was there at start can be served, so no path can escape. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { pageContentTypes } from '../../shared/page-policy.ts';

export interface WindowFile {
	readonly body: Buffer;
	readonly type: string;
	/** Names with a content hash may be kept for ever. */
	readonly immutable: boolean;
}

/** URL path ("/assets/x.js") → file. Empty when the window was not built. */
export async function loadWindowFiles(directory: string): Promise<ReadonlyMap<string, WindowFile>> {
	const files = new Map<string, WindowFile>();
	const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(ifAbsent);
	for (const entry of entries) {
		const type = pageContentTypes[extname(entry.name)];
		if (!entry.isFile() || !type) continue;
		const path = join(entry.parentPath, entry.name);
		const url = `/${relative(directory, path).split(sep).join('/')}`;
		files.set(url, { body: await readFile(path), type, immutable: url.startsWith('/assets/') });
	}
	return files;
}

function ifAbsent(error: NodeJS.ErrnoException): [] {
	if (error.code === 'ENOENT') return [];
	throw error;
}
