/** Who hears a Ctrl-C: a terminal sends it to every process in its foreground, also where their input is a pipe. */
import { closeSync, constants, openSync, readFileSync } from 'node:fs';

/**
 * Whether SIGINT and SIGQUIT come from a terminal, so that a program of our process group has them already: a second one
 * would mean "at once" to many.
 */
export function isInForeground(): boolean {
	// There only the console sends them, to everybody in it.
	if (process.platform === 'win32') return true;
	return process.platform === 'linux' ? isForegroundGroup() : hasTerminal();
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
