import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallOutcomeKind } from '../../src/main/failover/call.ts';
import { type AnswerEvidence, classifyAnswer, saysTooLong } from '../../src/main/failover/classify-answer.ts';

function kindOf(evidence: Partial<AnswerEvidence>): CallOutcomeKind {
	return classifyAnswer({
		status: 200,
		type: '',
		message: '',
		headers: {},
		latencyMs: null,
		now: 0,
		...evidence,
	}).kind;
}

type Row = readonly [status: number, type: string, message: string, kind: CallOutcomeKind];

const byStatus: readonly Row[] = [
	[200, '', '', 'ok'],
	[201, '', '', 'ok'],
	[302, '', '', 'error'],
	[400, 'invalid_request_error', 'messages: at least one message is required', 'neutral'],
	[400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API', 'neutral'],
	[400, 'invalid_request_error', 'This workspace has reached its spend limit', 'neutral'],
	[400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'neutral'],
	[400, 'context_length_exceeded', '', 'neutral'],
	[401, 'authentication_error', 'invalid x-api-key', 'unauthorised'],
	[401, 'invalid_api_key', '', 'unauthorised'],
	[402, 'billing_error', '', 'neutral'],
	[403, 'permission_error', '', 'unauthorised'],
	[403, '', '<html>', 'unauthorised'],
	[403, 'insufficient_quota', '', 'neutral'],
	[404, 'not_found_error', 'model: claude-x', 'neutral'],
	[404, 'model_not_found', '', 'neutral'],
	[405, '', '', 'neutral'],
	[407, '', 'proxy wants to be logged in to', 'error'],
	[408, '', '', 'timeout'],
	[409, '', '', 'neutral'],
	[413, 'request_too_large', '', 'neutral'],
	[415, '', '', 'neutral'],
	[422, '', '', 'neutral'],
	[429, 'rate_limit_error', '', 'rate-limited'],
	[429, 'rate_limit_exceeded', '', 'rate-limited'],
	[429, 'slow_down', '', 'rate-limited'],
	[429, 'requests', '', 'rate-limited'],
	[429, '', '', 'rate-limited'],
	// An overload in words does not make an error of a rate limit.
	[429, 'rate_limit_error', 'The service is temporarily overloaded', 'rate-limited'],
	[429, 'enforced_spend_limit_reached', '', 'neutral'],
	[429, 'rate_limit_error', 'error_code: enforced_spend_limit_reached', 'neutral'],
	[429, 'credit_balance_exhausted', '', 'neutral'],
	[429, 'insufficient_quota', 'You exceeded your current quota', 'neutral'],
	[431, '', '', 'neutral'],
	[499, '', '', 'neutral'],
	[500, 'api_error', '', 'error'],
	[500, 'server_error', '', 'error'],
	// A provider in trouble that mentions 429 is in trouble.
	[500, 'api_error', 'rate limit of issue 429', 'error'],
	[500, 'exceed_context_size_error', '', 'neutral'],
	[501, '', '', 'error'],
	[502, '', '<html>Bad Gateway</html>', 'error'],
	[503, 'server_is_overloaded', '', 'error'],
	[503, 'slow_down', '', 'error'],
	[504, 'timeout_error', '', 'error'],
	[511, '', '', 'error'],
	[520, '', '', 'error'],
	[529, 'overloaded_error', 'Overloaded', 'error'],
	[529, '', '', 'error'],
	[0, '', '', 'error'],
];

const inBand: readonly (readonly [type: string, kind: CallOutcomeKind])[] = [
	['overloaded_error', 'error'],
	['api_error', 'error'],
	['server_error', 'error'],
	['internal_server_error', 'error'],
	['server_is_overloaded', 'error'],
	['service_unavailable_error', 'error'],
	['empty_answer', 'error'],
	['a_type_nobody_knows', 'error'],
	['error', 'error'],
	['constructor', 'error'],
	['timeout_error', 'timeout'],
	['rate_limit_error', 'rate-limited'],
	['rate_limit_exceeded', 'rate-limited'],
	['user_global_rate_limited:pro', 'rate-limited'],
	['slow_down', 'rate-limited'],
	['authentication_error', 'unauthorised'],
	['permission_error', 'unauthorised'],
	['invalid_api_key', 'unauthorised'],
	['invalid_request_error', 'neutral'],
	['not_found_error', 'neutral'],
	['model_not_found', 'neutral'],
	['context_length_exceeded', 'neutral'],
	['request_too_large', 'neutral'],
	['invalid_prompt', 'neutral'],
	['invalid_base64_image', 'neutral'],
	['image_too_large', 'neutral'],
	['unsupported_image_media_type', 'neutral'],
	['insufficient_quota', 'neutral'],
	['billing_error', 'neutral'],
	['Overloaded_Error', 'error'],
];

describe('what an answer says about its provider', () => {
	it.each(byStatus)('%d %s "%s": %s', (status, type, message, kind) => {
		expect(kindOf({ status, type, message })).toBe(kind);
	});

	it.each(inBand)('"%s" inside a 200: %s', (type, kind) => {
		expect(kindOf({ type })).toBe(kind);
	});

	it('the finer code decides before the type', () => {
		expect(kindOf({ type: 'invalid_request_error', code: 'rate_limit_exceeded' })).toBe('rate-limited');
		expect(kindOf({ type: 'error', code: 'server_error' })).toBe('error');
		expect(kindOf({ status: 429, type: 'rate_limit_error', code: 'enforced_spend_limit_reached' })).toBe(
			'neutral',
		);
	});

	it('words of a good answer never make an error of it', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.constantFrom('429', 'overloaded', 'spend limit')), (message) => {
				expect(kindOf({ message })).toBe('ok');
			}),
		);
	});

	it('every 5xx is an error, every other 4xx than 401, 403, 407, 408 and 429 caused by the request, whatever is said', () => {
		const type = fc.oneof(fc.string(), fc.constantFrom('rate_limit_error', 'overloaded_error', 'api_error'));
		fc.assert(
			fc.property(fc.integer({ min: 400, max: 599 }), type, fc.string(), (status, said, message) => {
				fc.pre(![401, 403, 407, 408, 429].includes(status));
				expect(kindOf({ status, type: said, message })).toBe(status >= 500 ? 'error' : 'neutral');
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
		);
	});
});

