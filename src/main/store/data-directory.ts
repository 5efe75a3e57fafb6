/** Where the floor keeps its data: outside the installation, so that an upgrade or a fresh clone never takes it away. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { storeErrorFrom } from './store-error.ts';

export interface DirectoryQuestion {
	/** What `--data` said; undefined when it was not given. */
	readonly flag: string | undefined;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly platform: NodeJS.Platform;
	readonly homeDirectory: string;
	/** Relative paths of the operator start here. */
	readonly workingDirectory?: string;
}

/**
 * The data directory: `--data`, else `AGENT_FLOOR_DATA`, else the place of the system (`XDG_DATA_HOME` or
 * `~/.local/share`, `Application Support`, `APPDATA`). Absolute. An empty value counts as not given.
 */
export function resolveDataDirectory(question: DirectoryQuestion): string {
	const { flag, env, platform, homeDirectory, workingDirectory = process.cwd() } = question;
	const path = platform === 'win32' ? win32 : posix;
	const asked = flag || env.AGENT_FLOOR_DATA;
	if (asked) return path.resolve(workingDirectory, asked);
	if (platform === 'win32') {
		return path.join(env.APPDATA || path.join(homeDirectory, 'AppData', 'Roaming'), 'agent-floor');
	}
	if (platform === 'darwin') return path.join(homeDirectory, 'Library', 'Application Support', 'agent-floor');
	const xdg = env.XDG_DATA_HOME;
	// The XDG specification asks to ignore a relative path here.
	const base = xdg && path.isAbsolute(xdg) ? xdg : path.join(homeDirectory, '.local', 'share');
	return path.join(base, 'agent-floor');
}

/**
 * Makes the directory if needed, for its owner only. One that is there keeps its mode: it may be anybody's. Throws a
 * `StoreError`.
 */
export function prepareDataDirectory(directory: string): void {
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
	} catch (error) {
		throw storeErrorFrom(
			error,
			`use the data directory ${directory}`,
			'The floor cannot start, so no agent is watched.',
		);
	}
}
