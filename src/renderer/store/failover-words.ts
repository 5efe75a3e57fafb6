/** Failover in words and numbers with their units. Pure; times in ms on one clock. */

import { type AgentWait, waitEnd } from '../../shared/attention.ts';
import type { DeviceFit, LocalServerView, ModelFit, ProviderView } from '../../shared/capability.ts';
import type { LocalServerKind } from '../../shared/failover-settings.ts';
import type { HeldTurnView, OutboxEntryView, OutboxKind, ScorePart } from '../../shared/failover-view.ts';
import { compactNumber, exactNumber, spanWords } from '../../shared/format.ts';

/** A countdown, to the second while there is less than an hour: "1 m 48 s", "48 s"; "0 s" when it is over. */
export function leftWords(until: number, now: number): string {
	const left = Number.isFinite(until - now) ? Math.max(0, until - now) : 0;
	// The second that runs still counts.
	const seconds = Math.ceil(left / 1000);
	if (seconds < 60) return `${seconds} s`;
	if (seconds >= 3600) return spanWords(seconds * 1000);
	const rest = seconds % 60;
	return rest === 0 ? `${seconds / 60} m` : `${Math.floor(seconds / 60)} m ${rest} s`;
}

/** A share in percent: "8.3 %", "100 %"; "–" of nothing. */
export function shareWords(part: number, whole: number): string {
	if (whole <= 0) return '–';
	const percent = (part / whole) * 100;
	// Neither "none" nor "all" may be rounded to.
	if (percent > 0 && percent < 0.1) return '< 0.1 %';
	const digits = percent < 10 || (percent > 99 && percent < 100) ? 1 : 0;
	const rounded =
		percent < 100 && Number(percent.toFixed(digits)) >= 100 ? '> 99.9' : percent.toFixed(digits);
	return `${rounded.replace(/\.0$/, '')} %`;
}

const MB = 1024 ** 2;
const GB = 1024 ** 3;

/** Weights on disk or in memory: "17 GB", "3.7 GB", "950 MB". Steps of 1024, as memory is counted and `fitReason` says. */
export function bytesWords(bytes: number): string {
	if (bytes < 0.95 * GB) return `${Math.max(0, Math.round(bytes / MB))} MB`;
	return `${(bytes / GB).toFixed(bytes < 9.95 * GB ? 1 : 0).replace(/\.0$/, '')} GB`;
}

/** "65.5k tokens of context in use, 262k possible"; `write`: how a number is written. */
export function contextWords(
	{ inUse, max }: ModelFit['context'],
	write: (tokens: number) => string = compactNumber,
): string {
	if (inUse === null) {
		return max === null ? 'context not known' : `context in use not known, ${write(max)} tokens possible`;
	}
	const used = `${write(inUse)} tokens of context in use`;
	return max === null || max === inUse ? used : `${used}, ${write(max)} possible`;
}

/** A score of 0 to 1 as a whole number of 0 to 100. */
export function scoreWords(score: number): string {
	return String(Math.round(Math.max(0, Math.min(1, score)) * 100));
}

export const partWords: Record<ScorePart['part'], string> = {
	context: 'Context',
	device: 'Device',
	task: 'Task',
	history: 'History',
};

export const fitWords: Record<DeviceFit, string> = {
	COMFORTABLE: 'fits comfortably',
	TIGHT: 'fits tightly',
	OVER: 'does not fit',
	UNKNOWN: 'fit not known',
};

export const remoteWords: Record<ProviderView['remote'], string> = {
	reachable: 'reachable',
	unreachable: 'unreachable',
	unauthorised: 'not authorised',
	unknown: 'not known: no recent call',
};

export const breakerWords: Record<ProviderView['breaker'], string> = {
	closed: 'breaker closed: calls go through',
	open: 'breaker open: no call is sent',
	'half-open': 'breaker half-open: one trial call decides',
};

export const serverWords: Record<LocalServerView['state'], string> = {
	running: 'running',
	loading: 'loading a model',
	absent: 'not running',
	unreadable: 'answers, but not as expected',
	unknown: 'not looked at yet',
};

export const serverKindWords: Record<LocalServerKind, string> = {
	ollama: 'Ollama',
	lmstudio: 'LM Studio',
	llamacpp: 'llama.cpp',
	vllm: 'vLLM',
	openai: 'OpenAI-compatible',
};

/** When a local server was last looked at, ms; `null`: never. */
export function lastLookAt(servers: readonly Pick<LocalServerView, 'checkedAt'>[]): number | null {
	const looked = servers.flatMap(({ checkedAt }) => (checkedAt === null ? [] : [checkedAt]));
	return looked.length === 0 ? null : Math.max(...looked);
}

/** What the last minute says of a provider: "18 calls, 3 errors, 1 rate-limited in the last 60 s". */
export function callsWords({ calls, errors, rateLimited }: ProviderView): string {
	if (calls === 0 && rateLimited === 0) return 'no call in the last 60 s';
	const parts = [count(calls, 'call'), count(errors, 'error')];
	if (rateLimited > 0) parts.push(`${exactNumber(rateLimited)} rate-limited`);
	return `${parts.join(', ')} in the last 60 s`;
}

/** "1 turn", "2 turns". */
export function count(number: number, noun: string): string {
	return `${exactNumber(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** "planning, about 41.2k tokens". */
export function turnSizeWords({ activity, estimatedTokens }: HeldTurnView): string {
	const tokens = `about ${compactNumber(estimatedTokens)} tokens`;
	return activity === 'other' ? tokens : `${activity}, ${tokens}`;
}

export const turnStateWords: Record<HeldTurnView['state'], string> = {
	asking: 'waits for your answer',
	waiting: 'waits for the network',
	switching: 'going on locally',
	retrying: 'asking the provider again',
};

/**
 * What an agent waits for: "turn held: Anthropic is lost, 1 m 40 s left", "wants your consent: git push". `lost`: the
 * engine is, so that nothing is known of the time.
 */
export function waitWords(wait: AgentWait, now: number, lost: boolean): string {
	const time = lost
		? 'last known'
		: now >= waitEnd(wait)
			? 'time is over'
			: // On one line, however narrow the row.
				`${leftWords(waitEnd(wait), now)} left`.replaceAll(' ', '\u00a0');
	if (wait.kind === 'consent')
		return `wants your consent: ${wait.consent.target}${lost ? ', last known' : ''}`;
	const { providerName } = wait.popup;
	return wait.asks
		? `turn held: ${providerName} is lost, ${time}`
		: `turn held until ${providerName} is back, ${time}`;
}

/** Whether time runs against a turn: one that is on its way waits for nobody. */
export function isHeldOpen({ state }: Pick<HeldTurnView, 'state'>): boolean {
	return state === 'asking' || state === 'waiting';
}

export const outboxKindWords: Record<OutboxKind, string> = {
	cloud_turn: 'Turn',
	hook: 'Webhook',
	download: 'Download',
};

export const outboxStateWords: Record<OutboxEntryView['state'], string> = {
	pending: 'queued',
	sending: 'being sent',
	uncertain: 'uncertain',
	reconciled: 'done',
	failed: 'failed',
};

/** What `uncertain` means, and who decides. */
export const uncertainWords =
	'It may or may not have been sent before the floor went down. Nothing is sent again unless you say so.';
