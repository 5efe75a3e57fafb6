/** What a preview says, in a sentence. Pure. */
import { exactNumber, minuteWords } from '../../../shared/format.ts';
import type { SettingsPreview } from '../../../shared/settings-preview.ts';
import { armWords } from '../../store/arm-words.ts';
import { count } from '../../store/failover-words.ts';

/** "With 6 calls instead of 8 calls: 3 more trips (5 → 8) since 21:40, in 2 sessions." `now` in ms. */
export function previewWords(preview: SettingsPreview, from: string, to: string, now: number): string {
	const { events, sessions, before, after, changedSessions } = preview;
	const since = `since ${minuteWords(preview.from, now)}`;
	if (events === 0) return `Nothing was recorded ${since}, so there is nothing to compare with.`;
	const lead = `With ${to} instead of ${from}:`;
	const played = `${count(events, 'event')} of ${count(sessions, 'session')}`;
	if (changedSessions === 0) {
		return `${lead} no difference ${since} (${count(after.trips, 'trip')} either way; ${played} played).`;
	}
	const inSessions = `in ${count(changedSessions, 'session')}`;
	const more = after.trips - before.trips;
	const trips =
		more === 0
			? `the same number of trips (${exactNumber(after.trips)}) ${since}, and another course ${inSessions}`
			: `${exactNumber(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} ${Math.abs(more) === 1 ? 'trip' : 'trips'} (${exactNumber(before.trips)} → ${exactNumber(after.trips)}) ${since}, ${inSessions}`;
	return `${lead} ${trips}.${stoppedWords(preview)}`;
}

/** A stop is what one wants to know of first. */
function stoppedWords({ before, after }: SettingsPreview): string {
	if (before.highest.stopped === after.highest.stopped) return '';
	return ` ${count(after.highest.stopped, 'agent')} would have been stopped instead of ${exactNumber(before.highest.stopped)}.`;
}

type ChangedSession = SettingsPreview['changed'][number];

/** "3 trips instead of 1, up to constrained instead of steering, first at 23:10 (Repeated calls)". */
export function sessionWords({ before, after, arm }: ChangedSession, now: number): string {
	const parts = [
		before.trips === after.trips
			? count(after.trips, 'trip')
			: `${count(after.trips, 'trip')} instead of ${exactNumber(before.trips)}`,
		before.highest === after.highest
			? `up to ${after.highest}`
			: `up to ${after.highest} instead of ${before.highest}`,
	];
	if (after.at !== null) parts.push(`first at ${minuteWords(after.at, now)}`);
	else if (before.at !== null) parts.push(`not at ${minuteWords(before.at, now)} any more`);
	return `${parts.join(', ')}${arm === null ? '' : ` (${armWords[arm].name})`}`;
}
