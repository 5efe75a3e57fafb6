/**
 * One line of Claude Code's transcript → one counted message. The format is declared internal and unstable, so
 * nothing in it is taken for granted and everything that is not needed is left alone.
 */
import { NO_TOKENS, type TokenUsage } from './token-usage.ts';

/** The part of a model response that one line reports. */
export interface CountedMessage {
	/** The same for every line of one response, in whatever file it is repeated. */
	readonly key: string;
	readonly model: string;
	/** Ms since the epoch; `null` where the line does not tell. */
	readonly at: number | null;
	/** Written by a subagent: billed like any other, but not the agent's own model. */
	readonly sidechain: boolean;
	readonly usage: TokenUsage;
	/** Counts that were not numbers of tokens and were left out. */
	readonly invalidNumbers: number;
}

export type LineReading = CountedMessage | 'nothing' | 'invalid';

/** What Claude Code writes as the model of messages that no model made. */
const SYNTHETIC_MODEL = '<synthetic>';
/** No response has this many tokens: a larger count is garbage and must not blame anybody. */
const MOST_TOKENS = 1_000_000_000;

const usageMark = Buffer.from('"usage"');
const assistantMark = Buffer.from('"assistant"');

/**
 * Cheap test before parsing: can this line report usage? A quoted transcript inside a tool's output has its quotes
 * escaped, so it does not match.
 */
export function mayReportUsage(line: Buffer): boolean {
	return line.includes(usageMark) && line.includes(assistantMark);
}

/** Reads one line (without its line feed). Never throws. */
export function readTranscriptLine(text: string): LineReading {
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		return 'invalid';
	}
	if (!isObject(parsed)) return 'invalid';
	const message = parsed.message;
	if (parsed.type !== 'assistant' || !isObject(message) || !isObject(message.usage)) return 'nothing';
	if (message.model === SYNTHETIC_MODEL) return 'nothing';
	const key = keyOf(message.id, parsed.requestId, parsed.uuid);
	if (key === null) return 'invalid';
	const { usage, invalidNumbers } = usageOf(message.usage);
	return {
		key,
		model: typeof message.model === 'string' && message.model !== '' ? message.model : 'unknown',
		at: timeOf(parsed.timestamp),
		sidechain: parsed.isSidechain === true,
		usage,
		invalidNumbers,
	};
}

/** Message and request; gateways and older versions leave the request out. */
function keyOf(messageId: unknown, requestId: unknown, uuid: unknown): string | null {
	const message = nonEmpty(messageId);
	const request = nonEmpty(requestId);
	if (message !== null) return request === null ? message : `${message} ${request}`;
	return request ?? nonEmpty(uuid);
}

function usageOf(raw: Record<string, unknown>): { usage: TokenUsage; invalidNumbers: number } {
	let invalidNumbers = 0;
	const count = (value: unknown): number => {
		if (value === undefined || value === null) return 0;
		if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS)
			return value;
		invalidNumbers += 1;
		return 0;
	};
	const written = isObject(raw.cache_creation) ? raw.cache_creation : {};
	const forAnHour = count(written.ephemeral_1h_input_tokens);
	const forMinutes = count(written.ephemeral_5m_input_tokens);
	const servers = isObject(raw.server_tool_use) ? raw.server_tool_use : {};
	const usage: TokenUsage = {
		...NO_TOKENS,
		input: count(raw.input_tokens),
		output: count(raw.output_tokens),
		cacheRead: count(raw.cache_read_input_tokens),
		cacheCreation: Math.max(count(raw.cache_creation_input_tokens), forAnHour + forMinutes),
		cacheCreation1h: forAnHour,
		webSearches: count(servers.web_search_requests),
	};
	return { usage, invalidNumbers };
}

/** ISO text, or seconds or milliseconds since the epoch, all of which have been seen in the wild. */
function timeOf(raw: unknown): number | null {
	if (typeof raw === 'string') {
		const at = Date.parse(raw);
		return Number.isNaN(at) ? null : at;
	}
	if (typeof raw !== 'number' || !Number.isFinite(raw) || raw <= 0) return null;
	return raw < 100_000_000_000 ? raw * 1000 : raw;
}

function nonEmpty(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
