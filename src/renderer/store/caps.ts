/** Caps that tripped: what raises them and what resets the count. Pure. */
import type { AgentView } from '../../shared/agent-view.ts';
import type { ArmGauge } from '../../shared/breaker-state.ts';
import { exactNumber, usd } from '../../shared/format.ts';
import type { Settings, SettingsPatch } from '../../shared/settings.ts';
import type { TripArm } from '../../shared/words.ts';
import { armStanding } from './arm-words.ts';

/** The arms that are caps. */
export type CapArm = Extract<TripArm, 'agent-token-cap' | 'cost-cap' | 'token-cap'>;

const capArms: ReadonlySet<TripArm> = new Set<CapArm>(['agent-token-cap', 'cost-cap', 'token-cap']);

export function isCapArm(arm: TripArm): arm is CapArm {
	return capArms.has(arm);
}

/** A cap that was passed. Work tokens, or US dollars for `cost-cap`. */
export interface PassedCap {
	readonly arm: CapArm;
	readonly spent: number;
	readonly cap: number;
}

/** The cap that gives the reason of the agent's level; `null`: none does. */
export function trippedCap({ evidence }: Pick<AgentView, 'evidence'>): PassedCap | null {
	if (evidence === null || !isCapArm(evidence.arm)) return null;
	return { arm: evidence.arm, spent: evidence.count, cap: evidence.limit };
}

/** The cap that an arm shows as passed without being the reason; `null`: it is no cap, or not passed. */
export function passedCap(gauge: ArmGauge, reason: TripArm | null): PassedCap | null {
	const { arm, count, limit } = gauge;
	if (!isCapArm(arm) || count === null || limit === null) return null;
	const standing = armStanding(gauge, reason);
	return standing === 'over' || standing === 'spared' ? { arm, spent: count, cap: limit } : null;
}

/** Every cap that the agent is seen to have passed, also while it spends nothing and none gives a reason. */
export function passedCaps(agent: Pick<AgentView, 'evidence' | 'arms'>): PassedCap[] {
	const tripped = trippedCap(agent);
	const others = agent.arms.flatMap((gauge) => passedCap(gauge, tripped?.arm ?? null) ?? []);
	return tripped === null ? others : [tripped, ...others];
}

/** The agent's own cap, passed while it spends nothing: it acts no more, and would again with the next call. */
export function restingCap(agent: Pick<AgentView, 'evidence' | 'arms'>): PassedCap | null {
	if (trippedCap(agent)?.arm === 'agent-token-cap') return null;
	return passedCaps(agent).find(({ arm }) => arm === 'agent-token-cap') ?? null;
}

/** A raised cap is at least this many times the old one. */
const RAISE = 1.5;
/** And this many times what is spent: one that trips again at once helps nobody. */
const ROOM = 1.1;
/** First digits that are easily read, in tenths. */
const READABLE = [10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 100] as const;

/** The next readable number at or above both: 1.5 times the cap, and a tenth more than what is spent. */
export function raisedCap({ arm, spent, cap }: PassedCap): number {
	const least = Math.max(cap * RAISE, spent * ROOM);
	// No part of a cent, no part of a token.
	if (arm === 'cost-cap' && least < 0.1) return Math.ceil(least * 100) / 100;
	if (arm !== 'cost-cap' && least < 10) return Math.ceil(least);
	const exponent = Math.floor(Math.log10(least)) - 1;
	const readable = READABLE.map((digits) => Number(`${digits}e${exponent}`));
	return readable.find((candidate) => candidate >= least) ?? least;
}

/** "750 000 work tokens", "$25.00". */
export function capWords(arm: CapArm, amount: number): string {
	return arm === 'cost-cap' ? usd(amount) : `${exactNumber(amount)} work tokens`;
}

/** "Raise cap to 750 000 work tokens": of a floor cap it says whose. */
export function raiseWords(passed: PassedCap): string {
	const whose = passed.arm === 'agent-token-cap' ? '' : 'the floor’s ';
	return `Raise ${whose}cap to ${capWords(passed.arm, raisedCap(passed))}`;
}

/** What is kept, what is forgotten and what stays as it is. */
export function capMeaning({ arm, spent }: PassedCap, { level }: Pick<AgentView, 'level'>): string {
	const spending = arm === 'agent-token-cap' ? capWords(arm, spent) : 'its part of what the floor spent';
	const stopped = level === 'stopped' ? ' It stays stopped until you resume it.' : '';
	return `A raised cap can be put back. Resetting forgets all that was counted of this agent (${spending}), for good.${stopped}`;
}

/** What the settings are asked for; `null` takes an agent's own cap away. */
export function capPatch(arm: CapArm, agentId: string, cap: number | null): SettingsPatch {
	if (arm === 'agent-token-cap') return { breaker: { agentTokenCaps: { [agentId]: cap } } };
	return { breaker: { [arm === 'cost-cap' ? 'costCapUsd' : 'costCapTokens']: cap } };
}

/** The cap as it is set; `null`: none, or for an agent none by its id. */
export function capIn({ breaker }: Pick<Settings, 'breaker'>, arm: CapArm, agentId: string): number | null {
	if (arm === 'cost-cap') return breaker.costCapUsd;
	if (arm === 'token-cap') return breaker.costCapTokens;
	const caps = breaker.agentTokenCaps;
	return Object.hasOwn(caps, agentId) ? (caps[agentId] ?? null) : null;
}

/** A cap that this window raised: enough to tell of it and to put it back. */
export interface RaisedCap {
	readonly arm: CapArm;
	/** In force before, whoever had set it. */
	readonly was: number;
	readonly to: number;
	/** What stood in the settings at this very place. */
	readonly before: number | null;
}
