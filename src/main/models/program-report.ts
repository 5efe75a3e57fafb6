/**
 * How a call went by what the program says of it as data: the result lines of Claude Code, Codex, Copilot CLI and Gemini
 * CLI, and the error objects of the providers. Measured on the programs; docs/rate-limits.md names the versions. Pure.
 */
import { type LimitKind, limitIn, wishIn } from './error-words.ts';
import { isObject, type JsonObject } from './json-documents.ts';
import { isOfOtherService } from './other-services.ts';

export interface ProgramReport {
	readonly outcome: 'fine' | 'failed';
	/** `null`: it did not fail by a limit, as far as it says. */
	readonly limit: LimitKind | null;
	/** It says why it failed. A bare "failed" leaves that to the error output. */
	readonly isExplained: boolean;
	readonly retryAfterMs: number | null;
	/** The error's own words, at most 300 characters; empty without. Untrusted. */
	readonly said: string;
}

/** What one document adds; `null`: it is of no known shape, or says nothing of how it went. */
type Reader = (document: JsonObject, now: number) => Partial<ProgramReport> | null;

/** What all documents say together; `null`: nothing. The last word on the outcome counts, the longest wish is kept. */
export function reportIn(documents: readonly JsonObject[], now: number): ProgramReport | null {
	let report: Partial<ProgramReport> | null = null;
	for (const document of documents) {
		const said = readersInOrder.map((read) => read(document, now)).find((one) => one !== null);
		if (said === undefined || said === null) continue;
		if (said.outcome === 'fine') report = said;
		else report = added(report ?? {}, said);
	}
	if (report === null) return null;
	// Without a line that ends it, it was ended from outside; a limit that it had told of still stands.
	const { outcome = 'failed', limit = null, isExplained = false, retryAfterMs = null, said = '' } = report;
	return {
		outcome,
		limit,
		isExplained: isExplained || limit !== null,
		said,
		retryAfterMs: limit === 'rate-limit' ? retryAfterMs : null,
	};
}

/** Whether the last document is the line with which one of the programs ends: no answer has one by chance. */
export function endsWithResult(documents: readonly JsonObject[]): boolean {
	const last = documents.at(-1);
	if (last?.type !== 'result') return false;
	return typeof last.session_id === 'string' || typeof last.sessionId === 'string' || isObject(last.stats);
}

/** The error of a provider or of Gemini CLI, as one object (`null`: none); only to be asked where the program failed. */
export function errorObjectIn(documents: readonly JsonObject[], now: number): ProgramReport | null {
	const document = documents.at(-1);
	if (document === undefined || !isObject(document.error)) return null;
	const error = document.error;
	const names = [error.code, error.type, error.status].map((name) => String(name ?? '').toLowerCase());
	const message = textOf(error.message);
	const details = detailsOf(error);
	// npm says its own errors as such an object too.
	if (isOfOtherService(details)) return null;
	return failed(names, `${message}\n${details}`, message, now);
}

function added(before: Partial<ProgramReport>, said: Partial<ProgramReport>): Partial<ProgramReport> {
	const wishes = [before.retryAfterMs, said.retryAfterMs].filter((wish) => typeof wish === 'number');
	return {
		...before,
		...said,
		limit: said.limit ?? before.limit ?? null,
		isExplained: said.isExplained === true || before.isExplained === true,
		said: said.said || before.said || '',
		retryAfterMs: wishes.length === 0 ? null : Math.max(...wishes),
	};
}

const rateNames = new Set([
	'429',
	'rate_limit',
	'rate_limit_error',
	'rate_limit_exceeded',
	'rate_limited',
	'resource_exhausted',
	'too_many_requests',
	'slow_down',
	'quota',
]);

/** A failure with its names (status, type, code, in lower case) and its text. */
function failed(names: readonly string[], text: string, said: string, now: number): ProgramReport {
	const words = limitIn(text, now);
	const named = limitIn(names.map((name) => `code: ${name}`).join('\n'), now)?.kind;
	const isMoney = words?.kind === 'spend-limit' || named === 'spend-limit';
	const isRate = names.some((name) => rateNames.has(name)) || words?.kind === 'rate-limit';
	const limit = isMoney ? 'spend-limit' : isRate ? 'rate-limit' : null;
	return {
		outcome: 'failed',
		limit,
		isExplained: said !== '' || names.some((name) => name !== ''),
		retryAfterMs: limit === 'rate-limit' ? wishIn(text, now) : null,
		said: said.slice(0, 300),
	};
}

/** `claude -p --output-format json|stream-json`: the line that ends it. */
const claudeResult: Reader = (document, now) => {
	if (document.type !== 'result' || typeof document.is_error !== 'boolean') return null;
	if (!document.is_error) return { outcome: 'fine' };
	const status = document.api_error_status;
	const said = textOf(document.result) || listOf(document.errors).map(textOf).join('\n');
	return failed([String(status ?? '')], said, said, now);
};

/** A window of the subscription is used up. Claude Code may go on with paid credit: its result line decides. */
const claudeLimit: Reader = (document, now) => {
	const info = document.rate_limit_info;
	if (document.type !== 'rate_limit_event' || !isObject(info) || info.status !== 'rejected') return null;
	const { resetsAt, errorCode } = info;
	const wish = typeof resetsAt === 'number' && resetsAt * 1000 > now ? resetsAt * 1000 - now : null;
	const isMoney = errorCode === 'credits_required' && wish === null;
	return { limit: isMoney ? 'spend-limit' : 'rate-limit', retryAfterMs: wish };
};

/** The message that Claude Code makes up in place of an answer. */
const claudeMessage: Reader = (document) => {
	if (document.type !== 'assistant' || typeof document.error !== 'string') return null;
	if (document.error === 'rate_limit') return { limit: 'rate-limit' };
	return document.error === 'billing_error' ? { limit: 'spend-limit' } : null;
};

/** `codex exec --json`: errors are events; a stream that is taken up again is no failure, so the end decides. */
const codexEvent: Reader = (document, now) => {
	if (document.type === 'turn.completed') return { outcome: 'fine' };
	const error =
		document.type === 'turn.failed' ? document.error : document.type === 'error' ? document : null;
	if (!isObject(error) || typeof error.message !== 'string') return null;
	return failed([], error.message, error.message, now);
};

/** `copilot --output-format json`. */
const copilotEvent: Reader = (document, now) => {
	if (document.type === 'result' && typeof document.exitCode === 'number') {
		return document.exitCode === 0 ? { outcome: 'fine' } : { outcome: 'failed' };
	}
	if (document.type !== 'session.error' || !isObject(document.data)) return null;
	const { errorType, statusCode, message } = document.data;
	const said = textOf(message);
	return failed([textOf(errorType), String(statusCode ?? '')], said, said, now);
};

/** `gemini --output-format json|stream-json`, where it ends well or says its error in a result line. */
const geminiResult: Reader = (document, now) => {
	if (typeof document.response === 'string' && isObject(document.stats)) return { outcome: 'fine' };
	if (document.type !== 'result' || typeof document.status !== 'string') return null;
	if (document.status === 'success') return { outcome: 'fine' };
	const error = isObject(document.error) ? document.error : {};
	const said = textOf(error.message);
	return failed([textOf(error.type)], said, said, now);
};

const readersInOrder: readonly Reader[] = [
	claudeResult,
	claudeLimit,
	claudeMessage,
	codexEvent,
	copilotEvent,
	geminiResult,
];

/** Retry information stands in details of any form. */
function detailsOf(error: JsonObject): string {
	return JSON.stringify(error).slice(0, 4_000);
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value.slice(0, 4_000) : '';
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
