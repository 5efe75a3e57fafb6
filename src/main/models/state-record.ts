/**
 * The seed's state file, field by field (seed 000, "State File"). Dates are text there.
 *
 * What we write there makes the seed's own functions do right, which know nothing of the other repositories, of a
 * provider's wish, or of a test call that somebody else makes. They try the preferred model when `state` is `half-open`,
 * or when `openedAt + cooldownMinutes` is over. So:
 *
 * - `half-open` stands only in the file of the repository that makes the test call. In the others it stays `open`.
 * - `openedAt` is the time whose cooldown ends when the preferred model may be tried. That is later than the true opening
 *   (`metrics.lastFallbackAt`) where the provider wished for a longer pause, and while somebody else makes the test call or
 *   the operator holds the chain on its fallback; it may then lie in the future. It is earlier when the test call is due
 *   before the cooldown is over.
 */
import type { CircuitState } from '../../shared/models-view.ts';

export interface StateRecord {
	readonly state: CircuitState;
	readonly preferredModel: string;
	readonly fallbackChain: readonly string[];
	readonly currentFallbackIndex: number;
	readonly cooldownMinutes: number;
	/**
	 * ms since the epoch: one cooldown before the preferred model may be tried. `null` while closed, and where the file
	 * says null or what cannot be read.
	 */
	readonly openedAt: number | null;
	readonly halfOpenSuccesses: number;
	readonly consecutiveFailures: number;
	readonly metrics: {
		readonly totalFallbacks: number;
		readonly totalRecoveries: number;
		readonly lastFallbackAt: number | null;
		readonly lastRecoveryAt: number | null;
	};
	/**
	 * Ours, in addition: when the preferred model may be tried again; `null` where nobody has to wait for it. It tells an
	 * `openedAt` in the future from a wrong clock, and another floor that shares the repository how long to wait. Scripts
	 * that do not know the field keep or lose it; neither does harm.
	 */
	readonly resumeAt: number | null;
}

/** `Get-CircuitBreakerState` without a file. */
export const defaultStateRecord: StateRecord = {
	state: 'closed',
	preferredModel: 'claude-sonnet-5',
	fallbackChain: ['gpt-5.4-mini', 'gpt-5-mini'],
	currentFallbackIndex: 0,
	cooldownMinutes: 10,
	openedAt: null,
	halfOpenSuccesses: 0,
	consecutiveFailures: 0,
	metrics: { totalFallbacks: 0, totalRecoveries: 0, lastFallbackAt: null, lastRecoveryAt: null },
	resumeAt: null,
};

/** Where a repository keeps it, from its root. */
export const STATE_FILE = '.squad/ralph-circuit-breaker.json';
