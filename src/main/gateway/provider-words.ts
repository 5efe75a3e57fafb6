/** What the provider itself said instead of an answer, kept as it came until it is known who gets it. */
import type { ClientAnswer } from './client-answer.ts';
import { responseHeaders, withoutRetryAfter } from './headers.ts';
import type { InBandError, Protocol, ProtocolError } from './protocol.ts';
import { saidByStatus } from './said.ts';
import type { UpstreamHead } from './upstream.ts';

type Said =
	| { readonly head: UpstreamHead; readonly body: Uint8Array }
	| { readonly head: UpstreamHead; readonly event: InBandError };

export class ProviderWords {
	readonly #protocol: Protocol;
	readonly #name: string;
	readonly #headers: readonly string[];
	#said: Said | null = null;

	/** `name`: who speaks. `headers`: of the request, flat. */
	constructor(protocol: Protocol, name: string, headers: readonly string[]) {
		this.#protocol = protocol;
		this.#name = name;
		this.#headers = headers;
	}

	/** The newest counts. */
	hear(head: UpstreamHead, body: Uint8Array): void {
		this.#said = { head, body };
	}

	hearEvent(head: UpstreamHead, event: InBandError): void {
		this.#said = { head, event };
	}

	forget(): void {
		this.#said = null;
	}

	/**
	 * Passes it on, byte for byte where the client's answer has not begun. `retryAfterSeconds`: a better time to ask again
	 * than the provider's own. False: the provider said nothing.
	 */
	pass(answer: ClientAnswer, retryAfterSeconds: number | null = null): boolean {
		const said = this.#said;
		if (said === null) return false;
		const { head } = said;
		if ('event' in said) {
			answer.streamHead(responseHeaders(head.headers));
			answer.finish(said.event.bytes);
		} else if (answer.begun) answer.error(this.#inStream(head, said.body));
		else
			answer.whole(head.status, askedAgainAfter(responseHeaders(head.headers), retryAfterSeconds), said.body);
		return true;
	}

	#inStream(head: UpstreamHead, body: Uint8Array): ProtocolError {
		const { status } = head;
		const asked = { protocol: this.#protocol, name: this.#name, headers: this.#headers };
		return { status, kind: kindOf(status), message: saidByStatus(head, body, asked).message };
	}
}

function askedAgainAfter(headers: string[], seconds: number | null): string[] {
	return seconds === null ? headers : [...withoutRetryAfter(headers), 'retry-after', String(seconds)];
}

function kindOf(status: number): ProtocolError['kind'] {
	if (status === 404) return 'not-found';
	// A client that is told so asks again, and then reads the provider's own status and waiting time.
	if (status === 429 || status === 503 || status === 529) return 'overloaded';
	return status >= 400 && status < 500 ? 'invalid' : 'unavailable';
}
