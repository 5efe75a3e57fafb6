/**
 * `errorOccurred` of Copilot CLI. For a failed model call it comes with each attempt (five more within a minute or so),
 * always `recoverable`; `error.message` is the provider's own error object as JSON text, without the status, or a
 * sentence about the connection. Measured with 1.0.102; its own service says it in words (github/copilot-cli#2144, #2336).
 */
import { field, textField } from './payload-fields.ts';

export interface ModelError {
	/** `rate_limit` and `billing_error` as the model breaker knows them; else what the provider calls it. */
	readonly error: string;
	readonly blame: 'provider' | 'agent';
	readonly message: string;
}

const LIMIT_NAMES = /rate.?limit|too.?many.?requests|throttl|\b429\b/i;
/** Waiting cures none of them before a new period begins or a person acts. */
const BILLING_NAMES = /quota|billing|payment.?required|insufficient.?(?:funds|credits?|balance)|\b402\b/i;
const LIMIT_WORDS = /rate.?limit|too many requests|exceeded your copilot token usage/i;
const BILLING_WORDS =
	/quota|billing|premium requests?|credit balance|payment required|spend(?:ing)? limit|allowance/i;

/** The agent's own: its request was too long, or its answer. */
const OWN_ERRORS: ReadonlySet<string> = new Set([
	'context_length_exceeded',
	'request_too_large',
	'max_output_tokens',
]);

export function modelErrorOf(told: unknown): ModelError {
	const text = typeof told === 'string' ? told : (textField(told, 'message') ?? '');
	const provider = providerError(text);
	const words = textField(provider, 'message') ?? textField(field(provider, 'error'), 'message') ?? text;
	const names = [
		textField(provider, 'code'),
		textField(provider, 'type'),
		textField(field(provider, 'error'), 'code'),
		textField(field(provider, 'error'), 'type'),
		textField(told, 'code'),
		plainName(textField(told, 'name')),
	].filter((name) => name !== null);
	const error =
		limitIn(names.join(' '), LIMIT_NAMES, BILLING_NAMES) ?? limitIn(words, LIMIT_WORDS, BILLING_WORDS);
	const name = error ?? names[0] ?? 'model_call';
	return {
		error: name,
		blame: names.some((one) => OWN_ERRORS.has(one)) ? 'agent' : 'provider',
		message: words,
	};
}

function limitIn(text: string, limit: RegExp, billing: RegExp): 'rate_limit' | 'billing_error' | null {
	if (limit.test(text)) return 'rate_limit';
	return billing.test(text) ? 'billing_error' : null;
}

/** "Error" names nothing. */
function plainName(name: string | null): string | null {
	return name === 'Error' ? null : name;
}

/** The provider's error object, or a quoted sentence; `null` when the text is plain. */
function providerError(text: string): unknown {
	if (!/^\s*["{[]/.test(text)) return null;
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'string') return { message: value };
		// Google's compatible service wraps its error in a list.
		return Array.isArray(value) ? value[0] : value;
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return null;
	}
}
