/** Reads one rollout of Codex. Measured with 0.171.0 and 0.104.0. */
import { z } from 'zod';
import type { LineReader, LogSink } from '../session-format.ts';
import { isNothing } from '../token-usage.ts';
import { historyOf, historySchema, isCopied, type Position, spawnerOf, timeOfId } from './codex-history.ts';
import type { ParentCounts } from './codex-parent.ts';
import { limitsSchema, limitsTold, troubleOf } from './codex-trouble.ts';
import { afterRecord, newIn, recordTold, totalTold } from './codex-usage.ts';
import { isObject, type JsonObject, momentOf, textOf } from './json-values.ts';
import { type RowReader, readRows } from './rows.ts';
import {
	isGarbage,
	NO_TOTAL,
	sameTotal,
	signatureOf,
	type TokenTotal,
	tokenTotalSchema,
	usageOf,
} from './token-total.ts';

/** The types of a line and of what is in it stand within its first bytes. */
const HEAD_BYTES = 240;
const TYPES = /"type": ?"([a-z_]+)"/g;
/** Types that tell something; `event_msg` tells by the type of its payload. */
const TELLING = new Set(['session_meta', 'turn_context', 'token_usage_record']);
const TELLING_EVENTS = new Set(['token_count', 'task_started', 'task_complete', 'error', 'stream_error']);

const memorySchema = z.object({
	/** The session's own; `null`: neither path nor first line told it yet. */
	id: z.string().nullable(),
	/** `null`: its first line was not read yet. */
	history: historySchema.nullable(),
	isSubagent: z.boolean(),
	/** Its history lies in another file, and its total begins with that one's. */
	hasBase: z.boolean(),
	model: z.string().nullable(),
	/** As it was told: that of a copied turn is not. */
	toldModel: z.string().nullable(),
	total: tokenTotalSchema.nullable(),
	/** Responses that were told by totals alone, so far. */
	steps: z.number(),
	limits: limitsSchema,
	/** The error of this turn was told. */
	hasFailed: z.boolean(),
});
type Memory = z.infer<typeof memorySchema>;

const START: Memory = {
	id: null,
	history: null,
	isSubagent: false,
	hasBase: false,
	model: null,
	toldModel: null,
	total: null,
	steps: 0,
	limits: {},
	hasFailed: false,
};

export class CodexRollout implements LineReader, RowReader {
	readonly #sink: LogSink;
	readonly #parent: ParentCounts;
	#state: Memory;

	/** `sessionId`: as the path tells it. `parent`: the counts of the session that it was forked from, where they are needed. */
	constructor(sessionId: string | null, sink: LogSink, memory: unknown, parent: ParentCounts) {
		this.#sink = sink;
		this.#parent = parent;
		const remembered = memorySchema.safeParse(memory);
		this.#state = remembered.success ? remembered.data : { ...START, id: sessionId };
	}

