/**
 * Trouble at the provider, as Codex's rollouts tell it: the error with which a turn ended (0.171: in `task_complete`;
 * before: an `error` event, or nothing at all as in 0.104), a stream that is tried again, and limits that are used up.
 */
import { z } from 'zod';
import type { ProviderTrouble } from '../session-format.ts';
import { isObject, type JsonObject, momentOf, textOf } from './json-values.ts';
import { errorOfStatus, isAboutMoney, MESSAGE_LENGTH, resetInWords, statusOf } from './provider-error.ts';

/** `codex_error_info` by name. Those that are not here are the agent's own, or the sandbox's. */
const NAMED_ERRORS: ReadonlyMap<string, string> = new Map([
	['usage_limit_exceeded', 'rate_limit'],
	['rate_limit_exceeded', 'rate_limit'],
	['server_overloaded', 'overloaded'],
	['flex_unavailable', 'overloaded'],
	['policy_capacity_unavailable', 'overloaded'],
	['internal_server_error', 'server_error'],
	['unauthorized', 'authentication_failed'],
	['http_connection_failed', 'connection'],
	['response_stream_connection_failed', 'connection'],
	['response_stream_disconnected', 'connection'],
	['response_too_many_failed_attempts', 'connection'],
]);
const STATUS_WORDS = /\b(?:unexpected status|last status:) (\d{3})\b/;

/** `null`: no trouble, or the agent's own. `error`: `{ message, codex_error_info }`. */
export function troubleOf(
	error: JsonObject,
	{ at, model, isRetry }: Pick<ProviderTrouble, 'at' | 'model' | 'isRetry'>,
	limits: Limits,
): ProviderTrouble | null {
	const message = (textOf(error.message) ?? '').slice(0, MESSAGE_LENGTH);
	const { name, status } = infoOf(error.codex_error_info, message);
	const byStatus = status === null ? null : errorOfStatus(status);
	const kind = status === null ? (NAMED_ERRORS.get(name ?? '') ?? null) : byStatus;
	if (kind === null) return null;
	const isMoney = kind === 'rate_limit' && isAboutMoney(message);
	const resetsAt = kind === 'rate_limit' && !isMoney ? limitResetAfter(limits, at) : null;
	return {
		at,
		error: isMoney ? 'billing_error' : kind,
		message,
		status,
		model,
		resetsAt: resetsAt ?? resetInWords(message, at),
		isRetry,
	};
}

/** The name alone, or with a status in it; older versions have the status only in their words. */
function infoOf(info: unknown, message: string): { name: string | null; status: number | null } {
	const [name, detail] = isObject(info) ? (Object.entries(info)[0] ?? []) : [textOf(info)];
	const told = isObject(detail) ? statusOf(detail.http_status_code) : null;
	const inWords = STATUS_WORDS.exec(message)?.[1];
	return { name: name ?? null, status: told ?? statusOf(Number(inWords)) };
}

/** Limits that are used up, by name, and when each begins anew, ms since the epoch (0: that was not told). */
export const limitsSchema = z.record(z.string(), z.number());
export type Limits = z.infer<typeof limitsSchema>;

/** Two tellings of one moment may differ by that much, ms: some versions tell a span. */
const SAME_RESET_MS = 5 * 60_000;

/** What a look at the limits tells; trouble only for those that were not used up before, or again. */
export function limitsTold(
	before: Limits,
	told: unknown,
	at: number | null,
	model: string | null,
): { readonly limits: Limits; readonly troubles: readonly ProviderTrouble[] } {
	if (!isObject(told)) return { limits: before, troubles: [] };
	const limitId = textOf(told.limit_id) ?? 'codex';
	const limits = new Map(Object.entries(before));
	const troubles: ProviderTrouble[] = [];
	for (const name of ['primary', 'secondary']) {
		const key = `${limitId} ${name}`;
		const window = told[name];
		const isUsedUp =
			isObject(window) && typeof window.used_percent === 'number' && window.used_percent >= 100;
		const resetsAt = isObject(window) ? resetOf(window, at) : null;
		if (!isUsedUp || (resetsAt !== null && at !== null && resetsAt <= at)) {
			limits.delete(key);
			continue;
		}
		const known = limits.get(key);
		limits.set(key, resetsAt ?? 0);
		if (known !== undefined && Math.abs(known - (resetsAt ?? 0)) < SAME_RESET_MS) continue;
		const message = `Codex: ${wordsOf(window.window_minutes)} is used up (${window.used_percent} %)`;
		troubles.push({ at, error: 'rate_limit', message, status: null, model, resetsAt, isRetry: true });
	}
	return { limits: Object.fromEntries(limits), troubles };
}

function resetOf(window: JsonObject, at: number | null): number | null {
	const span = window.resets_in_seconds;
	if (at !== null && typeof span === 'number' && Number.isFinite(span) && span > 0) return at + span * 1000;
	return momentOf(window.resets_at);
}

function wordsOf(minutes: unknown): string {
	if (typeof minutes !== 'number' || !(minutes > 0)) return 'a limit';
	if (minutes % 1440 === 0) return `the ${minutes / 1440}-day limit`;
	return minutes % 60 === 0 ? `the ${minutes / 60}-hour limit` : `the ${minutes}-minute limit`;
}

/** When the last of the used-up limits begins anew: before that nothing works. */
function limitResetAfter(limits: Limits, at: number | null): number | null {
	const latest = Math.max(0, ...Object.values(limits));
	return latest > (at ?? 0) ? latest : null;
}
