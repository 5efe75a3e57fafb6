/**
 * Reads one chat of Gemini CLI. A message is written again whenever something of it changes, and all messages again (in
 * `$set`) when a session is resumed; its id stays. What was rewound (`$rewindTo`) was billed and keeps counting. Measured
 * with 0.61.0, which keeps no record of the small calls that it makes on its own account.
 */
import { z } from 'zod';
import type { LineReader, LogSink } from '../session-format.ts';
import { NO_TOKENS, type TokenUsage } from '../token-usage.ts';
import { troubleOf } from './gemini-trouble.ts';
import { isObject, type JsonObject, momentOf, textOf, tokenCount } from './json-values.ts';
import { type RowReader, readRows } from './rows.ts';

/** In quoted text the quotes would be escaped. */
const marks = ['"tokens"', '"sessionId"', '"type":"error"'].map((mark) => Buffer.from(mark));

const memorySchema = z.object({ sessionId: z.string(), model: z.string().nullable() });
type Memory = z.infer<typeof memorySchema>;

export interface ChatFile {
	/** As the path tells it: the beginning of the session's id, or of a subagent's file its parent's. */
	readonly sessionId: string;
	readonly isSubagent: boolean;
}

export class GeminiChat implements LineReader, RowReader {
	readonly #file: ChatFile;
	readonly #sink: LogSink;
	#state: Memory;

	constructor(file: ChatFile, sink: LogSink, memory: unknown) {
		this.#file = file;
		this.#sink = sink;
		const remembered = memorySchema.safeParse(memory);
		this.#state = remembered.success ? remembered.data : { sessionId: file.sessionId, model: null };
	}

	line(line: Buffer): void {
		readRows(line, this, this.#sink);
	}

	memory(): unknown {
		return this.#state;
	}

	mayTell(line: Buffer): boolean {
		return marks.some((mark) => line.includes(mark));
	}

	row(row: JsonObject): void {
		const update = isObject(row.$set) ? row.$set : null;
		this.#session(textOf((update ?? row).sessionId));
		this.#message(row);
		// Only where it was written first: a resumed session writes all its messages again.
		const trouble = troubleOf(row, this.#state.model);
		if (trouble !== null) this.#sink.trouble(trouble);
		for (const messages of [row.messages, update?.messages]) {
			if (!Array.isArray(messages)) continue;
			for (const message of messages) if (isObject(message)) this.#message(message);
		}
	}

	#session(sessionId: string | null): void {
		if (sessionId === null || sessionId === this.#state.sessionId) return;
		this.#state = { ...this.#state, sessionId };
		if (!this.#file.isSubagent) this.#sink.about({ sessionId });
	}

	#message(message: JsonObject): void {
		if (!isObject(message.tokens)) return;
		const id = textOf(message.id);
		if (id === null) {
			this.#sink.unreadable('line');
			return;
		}
		const model = textOf(message.model);
		this.#sink.response({
			key: `${this.#state.sessionId} ${id}`,
			model: model ?? 'unknown',
			at: momentOf(message.timestamp),
			sidechain: this.#file.isSubagent,
			usage: this.#usage(message.tokens),
		});
		if (model === null || model === this.#state.model || this.#file.isSubagent) return;
		this.#state = { ...this.#state, model };
		this.#sink.about({ model });
	}

	/**
	 * `total` is `input` + `output` + `thoughts` + `tool`; `cached` is a part of `input`. Thoughts are billed as output,
	 * results of the provider's own tools as input.
	 */
	#usage(tokens: JsonObject): TokenUsage {
		const count = (value: unknown): number => {
			const tokensTold = tokenCount(value);
			if (tokensTold === null) this.#sink.unreadable('number');
			return tokensTold ?? 0;
		};
		const input = count(tokens.input);
		const cached = Math.min(count(tokens.cached), input);
		return {
			...NO_TOKENS,
			input: input - cached + count(tokens.tool),
			output: count(tokens.output) + count(tokens.thoughts),
			cacheRead: cached,
		};
	}
}
