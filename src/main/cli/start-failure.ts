/** Why a program could not be started: the system's own word for it ("permission denied") is often of something else. */
import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** The sentence says which program, and why. */
export class StartFailure extends Error {}

/** `error`: what `spawn` said. */
export function startFailure(
	command: string,
	error: unknown,
	place: { readonly env: NodeJS.ProcessEnv; readonly workingDirectory: string },
): StartFailure {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	const said = error instanceof Error ? error.message : String(error);
	return new StartFailure(`${command} could not be started: ${reason(command, code, place) ?? said}.`);
}

function reason(
	command: string,
	code: string,
	{ env, workingDirectory }: { readonly env: NodeJS.ProcessEnv; readonly workingDirectory: string },
): string | null {
	if (!['ENOENT', 'EACCES', 'ENOTDIR'].includes(code)) return null;
	if (kindOf(workingDirectory) !== 'directory') {
		return `the directory ${workingDirectory} does not exist`;
	}
	const isPath = /[\\/]/.test(command);
	const directories = isPath ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter);
	const kinds = directories.map((directory) => kindOf(resolve(workingDirectory, directory, command)));
	if (!kinds.includes('file')) {
		if (isPath && kinds.includes('directory')) return 'it is a directory';
		return isPath ? 'there is no such file' : 'there is no such program on the PATH';
	}
	if (code === 'EACCES') return 'it may not be executed';
	return code === 'ENOENT' ? 'the program that its first line names does not exist' : null;
}

function kindOf(path: string): 'file' | 'directory' | null {
	try {
		const stats = statSync(path, { throwIfNoEntry: false });
		return stats === undefined ? null : stats.isDirectory() ? 'directory' : 'file';
	} catch {
		// Below a file, or not ours to look into: nothing that could be started.
		return null;
	}
}
