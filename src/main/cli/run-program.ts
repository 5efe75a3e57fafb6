/** One program in our place: it has our terminal, what it prints passes through as it comes, and its end is kept. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { ProgramEnd } from '../models/program-output.ts';
import { HeldOutput } from './held-output.ts';
import { KeptInput } from './kept-input.ts';
import { OutputTail } from './output-tail.ts';
import type { RunInput } from './program-input.ts';
import { StartFailure, startFailure } from './start-failure.ts';
import { isInForeground, signalCode } from './terminal-signals.ts';
import { windowsCommand } from './windows-command.ts';

/** Bytes of the end that are read for signs of a limit. */
const STDOUT_KEPT = 512 * 1024;
const STDERR_KEPT = 64 * 1024;
/** A program's child may hold the pipes open for ever: after this silence its output is nobody's concern, ms. */
const SILENCE_AFTER_EXIT_MS = 2_000;

export interface ProgramPlace {
	readonly env: NodeJS.ProcessEnv;
	readonly workingDirectory: string;
	readonly stdout: Writable;
	readonly stderr: Writable;
	readonly input: RunInput;
	/** Hold the beginning of the output back, which may be given up for that of a second run. */
	readonly holdsOutput: boolean;
}

export interface ProgramRun extends ProgramEnd {
	/** How it ended: its exit code, or the signal of a person or a terminal; others as a shell says them (128 and more). */
	readonly end: number | NodeJS.Signals;
	/** Standard output that was held back to the end. */
	readonly heldOutput: Uint8Array;
	/** A signal came for us or for it: how it ended says nothing. */
	readonly wasInterrupted: boolean;
}

const forwarded: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** Rejects with a `StartFailure`. */
export async function runProgram(
	command: string,
	args: readonly string[],
	place: ProgramPlace,
): Promise<ProgramRun> {
	const child = start(command, args, place);
	const { stdout, stderr } = child;
	if (stdout === null || stderr === null) throw new StartFailure(`${command} has no output.`);
	const held = place.holdsOutput ? new HeldOutput(stdout, place.stdout) : null;
	const out = passage(stdout, place.stdout, new OutputTail(STDOUT_KEPT));
	const err = passage(stderr, place.stderr, new OutputTail(STDERR_KEPT));
	if (held === null) stdout.pipe(place.stdout, { end: false });
	stderr.pipe(place.stderr, { end: false });
	if (child.stdin !== null && place.input instanceof KeptInput) place.input.giveTo(child.stdin);
	const told = new Set<NodeJS.Signals>();
	const forward = (signal: NodeJS.Signals): void => {
		told.add(signal);
		// The program has it already.
		if ((signal === 'SIGINT' || signal === 'SIGQUIT') && isInForeground()) return;
		child.kill(signal);
	};
	for (const signal of forwarded) process.on(signal, forward);
	try {
		const { code, signal } = await endOf(child, [out, err]).catch((error: unknown) => {
			throw startFailure(command, error, place);
		});
		return {
			heldOutput: held?.end() ?? new Uint8Array(),
			exitCode: code,
			end: endOfProgram(code, signal, told),
			wasInterrupted: told.size > 0 || signal !== null,
			stdout: out.tail.text(),
			isStdoutCut: out.tail.isCut,
			stderr: err.tail.text(),
		};
	} finally {
		for (const signal of forwarded) process.off(signal, forward);
		stdout.destroy();
		stderr.destroy();
	}
}

/** A program that leaves with 130 after a Ctrl-C has died of it as far as a shell is concerned, and so do we. */
function endOfProgram(
	code: number | null,
	signal: NodeJS.Signals | null,
	told: ReadonlySet<NodeJS.Signals>,
): number | NodeJS.Signals {
	const meant = signal ?? [...told].find((each) => signalCode(each) === code);
	if (meant !== undefined && forwarded.includes(meant)) return meant;
	return code ?? (signal === null ? 2 : signalCode(signal));
}

function start(command: string, args: readonly string[], place: ProgramPlace): ChildProcess {
	const { env, workingDirectory, input } = place;
	const options: SpawnOptions = {
		cwd: workingDirectory,
		env,
		stdio: [input instanceof KeptInput ? 'pipe' : input, 'pipe', 'pipe'],
		windowsHide: true,
	};
	try {
		if (process.platform !== 'win32') return spawn(command, [...args], options);
		const asked = windowsCommand(command, args, { env, workingDirectory, isFile });
		return spawn(asked.file, [...asked.args], { ...options, windowsVerbatimArguments: asked.verbatim });
	} catch (error) {
		throw startFailure(command, error, place);
	}
}

interface Passage {
	readonly tail: OutputTail;
	/** Whoever reads us is slower than the program. */
	readonly isBehind: () => boolean;
}

/** Byte for byte, no faster than our reader reads. */
function passage(from: Readable, to: Writable, tail: OutputTail): Passage {
	from.on('data', (chunk: Uint8Array) => tail.add(chunk));
	// Nobody reads us any more: the program is to hear of it as it would without us.
	const leave = (): void => {
		from.destroy();
	};
	to.once('error', leave);
	from.once('close', () => to.off('error', leave));
	return { tail, isBehind: () => !from.destroyed && to.writableNeedDrain };
}

interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

function endOf(child: ChildProcess, passages: readonly Passage[]): Promise<Ended> {
	return new Promise((resolve, reject) => {
		child.on('error', (error) => {
			// Later errors are of signals that found nobody.
			if (child.pid === undefined) reject(error);
		});
		child.once('exit', (code, signal) => {
			const seen = (): number => passages.reduce((sum, { tail }) => sum + tail.seen, 0);
			let before = seen();
			const look = setInterval(() => {
				const now = seen();
				if (now === before && !passages.some(({ isBehind }) => isBehind())) done();
				before = now;
			}, SILENCE_AFTER_EXIT_MS);
			const done = (): void => {
				clearInterval(look);
				resolve({ code, signal });
			};
			child.once('close', done);
		});
	});
}

function isFile(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
