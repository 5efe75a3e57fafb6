/**
 * Whether an agent went on with what a local model answered: the history of seed 003, section 3.2, counted from what
 * really happened to the turns and never asked of anybody.
 */
import { conversationOf, type TurnFacts } from './desk.ts';

/** Sessions whose last local answer still waits for the agent's next turn. */
const SESSIONS = 200;

export type RecordVerdict = (workspace: string, modelId: string, accepted: boolean, turnId: string) => void;

interface LocalTurn {
	readonly facts: TurnFacts;
	readonly modelId: string;
}

export class LocalVerdicts {
	readonly #record: RecordVerdict;
	/** Turns that a local model has now, by turn. */
	readonly #running = new Map<string, LocalTurn>();
	/** The last local answer of a session that nothing was built on yet. Oldest first. */
	readonly #unjudged = new Map<string, LocalTurn>();

	constructor(record: RecordVerdict) {
		this.#record = record;
	}

	/** A local model gets the turn. Helper requests of a client tell nothing about a model. */
	started(facts: TurnFacts, modelId: string): void {
		if (!facts.isAuxiliary) this.#running.set(facts.turnId, { facts, modelId });
	}

	answered(facts: TurnFacts): void {
		const turn = this.#end(facts);
		if (turn === null) return;
		this.#unjudged.delete(conversationOf(facts));
		this.#unjudged.set(conversationOf(facts), turn);
		for (const oldest of this.#unjudged.keys()) {
			if (this.#unjudged.size <= SESSIONS) break;
			this.#unjudged.delete(oldest);
		}
	}

	/** The model failed, or the agent left in the middle of its answer. */
	rejected(facts: TurnFacts): void {
		const turn = this.#end(facts);
		if (turn) this.#judge(turn, false);
	}

	/** The turn ended in a way that says nothing about the model. */
	forget(facts: TurnFacts): void {
		this.#end(facts);
	}

	/** The session asks again. A longer conversation is built on the answer; any other says nothing about it. */
	sessionAsks(facts: TurnFacts): void {
		if (facts.isAuxiliary) return;
		const last = this.#unjudged.get(conversationOf(facts));
		if (!last || last.facts.turnId === facts.turnId) return;
		this.#unjudged.delete(conversationOf(facts));
		const isLonger = facts.estimatedTokens > last.facts.estimatedTokens;
		if (isLonger && facts.inputHash !== last.facts.inputHash) this.#judge(last, true);
	}

	/** A person wants a better answer than this one. */
	improvementAsked(facts: TurnFacts, modelId: string): void {
		if (this.#unjudged.get(conversationOf(facts))?.facts.turnId === facts.turnId) {
			this.#unjudged.delete(conversationOf(facts));
		}
		this.#judge({ facts, modelId }, false);
	}

	#end({ turnId }: TurnFacts): LocalTurn | null {
		const turn = this.#running.get(turnId) ?? null;
		this.#running.delete(turnId);
		return turn;
	}

	#judge({ facts, modelId }: LocalTurn, accepted: boolean): void {
		this.#record(facts.workspace, modelId, accepted, facts.turnId);
	}
}
