/**
 * Standard input of a program that may have to be run a second time. It is the program's own: nothing of it is read
 * here, or a loop that reads its lines from the same place (`while read`) would lose them. So whether a second run can
 * have it again depends on what it is; with `--keep-input` it is read here and kept.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { KeptInput } from './kept-input.ts';

/** What a run gets: what is kept here, or a descriptor. */
export type RunInput = KeptInput | number;

const STANDARD_INPUT = 0;

export class ProgramInput {
	readonly #kept: KeptInput | null;
	readonly #kind: 'endless' | 'file' | 'stream';
	/** Where in the file the first run begins; `null`: no file, or nobody says. */
	readonly #start: number | null;
	#reopened: number | null = null;

	/** `keep`: it may be read here. */
	constructor(keep: boolean) {
		this.#kind = kindOf(STANDARD_INPUT);
		this.#start = this.#kind === 'file' ? positionOf(STANDARD_INPUT) : null;
		// A terminal, or nothing at all, is there for everybody.
		this.#kept = keep && this.#kind !== 'endless' ? new KeptInput(process.stdin) : null;
	}

	/** For the first run. */
	get first(): RunInput {
		return this.#kept ?? STANDARD_INPUT;
	}

	/** The same once more, after the first run; a sentence when that cannot be. */
	again(): { readonly input: RunInput } | { readonly problem: string } {
		if (this.#kept !== null) {
			return this.#kept.isWhole
				? { input: this.#kept }
				: { problem: 'its input was too long to be kept (8 MB).' };
		}
		if (this.#kind === 'endless') return { input: STANDARD_INPUT };
		if (this.#start !== null && positionOf(STANDARD_INPUT) === this.#start) return { input: STANDARD_INPUT };
		this.#reopened = this.#start === null ? null : opened(STANDARD_INPUT, this.#start);
		if (this.#reopened !== null) return { input: this.#reopened };
		return {
			problem:
				'it may have read its input, which is gone then. Add --keep-input when its prompt is in there, or </dev/null when it reads none.',
		};
	}

	/** The process need not wait for more of it. */
	release(): void {
		this.#kept?.release();
		if (this.#reopened !== null) closeSync(this.#reopened);
		this.#reopened = null;
	}
}

function kindOf(descriptor: number): 'endless' | 'file' | 'stream' {
	try {
		const stats = fstatSync(descriptor);
		if (stats.isFile()) return 'file';
		return stats.isFIFO() || stats.isSocket() ? 'stream' : 'endless';
	} catch {
		// It is closed: every run finds it so.
		return 'endless';
	}
}

/** Bytes from the beginning of the file; `null` where the system does not tell (it is Linux that does). */
function positionOf(descriptor: number): number | null {
	try {
		const [, position] =
			/^pos:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
		return position === undefined ? null : Number(position);
	} catch {
		// No such file on other systems.
		return null;
	}
}

/** The same file, opened anew and read up to `position`; `null` when that is not allowed. */
function opened(descriptor: number, position: number): number | null {
	let file: number | null = null;
	try {
		file = openSync(`/proc/self/fd/${descriptor}`, 'r');
		const chunk = Buffer.alloc(64 * 1024);
		let left = position;
		while (left > 0) {
			const count = readSync(file, chunk, 0, Math.min(left, chunk.length), null);
			if (count === 0) break;
			left -= count;
		}
		return file;
	} catch {
		// It was opened for us by somebody who may do more: the caller says that there is no second run.
		if (file !== null) closeSync(file);
		return null;
	}
}
