/** Numbers, ages and states in the words of the floor. Pure; the caller passes the time. Times in ms, on one clock. */
import type { AgentView, NoteView, StopProgress } from './agent-view.ts';
import type { ArmGauge, Evidence } from './breaker-state.ts';
import type { FloorStatus } from './snapshot.ts';
import type { UsageAmount } from './usage-view.ts';
import type { BreakerLevel, OrderKind, Tier } from './words.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time: "12 s", "4 m", "2 h 5 m", "3 d 4 h". Negative (clocks that differ) counts as 0. */
export function spanWords(ms: number): string {
	const span = Number.isFinite(ms) ? Math.max(0, ms) : 0;
	if (span < MINUTE) return `${Math.floor(span / SECOND)} s`;
	if (span < HOUR) return `${Math.floor(span / MINUTE)} m`;
	if (span < DAY) return twoUnits(span, HOUR, 'h', MINUTE, 'm');
	return twoUnits(span, DAY, 'd', HOUR, 'h');
}

function twoUnits(span: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
	const rest = Math.floor((span % large) / small);
	const whole = `${Math.floor(span / large)} ${largeUnit}`;
	return rest === 0 ? whole : `${whole} ${rest} ${smallUnit}`;
}

/**
 * What somebody else wrote, as a sentence: one full stop at its end and, unless it stands `inside` another, a capital
 * at its start. A word with a mark or a capital of its own (a path, `iOS`) keeps its letter.
 */
export function sentenceWords(text: string, place: 'alone' | 'inside' = 'alone'): string {
	const trimmed = text.trim().replace(/\.{2,}$/, (dots) => (dots === '...' ? '…' : '.'));
	if (trimmed === '') return '';
	const ended = /[.!?…:]["”’)\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
	const plain = /^\p{Ll}[\p{Ll}’'-]*(?=[\s,.:;!?…]|$)/u.test(ended);
	return place === 'alone' && plain ? ended.charAt(0).toUpperCase() + ended.slice(1) : ended;
}

/** How long ago: "just now", "12 s ago". */
export function agoWords(at: number, now: number): string {
	return now - at < 2 * SECOND ? 'just now' : `${spanWords(now - at)} ago`;
}

/** How long a tool call took: "340 ms", "1.2 s", "4 m". */
export function callDurationWords(ms: number): string {
	if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
	return ms < 10 * SECOND ? `${(ms / SECOND).toFixed(1)} s` : spanWords(ms);
}

/** "14:02:11" today, "28 Nov 14:02" on another day. `timeZone` (IANA) only for tests. */
export function timeWords(at: number, now: number, timeZone = ''): string {
	const { day, date, minute, second } = clockOf(timeZone);
	if (day.format(at) === day.format(now)) return second.format(at);
	return `${date.format(at)} ${minute.format(at)}`;
}

/**
 * When something is free again, to the minute and never too early: "17:15", "1 Dec 00:05" on another day. Does not change
 * as time goes by within a day. `timeZone` (IANA) only for tests.
 */
export function minuteWords(at: number, now: number, timeZone = ''): string {
	const { day, date, minute } = clockOf(timeZone);
	const whole = Math.ceil(at / MINUTE) * MINUTE;
	const time = minute.format(whole);
	return day.format(whole) === day.format(now) ? time : `${date.format(whole)} ${time}`;
}

interface ClockFormats {
	readonly day: Intl.DateTimeFormat;
	readonly date: Intl.DateTimeFormat;
	readonly minute: Intl.DateTimeFormat;
	readonly second: Intl.DateTimeFormat;
}

/** Making a formatter costs a hundred times its use; the floor draws thousands of times. By time zone. */
const clocks = new Map<string, ClockFormats>();

function clockOf(timeZone: string): ClockFormats {
	const known = clocks.get(timeZone);
	if (known) return known;
	const format = (options: Intl.DateTimeFormatOptions) =>
		new Intl.DateTimeFormat('en-GB', timeZone === '' ? options : { ...options, timeZone });
	const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
	const made = {
		day: format({ day: 'numeric', month: 'numeric', year: 'numeric' }),
		date: format({ day: 'numeric', month: 'short' }),
		minute: format(minute),
		second: format({ ...minute, second: '2-digit' }),
	};
	clocks.set(timeZone, made);
	return made;
}

/** Three significant digits: "950", "12.3k", "182k", "3.1M", "2.4B". */
export function compactNumber(value: number): string {
	if (!Number.isFinite(value)) return '?';
	const size = Math.abs(value);
	const [divisor, suffix] = compactScale(size);
	const scaled = value / divisor;
	const digits = suffix === '' || Math.abs(scaled) >= 99.95 ? 0 : 1;
	return `${scaled.toFixed(digits).replace(/\.0$/, '')}${suffix}`;
}

function compactScale(size: number): readonly [number, string] {
	// At the edges a rounded "1000k" would appear.
	if (size < 999.5) return [1, ''];
	if (size < 999_500) return [1e3, 'k'];
	if (size < 999_500_000) return [1e6, 'M'];
	return [1e9, 'B'];
}

const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });

/** "1 284 300", with spaces that do not break, as the engine's own sentences write it. */
export function exactNumber(value: number): string {
	return Number.isFinite(value) ? spaced(exact.format(value)) : '?';
}

function spaced(number: string): string {
	return number.replaceAll(',', '\u00a0');
}

/** "$1.20", "< $0.01", "$12 400". */
export function usd(value: number): string {
	if (!Number.isFinite(value)) return '?';
	if (value > 0 && value < 0.01) return '< $0.01';
	return spaced((Math.abs(value) < 1000 ? cents : dollars).format(value));
}

/** What an amount's cost is told from; `work` and `localWork` tell what was free from what has no known price. */
type Costed = Pick<UsageAmount, 'costUsd' | 'unpricedModels'> &
	Partial<Pick<UsageAmount, 'work' | 'localWork'>>;

/**
 * What a session cost, in two parts: the amount and what must be said with it. Unknown is "unpriced", never $0; with
 * unpriced models the amount is a lower bound; what this machine served alone is "free".
 */
export function costParts(usage: Costed | null): {
	readonly amount: string;
	readonly note: string;
} {
	if (usage === null) return { amount: '–', note: 'no usage read yet' };
	const { costUsd, unpricedModels, work, localWork = 0 } = usage;
	const unpaid = costUsd === null || costUsd === 0;
	if (unpaid && unpricedModels.length > 0) return { amount: 'unpriced', note: '' };
	if (unpaid && work === 0) return { amount: '–', note: 'nothing spent yet' };
	if (unpaid && localWork > 0 && localWork === work)
		return { amount: 'free', note: 'served on this machine' };
	if (costUsd === null) return { amount: 'unpriced', note: '' };
	if (unpricedModels.length === 0) return { amount: usd(costUsd), note: '' };
	// "≥ < $0.01" says nothing.
	const bound = costUsd < 0.01 ? '> $0' : `≥ ${usd(costUsd)}`;
	return { amount: bound, note: 'some models unpriced' };
}

/** `costParts` as one phrase: "≥ $1.20, some models unpriced". */
export function costWords(usage: Costed | null): string {
	const { amount, note } = costParts(usage);
	if (usage === null) return note;
	return note === '' ? amount : `${amount}, ${note}`;
}

/** The unit of an arm's count, by its full name: what the caps count is "work tokens", whatever else has tokens. */
export function armUnitWords({ arm, unit }: Pick<ArmGauge, 'arm' | 'unit'>): string {
	return arm === 'agent-token-cap' || arm === 'token-cap' ? 'work tokens' : unit;
}

/** A count with its limit and unit: "13 calls, limit 8", "512k work tokens, limit 500k", "$12.40, limit $10.00 (US dollars)". */
export function evidenceCountWords({
	arm,
	count,
	limit,
	unit,
}: Pick<Evidence, 'arm' | 'count' | 'limit' | 'unit'>): string {
	if (unit === 'USD') return `${usd(count)}, limit ${usd(limit)} (US dollars)`;
	const units = armUnitWords({ arm, unit });
	const noun = count === 1 && /^[a-z ]+s$/.test(units) ? units.slice(0, -1) : units;
	return `${compactNumber(count)} ${noun}, limit ${compactNumber(limit)}`;
}

/** A turn that is older than this says so, ms: that an agent is alive does not say that it gets anywhere. */
const LONG_TURN_MS = 10 * MINUTE;

