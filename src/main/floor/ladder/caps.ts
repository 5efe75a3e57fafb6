/** The three caps: one agent's tokens, the floor's dollars, the floor's tokens. */
import type { ArmGauge } from '../../../shared/breaker-state.ts';
import type { TripArm } from '../../../shared/words.ts';
import type { Limits } from './configuration.ts';
import type { FloorSpend } from './floor-spend.ts';
import type { GaugeSheet } from './gauge-sheet.ts';
import type { Trip } from './trip.ts';
import type { Spending, UsageTrack } from './usage-track.ts';
import { dollars, grouped } from './wording.ts';

/** Share of a cap from which on the card warns. */
export const WARN_SHARE = 0.8;

interface Metric {
	readonly unit: 'tokens' | 'USD';
	readonly says: (amount: number) => string;
	readonly of: (spending: Spending) => number;
}

const TOKENS: Metric = {
	unit: 'tokens',
	says: (amount) => `${grouped(amount)} work tokens`,
	of: (spending) => spending.work,
};
const COST: Metric = { unit: 'USD', says: dollars, of: (spending) => spending.usd };

const WORK_TOKENS = 'work tokens (input + output + cache creation, without cache reads)';

const OWN_TOKENS = `${WORK_TOKENS} of this agent`;

const COST_OF_FLOOR = 'cost of the whole floor';
const KNOWN_COST = `${COST_OF_FLOOR}, as far as it is known`;
const TOKENS_OF_FLOOR = `${WORK_TOKENS} of the whole floor`;
const NO_CAP = 'No cap is set.';
const NO_USAGE_YET = 'No usage of it has been read yet.';
const SPENDS_NOTHING = 'It spends nothing now.';
const ANOTHER_FIRST =
	'The agent that spent the most of those still spending is asked first; that is not this one.';

/** The gauges of the two caps of the floor, one of each for all agents but the top spender. */
export class FloorCapGauges {
	readonly #caps: readonly {
		readonly top: string | null;
		readonly ofTop: ArmGauge;
		readonly ofOthers: ArmGauge;
	}[];

	/** For one beat. */
	constructor(floor: FloorSpend, limits: Limits) {
		const gauge = (
			arm: 'cost-cap' | 'token-cap',
			{ counted, unit }: { counted: string; unit: string },
			{ total, topSpender }: FloorSpend['usd'],
			limit: number | null,
		) => {
			if (limit === null) {
				const off = { arm, counted, count: null, limit, unit, note: NO_CAP };
				return { top: null, ofTop: off, ofOthers: off };
			}
			const isPassed = total > limit;
			const shared = { arm, counted, count: total, limit, unit };
			const ofTop = { ...shared, note: '' };
			return { top: topSpender, ofTop, ofOthers: isPassed ? { ...shared, note: ANOTHER_FIRST } : ofTop };
		};
		this.#caps = [
			gauge(
				'cost-cap',
				{ counted: floor.unpriced > 0 ? KNOWN_COST : COST_OF_FLOOR, unit: COST.unit },
				floor.usd,
				limits.costCapUsd,
			),
			gauge('token-cap', { counted: TOKENS_OF_FLOOR, unit: TOKENS.unit }, floor.work, limits.costCapTokens),
		];
	}

	read(agentId: string, sheet: GaugeSheet): void {
		for (const { top, ofTop, ofOthers } of this.#caps) sheet.share(top === agentId ? ofTop : ofOthers);
	}
}

function costOf({ agents: count, unpriced }: FloorSpend): string {
	const unknown = unpriced > 0 ? `; the cost of ${agents(unpriced)} is not known and not counted` : '';
	return `${COST_OF_FLOOR} (${agents(count)})${unknown}`;
}

function tokensOf({ agents: count }: FloorSpend): string {
	return `${TOKENS_OF_FLOOR} (${agents(count)})`;
}

/** Trips while the agent itself has spent more than `cap` and still spends. */
export function agentCapTrip(
	usage: UsageTrack,
	cap: number | null,
	sheet: GaugeSheet,
	now: number,
): Trip | null {
	const isRead = usage.since !== null;
	const isIdle = cap !== null && usage.work > cap && usage.grown.work <= 0;
	const note = cap === null ? NO_CAP : isRead ? (isIdle ? SPENDS_NOTHING : '') : NO_USAGE_YET;
	const trips = sheet.put('agent-token-cap', OWN_TOKENS, isRead ? usage.work : null, cap, 'tokens', note);
	if (!trips || cap === null) return null;
	const reason = `Spent ${TOKENS.says(usage.work)} and goes on spending (its cap is ${grouped(cap)})`;
	return capTrip('agent-token-cap', TOKENS, usage, now, {
		reason,
		counted: OWN_TOKENS,
		count: usage.work,
		limit: cap,
		clears: 'It spends nothing for a beat; for good: its cap is raised or its evidence is reset.',
	});
}

