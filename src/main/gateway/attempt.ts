/** One try to get a turn answered, by a provider or by a local server: from its request to what came of it. */
import type { CallOutcome, Clock, Schedule } from '../failover/call.ts';
import { classifyAnswer } from '../failover/classify-answer.ts';
import { classifyLoss, describeLoss, lossCodeOf } from '../failover/loss.ts';
import type { ClientAnswer } from './client-answer.ts';
import { headerOf, headerRecord, responseHeaders } from './headers.ts';
import type { InBandError, Protocol, StreamRelay, WholeAnswer } from './protocol.ts';
import { SilenceWatch } from './silence-watch.ts';
import type { Upstream, UpstreamCall, UpstreamHead, UpstreamListener, UpstreamRequest } from './upstream.ts';

export type AttemptEnd =
	/** The answer went to the client as it came, to its end, or (`outcome` is then no `ok`) as far as it came. */
	| { readonly kind: 'delivered'; readonly outcome: CallOutcome; readonly text: string }
	/** Read to its end, nothing of it sent. `answer`: `null` when the status already says that it is none. */
	| {
			readonly kind: 'whole';
			readonly outcome: CallOutcome;
			readonly head: UpstreamHead;
			readonly body: Buffer;
			readonly answer: WholeAnswer | null;
			readonly detail: string;
	  }
	/** No answer, or one that broke off; the client's stream is still open. `error`: set when the provider said why. */
	| {
			readonly kind: 'broken';
			readonly outcome: CallOutcome;
			readonly head: UpstreamHead | null;
			readonly error: InBandError | null;
			readonly detail: string;
	  }
	/** Nobody wants it any more. It was still silent, or the client has left. */
	| { readonly kind: 'unwanted' };

/** How long a stream that has begun may be without any byte. */
export interface Silence {
	readonly limitMs: number;
	/** `content`: only behind text it means anything; a model that thinks unseen sends nothing for minutes. */
	readonly from: 'head' | 'content';
}

export interface AttemptOptions {
	readonly upstream: Upstream;
	readonly answer: ClientAnswer;
	readonly protocol: Protocol;
	readonly clock: Clock;
	readonly schedule: Schedule;
	readonly request: UpstreamRequest;
	/** Who is asked, in words. */
	readonly name: string;
	/** Reads the stream; `null`: the client did not ask for one. */
	readonly relay: StreamRelay | null;
	/** Goes before the first bytes of the relay: what leads over from an answer that broke off. */
	readonly prefix: Uint8Array;
	/** False: whatever comes with a 2xx is an answer (token counts). */
	readonly readsAnswer: boolean;
	/** Added to the head of a stream. Flat. */
	readonly marks: readonly string[];
	readonly silence: Silence;
	/** Calls back, perhaps at once, when a try that is still silent is not wanted any more. Returns how to forget it. */
	readonly onUnwanted: (listener: () => void) => () => void;
	/** The first of a streamed answer goes to the client. */
	readonly onAnswering: () => void;
}

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
	#mode: 'relay' | 'whole' | 'opaque' = 'whole';
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
		const { relay, answer, marks } = this.#options;
		this.#head = head;
		const isGood = head.status >= 200 && head.status < 300;
		const isEvents = /^text\/event-stream\b/i.test(headerOf(head.headers, 'content-type') ?? '');
		// A provider that compresses though it was asked not to, or streams unasked, cannot be read: it passes as it is.
		const isUnreadable = isEncoded(head) || (isEvents && relay === null);
		if (isGood && isUnreadable && !answer.begun) {
			this.#mode = 'opaque';
			answer.waitSilently();
			answer.begin(head.status, responseHeaders(head.headers));
			this.#answering();
		} else if (isGood && isEvents && relay !== null && !isEncoded(head)) {
			this.#mode = 'relay';
			answer.streamHead([...responseHeaders(head.headers), ...marks]);
			answer.keepAlive();
			this.#watchSilence(relay);
		}
	}

	onData(chunk: Uint8Array): void {
		if (this.#over) return;
		this.#firstByteMs ??= this.#options.clock.steady() - this.#startedAt;
		if (this.#mode === 'relay') this.#relay(chunk);
		else if (this.#mode === 'opaque') this.#send(chunk);
		else this.#collect(chunk);
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
			this.#break(this.#answered(type, message, status), end.error, said(name, type, message));
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
		const { protocol, readsAnswer, name } = this.#options;
		const head = this.#head;
		if (head === null) {
			this.onError(new Error('an end without a head'));
			return;
		}
		const body = joined(this.#chunks);
		if (head.status < 200 || head.status >= 300) {
			const { type, message } = protocol.readError(head.status, body);
			const outcome = this.#answered(type, message, head.status);
			const detail = `${name} answered with status ${head.status}${message ? `: ${clip(message)}` : '.'}`;
			this.#end({ kind: 'whole', outcome, head, body, answer: null, detail });
			return;
		}
		const answer = readsAnswer && !isEncoded(head) ? protocol.readAnswer(body) : null;
		const { type = '', message = '', status = null } = answer?.error ?? {};
		const outcome = this.#answered(type, message, status);
		const detail = type === '' ? '' : said(name, type, message);
		this.#end({ kind: 'whole', outcome, head, body, answer, detail });
	}

	#answered(type: string, message: string, errorStatus: number | null): CallOutcome {
		const status = errorStatus ?? this.#head?.status ?? 200;
		const isError = type !== '' || status < 200 || status >= 300;
		return classifyAnswer({
			status,
			type,
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

function isEncoded(head: UpstreamHead): boolean {
	const encoding = headerOf(head.headers, 'content-encoding');
	return encoding !== null && encoding.toLowerCase() !== 'identity';
}

function said(name: string, type: string, message: string): string {
	if (type === 'empty_answer') return `${name} sent an empty answer.`;
	return `${name} sent an error instead of an answer (${[type, clip(message)].filter(Boolean).join(': ')}).`;
}

function clip(text: string): string {
	return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
