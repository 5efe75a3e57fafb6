/** What failover did to an agent, kept in that agent's own history beside its levels and orders. */
import type { ConsentView } from '../../shared/failover-view.ts';
import { isSameModel } from '../../shared/model-names.ts';
import type { ConsentAnswer } from '../failover/consents.ts';
import type { FailoverEvent } from '../failover/failover-event.ts';
import type { FloorRecord } from '../floor/records.ts';

/** Who answered, when it was a model that stands in for another. */
const STANDS_IN = 'stands in ';
/** Longest command in a line of the history. */
const TARGET_LIMIT = 300;
/** Agents whose last answer is remembered, to tell a change from a repetition. */
const MOST_AGENTS = 2_000;

export class FailoverHistory {
	readonly #record: (record: FloorRecord) => void;
	readonly #providerName: (providerId: string) => string;
	/** Agent → who answered it last. */
	readonly #last = new Map<string, string>();

	constructor(record: (record: FloorRecord) => void, providerName: (providerId: string) => string) {
		this.#record = record;
		this.#providerName = providerName;
	}

	readonly hear = (event: FailoverEvent): void => {
		if (event.kind !== 'turn-ended' || event.facts.isAuxiliary) return;
		const { facts, end, at } = event;
		const { agentId, providerId } = facts;
		if (agentId === null) return;
		const name = this.#providerName(providerId);
		if (end.kind === 'answered') {
			const isStandIn = end.harness === 'cloud' && !isSameModel(facts.model, end.model);
			const who = isStandIn ? `${STANDS_IN}${end.model}` : `${end.harness} ${end.at} ${end.model}`;
			const before = this.#last.get(agentId);
			this.#remember(agentId, who);
			if (before === who) return;
			if (end.harness === 'local') {
				this.#tell(agentId, at, `${name} was lost; ${end.model} of ${end.at} goes on locally`);
			} else if (isStandIn) {
				this.#tell(agentId, at, `${facts.model} is rate-limited; ${end.model} of ${name} stands in`);
			} else if (before?.startsWith('local ')) this.#tell(agentId, at, `${name} answers again`);
			else if (before?.startsWith(STANDS_IN)) this.#tell(agentId, at, `${end.model} answers again`);
		} else if (end.kind === 'queued') {
			this.#tell(agentId, at, `${name} was lost; the turn waits in the outbox`);
		} else if (end.kind === 'refused') {
			this.#tell(agentId, at, `${name} was lost and no local model could take the turn: it was refused`);
		}
	};

	/** A destructive command was decided about, or was not. */
	consent({ agentId, target }: ConsentView, answer: ConsentAnswer, at: number): void {
		if (agentId === '') return;
		const shown = target.length > TARGET_LIMIT ? `${target.slice(0, TARGET_LIMIT)}…` : target;
		if (answer === 'allowed' || answer === 'denied') {
			const action = answer === 'allowed' ? 'allow-once' : 'deny-once';
			this.#record({ kind: 'operator-action', agentId, at, action, words: shown });
		} else this.#tell(agentId, at, `nobody answered in time whether to allow: ${shown}`);
	}

	#tell(agentId: string, at: number, text: string): void {
		this.#record({ kind: 'trouble', agentId, at, text });
	}

	#remember(agentId: string, who: string): void {
		this.#last.delete(agentId);
		this.#last.set(agentId, who);
		if (this.#last.size <= MOST_AGENTS) return;
		const [oldest] = this.#last.keys();
		if (oldest !== undefined) this.#last.delete(oldest);
	}
}
