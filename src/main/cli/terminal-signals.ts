/** Who hears a Ctrl-C: a terminal sends it to every process in its foreground, also where their input is a pipe. */
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { constants as system } from 'node:os';

/**
 * Whether SIGINT and SIGQUIT come from a terminal, so that a program of our process group has them already: a second one
 * would mean "at once" to many.
 */
export function isInForeground(): boolean {
	// There only the console sends them, to everybody in it.
	if (process.platform === 'win32') return true;
	return process.platform === 'linux' ? isForegroundGroup() : hasTerminal();
}

/**
 * Ends this process by the signal that ended the program in our place: a shell ends its loop at a Ctrl-C only when the
 * command died of it. Where nobody dies of signals, it leaves with the code that a shell would say.
 */
export function dieOf(signal: NodeJS.Signals): void {
	process.exitCode = signalCode(signal);
	if (process.platform === 'win32') return;
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
}

/** 128 and the number of the signal, as a shell says it. */
export function signalCode(signal: NodeJS.Signals): number {
	return 128 + (system.signals[signal] ?? 0);
}

/** proc(5): pid (comm) state ppid pgrp session tty_nr tpgid. */
function isForegroundGroup(): boolean {
	const stat = readFileSync('/proc/self/stat', 'utf8');
	const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return terminal !== '0' && group === foreground;
}

function hasTerminal(): boolean {
	try {
		closeSync(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY));
		return true;
	} catch {
		// A service, a job of cron: without a terminal.
		return false;
	}
}
