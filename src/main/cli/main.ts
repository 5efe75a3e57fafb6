/** `agent-floor`: everything one may want of the floor without its window. */
import { homedir } from 'node:os';
import { runCommandLine } from './command-line.ts';
import { dieOf } from './terminal-signals.ts';

process.stdout.on('error', leave);
// Remarks that nobody reads are no reason to stop; the results may go elsewhere.
process.stderr.on('error', () => {});

const end = await runCommandLine(process.argv.slice(2), {
	env: process.env,
	homeDirectory: homedir(),
	workingDirectory: process.cwd(),
	out: (text) => {
		// A command that prints without a pause would not hear of it before its end.
		if (process.stdout.errored) leave(process.stdout.errored);
		process.stdout.write(`${text}\n`);
	},
	err: (text) => process.stderr.write(`${text}\n`),
});
if (typeof end === 'number') process.exitCode = end;
else {
	await flushed(process.stdout);
	await flushed(process.stderr);
	dieOf(end);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
	return new Promise((resolve) => stream.write('', () => resolve()));
}

/** A reader that has seen enough (`| head -1`) ends the command, and that is no failure; a full disk is one. */
function leave(error: NodeJS.ErrnoException): never {
	// Windows calls a pipe that is closed the end of a file.
	if (error.code === 'EPIPE' || error.code === 'EOF') process.exit(0);
	process.stderr.write(`agent-floor: the output cannot be written: ${error.message}\n`);
	process.exit(2);
}
