/** Real agent programs: installed from the registry into a temporary directory, run headless to their end. */
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * @param {string} name of the package, with a version if one is wanted
 * @param {string} program its name in `.bin`
 * @param {string} place a directory of our own
 * @returns {string} path of the program
 */
export function installProgram(name, program, place) {
	const target = join(place, 'programs', program);
	execFileSync('npm', ['install', '--prefix', target, '--no-save', '--loglevel=error', name], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return join(target, 'node_modules', '.bin', program);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: Record<string, string>, deadlineMs?: number, onStart?: (pid: number) => void }} options
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string, ms: number }>} `code: null`: it had to be killed
 */
export function runProgram(program, args, { cwd, env, deadlineMs = 180_000, onStart }) {
	return new Promise((resolve, reject) => {
		const began = performance.now();
		const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		if (child.pid !== undefined) onStart?.(child.pid);
		let stdout = '';
		let stderr = '';
		child.stdout.setEncoding('utf8').on('data', (text) => {
			stdout += text;
		});
		child.stderr.setEncoding('utf8').on('data', (text) => {
			stderr += text;
		});
		const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
		child.once('error', reject);
		child.once('close', (code) => {
			clearTimeout(deadline);
			resolve({ code, stdout, stderr, ms: Math.round(performance.now() - began) });
		});
	});
}
