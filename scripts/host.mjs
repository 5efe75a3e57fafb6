/** Where the floor's window comes from: Electron, a browser of the Chromium family, or nowhere. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { node24, projectEnvironment, root, runQuietly, ScriptError } from './run.mjs';

/**
 * @typedef {object} Choice
 * @property {'electron' | 'window' | 'address'} host `window`: a browser's application window. `address`: it is printed.
 * @property {string} line What was taken and why, for people.
 */

/**
 * Decides from what is known. Asks for Electron only when it would be used, since that may mean a download.
 * @param {object} known
 * @param {'electron' | 'web' | 'auto'} known.wanted
 * @param {boolean} known.open False: no window is wanted.
 * @param {boolean} known.display Whether a window could be seen.
 * @param {() => Promise<{ executable: string } | { missing: string }>} known.electron
 * @param {() => Promise<{ name: string } | null>} known.browser
 * @returns {Promise<Choice>}
 */
export async function chooseHost({ wanted, open, display, electron, browser }) {
	if (wanted === 'electron') {
		const found = await electron();
		if ('executable' in found) return { host: 'electron', line: 'Electron window, as asked for' };
		throw new ScriptError(
			`--host=electron cannot be followed: ${found.missing}.\nWith --host=auto the floor takes a browser's window instead.`,
		);
	}
	if (!open) return { host: 'address', line: 'no window, as asked for; the address follows' };
	if (!display)
		return { host: 'address', line: 'no window, since there is no display here; the address follows' };

	let why = 'as asked for';
	if (wanted === 'auto') {
		const found = await electron();
		if ('executable' in found) return { host: 'electron', line: 'Electron window' };
		why = `since ${found.missing}`;
	}
	const window = await browser();
	if (window !== null) return { host: 'window', line: `${window.name} window, ${why}` };
	return {
		host: 'address',
		line: `no window, ${why} and no Chromium, Chrome, Edge or Brave was found; the address follows`,
	};
}

/** Whether a window opened here could be seen. */
export function hasDisplay(platform = process.platform, env = process.env) {
	if (platform === 'darwin' || platform === 'win32') return true;
	return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** A browser of the Chromium family, or `null`. The floor's own search, so that there is one list of them. */
export async function findBrowser() {
	const { code, stdout } = await runQuietly(node24(), [
		'--no-warnings',
		join(root, 'scripts/find-browser.mjs'),
	]);
	return code === 0 ? JSON.parse(stdout) : null;
}

const electronFolder = join(root, 'node_modules/electron');
const failureNote = join(root, 'node_modules/.cache/agent-floor/electron-not-fetched.json');
const RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
/** To see whether Electron's release host answers at all. */
const REACH_DEADLINE_MS = 5_000;
/** About 120 MB over a slow line; and without one, for a copy in Electron's own cache. */
const FETCH_DEADLINE_MS = 5 * 60_000;
const CACHE_DEADLINE_MS = 15_000;

/**
 * Electron's binary, fetched if need be. A failed try is remembered for a day, so that it delays one start only.
 * @param {{ insist: boolean }} options `insist`: try again whatever happened before.
 */
export async function findElectron({ insist }) {
	const present = electronBinary();
	if (present !== null) return { executable: present };
	if (process.env.ELECTRON_SKIP_BINARY_DOWNLOAD) {
		return { missing: "Electron's binary is not here and ELECTRON_SKIP_BINARY_DOWNLOAD forbids to fetch it" };
	}
	const before = insist ? null : readFailure();
	if (before !== null) return { missing: before };

	const reached = await isReleaseHostReached();
	if (reached) console.error("agent-floor: fetching Electron's binary (about 120 MB), once …");
	const { output, timedOut } = await runQuietly(node24(), [join(electronFolder, 'install.js')], {
		deadlineMs: reached ? FETCH_DEADLINE_MS : CACHE_DEADLINE_MS,
		env: projectEnvironment({ ELECTRON_GET_USE_PROXY: '1' }),
	});
	const fetched = electronBinary();
	if (fetched !== null) {
		rmSync(failureNote, { force: true });
		return { executable: fetched };
	}
	const reason = !reached
		? 'its release host was not reached'
		: timedOut
			? 'it took too long'
			: lastWords(output);
	const missing = `Electron's binary is not here and could not be fetched (${reason})`;
	mkdirSync(dirname(failureNote), { recursive: true });
	writeFileSync(failureNote, JSON.stringify({ at: Date.now(), missing }));
	return { missing };
}

/** Where electron's own index.js would look, without asking it: that one fetches what it does not find. */
function electronBinary() {
	const executable =
		{ darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
	const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
	if (override) {
		const path = join(override, executable);
		return existsSync(path) ? path : null;
	}
	// Written last by electron's installer.
	const complete = existsSync(join(electronFolder, 'path.txt'));
	const path = join(electronFolder, 'dist', executable);
	return complete && existsSync(path) ? path : null;
}

function readFailure() {
	try {
		const { at, missing } = JSON.parse(readFileSync(failureNote, 'utf8'));
		return Math.abs(Date.now() - at) < RETRY_AFTER_MS ? missing : null;
	} catch {
		// No note, or none that can be read: then it is tried.
		return null;
	}
}

async function isReleaseHostReached() {
	const { env } = process;
	// Node's own fetch does not know the proxy; electron's installer does.
	if (env.HTTPS_PROXY || env.https_proxy || env.ALL_PROXY || env.all_proxy) return true;
	const host =
		env.ELECTRON_MIRROR || env.npm_config_electron_mirror || 'https://github.com/electron/electron/releases/';
	try {
		await fetch(host, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(REACH_DEADLINE_MS) });
		return true;
	} catch {
		// Whatever the network says: there is no way to it from here.
		return false;
	}
}

/** The line of an error output that says what went wrong. */
function lastWords(output) {
	const lines = output.split('\n').map((line) => line.trim());
	return (lines.find((line) => /error/i.test(line)) ?? lines.find(Boolean) ?? 'without a word').slice(0, 200);
}
