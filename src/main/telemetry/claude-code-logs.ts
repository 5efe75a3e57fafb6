/**
 * Claude Code's log records. Source: code.claude.com/docs/en/monitoring-usage, "Events"; numbers come as numbers and as
 * text. Only the attributes named here are looked at.
 */
import { textOf } from '../usage/formats/json-values.ts';
import {
	errorOfStatus,
	isAboutMoney,
	MESSAGE_LENGTH,
	resetInWords,
	statusOf,
} from '../usage/formats/provider-error.ts';
import type { ProviderTrouble } from '../usage/session-format.ts';
import { isTokenCount } from '../usage/token-usage.ts';
import type { Attributes, LogRecord } from './otlp-records.ts';
import type { HookProblem, TelemetryUsage } from './telemetry-sink.ts';

export type Said =
	| { readonly kind: 'usage'; readonly report: TelemetryUsage }
	/** `turn`: two records with the same one tell of one failure. */
	| {
			readonly kind: 'trouble';
			readonly sessionId: string;
			readonly turn: string;
			readonly trouble: ProviderTrouble;
	  }
	| { readonly kind: 'hooks'; readonly problem: HookProblem }
	| { readonly kind: 'compacted'; readonly sessionId: string; readonly at: number | null };

const PREFIX = 'claude_code.';

/** `foreign`: nothing that is taken. `unreadable`: ours, without its session or its numbers. */
export function readClaudeCodeLog(record: LogRecord): Said | 'foreign' | 'unreadable' {
	const reader = readers.get(nameOf(record));
	if (reader === undefined) return 'foreign';
	const sessionId = textIn(record.attributes, 'session.id');
	return sessionId === null ? 'unreadable' : reader(record, sessionId);
}

type Reader = (record: LogRecord, sessionId: string) => Said | 'foreign' | 'unreadable';

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	['api_request', answer],
	['api_error', trouble],
	['api_retries_exhausted', trouble],
	['hook_execution_complete', hooks],
	['compaction', compacted],
]);

/** Some names have the program's prefix; a bare one counts when its resource says whose it is. */
function nameOf({ names, service }: LogRecord): string {
	const own = names.find((name) => name.startsWith(PREFIX));
	if (own !== undefined) return own.slice(PREFIX.length);
	return service === 'claude-code' ? (names[0] ?? '') : '';
}

function answer({ attributes, at }: LogRecord, sessionId: string): Said | 'unreadable' {
	const model = textIn(attributes, 'model');
	const input = tokensIn(attributes, 'input_tokens');
	const output = tokensIn(attributes, 'output_tokens');
	if (model === null || at === null || input === null || output === null) return 'unreadable';
	const request = textIn(attributes, 'request_id') ?? textIn(attributes, 'client_request_id');
	// A program that goes on with a session begins its sequence anew.
	const moment = `${sessionId} ${at} ${attributes.get('event.sequence') ?? ''}`;
	return {
		kind: 'usage',
		report: {
			client: 'claude-code',
			sessionId,
			told: {
				by: 'log',
				key: request ?? moment,
				model,
				at,
				usage: {
					input,
					output,
					cacheRead: tokensIn(attributes, 'cache_read_tokens') ?? 0,
					cacheCreation: tokensIn(attributes, 'cache_creation_tokens') ?? 0,
					cacheCreation1h: tokensIn(attributes, 'cache_creation_1h_tokens') ?? 0,
					webSearches: 0,
				},
			},
		},
	};
}

/** Told once the program has given up. */
function trouble({ attributes, at }: LogRecord, sessionId: string): Said | 'foreign' {
	const status = statusOf(countIn(attributes, 'status_code'));
	const message = (textIn(attributes, 'error') ?? '').slice(0, MESSAGE_LENGTH);
	const error = status === null ? 'connection' : errorOf(status, message);
	if (error === null) return 'foreign';
	return {
		kind: 'trouble',
		sessionId,
		turn: `${sessionId} ${textIn(attributes, 'prompt.id') ?? at ?? ''} ${message}`,
		trouble: {
			at,
			error,
			message,
			status,
			model: textIn(attributes, 'model'),
			resetsAt: resetInWords(message, at),
			isRetry: false,
		},
	};
}

/** `null`: the request's own fault. That an account is empty is told with 400 as well. */
function errorOf(status: number, message: string): string | null {
	return status !== 429 && isAboutMoney(message) ? 'billing_error' : errorOfStatus(status);
}

function hooks({ attributes, at }: LogRecord, sessionId: string): Said | 'foreign' | 'unreadable' {
	const event = textIn(attributes, 'hook_event');
	const all = countIn(attributes, 'num_hooks');
	if (event === null || all === null) return 'unreadable';
	const failed = countIn(attributes, 'num_non_blocking_error') ?? 0;
	const cancelled = countIn(attributes, 'num_cancelled') ?? 0;
	if (failed + cancelled === 0) return 'foreign';
	const durationMs = countIn(attributes, 'total_duration_ms');
	return { kind: 'hooks', problem: { sessionId, at, event, hooks: all, failed, cancelled, durationMs } };
}

function compacted({ attributes, at }: LogRecord, sessionId: string): Said | 'foreign' {
	return String(attributes.get('success') ?? 'true') === 'true'
		? { kind: 'compacted', sessionId, at }
		: 'foreign';
}

function textIn(attributes: Attributes, name: string): string | null {
	return textOf(attributes.get(name));
}

function countIn(attributes: Attributes, name: string): number | null {
	const value = attributes.get(name);
	if (value === undefined || value === '' || typeof value === 'boolean') return null;
	const count = Number(value);
	return Number.isFinite(count) && count >= 0 ? count : null;
}

function tokensIn(attributes: Attributes, name: string): number | null {
	const count = countIn(attributes, name);
	return isTokenCount(count) ? count : null;
}
