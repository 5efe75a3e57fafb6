/**
 * The seed's PowerShell functions, line by line, on the object that its state file holds (seed 000, "PowerShell
 * Functions"). The file itself is left out; `Save-CircuitBreakerState` is kept as the moment at which changes stay: what a
 * function changes without saving is lost with its copy, as in the original.
 */

export interface SeedRecord {
	state: string;
	preferredModel: string;
	fallbackChain: string[];
	currentFallbackIndex: number;
	cooldownMinutes: number;
	openedAt: string | null;
	halfOpenSuccesses: number;
	consecutiveFailures: number;
	metrics: {
		totalFallbacks: number;
		totalRecoveries: number;
		lastFallbackAt: string | null;
		lastRecoveryAt: string | null;
	};
}

export class SeedBreaker {
	/** The file. */
	file: SeedRecord = {
		state: 'closed',
		preferredModel: 'claude-sonnet-5',
		fallbackChain: ['gpt-5.4-mini', 'gpt-5-mini'],
		currentFallbackIndex: 0,
		cooldownMinutes: 10,
		openedAt: null,
		halfOpenSuccesses: 0,
		consecutiveFailures: 0,
		metrics: { totalFallbacks: 0, totalRecoveries: 0, lastFallbackAt: null, lastRecoveryAt: null },
	};
	/** Get-Date, ms since the epoch. */
	now = 0;

	getDate(): string {
		return new Date(this.now).toISOString();
	}

	getCircuitBreakerState(): SeedRecord {
		return structuredClone(this.file);
	}

	saveCircuitBreakerState(state: SeedRecord): void {
		this.file = structuredClone(state);
	}

	getCurrentModel(): string | undefined {
		const cb = this.getCircuitBreakerState();
		switch (cb.state) {
			case 'closed':
				return cb.preferredModel;
			case 'open': {
				if (cb.openedAt) {
					const opened = Date.parse(cb.openedAt);
					const elapsedMinutes = (this.now - opened) / 60_000;
					if (elapsedMinutes >= cb.cooldownMinutes) {
						cb.state = 'half-open';
						cb.halfOpenSuccesses = 0;
						this.saveCircuitBreakerState(cb);
						return cb.preferredModel;
					}
				}
				const idx = Math.min(cb.currentFallbackIndex, cb.fallbackChain.length - 1);
				return cb.fallbackChain[idx];
			}
			case 'half-open':
				return cb.preferredModel;
			default:
				return cb.preferredModel;
		}
	}

	updateCircuitBreakerOnSuccess(): void {
		const cb = this.getCircuitBreakerState();
		cb.consecutiveFailures = 0;
		if (cb.state === 'half-open') {
			cb.halfOpenSuccesses++;
			if (cb.halfOpenSuccesses >= 2) {
				cb.state = 'closed';
				cb.openedAt = null;
				cb.halfOpenSuccesses = 0;
				cb.currentFallbackIndex = 0;
				cb.metrics.totalRecoveries++;
				cb.metrics.lastRecoveryAt = this.getDate();
				this.saveCircuitBreakerState(cb);
				return;
			}
			this.saveCircuitBreakerState(cb);
			return;
		}
		// closed state — nothing to do
	}

	updateCircuitBreakerOnRateLimit(): void {
		const cb = this.getCircuitBreakerState();
		cb.consecutiveFailures++;
		if (cb.state === 'closed' || cb.state === 'half-open') {
			cb.state = 'open';
			cb.openedAt = this.getDate();
			cb.halfOpenSuccesses = 0;
			cb.currentFallbackIndex = 0;
			cb.metrics.totalFallbacks++;
			cb.metrics.lastFallbackAt = this.getDate();
			this.saveCircuitBreakerState(cb);
			return;
		}
		if (cb.state === 'open') {
			if (cb.currentFallbackIndex < cb.fallbackChain.length - 1) {
				cb.currentFallbackIndex++;
			}
			cb.openedAt = this.getDate();
			this.saveCircuitBreakerState(cb);
		}
	}
}
