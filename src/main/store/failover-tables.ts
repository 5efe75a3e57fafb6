/** What failover wants back after a restart: evidence about providers, verdicts on local answers, answers of queued turns. */
import type { Database, Statement } from 'better-sqlite3';
import type { JsonObject } from './rows.ts';

/** Plain JSON of every provider; what stands in one is the business of who wrote it. Times are ms since the epoch. */
export interface ProviderHealthRow {
	readonly savedAt: number;
	readonly lastCalled: string | null;
	readonly providers: readonly (JsonObject & { readonly id: string })[];
}

/** What became of one turn that a local model answered. */
export interface VerdictRow {
	readonly turnId: string;
	readonly workspace: string;
	/** `ModelFit.id` */
	readonly modelId: string;
	readonly accepted: boolean;
	readonly at: number;
}

export interface AcceptanceRow {
	readonly accepted: number;
	readonly total: number;
}

/** An answer with the identity of the model that gave it. The text is the model's: untrusted. */
export interface TurnAnswerRow {
	/** An idempotency key of the outbox, or the id of an offer. */
	readonly key: string;
	readonly harness: 'local' | 'cloud';
	/** Id of the provider or local server. */
	readonly place: string;
	readonly model: string;
	readonly text: string;
	readonly at: number;
}

interface HealthRecord {
	providerId: string;
	savedAt: number;
	isLastCalled: number;
	state: string;
}

/** Verdicts older than this say little about a model of today, days. */
const VERDICT_DAYS = 366;
const DAY_MS = 24 * 3_600_000;

export class FailoverTables {
	readonly #clearHealth: Statement<[]>;
	readonly #addHealth: Statement<[HealthRecord]>;
	readonly #loadHealth: Statement<[], HealthRecord>;
	readonly #saveVerdict: Statement<[Omit<VerdictRow, 'accepted'> & { accepted: number }]>;
	readonly #acceptance: Statement<[string, string], { accepted: number | null; total: number }>;
	readonly #allAcceptance: Statement<[], AcceptanceRow & { workspace: string; modelId: string }>;
	readonly #saveAnswer: Statement<[TurnAnswerRow]>;
	readonly #answers: Statement<[string], TurnAnswerRow>;
	readonly #deleteAnswers: Statement<[number]>;
	readonly #deleteVerdicts: Statement<[number]>;

	constructor(database: Database) {
		this.#clearHealth = database.prepare('DELETE FROM provider_health');
		this.#addHealth = database.prepare(`
			INSERT OR REPLACE INTO provider_health (provider_id, saved_at, is_last_called, state)
			VALUES (@providerId, @savedAt, @isLastCalled, @state)`);
		this.#loadHealth = database.prepare(`
			SELECT provider_id AS providerId, saved_at AS savedAt, is_last_called AS isLastCalled, state
			FROM provider_health ORDER BY provider_id`);
		this.#saveVerdict = database.prepare(`
			INSERT OR REPLACE INTO local_verdicts (turn_id, workspace, model_id, accepted, at)
			VALUES (@turnId, @workspace, @modelId, @accepted, @at)`);
		this.#acceptance = database.prepare(`
			SELECT sum(accepted) AS accepted, count(*) AS total FROM local_verdicts WHERE workspace = ? AND model_id = ?`);
		this.#allAcceptance = database.prepare(`
			SELECT workspace, model_id AS modelId, sum(accepted) AS accepted, count(*) AS total
			FROM local_verdicts GROUP BY workspace, model_id`);
		this.#saveAnswer = database.prepare(`
			INSERT OR REPLACE INTO turn_answers (key, harness, place, model, at, text)
			VALUES (@key, @harness, @place, @model, @at, @text)`);
		this.#answers = database.prepare(`
			SELECT key, harness, place, model, text, at FROM turn_answers WHERE key = ? ORDER BY at, harness`);
		this.#deleteAnswers = database.prepare('DELETE FROM turn_answers WHERE at < ?');
		this.#deleteVerdicts = database.prepare('DELETE FROM local_verdicts WHERE at < ?');
	}

	/** Replaces what was known; to be run in a transaction. */
	saveHealth({ savedAt, lastCalled, providers }: ProviderHealthRow): void {
		this.#clearHealth.run();
		for (const provider of providers) {
			this.#addHealth.run({
				providerId: provider.id,
				savedAt,
				isLastCalled: provider.id === lastCalled ? 1 : 0,
				state: JSON.stringify(provider),
			});
		}
	}

	/** `null`: nothing was ever saved. What a provider's own JSON holds is not looked at. */
	loadHealth(): { savedAt: number; lastCalled: string | null; providers: unknown[] } | null {
		const records = this.#loadHealth.all();
		const [first] = records;
		if (!first) return null;
		return {
			savedAt: first.savedAt,
			lastCalled: records.find(({ isLastCalled }) => isLastCalled === 1)?.providerId ?? null,
			providers: records.map(({ state }): unknown => JSON.parse(state)),
		};
	}

	saveVerdict(verdict: VerdictRow): void {
		this.#saveVerdict.run({ ...verdict, accepted: verdict.accepted ? 1 : 0 });
	}

	/** `null`: the model answered nothing there yet. */
	acceptanceOf(workspace: string, modelId: string): AcceptanceRow | null {
		const { accepted, total } = this.#acceptance.get(workspace, modelId) ?? { accepted: 0, total: 0 };
		return total === 0 ? null : { accepted: accepted ?? 0, total };
	}

	/** Of every workspace and model. */
	allAcceptance(): (AcceptanceRow & { readonly workspace: string; readonly modelId: string })[] {
		return this.#allAcceptance.all();
	}

	saveAnswer(answer: TurnAnswerRow): void {
		this.#saveAnswer.run(answer);
	}

	/** Oldest first. */
	answersOf(key: string): TurnAnswerRow[] {
		return this.#answers.all(key);
	}

	/** Answers are words of agents and go with them; `before`: ms since the epoch. */
	prune(now: number, answersBefore: number): void {
		this.#deleteAnswers.run(answersBefore);
		this.#deleteVerdicts.run(now - VERDICT_DAYS * DAY_MS);
	}
}