/** Trips for the top spender of those that still spend, while the floor has spent more dollars than its cap. */
export function costCapTrip(
	agentId: string,
	usage: UsageTrack,
	floor: FloorSpend,
	limits: Limits,
	now: number,
): Trip | null {
	const cap = limits.costCapUsd;
	if (cap === null || floor.usd.total <= cap || floor.usd.topSpender !== agentId) return null;
	const atLeast = floor.unpriced > 0 ? 'at least ' : '';
	return capTrip('cost-cap', COST, usage, now, {
		reason: `The floor spent ${atLeast}${dollars(floor.usd.total)} (cap ${dollars(cap)}); ${dollars(usage.usd)} of it is this agent's, the most among those still spending`,
		counted: costOf(floor),
		count: floor.usd.total,
		limit: cap,
		clears: FLOOR_CAP_CLEARS,
	});
}

/** Trips for the top spender of those that still spend, while the floor has spent more work tokens than its cap. */
export function tokenCapTrip(
	agentId: string,
	usage: UsageTrack,
	floor: FloorSpend,
	limits: Limits,
	now: number,
): Trip | null {
	const cap = limits.costCapTokens;
	if (cap === null || floor.work.total <= cap || floor.work.topSpender !== agentId) return null;
	return capTrip('token-cap', TOKENS, usage, now, {
		reason: `The floor spent ${TOKENS.says(floor.work.total)} (cap ${grouped(cap)}); ${grouped(usage.work)} of them are this agent's, the most among those still spending`,
		counted: tokensOf(floor),
		count: floor.work.total,
		limit: cap,
		clears: FLOOR_CAP_CLEARS,
	});
}

const FLOOR_CAP_CLEARS =
	'It spends nothing for a beat; for good: the cap is raised, or what was spent is reset.';

/** Caps coming near, a sentence each. A floor cap is shown on the agent it would meet first. */
export function capWarnings(
	agentId: string,
	usage: UsageTrack,
	cap: number | null,
	floor: FloorSpend,
	limits: Limits,
): string[] {
	const warnings: string[] = [];
	if (isNear(usage.work, cap)) {
		warnings.push(`${percent(usage.work, cap)} of this agent's ${grouped(cap)} work tokens`);
	}
	if (isNear(floor.usd.total, limits.costCapUsd) && floor.usd.topSpender === agentId) {
		const share = percent(floor.usd.total, limits.costCapUsd);
		const spent = `${dollars(usage.usd)} of it by this agent, the most among those still spending`;
		warnings.push(`${share} of the floor's ${dollars(limits.costCapUsd)}, ${spent}`);
	}
	if (isNear(floor.work.total, limits.costCapTokens) && floor.work.topSpender === agentId) {
		const share = percent(floor.work.total, limits.costCapTokens);
		const spent = `${grouped(usage.work)} of them by this agent, the most among those still spending`;
		warnings.push(`${share} of the floor's ${grouped(limits.costCapTokens)} work tokens, ${spent}`);
	}
	return warnings;
}

function isNear(spent: number, cap: number | null): cap is number {
	return cap !== null && spent >= cap * WARN_SHARE;
}

/** Rounded down: "100 %" is never said before it is true. */
function percent(spent: number, cap: number): string {
	return `${Math.floor((spent / cap) * 100)} %`;
}

function agents(count: number): string {
	return count === 1 ? '1 agent' : `${grouped(count)} agents`;
}

function capTrip(
	arm: TripArm,
	metric: Metric,
	usage: UsageTrack,
	now: number,
	{ reason, ...figures }: { reason: string; counted: string; count: number; limit: number; clears: string },
): Trip {
	return {
		reason,
		evidence: {
			arm,
			...figures,
			unit: metric.unit,
			since: usage.since ?? now,
			lastAt: now,
			lastOccurrences: usage.recent.map((spending) => ({
				at: spending.at,
				text: `+${metric.says(metric.of(spending))}`,
			})),
		},
	};
}
