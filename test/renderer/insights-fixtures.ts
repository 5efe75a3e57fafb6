/** Figures of a period, for tests and pictures: plain builders, changed where the case needs it. */
import type { ArmRecord, Insights, Trip } from '../../src/shared/insights-view.ts';
import { NO_USAGE, type UsageAmount } from '../../src/shared/usage-view.ts';
import { aPassedCap, NOW } from './agents.ts';

export function anAmount(work: number, change: Partial<UsageAmount> = {}): UsageAmount {
	return {
		...NO_USAGE,
		input: work,
		work,
		cacheRead: work * 10,
		costUsd: work / 100_000,
		...change,
	};
}

export function anArm(arm: ArmRecord['arm'], trips: number, right = 0, falseAlarms = 0): ArmRecord {
	const judged = right + falseAlarms;
	return { arm, trips, right, falseAlarms, precision: judged === 0 ? null : right / judged };
}

export function aTrip(id: number, change: Partial<Trip> = {}): Trip {
	return {
		id,
		at: NOW - id * 60_000,
		agentId: 'shop',
		agentName: 'shop',
		client: 'claude-code',
		directory: '/home/ada/code/shop',
		arm: 'repeated-tool',
		from: 'healthy',
		to: 'steering',
		reason: 'the same call of Bash was made 13 times',
		evidence: {
			...aPassedCap(),
			arm: 'repeated-tool',
			counted: 'identical calls',
			count: 13,
			limit: 8,
			unit: 'calls',
		},
		verdict: null,
		...change,
	};
}

/** Seven days of which `days` names the newest ones' amounts, oldest first; those before were idle. */
export function someInsights(change: Partial<Insights> = {}, amounts: readonly UsageAmount[] = []): Insights {
	const names = ['24', '25', '26', '27', '28', '29', '30'].map((date) => `2026-11-${date}`);
	const idle = names.length - amounts.length;
	return {
		from: NOW - 6 * 86_400_000,
		to: NOW,
		usage: {
			days: names.map((day, at) => ({ day, amount: amounts[at - idle] ?? NO_USAGE })),
			agents: [],
			repositories: [],
			models: [],
			notes: [],
		},
		trips: {
			days: names.map((day) => ({ day, counts: {} })),
			arms: [],
			total: anArm(null, 0),
			list: [],
			more: 0,
		},
		reliability: {
			days: names.map((day) => ({
				day,
				turns: 0,
				fallbackTurns: 0,
				refusedTurns: 0,
				queuedTurns: 0,
				degradedMs: 0,
				queueDepthMax: 0,
			})),
			fallbackRate: null,
		},
		...change,
	};
}
