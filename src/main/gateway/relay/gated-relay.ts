/**
 * The gate between an upstream's stream and the client: one queue and one rule for what opens it. The same for all
 * protocols; what a frame means is the dialect's business.
 */
import type {
	AnswerOrigin,
	InBandError,
	RelayEnd,
	RelayOptions,
	RelayState,
	StreamRelay,
	TurnUsage,
} from '../protocol.ts';
import { SseFrame } from '../sse/frame.ts';
import { FrameSplitter } from '../sse/frame-splitter.ts';
import { ByteQueue, NO_BYTES } from './byte-queue.ts';
import type { Dialect, Meaning, Reading } from './dialect.ts';

/** Held bytes of one answer (its tool calls); an upstream that sends more is at fault. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

/** What the queue waits for; `nothing`: it is empty and everything passes. */
type WaitsFor = 'content' | 'aside-end' | 'end' | 'nothing';

/** One answer behind the gate. After a restart `text` and `usage` are those of the new answer alone. */
export class GatedRelay implements StreamRelay {
	readonly #dialect: Dialect;
	readonly #splitter: FrameSplitter;
	readonly #held = new ByteQueue();
	readonly #out = new ByteQueue();
	#state: RelayState;
	#waitsFor: WaitsFor = 'content';
	#error: InBandError | null = null;
	#sawAnything = false;
	#endedEmpty = false;
	/** Another answer goes on in the client's stream. */
	#isReplaced = false;

	/** `state`: `content` when the dialect goes on in a stream whose client has text already. */
	constructor(dialect: Dialect, state: 'held' | 'content' = 'held', splitter = new FrameSplitter()) {
		this.#dialect = dialect;
		this.#state = state;
		this.#splitter = splitter;
	}

	get state(): RelayState {
		return this.#state;
	}

	get error(): InBandError | null {
		return this.#error;
	}

	get usage(): TurnUsage {
		return this.#dialect.usage;
	}

	get origin(): AnswerOrigin {
		return this.#dialect.origin;
	}

	get text(): string {
		return this.#dialect.text;
	}

	push(chunk: Uint8Array): Uint8Array {
		if (this.#isOver) return NO_BYTES;
		for (const frame of this.#splitter.push(chunk)) this.#take(frame);
		if (this.#splitter.isOverlong)
			this.#fail('frame_too_long', 'One event of the stream is longer than 32 MB.');
		return this.#out.take();
	}

	end(): { readonly end: RelayEnd; readonly rest: Uint8Array } {
		if (!this.#isOver) {
			const { frames, torn } = this.#splitter.end();
			for (const frame of frames) this.#take(frame);
			this.#takeTorn(torn);
			if (this.#state !== 'done' && !this.#isOver && this.#dialect.isComplete) this.#finish();
		}
		const end = this.#howItEnded();
		// After a cut the pending frame of a stream framed by carriage returns may still have been text.
		const rest = this.#out.take();
		this.#held.clear();
		return { end, rest };
	}

	restart(label: string, options: RelayOptions): { readonly bytes: Uint8Array; readonly relay: StreamRelay } {
		if (this.#state !== 'content') {
			throw new Error(
				`A stream can be restarted only after text and before its end, not when ${this.#state}.`,
			);
		}
		this.#held.clear();
		this.#isReplaced = true;
		const next = this.#dialect.restart(label, options);
		return { bytes: next.bytes, relay: new GatedRelay(next.dialect, 'content') };
	}

	/** An error came, an end without an answer, or another upstream: nothing more is passed on. */
	get #isOver(): boolean {
		return this.#error !== null || this.#endedEmpty || this.#isReplaced;
	}

	#take(frame: SseFrame): void {
		if (this.#isOver) return;
		if (this.#state === 'done') {
			// What a server sends behind the end ("[DONE]" after message_stop) is between it and the client.
			this.#out.add(frame.bytes);
			return;
		}
		this.#pass(
			this.#dialect.read(frame, {
				state: this.#state,
				isHolding: this.#waitsFor === 'end' || this.#waitsFor === 'aside-end',
			}),
		);
	}

	#pass({ meaning, bytes, error }: Reading): void {
		if (error !== null) {
			this.#error = error;
			this.#held.clear();
			return;
		}
		if (meaning === 'keep-alive') {
			// While anything is held the gateway keeps the client alive; this one would come before its time.
			if (this.#waitsFor === 'nothing') this.#out.add(bytes);
			return;
		}
		this.#sawAnything = true;
		if (meaning === 'end') {
			this.#held.add(bytes);
			this.#finish();
			return;
		}
		this.#waitsFor = waitsAfter(this.#waitsFor, meaning);
		if (this.#waitsFor !== 'nothing') {
			this.#held.add(bytes);
			if (this.#held.length > MOST_HELD_BYTES) {
				this.#fail('answer_too_long', 'The tool calls of one answer are longer than 64 MB.');
			}
			return;
		}
		this.#out.addAll(this.#held);
		this.#out.add(bytes);
		if (meaning === 'text') this.#state = 'content';
		else if (meaning === 'thinking' && this.#state === 'held') this.#state = 'thinking';
	}

	#finish(): void {
		if (this.#dialect.isEmpty) {
			this.#endedEmpty = true;
			this.#held.clear();
			return;
		}
		this.#state = 'done';
		this.#waitsFor = 'nothing';
		this.#out.addAll(this.#held);
	}

	/**
	 * Bytes behind the last empty line are no event, with one exception: some servers close right behind their last
	 * event. When it is whole, only its empty line is missing, and it gets one so that the client takes it as well.
	 */
	#takeTorn(torn: Buffer): void {
		if (torn.length === 0 || this.#isOver) return;
		if (this.#state === 'done') {
			this.#out.add(torn);
			return;
		}
		this.#sawAnything = true;
		const frame = new SseFrame(Buffer.concat([torn, Buffer.from('\n\n')]), false);
		if (this.#dialect.isLast(frame)) this.#take(frame);
	}

	#fail(type: string, message: string): void {
		if (this.#isOver) return;
		this.#error = this.#dialect.failure(type, message);
		this.#held.clear();
	}

	#howItEnded(): RelayEnd {
		if (this.#error !== null) return { kind: 'in-band-error', error: this.#error };
		if (this.#state === 'done') return { kind: 'clean', error: null };
		return { kind: this.#endedEmpty || !this.#sawAnything ? 'empty' : 'cut', error: null };
	}
}

function waitsAfter(waitsFor: WaitsFor, meaning: Meaning): WaitsFor {
	if (waitsFor === 'end' || meaning === 'hold') return 'end';
	if (meaning === 'aside') return 'aside-end';
	if (meaning === 'aside-end') return 'nothing';
	if (waitsFor === 'aside-end') return 'aside-end';
	if (meaning === 'opening') return 'content';
	if (meaning === 'lifecycle') return waitsFor;
	return 'nothing';
}
