/**
 * A call of Qwen Code's that failed (`qwen-code.api_error`): one row for each of its own tries, each of which its client
 * library had made four times. Measured with 0.24.4 (429, 503, 402, 401, 400).
 */
import { googleQuota } from '../../../shared/spend-limit.ts';
import type { ProviderTrouble } from '../session-format.ts';
import { type JsonObject, textOf } from './json-values.ts';
import { errorOfStatus, isAboutMoney, MESSAGE_LENGTH, resetInWords, statusOf } from './provider-error.ts';

const ABORTED = /abort/i;
const CONNECTION = /connection|timeout|timed out|fetch failed|socket|network|terminated|ECONN|ENOTFOUND/i;

/** `null`: the agent's own (a malformed request), or somebody stopped it. */
export function troubleOf(event: JsonObject, at: number | null): ProviderTrouble | null {
	const message = (textOf(event.error_message) ?? '').slice(0, MESSAGE_LENGTH);
	const status = statusOf(event.status_code);
	const error =
		status === null ? withoutStatus(textOf(event.error_type) ?? '', message) : nameOf(status, message);
	if (error === null) return null;
	return {
		at,
		error,
		message,
		status,
		model: textOf(event.model),
		resetsAt: resetInWords(message, at),
		// Seven times, with a wait between them. That it then gave up is told by no row.
		isRetry: status === null || status === 429 || status >= 500,
	};
}

function nameOf(status: number, message: string): string | null {
	const isMoney = isAboutMoney(message) && !googleQuota.test(message);
	return isMoney ? 'billing_error' : errorOfStatus(status);
}

function withoutStatus(type: string, message: string): string | null {
	if (CONNECTION.test(type) || CONNECTION.test(message)) return 'connection';
	return ABORTED.test(type) ? null : 'unknown';
}
