/** The last credentials of each session, in memory only: never written, logged or shown. */
import { lowerCase } from './headers.ts';

/** After this a session is over. */
const KEPT_MS = 12 * 60 * 60_000;
const LIMIT = 500;
/** Headers that name who pays; the others only go along. */
const PAYERS: ReadonlySet<string> = new Set(['authorization', 'api-key', 'x-api-key', 'chatgpt-account-id']);

/** Whose credentials, and for which address: another address of the same provider gets none of them. */
export interface CredentialPlace {
	readonly sessionKey: string;
	readonly providerId: string;
	readonly baseUrl: string;
}

interface Kept {
	readonly headers: readonly string[];
	readonly at: number;
	/** Until then (same clock) the key is known to be shared by programs with different credentials. */
	readonly ambiguousUntil: number;
}

export class CredentialKeeper {
	readonly #now: () => number;
	/** Oldest first. */
	readonly #kept = new Map<string, Kept>();

	/** `now`: ms on a clock that never jumps. */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** `headers`: flat, credentials only. `isAttributed`: false when other programs may have the same session key. */
	remember(place: CredentialPlace, isAttributed: boolean, headers: readonly string[]): void {
		const key = keyOf(place);
		const now = this.#now();
		const before = this.#kept.get(key);
		const isOther = !isAttributed && before !== undefined && payerOf(before.headers) !== payerOf(headers);
		const ambiguousUntil = isOther ? now + KEPT_MS : (before?.ambiguousUntil ?? Number.NEGATIVE_INFINITY);
		this.#kept.delete(key);
		this.#kept.set(key, { headers, at: now, ambiguousUntil });
		for (const [oldest, { at }] of this.#kept) {
			if (this.#kept.size <= LIMIT && now - at <= KEPT_MS) break;
			this.#kept.delete(oldest);
		}
	}

	/** `null`: that session has not called this address, or too long ago, or it cannot be told whose credentials it were. */
	of(place: CredentialPlace): readonly string[] | null {
		const kept = this.#kept.get(keyOf(place));
		if (!kept || this.#now() - kept.at > KEPT_MS || this.isAmbiguous(place)) return null;
		return kept.headers;
	}

	/** Programs with different credentials call under this key. */
	isAmbiguous(place: CredentialPlace): boolean {
		return (this.#kept.get(keyOf(place))?.ambiguousUntil ?? Number.NEGATIVE_INFINITY) >= this.#now();
	}

	/** What `JSON.stringify` and inspection see: a number. */
	toJSON(): { readonly sessions: number } {
		return { sessions: this.#kept.size };
	}
}

function keyOf({ sessionKey, providerId, baseUrl }: CredentialPlace): string {
	return `${providerId}\n${baseUrl}\n${sessionKey}`;
}

function payerOf(headers: readonly string[]): string {
	const named: string[] = [];
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const name = lowerCase(headers[at] ?? '');
		if (PAYERS.has(name)) named.push(`${name}: ${headers[at + 1] ?? ''}`);
	}
	return named.sort().join('\n');
}
