/** One try to get a turn answered, by a provider or by a local server: from its request to what came of it. */
import type { CallOutcome } from '../failover/call.ts';
import { classifyAnswer } from '../failover/classify-answer.ts';
import { classifyLoss, describeLoss, lossCodeOf } from '../failover/loss.ts';
import { countOfAnswer } from './answer-count.ts';
import { beginsEvents, formOf } from './answer-form.ts';
import type { AttemptEnd, AttemptOptions } from './attempt-contract.ts';
import { headerOf, headerRecord, responseHeaders } from './headers.ts';
import { masked } from './masked.ts';
import type { InBandError, StreamRelay } from './protocol.ts';
import { type Asked, saidByStatus, saidInAnswer } from './said.ts';
import { SilenceWatch } from './silence-watch.ts';
import type { UpstreamCall, UpstreamHead, UpstreamListener } from './upstream.ts';

/** Larger answers that were not streamed are not taken into memory, bytes. */
const WHOLE_LIMIT = 128 * 1_048_576;
/** After the message's own end the connection may be closed by itself, ms. */
const LINGER_MS = 1_000;

/** Resolves exactly once, never rejects. */
export function attempt(options: AttemptOptions): Promise<AttemptEnd> {
	return new Promise((resolve) => new Attempt(options, resolve).start());
}

class Attempt implements UpstreamListener {
	readonly #options: AttemptOptions;
	readonly #resolve: (end: AttemptEnd) => void;
	readonly #startedAt: number;
	#call: UpstreamCall | null = null;
	#forgetLeft: () => void = () => {};
	#forgetUnwanted: () => void = () => {};
	#watch: SilenceWatch | null = null;
	#isPaused = false;
	#head: UpstreamHead | null = null;
	/** `sniff`: its first bytes will tell. */
	#mode: 'relay' | 'whole' | 'opaque' | 'sniff' = 'whole';
	#chunks: Uint8Array[] = [];
	#bytes = 0;
	#firstByteMs: number | null = null;
	#isAnswering = false;
	#over = false;
	#stopLinger: (() => void) | null = null;

	constructor(options: AttemptOptions, resolve: (end: AttemptEnd) => void) {
		this.#options = options;
		this.#resolve = resolve;
		this.#startedAt = options.clock.steady();
	}

	start(): void {
		const { answer, upstream, request, onUnwanted } = this.#options;
		const callOff = (): void => {
			this.#call?.abort();
			this.#end({ kind: 'unwanted' });
		};
		this.#forgetLeft = answer.onLeft(callOff);
		// A listener of its own: forgetting it must not forget that a client may leave.
		this.#forgetUnwanted = onUnwanted(() => callOff());
		if (this.#over) this.#forget();
		else this.#call = upstream.call(request, this);
	}

	onHead(head: UpstreamHead): void {
		this.#head = head;
		if (head.status < 200 || head.status >= 300) return;
		const form = formOf(head);
		if (this.#options.relay === null && (form === 'json' || form === 'events')) this.#options.onGoodHead();
		if (form === 'unsaid') this.#mode = 'sniff';
		else if (form === 'events') this.#takeEvents(head);
		else if (form === 'compressed') this.#takeOpaque(head);
	}

	#takeEvents(head: UpstreamHead): void {
		const { relay, answer, marks } = this.#options;
		if (relay === null) {
			this.#takeOpaque(head);
			return;
		}
		this.#mode = 'relay';
		const isNamed = headerOf(head.headers, 'content-type') !== null;
		const type = isNamed ? [] : ['content-type', 'text/event-stream; charset=utf-8'];
		answer.streamHead([...responseHeaders(head.headers), ...type, ...marks]);
		answer.keepAlive();
		this.#watchSilence(relay);
	}

	/** A provider that compresses though it was asked not to, or streams unasked, cannot be read: it passes as it is. */
	#takeOpaque(head: UpstreamHead): void {
		const { answer, marks } = this.#options;
		if (answer.begun) return;
		this.#mode = 'opaque';
		answer.waitSilently();
		answer.begin(head.status, [...responseHeaders(head.headers), ...marks]);
		this.#answering();
	}

