/** Tickets that open one window once. A command line shows its arguments to every user of a machine; a spent ticket is worth nothing. */
import { randomBytes } from 'node:crypto';

/** A browser that takes longer to start has to be opened by hand, ms. */
const VALID_MS = 60_000;

export class Tickets {
	readonly #issued = new Map<string, number>();
	readonly #now: () => number;

	/** `now`: any clock in ms. */
	constructor(now: () => number) {
		this.#now = now;
	}

	issue(): string {
		const ticket = randomBytes(24).toString('base64url');
		this.#issued.set(ticket, this.#now() + VALID_MS);
		return ticket;
	}

	/** True once, and in time. */
	redeem(ticket: string): boolean {
		const until = this.#issued.get(ticket);
		this.#issued.delete(ticket);
		return until !== undefined && this.#now() <= until;
	}
}
