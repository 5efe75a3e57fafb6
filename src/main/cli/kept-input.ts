/** Standard input that is read here and kept, so that a second run gets the same prompt as the first. */
import type { Readable, Writable } from 'node:stream';

/** A prompt is far below; a conversation that streams for hours is not kept, bytes. */
const KEPT_LIMIT = 8 * 1024 * 1024;

export class KeptInput {
	readonly #source: Readable;
	readonly #kept: Buffer[] = [];
	#size = 0;
	#isWhole = true;
	#target: Writable | null = null;
	#hasEnded = false;

	constructor(source: Readable) {
		this.#source = source;
		source.on('data', (chunk: Buffer) => this.#take(chunk));
		source.once('end', () => this.#end());
		// A terminal that went away, a pipe that broke: no more input.
		source.once('error', () => this.#end());
		source.pause();
	}

	/** Nothing of it was let go: it can be given once more. */
	get isWhole(): boolean {
		return this.#isWhole;
	}

	/** Gives `target` what came so far, and what comes. Only one at a time. */
	giveTo(target: Writable): void {
		this.#target = target;
		// A program need not read its input to the end.
		target.on('error', () => this.#leave(target));
		target.once('close', () => this.#leave(target));
		target.on('drain', () => this.#source.resume());
		for (const chunk of this.#kept) target.write(chunk);
		if (this.#hasEnded) target.end();
		else if (!target.writableNeedDrain) this.#source.resume();
	}

	/** The process need not wait for more of it. */
	release(): void {
		this.#target = null;
		this.#source.pause();
		this.#source.destroy();
	}

	#take(chunk: Buffer): void {
		if (this.#size + chunk.byteLength > KEPT_LIMIT) {
			this.#isWhole = false;
			this.#kept.length = 0;
		} else if (this.#isWhole) {
			this.#kept.push(chunk);
			this.#size += chunk.byteLength;
		}
		if (this.#target?.write(chunk) === false) this.#source.pause();
	}

	#end(): void {
		this.#hasEnded = true;
		this.#target?.end();
	}

	#leave(target: Writable): void {
		if (this.#target !== target) return;
		this.#target = null;
		this.#source.pause();
	}
}