/** What can truthfully be said of an agent, with its reason and age. */
export function stateWords(state: AgentView['state'], now: number): string {
	const reason = state.reason === '' ? '' : `: ${state.reason}`;
	switch (state.kind) {
		case 'live':
			return now - state.since < LONG_TURN_MS ? 'live' : `live for ${spanWords(now - state.since)}`;
		case 'waiting':
			return `${state.needsYou ? 'waiting for you' : 'waiting'}${reason}`;
		case 'unverifiable':
			return `unverifiable, last heard ${agoWords(state.lastHeardAt, now)}`;
		case 'exited':
			return `exited${reason}`;
	}
}

/** What each rung does to an agent. */
export const levelMeanings: Record<BreakerLevel, string> = {
	healthy: 'works on; nothing is said to it',
	steering: 'gets a short note with the next reply that can carry it',
	constrained: 'may read and look; every change is refused with a reason',
	stopped: 'every tool call is refused until you resume it',
};

/** What each tier changes, for when the engine gives no reason of its own. */
export const tierMeanings: Record<Tier, string> = {
	NORMAL: 'all providers are used',
	'LOCAL-ONLY': 'a provider is lost; models on this machine go on',
	'READ-ONLY-REMOTE': 'queued work waits to be sent',
	REFUSING: 'what nothing can answer is refused, one request at a time',
};

const clientNames: Readonly<Record<string, string>> = {
	'claude-code': 'Claude Code',
	codex: 'Codex',
	'copilot-cli': 'Copilot CLI',
	cursor: 'Cursor',
	'gemini-cli': 'Gemini CLI',
	opencode: 'opencode',
	'qwen-code': 'Qwen Code',
};

/** The product's own name for a client; an unknown client keeps the name it came with. */
export function clientWords(client: string): string {
	return Object.hasOwn(clientNames, client) ? (clientNames[client] ?? client) : client;
}

/** A model's id without what every id of its family says: "claude-sonnet-4-5-20250929" is "sonnet-4-5". */
export function modelWords(model: string): string {
	return model.replace(/-\d{8}$/, '').replace(/^claude-(?=.)/, '');
}

export const orderWords: Record<OrderKind, string> = {
	hold: 'held by you',
	constrain: 'constrained by you',
	stop: 'stopped by you',
};

/** How far a stop has got; "stopped" only when every process was seen gone. */
export function stopProgressWords({ phase, pids }: Pick<StopProgress, 'phase' | 'pids'>): string {
	switch (phase) {
		case 'refusing':
			return 'every tool call is refused; process not ended';
		case 'stopping':
			return 'stopping…';
		case 'stopped':
			return 'stopped';
		case 'still-running':
			return `still running: ${pids.length === 1 ? 'pid' : 'pids'} ${pids.join(', ')}`;
		case 'process-unknown':
			return 'every tool call is refused; its process is not known, so it was not ended';
	}
}

/** A note without the opening that tells the model whom it is from: every note starts so, and a card has one line. */
export function noteGist(text: string): string {
	return text.replace(
		/^Note from the operator(?:'s supervisor \(Agent Floor\)| \(through Agent Floor\)): +/,
		'',
	);
}

/** Where a note is: "queued 12 s ago, not read yet" or "delivered 4 s ago". */
export function noteWords(
	{ queuedAt, deliveredAt }: Pick<NoteView, 'queuedAt' | 'deliveredAt'>,
	now: number,
): string {
	if (deliveredAt === null) return `queued ${agoWords(queuedAt, now)}, not read yet`;
	return `delivered ${agoWords(deliveredAt, now)}`;
}

/** A beat this late is worth saying, ms. */
const BEAT_LATE_MS = 2 * SECOND;

/** The heartbeat in words, and whether they deserve attention. */
export function beatWords(
	status: Pick<FloorStatus, 'lastBeatAt' | 'nextBeatAt' | 'lastBeatLateMs' | 'heartbeatSeconds'>,
	now: number,
): { readonly words: string; readonly late: boolean } {
	const { lastBeatAt, nextBeatAt, lastBeatLateMs, heartbeatSeconds } = status;
	const overdue = nextBeatAt === null ? 0 : now - nextBeatAt;
	if (overdue > Math.max(BEAT_LATE_MS, (heartbeatSeconds * SECOND) / 2)) {
		return { words: `beat overdue by ${spanWords(overdue)}`, late: true };
	}
	if (lastBeatAt === null) return { words: 'no beat yet', late: false };
	const last = `beat ${agoWords(lastBeatAt, now)}`;
	if (lastBeatLateMs < BEAT_LATE_MS) return { words: last, late: false };
	return { words: `${last}, came ${spanWords(lastBeatLateMs)} late`, late: true };
}
