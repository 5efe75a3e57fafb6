/**
 * Consent for destructive commands while the tier is not NORMAL (seed 003, pitfalls: explicit consent every time).
 * Nothing is remembered: each call asks again, and an answer is for that one call.
 */
import type { ConsentView } from '../../shared/failover-view.ts';
import type { Clock, Schedule } from './call.ts';

/** `expired`: nobody answered in time. `gone`: the one who asked has left. */
export type ConsentAnswer = 'allowed' | 'denied' | 'expired' | 'gone';

export interface ConsentRequest {
	readonly agentId: string;
	readonly agentName: string;
	readonly tool: string;
	readonly target: string;
	readonly directory: string;
	/** What it would do, as the end of "it …". */
	readonly why: string;
	/** How long the client waits for its hook, ms. */
	readonly withinMs: number;
}

export interface ConsentOptions {
	readonly clock: Clock;
	readonly schedule: Schedule;
	/** The list changed; `ended`: the one that was answered, expired or abandoned. */
	readonly onChange: (
		ended: { readonly consent: ConsentView; readonly answer: ConsentAnswer } | null,
	) => void;
}

interface Open {
	readonly view: ConsentView;
	readonly settle: (answer: ConsentAnswer) => void;
}

export class Consents {
	readonly #options: ConsentOptions;
	readonly #open = new Map<string, Open>();
	#serial = 0;

	constructor(options: ConsentOptions) {
		this.#options = options;
	}

	/** Asks the operator. `abandon`: the client has given up waiting. */
	ask(request: ConsentRequest): { readonly answer: Promise<ConsentAnswer>; readonly abandon: () => void } {
		const { clock, schedule, onChange } = this.#options;
		const { withinMs, ...about } = request;
		this.#serial += 1;
		const askedAt = clock.wall();
		const id = `consent-${askedAt}-${this.#serial}`;
		const view: ConsentView = { id, ...about, askedAt, expiresAt: askedAt + withinMs };
		let tell: (answer: ConsentAnswer) => void = () => {};
		const answer = new Promise<ConsentAnswer>((resolve) => {
			tell = resolve;
		});
		const cancel = schedule(withinMs, () => this.#settle(id, 'expired'));
		this.#open.set(id, {
			view,
			settle: (given) => {
				cancel();
				this.#open.delete(id);
				tell(given);
				onChange({ consent: view, answer: given });
			},
		});
		onChange(null);
		return { answer, abandon: () => this.#settle(id, 'gone') };
	}

	/** The operator's answer. False: it is no longer waited for. */
	answer(consentId: string, allow: boolean): boolean {
		return this.#settle(consentId, allow ? 'allowed' : 'denied');
	}

	/** Oldest first. */
	views(): ConsentView[] {
		return [...this.#open.values()].map(({ view }) => view);
	}

	/** The floor ends: whoever waits is told that nobody answered. */
	stop(): void {
		for (const id of [...this.#open.keys()]) this.#settle(id, 'expired');
	}

	#settle(id: string, answer: ConsentAnswer): boolean {
		const open = this.#open.get(id);
		open?.settle(answer);
		return open !== undefined;
	}
}