describe('words that Google says of any quota and OpenAI of money', () => {
	const plan = 'You exceeded your current quota, please check your plan and billing details.';
	const google = `${plan} For more information head over to: https://ai.google.dev/gemini-api/docs/rate-limits.`;
	it.each([
		['without a code', { type: '', message: plan }, 'neutral'],
		['with the type of the status only', { type: 'rate_limit_error', message: plan }, 'neutral'],
		['with the status as its code', { type: 'http_429', message: plan }, 'neutral'],
		['with the code of money', { type: 'insufficient_quota', message: plan }, 'neutral'],
		['with the code of a rate', { type: 'rate_limit_exceeded', message: plan }, 'rate-limited'],
		['with a wish in the text', { type: '', message: `${plan} Please retry in 34s.` }, 'rate-limited'],
		['with a wish', { type: '', message: plan, headers: { 'retry-after': '34' } }, 'rate-limited'],
		['of Google', { type: 'http_429', message: google }, 'rate-limited'],
		['in a good answer', { status: 200, type: '', message: plan }, 'ok'],
	] as const)('%s: %o is %s', (_where, said, kind) => {
		expect(kindOf({ status: 429, ...said })).toBe(kind);
	});
});

describe('a conversation that is longer than the context', () => {
	it.each([
		['invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum'],
		['invalid_request_error', 'Prompt is too long'],
		['context_length_exceeded', ''],
		['request_too_large', 'Request exceeds the maximum size'],
		[
			'',
			"This model's maximum context length is 128000 tokens. However, your messages resulted in 250000 tokens.",
		],
		['', 'the request exceeds the available context size, try increasing it'],
		['', 'Your input exceeds the context window of this model.'],
		['', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
		['', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
	])('%s: %s', (code, text) => {
		expect(saysTooLong(code, text)).toBe(true);
	});

	it.each([
		['invalid_request_error', 'messages: at least one message is required'],
		['rate_limit_error', 'This request would exceed your limit of 30,000 input tokens per minute'],
		['', 'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens'],
		['', 'The request took too long'],
		['', 'Context management is not available for this model'],
	])('is not meant by %s: %s', (code, text) => {
		expect(saysTooLong(code, text)).toBe(false);
	});
});

describe('what else of it is kept', () => {
	const evidence: AnswerEvidence = {
		status: 529,
		type: 'overloaded_error',
		message: 'Overloaded',
		headers: { 'retry-after': '7' },
		latencyMs: 120,
		now: 0,
	};

	it('status, type, latency and the wish of the headers', () => {
		expect(classifyAnswer(evidence)).toEqual({
			kind: 'error',
			status: 529,
			code: 'overloaded_error',
			latencyMs: 120,
			retryAfterMs: 7_000,
		});
	});

	it('a hint in the text counts when the headers have none', () => {
		const message = 'Rate limit reached. Please try again in 20.5s.';
		expect(classifyAnswer({ ...evidence, message }).retryAfterMs).toBe(7_000);
		expect(classifyAnswer({ ...evidence, message, headers: {} }).retryAfterMs).toBe(20_500);
	});

	it('the status stands in for a type that is not said', () => {
		expect(classifyAnswer({ ...evidence, type: '' }).code).toBe('529');
	});

	it('a good answer has neither code nor wish', () => {
		const outcome = classifyAnswer({ ...evidence, status: 200, type: '', message: 'try again in 5s' });
		expect(outcome).toEqual({ kind: 'ok', status: 200, code: '', latencyMs: 120, retryAfterMs: null });
	});
});