	onData(chunk: Uint8Array): void {
		if (this.#over) return;
		this.#firstByteMs ??= this.#options.clock.steady() - this.#startedAt;
		if (this.#mode === 'relay') this.#relay(chunk);
		else if (this.#mode === 'opaque') this.#send(chunk);
		else {
			this.#collect(chunk);
			if (this.#mode === 'sniff') this.#sniff();
		}
	}

	onEnd(): void {
		this.#stopLinger?.();
		if (this.#over) return;
		if (this.#mode === 'relay') this.#endRelay(null);
		else if (this.#mode === 'opaque') this.#endOpaque();
		else this.#endWhole();
	}

	onError(error: Error): void {
		this.#stopLinger?.();
		if (this.#over) return;
		const code = lossCodeOf(error);
		if (this.#mode === 'relay') this.#endRelay(code);
		else if (this.#mode === 'opaque') {
			this.#options.answer.breakOff();
			this.#end({ kind: 'delivered', outcome: this.#loss(code), text: '' });
		} else this.#break(this.#loss(code), null, this.#describe(code));
	}

	#relay(chunk: Uint8Array): void {
		const { relay, prefix, answer } = this.#options;
		if (relay === null) return;
		this.#watch?.heard();
		const bytes = relay.push(chunk);
		if (bytes.byteLength > 0) {
			if (!this.#isAnswering && prefix.byteLength > 0) answer.send(prefix);
			if (relay.state !== 'held') this.#answering();
			this.#send(bytes);
		}
		if (relay.error !== null) {
			this.#call?.abort();
			this.#endRelay(null);
		} else if (relay.state === 'done') {
			this.#endRelay(null);
			const call = this.#call;
			this.#stopLinger = this.#options.schedule(LINGER_MS, () => call?.abort());
		}
	}

	#send(bytes: Uint8Array): void {
		if (this.#options.answer.send(bytes)) return;
		this.#call?.pause();
		this.#isPaused = true;
		this.#options.answer.onDrain(() => {
			this.#isPaused = false;
			this.#watch?.heard();
			this.#call?.resume();
		});
	}

	#answering(): void {
		if (this.#isAnswering) return;
		this.#isAnswering = true;
		this.#forgetUnwanted();
		this.#options.onAnswering();
	}

	#watchSilence(relay: StreamRelay): void {
		const { clock, schedule, silence } = this.#options;
		this.#watch = new SilenceWatch({
			clock,
			schedule,
			limitMs: silence.limitMs,
			mayBeSilent: () => this.#isPaused || (silence.from === 'content' && relay.state !== 'content'),
			onSilent: () => {
				this.#call?.abort();
				this.onError(Object.assign(new Error('silent'), { code: 'UND_ERR_BODY_TIMEOUT' }));
			},
		});
	}

	/** What came so far goes the way that its first bytes tell. */
	#sniff(): void {
		const start = joined(this.#chunks);
		const isEvents = beginsEvents(start);
		if (isEvents === null || this.#head === null || this.#over) return;
		this.#mode = 'whole';
		if (!isEvents) return;
		this.#takeEvents(this.#head);
		this.onData(start);
	}

	#collect(chunk: Uint8Array): void {
		this.#bytes += chunk.byteLength;
		if (this.#bytes <= WHOLE_LIMIT) {
			this.#chunks.push(chunk);
			return;
		}
		this.#call?.abort();
		this.onError(Object.assign(new Error('too large'), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' }));
	}

	/** `code`: how the connection broke; `null`: it ended in the ordinary way. */
	#endRelay(code: string | null): void {
		const { relay, answer, prefix, name } = this.#options;
		if (relay === null) return;
		const { end, rest } = relay.end();
		if (end.kind === 'clean') {
			if (!this.#isAnswering && prefix.byteLength > 0) answer.send(prefix);
			this.#answering();
			answer.finish(rest);
			this.#end({ kind: 'delivered', outcome: this.#answered('', '', null), text: relay.text });
		} else if (end.error !== null) {
			const { type, message, status } = end.error;
			this.#break(this.#answered(type, message, status), end.error, saidInAnswer(type, message, this.#asked));
		} else if (code !== null) {
			this.#break(this.#loss(code), null, this.#describe(code));
		} else if (end.kind === 'empty') {
			this.#break(this.#answered('empty_answer', '', null), null, `${name} sent an empty answer.`);
		} else {
			const outcome: CallOutcome = { ...this.#loss('UND_ERR_SOCKET'), code: 'incomplete_stream' };
			this.#break(outcome, null, `${name}'s answer ended before it was finished.`);
		}
	}

	#break(outcome: CallOutcome, error: InBandError | null, detail: string): void {
		this.#end({ kind: 'broken', outcome, head: this.#head, error, detail });
	}

	#endOpaque(): void {
		this.#options.answer.finish();
		this.#end({ kind: 'delivered', outcome: this.#answered('', '', null), text: '' });
	}

	#endWhole(): void {
		const { protocol, readsAnswer } = this.#options;
		const head = this.#head;
		if (head === null) {
			this.onError(new Error('an end without a head'));
			return;
		}
		const body = joined(this.#chunks);
		if (head.status < 200 || head.status >= 300) {
			const { type, message, detail } = saidByStatus(head, body, this.#asked);
			const outcome = this.#answered(type, message, head.status);
			this.#end({ kind: 'whole', outcome, head, body, answer: null, detail });
			return;
		}
		const answer = readsAnswer && formOf(head) !== 'compressed' ? protocol.readAnswer(body) : null;
		const { type = '', message = '', status = null } = answer?.error ?? {};
		const outcome = this.#answered(type, message, status);
		const detail = type === '' ? '' : saidInAnswer(type, message, this.#asked);
		this.#end({ kind: 'whole', outcome, head, body, answer, detail });
	}

	get #asked(): Asked {
		const { protocol, name, request } = this.#options;
		return { protocol, name, headers: request.headers };
	}

	#answered(type: string, message: string, errorStatus: number | null): CallOutcome {
		const status = errorStatus ?? this.#head?.status ?? 200;
		const isError = type !== '' || status < 200 || status >= 300;
		return classifyAnswer({
			status,
			type: masked(type, this.#options.request.headers),
			message,
			headers: isError ? headerRecord(this.#head?.headers ?? []) : {},
			latencyMs: this.#latencyMs,
			now: this.#options.clock.wall(),
		});
	}

	#loss(code: string): CallOutcome {
		const answerBegan = this.#head !== null;
		return classifyLoss(code, {
			answerBegan,
			status: this.#head?.status ?? null,
			latencyMs: this.#latencyMs,
		});
	}

	#describe(code: string): string {
		const { name } = this.#options;
		const isCut = this.#head !== null && this.#loss(code).kind === 'cut';
		return isCut ? `The connection to ${name} broke off (${code}).` : describeLoss(code, name);
	}

	/** A whole answer takes as long as it is long: only streams say how quick a provider is. */
	get #latencyMs(): number | null {
		return this.#options.relay === null ? null : this.#firstByteMs;
	}

	#end(end: AttemptEnd): void {
		if (this.#over) return;
		this.#over = true;
		this.#forget();
		const count = this.#head && countOfAnswer(this.#options, this.#head, end);
		if (count) this.#options.onCounted(count);
		this.#resolve(end);
	}

	#forget(): void {
		this.#forgetLeft();
		this.#forgetUnwanted();
		this.#watch?.stop();
	}
}

/** Without copying where there is nothing to join. */
function joined(chunks: readonly Uint8Array[]): Buffer {
	const [only] = chunks;
	if (only === undefined || chunks.length > 1) return Buffer.concat(chunks);
	return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
}
