/** One timer for every age on screen. */

export interface Clock {
	/** The time of the last tick, ms: the same for everything drawn between two ticks. */
	now(): number;
	/** Calls after every tick, once a second. Returns the function that ends it. */
	subscribe(listener: () => void): () => void;
}

/** Ticks only while somebody listens. `time` gives ms since the epoch. */
export function createClock(time: () => number = Date.now, tickMs = 1000): Clock {
	const listeners = new Set<() => void>();
	let last = time();
	let timer: ReturnType<typeof setInterval> | undefined;
	const tick = () => {
		last = time();
		for (const listener of [...listeners]) listener();
	};
	return {
		now: () => last,
		subscribe: (listener) => {
			if (listeners.size === 0) {
				last = time();
				timer = setInterval(tick, tickMs);
			}
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
				if (listeners.size === 0) clearInterval(timer);
			};
		},
	};
}
