/** Usage in words: whose count it is, where others differ, what was free, what is still being read. Pure. */
import { exactNumber, minuteWords } from '../../shared/format.ts';
import type { FloorUsage, UsageAmount, UsageSource, UsageView } from '../../shared/usage-view.ts';

/** Whose count it is. */
export const sourceWords: Readonly<Record<UsageSource, string>> = {
	transcript: 'from its own log',
	gateway: 'counted by the gateway',
	telemetry: 'from its telemetry',
};

const counterWords: Readonly<Record<UsageSource, string>> = {
	transcript: 'Its own log',
	gateway: 'The gateway',
	telemetry: 'Its telemetry',
};

/** Counts that differ by no more than this share are the same. */
const SAME_SHARE = 0.01;

/** What the others counted, a sentence each, where they differ by more than 1 %. */
export function differenceWords({ work, otherCounts }: Pick<UsageView, 'work' | 'otherCounts'>): string[] {
	return otherCounts
		.filter((other) => Math.abs(other.work - work) > Math.max(other.work, work) * SAME_SHARE)
		.map((other) => `${counterWords[other.source]} counted ${exactNumber(other.work)} work tokens.`);
}

/** "12 400 of them served on this machine, free"; empty when none were. */
export function localWords({ work, localWork }: Pick<UsageAmount, 'work' | 'localWork'>): string {
	if (localWork <= 0) return '';
	const part = localWork >= work ? 'all' : exactNumber(localWork);
	return `${part} of them served on this machine, free`;
}

/** Every model without a known price among the amounts, by name. */
export function unpricedIn(amounts: readonly (UsageAmount | null)[]): string[] {
	return [...new Set(amounts.flatMap((amount) => amount?.unpricedModels ?? []))].sort();
}

const MB = 1024 ** 2;

/** "340 of 1 024 MB": never complete before it is. */
export function readingWords({ bytes, totalBytes }: NonNullable<FloorUsage['reading']>): string {
	return `${exactNumber(Math.floor(bytes / MB))} of ${exactNumber(Math.max(1, Math.ceil(totalBytes / MB)))} MB`;
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });

/** "since 00:00" today, "since 23 Nov 00:00" on another day; with its `weekday` "since Monday 00:00" on any. */
export function sinceWords(at: number, now: number, day: 'date' | 'weekday' = 'date'): string {
	return day === 'weekday'
		? `since ${weekday.format(at)} ${minuteWords(at, at)}`
		: `since ${minuteWords(at, now)}`;
}
