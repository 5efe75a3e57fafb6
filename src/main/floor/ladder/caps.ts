/** The three caps: one agent's tokens, the floor's dollars, the floor's tokens. */
import type { TripArm } from '../../../shared/words.ts';
import type { Limits } from './configuration.ts';
import type { FloorSpend } from './floor-spend.ts';
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

/** Trips while the agent itself has spent more than `cap` and still spends. */
export function agentCapTrip(usage: UsageTrack, cap: number | null, now: number): Trip | null {
	if (cap === null || usage.work <= cap || usage.grown.work <= 0) return null;
	const reason = `Spent ${TOKENS.says(usage.work)} and goes on spending (its cap is ${grouped(cap)})`;
	return capTrip('agent-token-cap', TOKENS, usage, now, {
		reason,
		counted: `${WORK_TOKENS} of this agent`,
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
	const unpriced =
		floor.unpriced > 0 ? `; the cost of ${agents(floor.unpriced)} is not known and not counted` : '';
	return capTrip('cost-cap', COST, usage, now, {
		reason: `The floor spent ${atLeast}${dollars(floor.usd.total)} (cap ${dollars(cap)}); ${dollars(usage.usd)} of it is this agent's, the most among those still spending`,
		counted: `cost of the whole floor (${agents(floor.agents)})${unpriced}`,
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
		counted: `${WORK_TOKENS} of the whole floor (${agents(floor.agents)})`,
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
