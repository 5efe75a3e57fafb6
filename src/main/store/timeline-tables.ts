/** What is stored of an agent's turns, for its timeline. */
import type { Database, Statement } from 'better-sqlite3';
import type { Evidence } from '../../shared/breaker-state.ts';
import type { TurnModel } from '../../shared/timeline.ts';
import type { BreakerLevel } from '../../shared/words.ts';
import { evidenceOf } from './history-tables.ts';
import type { OperatorActionKind, RemarkRow } from './rows.ts';

/** A time of one agent, ms: from (inclusive) to before (exclusive). */
interface Span {
	readonly agentId: string;
	readonly from: number;
	readonly before: number;
}

export interface StoredHookEvent {
	readonly id: number;
	readonly at: number;
	readonly client: string;
	readonly name: string;
	readonly body: string;
}

export interface StoredLevel {
	readonly id: number;
	readonly at: number;
	readonly from: BreakerLevel;
	readonly to: BreakerLevel;
	readonly reason: string;
	readonly evidence: Evidence | null;
}

export interface StoredAction {
	readonly id: number;
	readonly at: number;
	readonly action: OperatorActionKind;
	readonly words: string;
}

export type StoredRemark = RemarkRow & { readonly id: number };

/** Rows of one table in a span of time; more than anybody reads. */
const MOST_ROWS = 20_000;

export class TimelineTables {
	readonly #events: Statement<[{ agentId: string; before: number; limit: number }], StoredHookEvent>;
	readonly #eventsFrom: Statement<[{ agentId: string; from: number; limit: number }], StoredHookEvent>;
	readonly #levels: Statement<[Span], Omit<StoredLevel, 'evidence'> & { evidence: string | null }>;
	readonly #actions: Statement<[Span], StoredAction>;
	readonly #remarks: Statement<[Span], StoredRemark>;
	readonly #models: Statement<[Span], TurnModel & { id: number }>;
	readonly #modelBefore: Statement<[{ agentId: string; before: number }], TurnModel & { id: number }>;
	readonly #addModel: Statement<[TurnModel & { agentId: string }]>;
	readonly #prune: Statement<[{ before: number }]>;

	constructor(database: Database) {
		const span = `agent_id = @agentId AND at >= @from AND at < @before ORDER BY at, id LIMIT ${MOST_ROWS}`;
		this.#events = database.prepare(`
			SELECT id, at, client, name, body FROM events WHERE agent_id = @agentId AND at < @before
			ORDER BY at DESC, id DESC LIMIT @limit`);
		this.#eventsFrom = database.prepare(`
			SELECT id, at, client, name, body FROM events WHERE agent_id = @agentId AND at >= @from
			ORDER BY at, id LIMIT @limit`);
		this.#levels = database.prepare(`
			SELECT id, at, from_level AS "from", to_level AS "to", reason, evidence FROM transitions WHERE ${span}`);
		this.#actions = database.prepare(`SELECT id, at, action, words FROM operator_actions WHERE ${span}`);
		this.#remarks = database.prepare(
			`SELECT id, at, agent_id AS agentId, kind, text FROM remarks WHERE ${span}`,
		);
		this.#models = database.prepare(
			`SELECT id, at, harness, place, model, asked FROM turn_models WHERE ${span}`,
		);
		this.#modelBefore = database.prepare(`
			SELECT id, at, harness, place, model, asked FROM turn_models WHERE agent_id = @agentId AND at < @before
			ORDER BY at DESC, id DESC LIMIT 1`);
		this.#addModel = database.prepare(`
			INSERT INTO turn_models (at, agent_id, harness, place, model, asked)
			VALUES (@at, @agentId, @harness, @place, @model, @asked)`);
		this.#prune = database.prepare(`
			DELETE FROM turn_models WHERE at < @before AND (
				EXISTS (
					SELECT 1 FROM turn_models AS next
					WHERE next.agent_id = turn_models.agent_id AND next.at > turn_models.at AND next.at <= @before
				)
				OR NOT EXISTS (SELECT 1 FROM agents WHERE agents.id = turn_models.agent_id)
			)`);
	}

	/** The newest ones before that time, newest first. */
	events(agentId: string, before: number, limit: number): StoredHookEvent[] {
		return this.#events.all({ agentId, before, limit });
	}

	/** The first ones from that time (ms) on, oldest first. */
	eventsFrom(agentId: string, from: number, limit: number): StoredHookEvent[] {
		return this.#eventsFrom.all({ agentId, from, limit });
	}

	levels(span: Span): StoredLevel[] {
		return this.#levels.all(span).map((row) => ({ ...row, evidence: evidenceOf(row.evidence) }));
	}

	actions(span: Span): StoredAction[] {
		return this.#actions.all(span);
	}

	remarks(span: Span): StoredRemark[] {
		return this.#remarks.all(span);
	}

	/** Who answered in that time, and who did when it began. */
	models(span: Span): (TurnModel & { readonly id: number })[] {
		const before = this.#modelBefore.get({ agentId: span.agentId, before: span.from });
		return [...(before ? [before] : []), ...this.#models.all(span)];
	}

	/** From then on this model answers the agent. */
	addModel(agentId: string, model: TurnModel): void {
		this.#addModel.run({ ...model, agentId });
	}

	/** Forgets who answered before that time, ms; of agents that are there, not who answered then. */
	prune(before: number): void {
		this.#prune.run({ before });
	}
}
