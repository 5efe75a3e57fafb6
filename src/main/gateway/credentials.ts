/** The last credentials of each session, in memory only: never written, logged or shown. */

/** After this a session is over. */
const KEPT_MS = 12 * 60 * 60_000;
const LIMIT = 500;

export class CredentialKeeper {
	readonly #now: () => number;
	/** Oldest first. */
	readonly #kept = new Map<string, { readonly headers: readonly string[]; readonly at: number }>();

	/** `now`: ms on a clock that never jumps. */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** `headers`: flat, credentials only. */
	remember(sessionKey: string, providerId: string, headers: readonly string[]): void {
		const key = keyOf(sessionKey, providerId);
		this.#kept.delete(key);
		this.#kept.set(key, { headers, at: this.#now() });
		for (const [oldest, { at }] of this.#kept) {
			if (this.#kept.size <= LIMIT && this.#now() - at <= KEPT_MS) break;
			this.#kept.delete(oldest);
		}
	}

	/** `null`: that session has not called this provider, or too long ago. */
	of(sessionKey: string, providerId: string): readonly string[] | null {
		const kept = this.#kept.get(keyOf(sessionKey, providerId));
		return kept && this.#now() - kept.at <= KEPT_MS ? kept.headers : null;
	}

	/** What `JSON.stringify` and inspection see: a number. */
	toJSON(): { readonly sessions: number } {
		return { sessions: this.#kept.size };
	}
}

function keyOf(sessionKey: string, providerId: string): string {
	return `${providerId}\n${sessionKey}`;
}
