/** Puts in place what a fresh clone lacks: the packages, and the built application. Quick when all is there. */
import { createHash } from 'node:crypto';
import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isNode24, node24, projectEnvironment, root, runQuietly, ScriptError } from './run.mjs';

const out = join(root, 'out');
const stamp = join(out, '.built-from');
/** What the build is made from. */
const SOURCES = [
	'src',
	'package.json',
	'package-lock.json',
	'electron.vite.config.ts',
	'tsconfig.base.json',
	'tsconfig.json',
	'tsconfig.node.json',
	'tsconfig.web.json',
];

/** No installation or build takes longer. */
const LONGEST_WORK_MS = 15 * 60_000;

/** Runs `npm ci` when the packages are not those of package-lock.json. */
export async function ensureInstalled() {
	if (isInstalled()) return;
	await alone(async () => {
		if (isInstalled()) return;
		say('installing the packages (npm ci), once');
		const npm = npmCommand();
		const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
		const { code, output } = await runQuietly(npm.command, [...npm.args, ...args], {
			env: process.env,
			shell: npm.shell,
		});
		if (code !== 0)
			throw new ScriptError(`${output}\nThe packages could not be installed (npm ci ended with ${code}).`);
		if (!isInstalled()) node24();
	});
}

/** Builds when the sources are not those of the last build. */
export async function ensureBuilt() {
	if (isBuilt(sourceHash())) return;
	await alone(async () => {
		const hash = sourceHash();
		if (isBuilt(hash)) return;
		say('building');
		await build(hash);
	});
}

/** Builds in any case. */
export async function rebuild() {
	await alone(() => build(sourceHash()));
}

async function build(hash) {
	rmSync(stamp, { force: true });
	const args = [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'];
	const { code, output } = await runQuietly(node24(), args, { env: projectEnvironment({ NO_COLOR: '1' }) });
	if (code !== 0) throw new ScriptError(`${output}\nThe build failed.`);
	writeFileSync(stamp, hash);
}

/** Whether node_modules holds what package-lock.json says. npm notes there what it installed, as its last step. */
export function isInstalled(folder = root) {
	const wanted = readPackages(join(folder, 'package-lock.json'));
	const present = readPackages(join(folder, 'node_modules/.package-lock.json'));
	if (wanted === null) throw new ScriptError(`package-lock.json in ${folder} cannot be read.`);
	if (present === null || !hasNode24(folder)) return false;
	return Object.entries(wanted).every(([path, { version, optional }]) => {
		if (path === '') return true;
		const found = present[path];
		// Optional packages are those of other systems, mostly.
		return found === undefined ? optional === true : found.version === version;
	});
}

function hasNode24(folder) {
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	return isNode24() || existsSync(join(folder, 'node_modules/node/bin', binary));
}

function readPackages(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
	} catch {
		// Not there, or cut off in the middle of an installation: both mean that it is to be done.
		return null;
	}
}

function isBuilt(hash) {
	try {
		return readFileSync(stamp, 'utf8') === hash;
	} catch {
		return false;
	}
}

function sourceHash() {
	const hash = createHash('sha256');
	for (const source of SOURCES) {
		const path = join(root, source);
		if (!existsSync(path)) continue;
		for (const file of filesOf(path)) {
			hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
		}
	}
	return hash.digest('hex');
}

function filesOf(path) {
	let entries;
	try {
		entries = readdirSync(path, { withFileTypes: true });
	} catch (error) {
		if (error.code === 'ENOTDIR') return [path];
		throw error;
	}
	entries.sort((a, b) => (a.name < b.name ? -1 : 1));
	return entries.flatMap((entry) => {
		const inside = join(path, entry.name);
		return entry.isDirectory() ? filesOf(inside) : [inside];
	});
}

/** The npm that runs us, if one does; else the one of the path. */
function npmCommand() {
	const own = process.env.npm_execpath;
	if (own && /npm-cli\.[cm]?js$/.test(own)) return { command: process.execPath, args: [own], shell: false };
	return { command: 'npm', args: [], shell: process.platform === 'win32' };
}

/** Two commands at the same time must not install or build over each other: the second waits for the first. */
async function alone(work) {
	mkdirSync(out, { recursive: true });
	const lock = join(out, '.preparing');
	while (!take(lock)) await delay(200);
	try {
		await work();
	} finally {
		rmSync(lock, { force: true });
	}
}

function take(lock) {
	try {
		const file = openSync(lock, 'wx');
		writeSync(file, String(process.pid));
		closeSync(file);
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		if (isLeftBehind(lock)) rmSync(lock, { force: true });
		return false;
	}
}

/** Whether the one that took the lock ended without giving it back; by now its pid may be somebody else's. */
function isLeftBehind(lock) {
	try {
		if (Date.now() - statSync(lock).mtimeMs > LONGEST_WORK_MS) return true;
		const pid = Number(readFileSync(lock, 'utf8'));
		// Just taken, its pid not written yet.
		if (pid === 0) return false;
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return error.code === 'ESRCH';
	}
}

/** On standard error: what a command prints on standard output is its own. */
function say(what) {
	console.error(`agent-floor: ${what} …`);
}
