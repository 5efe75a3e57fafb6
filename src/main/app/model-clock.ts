/** The breakers' clock does not jump; what people see is told by the clock on their wall. */
import type { ModelChainView, ModelsView } from '../../shared/models-view.ts';
import type { Clock } from '../failover/call.ts';

/** Below this the two clocks agree, ms. */
const TOLERANCE_MS = 1_000;

export interface ModelClock {
	/** The wall clock at the start, and from then on the steady one: a wall clock that is set is no time that passed. */
	readonly now: () => number;
	/** What is to be added to its times for people, whole seconds in ms; 0 as long as nobody set the wall clock. */
	readonly offset: () => number;
}

export function createModelClock({ wall, steady }: Clock): ModelClock {
	const anchor = wall() - steady();
	const now = (): number => anchor + steady();
	const offset = (): number => {
		const by = Math.round((wall() - now()) / 1000) * 1000;
		return Math.abs(by) <= TOLERANCE_MS ? 0 : by;
	};
	return { now, offset };
}

/** A time as people see it; `null` stays. */
export function shown<T extends number | null>(time: T, offset: number): T {
	return (time === null ? null : time + offset) as T;
}

export function shownView({ chains, problems }: ModelsView, offset: number): ModelsView {
	if (offset === 0) return { chains, problems };
	return {
		chains: chains.map((chain) => shownChain(chain, offset)),
		problems: problems.map((problem) => ({ ...problem, at: problem.at + offset })),
	};
}

function shownChain(chain: ModelChainView, offset: number): ModelChainView {
	const { metrics, probe, spendLimit } = chain;
	return {
		...chain,
		openedAt: shown(chain.openedAt, offset),
		resumeAt: shown(chain.resumeAt, offset),
		waitUntil: shown(chain.waitUntil, offset),
		metrics: {
			...metrics,
			lastFallbackAt: shown(metrics.lastFallbackAt, offset),
			lastRecoveryAt: shown(metrics.lastRecoveryAt, offset),
		},
		probe: probe && { ...probe, since: probe.since + offset, until: probe.until + offset },
		spendLimit: spendLimit && { ...spendLimit, at: spendLimit.at + offset },
		models: chain.models.map((model) => ({ ...model, until: shown(model.until, offset) })),
	};
}
