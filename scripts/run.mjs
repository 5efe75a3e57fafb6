/** Running other programs from the scripts. Plain JavaScript without dependencies: it runs before anything is installed. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');

/** A failure that is told to people in words, without a stack. */
export class ScriptError extends Error {}

/** Node 24, which the package `node` brings along; the running one when that is new enough. */
export function node24() {
	const brought = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
	if (existsSync(brought)) return brought;
	if (isNode24()) return process.execPath;
	throw new ScriptError(
		`Node 24 is not there: the package "node" did not put it into node_modules, and this is Node ${process.version}.\n` +
			'Does npm run install scripts (npm config get ignore-scripts)? Otherwise install Node 24 and try again.',
	);
}

export function isNode24() {
	return Number(process.versions.node.split('.')[0]) >= 24;
}

/** The environment of programs of this project: their `node` is Node 24, as in npm's scripts. */
export function projectEnvironment(extra = {}) {
	const name = Object.keys(process.env).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH';
	const path = [join(root, 'node_modules/.bin'), process.env[name]].filter(Boolean).join(delimiter);
	return { ...process.env, [name]: path, ...extra };
}

/**
 * Runs a program to its end and keeps what it printed. Rejects only when it cannot be started.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, deadlineMs?: number, shell?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string, stdout: string, timedOut: boolean }>}
 */
export function runQuietly(command, args, options = {}) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd: root,
			env: options.env ?? projectEnvironment(),
			shell: options.shell ?? false,
			stdio: ['ignore', 'pipe', 'pipe'],
			windowsHide: true,
		});
		let output = '';
		let stdout = '';
		let timedOut = false;
		const deadline =
			options.deadlineMs === undefined
				? undefined
				: setTimeout(() => {
						timedOut = true;
						child.kill('SIGKILL');
					}, options.deadlineMs);
		child.stdout.setEncoding('utf8').on('data', (text) => {
			output += text;
			stdout += text;
		});
		child.stderr.setEncoding('utf8').on('data', (text) => {
			output += text;
		});
		child.once('error', (error) => {
			clearTimeout(deadline);
			reject(new ScriptError(`${command} could not be started: ${error.message}`));
		});
		child.once('close', (code, signal) => {
			clearTimeout(deadline);
			resolve({ code: exitCodeOf(code, signal), output, stdout, timedOut });
		});
	});
}

/**
 * Runs a program in our place: it has our terminal, our signals are passed on, and its exit code is returned.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ code: number, signal: NodeJS.Signals | null }>}
 */
export function runInOurPlace(command, args, env = projectEnvironment()) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { env, stdio: 'inherit' });
		const forward = (signal) => {
			// A terminal sends Ctrl-C to everybody in it; the child has it already.
			if (signal === 'SIGINT' && process.stdin.isTTY) return;
			child.kill(signal);
		};
		const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
		for (const signal of signals) process.on(signal, forward);
		const done = () => {
			for (const signal of signals) process.off(signal, forward);
		};
		child.once('error', (error) => {
			done();
			reject(new ScriptError(`${command} could not be started: ${error.message}`));
		});
		child.once('exit', (code, signal) => {
			done();
			resolve({ code: exitCodeOf(code, signal), signal });
		});
	});
}

/** Ends this process as the program in our place ended: a shell ends its loop at a Ctrl-C only when the command died of it. */
export function endLike({ code, signal }) {
	const ours = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
	if (process.platform !== 'win32' && ours.includes(signal)) process.kill(process.pid, signal);
	return code;
}

/** As a shell says it: a program that a signal ended has 128 and the number of the signal. */
function exitCodeOf(code, signal) {
	return code ?? 128 + (constants.signals[signal] ?? 0);
}

/** Runs a script's main function; what it returns is the exit code. */
export async function main(work) {
	try {
		process.exitCode = (await work()) ?? 0;
	} catch (error) {
		if (!(error instanceof ScriptError)) throw error;
		console.error(error.message);
		process.exitCode = 1;
	}
}

/** npm runs scripts in the project; paths that a person types are meant from where they stand. */
export function goToCaller() {
	if (process.env.npm_lifecycle_event && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
}
