/** The seed's state file, field by field (seed 000, "State File"). Dates are text there. */
import type { CircuitState } from '../../shared/models-view.ts';

export interface StateRecord {
	readonly state: CircuitState;
	readonly preferredModel: string;
	readonly fallbackChain: readonly string[];
	readonly currentFallbackIndex: number;
	readonly cooldownMinutes: number;
	/** ms since the epoch; `null` where the file says null or what cannot be read. */
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
	 * Ours, in addition: when the preferred model may be tried again, where the provider wished for a longer pause than
	 * the cooldown. Scripts that do not know the field keep or lose it; neither does harm.
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
