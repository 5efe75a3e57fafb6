/**
 * Reads one chat of Qwen Code. Beside the messages it keeps a row for every call that was answered or that failed, also
 * for those of its subagents (`ui_telemetry`). The tokens stand in the messages as well, but there without those of
 * subagents, so only these rows count. What it asks on its own account (suggestions, side questions) is in no row.
 * Measured with 0.24.4.
 */
import { z } from 'zod';
import type { LineReader, LogSink } from '../session-format.ts';
import { isNothing, NO_TOKENS, type TokenUsage } from '../token-usage.ts';
import { isObject, type JsonObject, momentOf, textOf, tokenCount } from './json-values.ts';
import { troubleOf } from './qwen-trouble.ts';
import { type RowReader, readRows } from './rows.ts';

const ANSWERED = 'qwen-code.api_response';
const FAILED = 'qwen-code.api_error';
/** In quoted text the quotes would be escaped. */
const marks = [ANSWERED, FAILED].map((name) => Buffer.from(`"${name}"`));
const directoryMark = Buffer.from('"cwd"');

const memorySchema = z.object({ knowsDirectory: z.boolean(), model: z.string().nullable() });
type Memory = z.infer<typeof memorySchema>;

export class QwenChat implements LineReader, RowReader {
	readonly #sink: LogSink;
	#state: Memory;

	constructor(sink: LogSink, memory: unknown) {
		this.#sink = sink;
		const remembered = memorySchema.safeParse(memory);
		this.#state = remembered.success ? remembered.data : { knowsDirectory: false, model: null };
	}

	line(line: Buffer): void {
		readRows(line, this, this.#sink);
	}

	memory(): unknown {
		return this.#state;
	}

	mayTell(line: Buffer): boolean {
		return (
			(!this.#state.knowsDirectory && line.includes(directoryMark)) ||
			marks.some((mark) => line.includes(mark))
		);
	}

	row(row: JsonObject): void {
		this.#directory(textOf(row.cwd));
		if (row.type !== 'system' || row.subtype !== 'ui_telemetry' || !isObject(row.systemPayload)) return;
		const event = isObject(row.systemPayload.uiEvent) ? row.systemPayload.uiEvent : {};
		const at = momentOf(event['event.timestamp']) ?? momentOf(row.timestamp);
		if (event['event.name'] === ANSWERED) this.#answered(event, textOf(row.uuid), at);
		// A fork copies what its session met: it is told there.
		if (event['event.name'] !== FAILED || isObject(row.forkedFrom)) return;
		const trouble = troubleOf(event, at);
		if (trouble !== null) this.#sink.trouble(trouble);
	}

	/** Where it began is where it belongs; a later one is only a visit. */
	#directory(directory: string | null): void {
		if (directory === null || this.#state.knowsDirectory) return;
		this.#state = { ...this.#state, knowsDirectory: true };
		this.#sink.about({ directory });
	}

	/** `id`: of the row, which a fork keeps. Those of responses come back where a server on this machine makes them. */
	#answered(event: JsonObject, id: string | null, at: number | null): void {
		if (id === null) {
			this.#sink.unreadable('line');
			return;
		}
		const model = textOf(event.model);
		const sidechain = textOf(event.subagent_name) !== null;
		const usage = this.#usage(event);
		if (!isNothing(usage)) {
			this.#sink.response({ key: id, model: model ?? 'unknown', at, sidechain, usage });
		}
		if (model === null || model === this.#state.model || sidechain) return;
		this.#state = { ...this.#state, model };
		this.#sink.about({ model });
	}

	/**
	 * The input includes what was read from the cache, and written to it, which is not told apart. Whether the output
	 * includes the thoughts depends on the provider; the total always does. Some providers tell nothing but a total: it is
	 * taken for input, which most of it is.
	 */
	#usage(event: JsonObject): TokenUsage {
		const count = (value: unknown): number => {
			const told = tokenCount(value);
			if (told === null) this.#sink.unreadable('number');
			return told ?? 0;
		};
		const input = count(event.input_token_count);
		const output = count(event.output_token_count);
		const thoughts = count(event.thoughts_token_count);
		const total = count(event.total_token_count);
		const cached = Math.min(count(event.cached_content_token_count), input);
		if (input === 0 && output === 0) return { ...NO_TOKENS, input: total };
		const withThoughts = Math.min(Math.max(total - input, output), output + thoughts);
		return { ...NO_TOKENS, input: input - cached, output: withThoughts, cacheRead: cached };
	}
}
