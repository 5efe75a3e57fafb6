/** What was spent, what tripped and how well it held, in words with their units. Pure. */
import { exactNumber } from '../../shared/format.ts';
import type { ArmRecord } from '../../shared/insights-view.ts';
import { NO_USAGE, type UsageAmount } from '../../shared/usage-view.ts';
import type { TripArm } from '../../shared/words.ts';
import { armWords } from './arm-words.ts';
import { shareWords } from './failover-words.ts';

/** Days that can be looked at; 1 is today. */
export const periods = [
	{ value: '1', days: 1, words: 'Today', inWords: 'today' },
	{ value: '7', days: 7, words: '7 days', inWords: 'in these 7 days' },
	{ value: '30', days: 30, words: '30 days', inWords: 'in these 30 days' },
] as const;
export type Period = (typeof periods)[number];

/** Stretches of work that have nothing in common, added up. A cost of which no part is known stays unknown. */
export function totalOf(amounts: readonly UsageAmount[]): UsageAmount {
	return amounts.reduce(
		(sum, more) => ({
			input: sum.input + more.input,
			output: sum.output + more.output,
			cacheRead: sum.cacheRead + more.cacheRead,
			cacheCreation: sum.cacheCreation + more.cacheCreation,
			work: sum.work + more.work,
			localWork: sum.localWork + more.localWork,
			costUsd: sum.costUsd === null ? more.costUsd : sum.costUsd + (more.costUsd ?? 0),
			unpricedModels: [...new Set([...sum.unpricedModels, ...more.unpricedModels])].sort(),
		}),
		NO_USAGE,
	);
}

/** Nothing was worked in it, not even from the cache. */
export function isIdle({ work, cacheRead }: Pick<UsageAmount, 'work' | 'cacheRead'>): boolean {
	return work === 0 && cacheRead === 0;
}

/** As its limit is called in the settings. */
export function armName(arm: TripArm | null): string {
	return arm === null ? 'Not recorded' : armWords[arm].name;
}

/** "8 of 10 judged right, 80 %; 5 not judged". */
export function precisionWords({ trips, right, falseAlarms }: ArmRecord): string {
	if (trips === 0) return 'no trips';
	const judged = right + falseAlarms;
	const open = Math.max(0, trips - judged);
	if (judged === 0) return `none of ${exactNumber(trips)} judged`;
	const told = `${exactNumber(right)} of ${exactNumber(judged)} judged right, ${shareWords(right, judged)}`;
	return open === 0 ? told : `${told}; ${exactNumber(open)} not judged`;
}

/** Below this share of right trips an arm is worth another limit. */
const WEAK_PRECISION = 0.7;
/** Fewer verdicts say nothing. */
const ENOUGH_VERDICTS = 5;

/** Arms that were wrong so often that their limit should be looked at. */
export function weakArms(arms: readonly ArmRecord[]): (ArmRecord & { readonly arm: TripArm })[] {
	return arms.flatMap((record) => {
		const { arm, right, falseAlarms } = record;
		const judged = right + falseAlarms;
		if (arm === null || judged < ENOUGH_VERDICTS || right / judged >= WEAK_PRECISION) return [];
		return [{ ...record, arm }];
	});
}

interface DayFormats {
	readonly short: Intl.DateTimeFormat;
	readonly long: Intl.DateTimeFormat;
}
const dayFormats: DayFormats = {
	short: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }),
	long: new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' }),
};

/** A `YYYY-MM-DD` as "24 Nov", or with its weekday as "Tue 24 Nov"; what is no date stays as it is. */
export function dayWords(day: string, length: 'short' | 'long' = 'short'): string {
	const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number);
	// Noon: that day in every zone's own calendar.
	const at = new Date(year, month - 1, date, 12).getTime();
	return Number.isNaN(at) ? day : dayFormats[length].format(at).replace(',', '');
}
