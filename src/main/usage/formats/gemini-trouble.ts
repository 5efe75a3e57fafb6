/**
 * A call that failed, as Gemini CLI's window showed it: it keeps its own red lines as messages of the type "error". Run
 * without a window (`-p`) it keeps none. Words: packages/core/src/utils/errorParsing.ts of 0.61.0.
 */
import type { ProviderTrouble } from '../session-format.ts';
import { type JsonObject, momentOf, textOf } from './json-values.ts';
import { errorOfStatus, isAboutMoney, MESSAGE_LENGTH, resetInWords } from './provider-error.ts';

const API_ERROR = /^\s*(?:✕\s*)?\[API Error: /;
/** What it adds to the words of a 429, and to no others. */
const LIMIT_ADVICE = /please wait and try again later|possible quota limitations in place/i;
const CONNECTION_WORDS = /fetch failed|ECONN|ENOTFOUND|ETIMEDOUT|socket|network/i;

/** Names of google.rpc.Code, and the status of HTTP that each comes with. */
const STATUS_NAMES: ReadonlyMap<string, number> = new Map([
	['RESOURCE_EXHAUSTED', 429],
	['UNAVAILABLE', 503],
	['INTERNAL', 500],
	['UNKNOWN', 500],
	['DEADLINE_EXCEEDED', 504],
	['UNAUTHENTICATED', 401],
	['PERMISSION_DENIED', 403],
	['INVALID_ARGUMENT', 400],
	['FAILED_PRECONDITION', 400],
	['NOT_FOUND', 404],
]);

/** `null`: the message is no error of a call, or one of the agent's own making. */
export function troubleOf(message: JsonObject, model: string | null): ProviderTrouble | null {
	const words = textOf(message.content) ?? '';
	if (message.type !== 'error' || !API_ERROR.test(words)) return null;
	const name = /\(Status: ([A-Z_]+)\)/.exec(words)?.[1];
	const status =
		(name === undefined ? undefined : STATUS_NAMES.get(name)) ?? (LIMIT_ADVICE.test(words) ? 429 : null);
	const error = status === null ? withoutStatus(words) : nameOf(status, words);
	if (error === null) return null;
	const at = momentOf(message.timestamp);
	const said = words.slice(0, MESSAGE_LENGTH);
	return { at, error, message: said, status, model, resetsAt: resetInWords(said, at), isRetry: false };
}

function nameOf(status: number, words: string): string | null {
	if (status === 503) return 'overloaded';
	// Google says "check your plan and billing" of every quota, also of those that come back by themselves.
	if (status === 429 && isAboutMoney(words.replace(/check your plan and billing/gi, '')))
		return 'billing_error';
	return errorOfStatus(status);
}

function withoutStatus(words: string): string {
	return CONNECTION_WORDS.test(words) ? 'connection' : 'unknown';
}
