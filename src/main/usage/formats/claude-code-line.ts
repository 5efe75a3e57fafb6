/**
 * One line of Claude Code's transcript → what it tells. The format is declared internal and unstable, so nothing in it
 * is taken for granted and everything that is not needed is left alone.
 */
import type { ProviderTrouble, UsageReport } from '../session-format.ts';
import { NO_TOKENS, type TokenUsage } from '../token-usage.ts';
import { troubleOf } from './claude-code-trouble.ts';
import { isObject, type JsonObject, momentOf, parseJson, textOf, tokenCount } from './json-values.ts';

export type LineReading =
	| { readonly kind: 'response'; readonly report: UsageReport; readonly invalidNumbers: number }
	| { readonly kind: 'trouble'; readonly trouble: ProviderTrouble }
	| { readonly kind: 'nothing' }
	/** Torn, or no object. */
	| { readonly kind: 'invalid' };

const NOTHING: LineReading = { kind: 'nothing' };
const INVALID: LineReading = { kind: 'invalid' };

/** What Claude Code writes as the model of messages that no model made. */
const SYNTHETIC_MODEL = '<synthetic>';

// Inside a text quotes are escaped, so that whatever a prompt or a tool's output quotes never matches these. Long marks
// are found several times faster than short ones.
const assistantMark = Buffer.from('"type":"assistant"');
const retryMark = Buffer.from('"subtype":"api_error"');
const COLON = 0x3a;
const SPACE = 0x20;

/** How the rows of prompts and tools' outputs, which may be huge, begin their message. */
const userMark = Buffer.from('"type":"user",');
const messageMark = Buffer.from('"message":{');

/** Cheap test before any decoding: can this line tell of a response, or of trouble? */
export function mayTell(line: Buffer): boolean {
	const message = line.indexOf(messageMark);
	const before = message - userMark.length;
	if (before > 0 && userMark.compare(line, before, message) === 0) return false;
	// Some programs that write transcripts anew put a space behind each colon.
	return line[line.indexOf(COLON) + 1] === SPACE || line.includes(assistantMark) || line.includes(retryMark);
}

/** Shorter lines are parsed whole at once, bytes. */
const WORTH_CUTTING = 2_048;
const roleMark = Buffer.from('"role":"assistant"');
const contentMark = Buffer.from('"content":[');
const stopMark = Buffer.from('],"stop_reason":');

/** Reads one line (without its line feed, NUL and BOM). Never throws. */
export function readLine(line: Buffer): LineReading {
	const short = line.length < WORTH_CUTTING ? null : withoutContent(line);
	const parsed = parseJson(short ?? line.toString('utf8'));
	if (short !== null && (parsed === undefined || isError(parsed)))
		return reading(parseJson(line.toString('utf8')));
	return reading(parsed);
}

/**
 * The line without what the model wrote, which is most of it and of no interest here; `null` where that cannot be cut out
 * for sure. Two lines that a crash glued together have two roles, and are not cut.
 */
function withoutContent(line: Buffer): string | null {
	const role = line.indexOf(roleMark);
	const start = line.indexOf(contentMark);
	if (role === -1 || start < role || line.includes(roleMark, start)) return null;
	const end = line.lastIndexOf(stopMark);
	if (end < start) return null;
	return line.toString('utf8', 0, start + contentMark.length) + line.toString('utf8', end);
}

/** Rows of failed calls: there the content matters. */
function isError(parsed: unknown): boolean {
	return isObject(parsed) && parsed.isApiErrorMessage === true;
}

function reading(parsed: unknown): LineReading {
	if (!isObject(parsed)) return INVALID;
	const trouble = troubleOf(parsed, momentOf(parsed.timestamp));
	if (trouble !== null) return { kind: 'trouble', trouble };
	const message = parsed.message;
	if (parsed.type !== 'assistant' || !isObject(message) || !isObject(message.usage)) return NOTHING;
	if (message.model === SYNTHETIC_MODEL) return NOTHING;
	const key = keyOf(message.id, parsed.requestId, parsed.uuid);
	if (key === null) return INVALID;
	const { usage, invalidNumbers } = usageOf(message.usage);
	const report: UsageReport = {
		key,
		model: textOf(message.model) ?? 'unknown',
		at: momentOf(parsed.timestamp),
		sidechain: parsed.isSidechain === true,
		usage,
	};
	return { kind: 'response', report, invalidNumbers };
}

/** Message and request; gateways and older versions leave the request out. */
function keyOf(messageId: unknown, requestId: unknown, uuid: unknown): string | null {
	const message = textOf(messageId);
	const request = textOf(requestId);
	if (message !== null) return request === null ? message : `${message} ${request}`;
	return request ?? textOf(uuid);
}

function usageOf(raw: JsonObject): { usage: TokenUsage; invalidNumbers: number } {
	let invalidNumbers = 0;
	const count = (value: unknown): number => {
		const tokens = tokenCount(value);
		if (tokens === null) invalidNumbers += 1;
		return tokens ?? 0;
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
