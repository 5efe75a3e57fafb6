/** What happened to an agent and why: the ladder's transitions, the operator's actions, remarks. */
import type { Database, Statement } from 'better-sqlite3';
import { type Evidence, evidenceSchema } from '../../shared/breaker-state.ts';
import type { HistoryRow } from '../../shared/channels.ts';
import type { BreakerLevel } from '../../shared/words.ts';
import type { OperatorActionKind, OperatorActionRow, RemarkRow, TransitionRow } from './rows.ts';

type Bound<Row, Json extends keyof Row> = Omit<Row, Json> & Record<Json, string | null>;

interface HistoryRecord {
	at: number;
	kind: 'level' | 'order' | 'note' | 'denial' | 'trouble';
	from: BreakerLevel | null;
	to: BreakerLevel | null;
	/** For an order: its kind. */
	action: OperatorActionKind | null;
	text: string;
	evidence: string | null;
}

/** How the history words each thing that the operator can do. */
const actionWords: Readonly<Record<OperatorActionKind, string>> = {
	steer: 'Steered',
	hold: 'Held',
	constrain: 'Constrained',
	stop: 'Stopped',
	resume: 'Resumed',
	'reset-evidence': 'Evidence reset',
	'allow-once': 'Allowed once',
	'deny-once': 'Denied',
	'dismiss-incident': 'Incident dismissed',
	'change-settings': 'Settings changed',
};

export class HistoryTables {
	readonly #addTransition: Statement<[Bound<TransitionRow, 'evidence'>]>;
	readonly #addAction: Statement<[Bound<OperatorActionRow, 'detail'>]>;
	readonly #addRemark: Statement<[RemarkRow]>;
	readonly #history: Statement<[{ agentId: string; limit: number }], HistoryRecord>;

	constructor(database: Database) {
		this.#addTransition = database.prepare(`
			INSERT INTO transitions (at, agent_id, session_id, from_level, to_level, action, reason, evidence)
			VALUES (@at, @agentId, @sessionId, @from, @to, @action, @reason, @evidence)`);
		this.#addAction = database.prepare(`
			INSERT INTO operator_actions (at, agent_id, action, words, detail)
			VALUES (@at, @agentId, @action, @words, @detail)`);
		this.#addRemark = database.prepare(
			'INSERT INTO remarks (at, agent_id, kind, text) VALUES (@at, @agentId, @kind, @text)',
		);
		// Each part is cut before they are put together: a long history is not sorted as a whole.
		this.#history = database.prepare(`
			SELECT at, kind, "from", "to", action, text, evidence FROM (
				SELECT * FROM (
					SELECT at, id, 'level' AS kind, from_level AS "from", to_level AS "to", NULL AS action, reason AS text,
						evidence
					FROM transitions WHERE agent_id = @agentId ORDER BY at DESC, id DESC LIMIT @limit)
				UNION ALL SELECT * FROM (
					SELECT at, id, 'order', NULL, NULL, action, words, NULL
					FROM operator_actions WHERE agent_id = @agentId ORDER BY at DESC, id DESC LIMIT @limit)
				UNION ALL SELECT * FROM (
					SELECT at, id, kind, NULL, NULL, NULL, text, NULL
					FROM remarks WHERE agent_id = @agentId ORDER BY at DESC, id DESC LIMIT @limit)
			) ORDER BY at DESC, id DESC LIMIT @limit`);
	}

	addTransition(transition: TransitionRow): void {
		this.#addTransition.run({ ...transition, evidence: jsonOf(transition.evidence) });
	}

	addAction(action: OperatorActionRow): void {
		this.#addAction.run({ ...action, detail: jsonOf(action.detail) });
	}

	addRemark(remark: RemarkRow): void {
		this.#addRemark.run(remark);
	}

	/** Newest first. */
	historyOf(agentId: string, limit: number): HistoryRow[] {
		return this.#history.all({ agentId, limit }).map(({ at, kind, from, to, action, text, evidence }) => ({
			at,
			kind,
			from,
			to,
			text: action === null ? text : sentenceOf(action, text),
			evidence: evidenceOf(evidence),
		}));
	}
}

function sentenceOf(action: OperatorActionKind, words: string): string {
	const what = actionWords[action] ?? action;
	return words === '' ? `${what} by the operator` : `${what} by the operator: ${words}`;
}

/** Evidence of an older floor may lack a field; the rest of its row is worth showing. */
export function evidenceOf(text: string | null): Evidence | null {
	if (text === null) return null;
	return evidenceSchema.safeParse(JSON.parse(text)).data ?? null;
}

function jsonOf(value: object | null): string | null {
	return value === null ? null : JSON.stringify(value);
}
