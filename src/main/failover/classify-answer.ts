/**
 * From what came back of a call to what it says about the provider. The status decides; the error's own type and code
 * decide where the status cannot (an error inside a 200 stream, a spend limit that comes as 429). Wording never turns
 * an answer into an error: "issue 429" in a text is a text.
 */

import { type AnswerHeaders, retryAfterMs, retryHintMs } from '../../shared/retry-after.ts';
import { googleQuota, planWords, spendLimitNames, spendLimitWords } from '../../shared/spend-limit.ts';
import type { CallOutcome, CallOutcomeKind } from './call.ts';

export interface AnswerEvidence {
	/** HTTP status of the answer, or the one an in-band error stands for. */
	readonly status: number;
	/** Error type as the provider says it ("overloaded_error"); empty when the answer is good. */
	readonly type: string;
	/** Its finer error code, where the protocol has one beside the type. */
	readonly code?: string;
	/** Text of the error; empty when the answer is good. */
	readonly message: string;
	readonly headers: AnswerHeaders;
	/** To the first byte, ms; `null` when not measured. */
	readonly latencyMs: number | null;
	/** Wall clock, ms: what a Retry-After date is measured against. */
	readonly now: number;
}

/** What an answer, or an error inside one, says about its provider. Never throws. */
export function classifyAnswer(evidence: AnswerEvidence): CallOutcome {
	const { status, type, code = '', message, headers, latencyMs, now } = evidence;
	const names = [code, type].map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
	const wishMs = retryAfterMs(headers, now) ?? retryHintMs(message);
	const isSpendLimit = isAboutMoney(status, names, message, wishMs);
	const kind = isSpendLimit ? 'neutral' : kindOf(status, names);
	return {
		kind,
		status,
		code: kind === 'ok' ? '' : code || type || String(status),
		latencyMs,
		retryAfterMs: kind === 'ok' ? null : wishMs,
		...(isSpendLimit && { isSpendLimit }),
	};
}

/** Whether an error says that the conversation is longer than the model's context. `code`: its type or code. */
export function saysTooLong(code: string, text: string): boolean {
	return contextOverflows.has(code.trim().toLowerCase()) || overflowWords.some((words) => words.test(text));
}

/** As Anthropic, OpenAI and the local servers say it. */
const overflowWords: readonly RegExp[] = [
	/\b(?:prompt|input|conversation|request) (?:is )?too (?:long|large)\b/i,
	/\bmaximum (?:context|prompt|input) (?:length|size)\b/i,
	/\bexceed(?:s|ed)?\b[^.\n]{0,40}\bcontext (?:length|size|window|limit)\b/i,
	/\bexceed(?:s|ed)? the maximum number of (?:input )?tokens\b/i,
	/\bcontext (?:length|window|size)\b[^.\n]{0,20}\bexceeded\b/i,
];

/** The conversation is too long for the model, whatever status it comes with. */
const contextOverflows = new Set([
	'context_length_exceeded',
	'context_window_exceeded',
	'model_context_window_exceeded',
	'exceed_context_size_error',
	'request_too_large',
	'string_above_max_length',
]);

/** Error types and codes of the three protocols, for errors that arrive inside a 200. */
const namedKinds: Readonly<Record<string, CallOutcomeKind>> = {
	overloaded_error: 'error',
	overloaded: 'error',
	api_error: 'error',
	server_error: 'error',
	internal_error: 'error',
	internal_server_error: 'error',
	server_is_overloaded: 'error',
	engine_overloaded: 'error',
	engine_overloaded_error: 'error',
	service_unavailable: 'error',
	service_unavailable_error: 'error',
	bad_gateway: 'error',
	empty_answer: 'error',
	timeout_error: 'timeout',
	timeout: 'timeout',
	request_timeout: 'timeout',
	gateway_timeout: 'timeout',
	rate_limit_error: 'rate-limited',
	rate_limit_exceeded: 'rate-limited',
	rate_limit: 'rate-limited',
	rate_limited: 'rate-limited',
	slow_down: 'rate-limited',
	too_many_requests: 'rate-limited',
	requests: 'rate-limited',
	tokens: 'rate-limited',
	authentication_error: 'unauthorised',
	authentication_failed: 'unauthorised',
	permission_error: 'unauthorised',
	permission_denied: 'unauthorised',
	invalid_api_key: 'unauthorised',
	invalid_authentication: 'unauthorised',
	oauth_org_not_allowed: 'unauthorised',
	account_deactivated: 'unauthorised',
	invalid_request_error: 'neutral',
	invalid_request: 'neutral',
	not_found_error: 'neutral',
	model_not_found: 'neutral',
	invalid_prompt: 'neutral',
	content_filter: 'neutral',
	content_policy_violation: 'neutral',
	unsupported_parameter: 'neutral',
	unsupported_value: 'neutral',
	missing_required_parameter: 'neutral',
	previous_response_not_found: 'neutral',
	failed_to_download_image: 'neutral',
};
/** Families too long to list, all about the request: the Responses protocol has a dozen for images alone. */
const requestCaused = /^(?:invalid_|unsupported_|image_|empty_image|.*_not_found$)/;

/**
 * Anthropic says it with 400 or 429, OpenAI with 429; 402 says nothing else. Where the words fit a used-up quota as well,
 * a code decides; without one it is money, unless waiting is said to help.
 */
function isAboutMoney(
	status: number,
	said: readonly string[],
	message: string,
	wishMs: number | null,
): boolean {
	if (said.some((name) => spendLimitNames.has(name))) return true;
	if (status === 402) return true;
	if (status !== 429 && status !== 400) return false;
	if (spendLimitWords.some((words) => words.test(message))) return true;
	const isCoded = said.some((name) => !saysStatusOnly.test(name));
	return !isCoded && wishMs === null && planWords.test(message) && !googleQuota.test(message);
}

/** An error type that says no more than the status beside it. */
const saysStatusOnly = /^(?:http_\d+|error|.*_error)$/;

function kindOf(status: number, said: readonly string[]): CallOutcomeKind {
	if (said.some((name) => contextOverflows.has(name))) return 'neutral';
	if (status === 429) return 'rate-limited';
	if (status >= 200 && status < 300) return inBandKind(said);
	return kindOfStatus(status);
}

function kindOfStatus(status: number): CallOutcomeKind {
	if (status === 401 || status === 403) return 'unauthorised';
	if (status === 408) return 'timeout';
	// Something on the way wants to be logged in to: the call never came to the provider.
	if (status === 407) return 'error';
	if (status >= 400 && status < 500) return 'neutral';
	// 5xx with 529; and what no model service says (a captive portal's redirect, a status that is none).
	return 'error';
}

/** Inside a 200: the finer name decides; a name nobody knows is still an error instead of an answer. */
function inBandKind(said: readonly string[]): CallOutcomeKind {
	if (said.length === 0) return 'ok';
	for (const name of said) {
		const kind = Object.hasOwn(namedKinds, name) ? namedKinds[name] : undefined;
		if (kind !== undefined) return kind;
		if (requestCaused.test(name)) return 'neutral';
		if (name.includes('rate_limit')) return 'rate-limited';
	}
	return 'error';
}
