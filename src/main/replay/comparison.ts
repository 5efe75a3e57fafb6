/** Two plays of the same events, compared. Pure. */
import type { SettingsPreview } from '../../shared/settings-preview.ts';
import { type BreakerLevel, breakerLevelSchema, type TripArm } from '../../shared/words.ts';
import type { ReplayDecision } from './replay.ts';

type Outcome = SettingsPreview['before'];
type Changed = SettingsPreview['changed'][number];

/** How one session fared. */
interface Fate {
	trips: number;
	highest: BreakerLevel;
	/** The first trip. */
	at: number | null;
	readonly arms: Map<TripArm, number>;
}

export interface Played {
	readonly outcome: Outcome;
	readonly fates: ReadonlyMap<string, Fate>;
}

/** Sessions listed of those that fare differently. */
const LISTED = 20;
const levels = breakerLevelSchema.options;

/** `sessions`: all that were played, also those of which nothing was decided. */
export function playedOf(decisions: readonly ReplayDecision[], sessions: ReadonlySet<string>): Played {
	const fates = new Map<string, Fate>();
	const arms: Partial<Record<TripArm, number>> = {};
	let trips = 0;
	for (const { sessionId, at, level, arm } of decisions) {
		// Down again: the clean beat gives no arm.
		if (arm === null) continue;
		const fate = fates.get(sessionId) ?? { trips: 0, highest: 'healthy', at: null, arms: new Map() };
		fates.set(sessionId, fate);
		fate.trips += 1;
		fate.at ??= at;
		if (levels.indexOf(level) > levels.indexOf(fate.highest)) fate.highest = level;
		fate.arms.set(arm, (fate.arms.get(arm) ?? 0) + 1);
		arms[arm] = (arms[arm] ?? 0) + 1;
		trips += 1;
	}
	const highest = { healthy: 0, steering: 0, constrained: 0, stopped: 0 };
	for (const sessionId of new Set([...sessions, ...fates.keys()])) {
		highest[fates.get(sessionId)?.highest ?? 'healthy'] += 1;
	}
	return { outcome: { trips, arms, highest }, fates };
}

/** The sessions that fare differently, the most telling first. `place`: where a session worked. */
export function comparisonOf(
	before: Played,
	after: Played,
	place: (sessionId: string) => { readonly name: string; readonly directory: string },
): Pick<SettingsPreview, 'before' | 'after' | 'changed' | 'changedSessions'> {
	const changed = [...new Set([...before.fates.keys(), ...after.fates.keys()])]
		.map((sessionId): Changed & { readonly weight: number } => {
			const [was, is] = [before.fates.get(sessionId), after.fates.get(sessionId)];
			const [one, other] = [fateOf(was), fateOf(is)];
			const climb = Math.abs(levels.indexOf(one.highest) - levels.indexOf(other.highest));
			const weight = climb * 1_000 + Math.abs(one.trips - other.trips);
			return { sessionId, ...place(sessionId), before: one, after: other, arm: tellingArm(was, is), weight };
		})
		.filter(({ weight, before: one, after: other }) => weight > 0 || one.at !== other.at)
		.sort((a, b) => b.weight - a.weight || (a.sessionId < b.sessionId ? -1 : 1));
	return {
		before: before.outcome,
		after: after.outcome,
		changed: changed.slice(0, LISTED).map(({ weight: _, ...session }) => session),
		changedSessions: changed.length,
	};
}

function fateOf(fate: Fate | undefined): Changed['before'] {
	return { trips: fate?.trips ?? 0, highest: fate?.highest ?? 'healthy', at: fate?.at ?? null };
}

/** The arm whose trips differ most. */
function tellingArm(was: Fate | undefined, is: Fate | undefined): TripArm | null {
	let telling: TripArm | null = null;
	let most = 0;
	for (const arm of new Set([...(was?.arms.keys() ?? []), ...(is?.arms.keys() ?? [])])) {
		const difference = Math.abs((was?.arms.get(arm) ?? 0) - (is?.arms.get(arm) ?? 0));
		if (difference <= most) continue;
		most = difference;
		telling = arm;
	}
	return telling;
}
