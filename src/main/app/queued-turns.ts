/** A queued turn and its agent, who may ask the same again by itself: neither is answered twice, nor asked about twice. */
import { conversationOf, type FailoverDesk, type HeldTurn, type TurnFacts } from '../failover/desk.ts';
import type { FailoverEvent } from '../failover/failover-event.ts';
import { queuedMessage } from '../failover/failover-words.ts';
import type { OutboxEntry } from '../failover/outbox-entry.ts';

export interface QueuedTurnsOptions {
	/** Turns that wait in the outbox. */
	readonly isQueued: (conversation: string, inputHash: string) => boolean;
	readonly superseded: (conversation: string, inputHash: string, answered: boolean) => void;
	/** What waited for the agent's own call may go. */
	readonly drain: (reason: string, providerId: string) => void;
	readonly providerName: (providerId: string) => string;
}

export class QueuedTurns {
	readonly #options: QueuedTurnsOptions;
	/** Calls under way, by conversation and input. */
	readonly #asking = new Map<string, number>();

	constructor(options: QueuedTurnsOptions) {
		this.#options = options;
	}

	/** The counter as the gateway sees it. */
	desk(desk: FailoverDesk): FailoverDesk {
		return {
			route: (facts) => {
				this.#begins(facts);
				return desk.route(facts);
			},
			settle: (ticket, outcome) => desk.settle(ticket, outcome),
			hold: (facts) => (this.#isQueued(facts) ? this.#alreadyQueued(desk, facts) : desk.hold(facts)),
			ended: (facts, end) => desk.ended(facts, end),
			answeredLocally: (facts, model, answer) => desk.answeredLocally(facts, model, answer),
		};
	}

	/** Why an entry is not sent just now; `null`: its agent is not asking itself. */
	obstacleOf(entry: OutboxEntry): string | null {
		if (entry.kind !== 'cloud_turn' || entry.payload.purpose !== 'retry') return null;
		const { session_key: conversation, input_hash: inputHash } = entry.payload;
		return this.#asking.has(keyOf(conversation, inputHash))
			? 'Its agent is asking the same again itself; this waits for what comes of it.'
			: null;
	}

	readonly hear = (event: FailoverEvent): void => {
		if (event.kind !== 'turn-ended' || event.facts.isAuxiliary) return;
		const { facts, end } = event;
		const conversation = conversationOf(facts);
		const key = keyOf(conversation, facts.inputHash);
		const others = (this.#asking.get(key) ?? 1) - 1;
		if (others > 0) this.#asking.set(key, others);
		else this.#asking.delete(key);
		if (end.kind === 'answered') {
			this.#options.superseded(conversation, facts.inputHash, end.harness === 'cloud');
		} else if (others <= 0 && this.#isQueued(facts)) {
			this.#options.drain('its agent asked in vain', facts.providerId);
		}
	};

	#begins(facts: TurnFacts): void {
		if (facts.isAuxiliary) return;
		const conversation = conversationOf(facts);
		const key = keyOf(conversation, facts.inputHash);
		this.#asking.set(key, (this.#asking.get(key) ?? 0) + 1);
		this.#options.superseded(conversation, facts.inputHash, false);
	}

	#isQueued(facts: TurnFacts): boolean {
		return !facts.isAuxiliary && this.#options.isQueued(conversationOf(facts), facts.inputHash);
	}

	/** The operator decided about this very turn: its agent, who asks again by itself, is told so at once. */
	#alreadyQueued(desk: FailoverDesk, facts: TurnFacts): HeldTurn {
		let isOver = false;
		const message = queuedMessage(this.#options.providerName(facts.providerId));
		return {
			next: async () => ({ kind: 'queued', message }),
			answering: () => {},
			localFailed: () => {},
			release: (how) => {
				if (!isOver) desk.ended(facts, how);
				isOver = true;
			},
		};
	}
}

function keyOf(conversation: string, inputHash: string): string {
	return `${inputHash} ${conversation}`;
}
