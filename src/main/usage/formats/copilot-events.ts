/** Reads the events of one session of Copilot CLI. Measured with 1.0.102, 1.0.89, 1.0.71 and 1.0.48. */
import { z } from 'zod';
import type { LineReader, LogSink } from '../session-format.ts';
import { isNothing } from '../token-usage.ts';
import { accountsSchema, NO_ACCOUNTS, usageTold, withRecord, withTotals } from './copilot-accounts.ts';
import { troubleOf } from './copilot-trouble.ts';
import { isObject, type JsonObject, momentOf, textOf } from './json-values.ts';
import { type RowReader, readRows } from './rows.ts';
import { isGarbage, usageOf } from './token-total.ts';

/** All that is of interest is an event of the session itself. In quoted text the quote would be escaped. */
const sessionMark = Buffer.from('"session.');

const memorySchema = z.object({
	accounts: accountsSchema,
	model: z.string().nullable(),
	knowsDirectory: z.boolean(),
});
type Memory = z.infer<typeof memorySchema>;

const START: Memory = { accounts: NO_ACCOUNTS, model: null, knowsDirectory: false };

export class CopilotEvents implements LineReader, RowReader {
	readonly #sessionId: string;
	readonly #sink: LogSink;
	#state: Memory;

	constructor(sessionId: string, sink: LogSink, memory: unknown) {
		this.#sessionId = sessionId;
		this.#sink = sink;
		const remembered = memorySchema.safeParse(memory);
		this.#state = remembered.success ? remembered.data : START;
	}

	line(line: Buffer): void {
		readRows(line, this, this.#sink);
	}

	memory(): unknown {
		return this.#state;
	}

	mayTell(line: Buffer): boolean {
		return line.includes(sessionMark);
	}

	row(row: JsonObject): void {
		const data = isObject(row.data) ? row.data : {};
		const at = momentOf(row.timestamp);
		switch (row.type) {
			case 'session.start':
				this.#begin(data);
				break;
			case 'session.resume':
				this.#state = { ...this.#state, accounts: { ...this.#state.accounts, isResumed: true } };
				this.#begin(data);
				break;
			case 'session.model_change':
				if (textOf(row.agentId) === null) this.#model(textOf(data.newModel));
				break;
			case 'session.usage_record':
				this.#record(row, data, at);
				break;
			case 'session.shutdown':
			case 'session.usage_checkpoint':
				this.#totals(row, data, at);
				break;
			case 'session.error': {
				const trouble = troubleOf(data, at, textOf(row.agentId) === null ? this.#state.model : null);
				if (trouble !== null) this.#sink.trouble(trouble);
				break;
			}
		}
	}

	#begin(data: JsonObject): void {
		const sessionId = textOf(data.sessionId);
		if (sessionId !== null && sessionId !== this.#sessionId) this.#sink.about({ sessionId });
		const directory = isObject(data.context) ? textOf(data.context.cwd) : null;
		// Where it began is where it belongs; a later one is only a visit.
		if (directory !== null && !this.#state.knowsDirectory) {
			this.#state = { ...this.#state, knowsDirectory: true };
			this.#sink.about({ directory });
		}
		this.#model(textOf(data.selectedModel));
	}

	#model(model: string | null): void {
		if (model === null || model === this.#state.model) return;
		this.#state = { ...this.#state, model };
		this.#sink.about({ model });
	}

	#record(row: JsonObject, data: JsonObject, at: number | null): void {
		const told = isObject(data.usage) ? data.usage : {};
		const usage = usageTold(told);
		const key = this.#keyOf(told, row);
		if (key === null) this.#sink.unreadable('line');
		else if (usage === null || isGarbage(usage)) this.#sink.unreadable('number');
		else {
			const model = textOf(told.model) ?? 'unknown';
			const sidechain = textOf(row.agentId) !== null || told.initiator === 'sub-agent';
			this.#state = { ...this.#state, accounts: withRecord(this.#state.accounts, model, usage) };
			this.#sink.response({ key, model, at, sidechain, usage: usageOf(usage) });
		}
	}

	/** The program numbers the calls of a session; where it does not, the event's own id stands in. */
	#keyOf(told: JsonObject, row: JsonObject): string | null {
		const { sourceSessionId, sequence, usageId } = isObject(told.accounting) ? told.accounting : {};
		const session = textOf(sourceSessionId);
		if (session !== null && typeof sequence === 'number') return `${session} ${sequence} ${textOf(usageId)}`;
		return textOf(row.id);
	}

	#totals(row: JsonObject, data: JsonObject, at: number | null): void {
		const snapshot = isObject(data.accountingSnapshot) ? data.accountingSnapshot : {};
		const metrics = isObject(data.modelMetrics) ? data.modelMetrics : snapshot.modelMetrics;
		// Without any the run came to nothing, or its count was lost: either way nothing is to be compared.
		if (!isObject(metrics) || Object.keys(metrics).length === 0) return;
		const goesOn = typeof data.totalNanoAiu === 'number';
		const { accounts, rest, invalid } = withTotals(this.#state.accounts, metrics, goesOn);
		this.#state = { ...this.#state, accounts };
		for (let count = 0; count < invalid; count += 1) this.#sink.unreadable('number');
		for (const [model, missing] of rest) {
			const usage = usageOf(missing);
			if (isNothing(usage)) continue;
			const key = `${textOf(row.id) ?? `${this.#sessionId} ${at}`} ${model}`;
			this.#sink.response({ key, model, at, sidechain: false, usage });
		}
	}
}
