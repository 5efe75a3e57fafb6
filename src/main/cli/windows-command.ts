/**
 * How Windows is asked to start a program without a shell's help. `CreateProcess` finds only `.exe`; what npm installs
 * are `.cmd` files, which only `cmd.exe` runs, and it reads its line anew. Pure but for the look into directories.
 */
import { win32 } from 'node:path';

export interface SpawnArguments {
	readonly file: string;
	readonly args: readonly string[];
	/** The arguments are quoted already. */
	readonly verbatim: boolean;
}

export interface WindowsPlace {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly workingDirectory: string;
	readonly isFile: (path: string) => boolean;
}

/**
 * `command` as typed: a name on the PATH or a path. What is not found is given to the system as it is. Throws for an
 * argument that would arrive cut.
 */
export function windowsCommand(
	command: string,
	args: readonly string[],
	place: WindowsPlace,
): SpawnArguments {
	const file = found(command, place) ?? command;
	if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
	if (args.some((argument) => /[\r\n]/.test(argument))) {
		throw new Error(
			'it is a .cmd file, and cmd.exe cannot hand a line break on; give the text on standard input',
		);
	}
	const line = [escaped(win32.normalize(file)), ...args.map(escapedArgument)].join(' ');
	const shell = variable(place.env, 'ComSpec') ?? 'cmd.exe';
	return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function found(command: string, { env, workingDirectory, isFile }: WindowsPlace): string | null {
	const endings = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
	const hasPath = /[\\/]/.test(command);
	const directories = hasPath ? [''] : (variable(env, 'Path') ?? '').split(';').filter(Boolean);
	for (const directory of directories) {
		const path = win32.resolve(workingDirectory, directory, command);
		const candidates = win32.extname(command) === '' ? [] : [path];
		for (const candidate of [...candidates, ...endings.map((ending) => path + ending.toLowerCase())]) {
			if (isFile(candidate)) return candidate;
		}
	}
	return null;
}

/** Names of variables have no case there. */
function variable(env: WindowsPlace['env'], wanted: string): string | undefined {
	const key = Object.keys(env).find((each) => each.toLowerCase() === wanted.toLowerCase());
	return key === undefined ? undefined : env[key];
}

const metaCharacters = /([()\][%!^"`<>&|;, *?])/g;

function escaped(text: string): string {
	return text.replace(metaCharacters, '^$1');
}

/**
 * For the program's own reading (backslashes before quotes are doubled), then for `cmd.exe`, twice: the `.cmd` file
 * hands its arguments on in a line of its own.
 */
function escapedArgument(argument: string): string {
	const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
	return escaped(escaped(quoted));
}