	line(line: Buffer): void {
		readRows(line, this, this.#sink);
	}

	memory(): unknown {
		return this.#state;
	}

	mayTell(line: Buffer): boolean {
		const [outer, inner] = [...line.toString('latin1', 0, HEAD_BYTES).matchAll(TYPES)].map(
			([, type = '']) => type,
		);
		// Written in another order than ever seen: worth a look.
		if (outer === undefined || (outer === 'event_msg' && inner === undefined)) return line.length > 0;
		return TELLING.has(outer) || (outer === 'event_msg' && TELLING_EVENTS.has(inner ?? ''));
	}

	row(row: JsonObject): void {
		const payload = isObject(row.payload) ? row.payload : {};
		const position = { ordinal: row.ordinal, at: momentOf(row.timestamp) };
		if (row.type === 'session_meta') this.#meta(payload, position);
		else if (row.type === 'turn_context') this.#turnContext(payload, position);
		else if (row.type === 'token_usage_record') this.#record(payload, position);
		else if (row.type === 'event_msg') this.#event(payload, position);
	}

	#meta(meta: JsonObject, { at }: Position): void {
		const id = textOf(meta.id);
		const { history, id: ownId } = this.#state;
		if (ownId !== null && id !== ownId) {
			// Copied with a history; so is all that stands here, should the session's own line be torn.
			const known = history ?? { ...historyOf({ id: ownId }, at), beganAt: at };
			this.#state = { ...this.#state, history: { ...known, hasCopy: !this.#state.hasBase } };
			return;
		}
		// It is written again when something of the session changes.
		if (history !== null) return;
		const root = textOf(meta.session_id);
		const isChild = root !== null && root !== id;
		const isSubagent = isChild || (isObject(meta.source) && meta.source.subagent !== undefined);
		const parent = isChild ? root : isSubagent ? spawnerOf(meta) : null;
		const directory = textOf(meta.cwd);
		const hasBase = isObject(meta.history_base);
		this.#state = { ...this.#state, id, history: historyOf(meta, at), isSubagent, hasBase };
		this.#sink.about({
			...(id === null || id === ownId ? {} : { sessionId: id }),
			...(parent === null ? {} : { parentSessionId: parent }),
			...(directory === null ? {} : { directory }),
		});
	}

	#turnContext(context: JsonObject, position: Position): void {
		this.#turn(textOf(context.turn_id));
		const model = textOf(context.model);
		if (model === null) return;
		this.#state = { ...this.#state, model };
		if (model === this.#state.toldModel || this.#isCopied(position, null)) return;
		this.#state = { ...this.#state, toldModel: model };
		this.#sink.about({ model });
	}

	#turn(id: string | null): void {
		const { history } = this.#state;
		const turnAt = timeOfId(id);
		if (history !== null && turnAt !== null)
			this.#state = { ...this.#state, history: { ...history, turnAt } };
	}

	#event(event: JsonObject, position: Position): void {
		switch (event.type) {
			case 'task_started':
				this.#turn(textOf(event.turn_id));
				this.#state = { ...this.#state, hasFailed: false };
				break;
			case 'token_count':
				this.#count(event, position);
				break;
			case 'error':
			case 'stream_error':
				this.#failed(event, position, event.type === 'stream_error');
				break;
			case 'task_complete':
				this.#turn(textOf(event.turn_id));
				// Some versions write both.
				if (isObject(event.error) && !this.#state.hasFailed) this.#failed(event.error, position, false);
				break;
		}
	}

	#record(payload: JsonObject, position: Position): void {
		const record = recordTold(payload);
		if (record === null) return;
		if (record === 'invalid') {
			this.#sink.unreadable('number');
			return;
		}
		const after = afterRecord(this.#state.total, record);
		if (after === null) return;
		const { id } = this.#state;
		this.#state = { ...this.#state, total: after.total };
		const isForeign = record.threadId !== null && id !== null && record.threadId !== id;
		if (isForeign || this.#isCopied(position, null)) return;
		if (!isGarbage(after.lost)) this.#step(after.lost, position.at);
		if (record.responseId === null) this.#step(record.usage, position.at);
		else this.#report(`${record.responseId} ${signatureOf(after.total)}`, record.usage, position.at);
	}

	#count(event: JsonObject, position: Position): void {
		const total = totalTold(event);
		if (total === 'invalid') this.#sink.unreadable('number');
		else if (total !== null) this.#total(total, position);
		if (this.#isCopied(position, null)) return;
		const { limits, troubles } = limitsTold(
			this.#state.limits,
			event.rate_limits,
			position.at,
			this.#state.model,
		);
		this.#state = { ...this.#state, limits };
		for (const trouble of troubles) this.#sink.trouble(trouble);
	}

	#total(total: TokenTotal, position: Position): void {
		const { total: before, hasBase } = this.#state;
		if (before !== null && sameTotal(before, total)) return;
		// Where the total goes on from another file's, the first one only says from where.
		const isOwn = !this.#isCopied(position, this.#matchesParent(total)) && (before !== null || !hasBase);
		const step = newIn(before, total);
		if (isOwn && isGarbage(step)) {
			this.#sink.unreadable('number');
			return;
		}
		this.#state = { ...this.#state, total };
		if (isOwn) this.#step(step, position.at);
	}

	/** Whether the total is the next of the parent's; `null`: the parent's are not known. */
	#matchesParent(total: TokenTotal): boolean | null {
		const { history } = this.#state;
		if (this.#parent === null || history === null) return null;
		if (history.likeParent === null) return false;
		const matches = this.#parent[history.likeParent] === signatureOf(total);
		const likeParent = matches ? history.likeParent + 1 : null;
		this.#state = { ...this.#state, history: { ...history, likeParent } };
		return matches;
	}

	#isCopied(position: Position, parentTells: boolean | null): boolean {
		const { history } = this.#state;
		return history !== null && isCopied(history, position, parentTells);
	}

	#step(usage: TokenTotal, at: number | null): void {
		if (sameTotal(usage, NO_TOTAL)) return;
		const steps = this.#state.steps + 1;
		this.#state = { ...this.#state, steps };
		this.#report(`#${steps}`, usage, at);
	}

	/** `within`: what names the response within its session. */
	#report(within: string, told: TokenTotal, at: number | null): void {
		const usage = usageOf(told);
		if (isNothing(usage)) return;
		const { id, model, isSubagent } = this.#state;
		const key = `${id ?? 'unknown'} ${within}`;
		this.#sink.response({ key, model: model ?? 'unknown', at, sidechain: isSubagent, usage });
	}

	#failed(error: JsonObject, position: Position, isRetry: boolean): void {
		if (this.#isCopied(position, null)) return;
		if (!isRetry) this.#state = { ...this.#state, hasFailed: true };
		const { model, limits } = this.#state;
		const trouble = troubleOf(error, { at: position.at, model, isRetry }, limits);
		if (trouble !== null) this.#sink.trouble(trouble);
	}
}
