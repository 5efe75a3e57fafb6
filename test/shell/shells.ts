/** Shells of this machine, and the module sourced in them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

export const shellModules = resolve(import.meta.dirname, '../../resources/shell');
const posixModule = join(shellModules, 'agent-floor-model.sh');

/** As they are called: what a loop's first line may name. */
const known: readonly (readonly string[])[] = [
	['sh'],
	['dash'],
	['bash', '--posix'],
	['busybox', 'sh'],
	['ksh'],
	['zsh', '--emulate', 'sh'],
];

export const posixShells = known.map((shell) => {
	const [program = '', ...args] = shell;
	const isThere = spawnSync(program, [...args, '-c', 'exit 0']).status === 0;
	return { name: shell.join(' '), program, args, isThere };
});
export type PosixShell = (typeof posixShells)[number];

export interface ShellEnd {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

/**
 * Runs a script with the module sourced, in `directory`. `AGENT_FLOOR_COMMAND` names nothing unless `env` does; what the
 * module says of that when it is sourced is not in `err`.
 */
export function inShell(...loop: Parameters<typeof startShell>): Promise<ShellEnd> {
	return startShell(...loop).end;
}

export function startShell(
	{ program, args }: Pick<PosixShell, 'program' | 'args'>,
	directory: string,
	script: string,
	env: NodeJS.ProcessEnv = {},
) {
	const child = spawn(program, [...args, '-c', `. '${posixModule}' 2>/dev/null\nset -eu\n${script}`], {
		cwd: directory,
		env: { ...process.env, AGENT_FLOOR_COMMAND: 'no-such-command', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	const whole = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
	const end: Promise<ShellEnd> = whole.then(([out, err, [code]]) => ({
		code: code as number | null,
		out,
		err,
	}));
	return { child, end };
}
