/** Browsers of the Chromium family on this machine: they can show a page as an application of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Disposable } from '../../shared/disposable.ts';

export interface Browser {
	/** As people call it. */
	readonly name: string;
	readonly executable: string;
}

export interface BrowserPlaces {
	readonly platform: NodeJS.Platform;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly home: string;
}

const LINUX_COMMANDS: readonly (readonly [command: string, name: string])[] = [
	['chromium', 'Chromium'],
	['chromium-browser', 'Chromium'],
	['google-chrome-stable', 'Chrome'],
	['google-chrome', 'Chrome'],
	['microsoft-edge-stable', 'Edge'],
	['microsoft-edge', 'Edge'],
	['brave-browser', 'Brave'],
	['brave', 'Brave'],
	['vivaldi-stable', 'Vivaldi'],
];

const MAC_APPS: readonly (readonly [application: string, name: string])[] = [
	['Google Chrome', 'Chrome'],
	['Chromium', 'Chromium'],
	['Microsoft Edge', 'Edge'],
	['Brave Browser', 'Brave'],
	['Vivaldi', 'Vivaldi'],
];

const WINDOWS_PROGRAMS: readonly (readonly [path: string, name: string])[] = [
	['Google\\Chrome\\Application\\chrome.exe', 'Chrome'],
	['Microsoft\\Edge\\Application\\msedge.exe', 'Edge'],
	['Chromium\\Application\\chrome.exe', 'Chromium'],
	['BraveSoftware\\Brave-Browser\\Application\\brave.exe', 'Brave'],
	['Vivaldi\\Application\\vivaldi.exe', 'Vivaldi'],
];

/** Where browsers may be, best first. `CHROMIUM_PATH` in the environment goes before all. Pure. */
export function browserCandidates({ platform, env, home }: BrowserPlaces): Browser[] {
	const chosen = env.CHROMIUM_PATH ? [{ name: 'Chromium', executable: env.CHROMIUM_PATH }] : [];
	return [...chosen, ...installed({ platform, env, home })];
}

function installed({ platform, env, home }: BrowserPlaces): Browser[] {
	if (platform === 'darwin') {
		return MAC_APPS.flatMap(([application, name]) =>
			['/Applications', posix.join(home, 'Applications')].map((folder) => ({
				name,
				executable: posix.join(folder, `${application}.app/Contents/MacOS/${application}`),
			})),
		);
	}
	if (platform === 'win32') {
		const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((each) => each);
		return WINDOWS_PROGRAMS.flatMap(([path, name]) =>
			folders.map((folder = '') => ({ name, executable: win32.join(folder, path) })),
		);
	}
	// A snap may not use a profile outside of its own folder, so it comes last.
	const isSnap = (folder: string): boolean => folder.startsWith('/snap/');
	const folders = [...new Set([...(env.PATH ?? '').split(':'), '/usr/bin', '/usr/local/bin', '/snap/bin'])]
		.filter((folder) => posix.isAbsolute(folder))
		.sort((a, b) => Number(isSnap(a)) - Number(isSnap(b)));
	return LINUX_COMMANDS.flatMap(([command, name]) =>
		folders.map((folder) => ({ name, executable: posix.join(folder, command) })),
	);
}

/** The first candidate that is an executable file, or `null`. */
export async function findBrowser(
	places: BrowserPlaces = { platform: process.platform, env: process.env, home: homedir() },
): Promise<Browser | null> {
	for (const candidate of browserCandidates(places)) {
		if (await isExecutableFile(candidate.executable)) return candidate;
	}
	return null;
}

async function isExecutableFile(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		// Not there, or not for us to run: the next candidate may be.
		return false;
	}
}

/** An application window. `dispose` closes it if it is still open. */
export interface AppWindow extends Disposable {
	readonly pid: number | null;
	/** When the browser has ended: its exit code, or `null` when it could not start or was killed. Never rejects. */
	readonly closed: Promise<number | null>;
}

/**
 * Opens `url` as a window without tabs and address bar. It has a browser profile of its own, so that nothing of the
 * operator's browsing (extensions, cookies) meets the floor, and it outlives this process.
 *
 * The command line of a process can be read by other users of the machine: `url` must not carry a lasting secret.
 */
export async function openAppWindow(
	browser: Browser,
	url: string,
	profileDirectory: string,
): Promise<AppWindow> {
	await mkdir(profileDirectory, { recursive: true, mode: 0o700 });
	const child = spawn(
		browser.executable,
		appWindowArguments(url, profileDirectory, process.getuid?.() === 0),
		{
			detached: true,
			stdio: 'ignore',
		},
	);
	child.unref();
	return {
		pid: child.pid ?? null,
		closed: ended(child),
		dispose: () => void child.kill(),
	};
}

/** `--no-sandbox` only for root, for whom Chromium does not start otherwise. Pure. */
export function appWindowArguments(url: string, profileDirectory: string, isRoot: boolean): string[] {
	const { href } = new URL(url);
	return [
		`--app=${href}`,
		`--user-data-dir=${profileDirectory}`,
		'--class=agent-floor',
		'--window-size=1280,860',
		'--no-first-run',
		'--no-default-browser-check',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
		...(isRoot ? ['--no-sandbox'] : []),
	];
}

function ended(child: ChildProcess): Promise<number | null> {
	return new Promise((resolve) => {
		child.once('error', () => resolve(null));
		child.once('exit', (code) => resolve(code));
	});
}
