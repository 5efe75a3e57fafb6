/** Requests that ask no model (or cannot be read) go to the provider and back as they are: nothing is held or counted. */
import { describeLoss, lossCodeOf } from '../failover/loss.ts';
import { isRedirect } from './answer-form.ts';
import type { ClientAnswer } from './client-answer.ts';
import { responseHeaders } from './headers.ts';
import { redirected } from './said.ts';
import type { Upstream, UpstreamCall, UpstreamHead, UpstreamListener, UpstreamRequest } from './upstream.ts';

export interface PassThroughOptions {
	readonly upstream: Upstream;
	readonly answer: ClientAnswer;
	readonly request: UpstreamRequest;
	/** Who is asked, in words. */
	readonly name: string;
}

/** Resolves when the answer is over or the client has left. */
export function passThrough(options: PassThroughOptions): Promise<void> {
	return new Promise((resolve) => new PassThrough(options, resolve).start());
}

class PassThrough implements UpstreamListener {
	readonly #options: PassThroughOptions;
	readonly #resolve: () => void;
	#call: UpstreamCall | null = null;

	constructor(options: PassThroughOptions, resolve: () => void) {
		this.#options = options;
		this.#resolve = resolve;
	}

	start(): void {
		const { answer, upstream, request } = this.#options;
		this.#call = upstream.call(request, this);
		answer.onLeft(() => {
			this.#call?.abort();
			this.#resolve();
		});
	}

	onHead(head: UpstreamHead): void {
		const { answer, name } = this.#options;
		if (!isRedirect(head.status)) {
			answer.begin(head.status, responseHeaders(head.headers));
			return;
		}
		this.#call?.abort();
		answer.error({ status: 502, kind: 'unavailable', message: redirected(head, name) });
		this.#resolve();
	}

	onData(chunk: Uint8Array): void {
		const { answer } = this.#options;
		if (answer.send(chunk)) return;
		this.#call?.pause();
		answer.onDrain(() => this.#call?.resume());
	}

	onEnd(): void {
		this.#options.answer.finish();
		this.#resolve();
	}

	onError(error: Error): void {
		const { answer, name } = this.#options;
		if (answer.begun) answer.breakOff();
		else {
			const what = describeLoss(lossCodeOf(error), name);
			const message = `${what} This request was not held. Check the network or the provider's status, then ask again.`;
			answer.error({ status: 502, kind: 'unavailable', message });
		}
		this.#resolve();
	}
}
