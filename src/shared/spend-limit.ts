/** How providers say that it is about money and not about rate: waiting does not help, a person must. */

/** Error types and codes of the three protocols and of what stands in front of them, in lower case. */
export const spendLimitNames: ReadonlySet<string> = new Set([
	'enforced_spend_limit_reached',
	'credit_balance_exhausted',
	'insufficient_quota',
	'insufficient_credits',
	'insufficient_funds',
	'billing_error',
	'billing_hard_limit_reached',
	'billing_not_active',
	'payment_required',
	'credits_required',
]);

/** The same in an error's text. */
export const spendLimitWords: readonly RegExp[] = [
	new RegExp(`\\b(?:${[...spendLimitNames].join('|')})\\b`, 'i'),
	/\bspend(?:ing)? (?:limit|cap)\b/i,
	/\bcredit balance\b[^.\n]{0,20}\b(?:too low|exhausted|insufficient)\b/i,
	/\b(?:out of|insufficient|not enough) credits?\b/i,
	/\binsufficient (?:funds|balance)\b/i,
	/\bpayment required\b/i,
	/\bbilling hard limit\b/i,
	// The limit that a workspace set itself.
	/\bspecified (?:workspace )?API usage limits\b/i,
];

/** Said of money by OpenAI and of any quota by Google: money where nothing says that waiting helps. */
export const planWords = /\bcheck your plan and billing\b/i;

/** Its quotas come back by themselves. */
export const googleQuota = /RESOURCE_EXHAUSTED|QuotaError|\bai\.google\.dev\b|\bgenerativelanguage\b/;
