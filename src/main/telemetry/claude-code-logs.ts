/**
 * Claude Code's log records. Source: code.claude.com/docs/en/monitoring-usage, "Events"; numbers come as numbers and as
 * text. Only the attributes named here are looked at.
 */
import { resetHintMs } from '../../shared/reset-time.ts';
import type { ProviderTrouble } from '../usage/session-format.ts';
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
/** No answer has this many tokens. */
const MOST_TOKENS = 1_000_000_000;
/** Of the words of an error that much is kept, characters. */
const MESSAGE_LENGTH = 1_000;

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
	const status = statusIn(attributes);
	const message = (textIn(attributes, 'error') ?? '').slice(0, MESSAGE_LENGTH);
	const error = status === null ? 'connection' : wordOf(status, message);
	if (error === null) return 'foreign';
	const span = at === null ? null : resetHintMs(message, at);
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
			resetsAt: at === null || span === null ? null : at + span,
			isRetry: false,
		},
	};
}

/** `null`: the request's own fault. */
function wordOf(status: number, message: string): string | null {
	if (status === 429) return 'rate_limit';
	if (status === 529) return 'overloaded';
	if (status === 402 || /credit balance is too low/i.test(message)) return 'billing_error';
	if (status === 401 || status === 403) return 'authentication_failed';
	return status >= 500 || status === 408 ? 'server_error' : null;
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
	const value = attributes.get(name);
	return typeof value === 'string' && value !== '' ? value : null;
}

function countIn(attributes: Attributes, name: string): number | null {
	const value = attributes.get(name);
	if (value === undefined || value === '' || typeof value === 'boolean') return null;
	const count = Number(value);
	return Number.isFinite(count) && count >= 0 ? count : null;
}

function tokensIn(attributes: Attributes, name: string): number | null {
	const count = countIn(attributes, name);
	return count !== null && Number.isInteger(count) && count <= MOST_TOKENS ? count : null;
}

function statusIn(attributes: Attributes): number | null {
	const status = countIn(attributes, 'status_code');
	return status !== null && Number.isInteger(status) && status >= 100 && status <= 599 ? status : null;
}
