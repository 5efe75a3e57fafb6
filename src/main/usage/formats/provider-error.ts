/** What went wrong at a provider, in the one vocabulary of `ProviderTrouble`, from a status and the words around it. */
import { resetHintMs } from '../../../shared/reset-time.ts';
import { retryHintMs } from '../../../shared/retry-after.ts';
import { planWords, spendLimitWords } from '../../../shared/spend-limit.ts';

/** Of a program's words that much is kept, characters. */
export const MESSAGE_LENGTH = 1_000;

/** By the status of HTTP; `null` for one that is the agent's own (a request that is too long or malformed). */
export function errorOfStatus(status: number): string | null {
	if (status === 429) return 'rate_limit';
	if (status === 529) return 'overloaded';
	if (status === 402) return 'billing_error';
	if (status === 401 || status === 403) return 'authentication_failed';
	return status >= 500 || status === 408 ? 'server_error' : null;
}

/** Waiting does not cure it: a person must pay or change a plan. */
export function isAboutMoney(words: string): boolean {
	return planWords.test(words) || spendLimitWords.some((pattern) => pattern.test(words));
}

export function statusOf(value: unknown): number | null {
	return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599 ? value : null;
}

/**
 * When it works again, ms since the epoch, as the words say it; `null`: they do not. A span or a clock is meant as of
 * the moment at which they were written (`at`).
 */
export function resetInWords(message: string, at: number | null): number | null {
	if (at === null) return null;
	const span = retryHintMs(message) ?? resetHintMs(message, at);
	return span === null ? null : at + span;
}
