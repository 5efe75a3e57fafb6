/**
 * Standard output of a run that may be made a second time: what reads it (`| jq`) is to get one answer, not two. So the
 * beginning is held back for a moment; a program that goes on printing is passed on as it prints.
 */
import { fstatSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** An answer as JSON is printed at once, at the end, bytes. */
const HELD_LIMIT = 64 * 1024;
/** From the first byte to the end of the program, ms. */
const PATIENCE_MS = 2_000;

/** Whether holding serves anybody: a terminal, or a log that takes errors as well, shows everything as it comes. */
export function isWorthHolding(): boolean {
	if (process.stdout.isTTY) return false;
	try {
		const [out, err] = [fstatSync(1), fstatSync(2)];
		return out.dev !== err.dev || out.ino !== err.ino;
	} catch {
		// One of them is closed.
		return false;
	}
}

export class HeldOutput {
	readonly #from: Readable;
	readonly #to: Writable;
	#chunks: Uint8Array[] | null = [];
	#size = 0;
	#timer: NodeJS.Timeout | null = null;

	constructor(from: Readable, to: Writable) {
		this.#from = from;
		this.#to = to;
		from.on('data', this.#take);
	}

	/** The program has ended: what is still held, to be given to whom it is meant for. Empty when it was passed on. */
	end(): Uint8Array {
		const chunks = this.#chunks ?? [];
		this.#stop();
		return Buffer.concat(chunks);
	}

	readonly #take = (chunk: Uint8Array): void => {
		this.#timer ??= setTimeout(() => this.#passOn(), PATIENCE_MS);
		this.#chunks?.push(chunk);
		this.#size += chunk.byteLength;
		if (this.#size > HELD_LIMIT) this.#passOn();
	};

	#passOn(): void {
		const chunks = this.#chunks ?? [];
		this.#stop();
		for (const chunk of chunks) this.#to.write(chunk);
		this.#from.pipe(this.#to, { end: false });
	}

	#stop(): void {
		if (this.#timer) clearTimeout(this.#timer);
		this.#from.off('data', this.#take);
		this.#chunks = null;
	}
}
