/** Real timers and clocks for the parts that take them as arguments. */
import type { Clock, Schedule } from '../failover/call.ts';
import { clocksOfThisMachine } from '../machine/suspend.ts';

/** Longer waits would overflow Node's timers and fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Timers keep no process alive: the listener does that. */
export const scheduleTimer: Schedule = (ms, work) => {
	const timer = setTimeout(work, Math.min(Math.max(0, ms), LONGEST_MS));
	timer.unref();
	return () => clearTimeout(timer);
};

/** `steady` counts sleep where the system tells it and never jumps with the wall clock. */
export function clockOfThisMachine(): Clock {
	const { always } = clocksOfThisMachine();
	return { wall: Date.now, steady: always };
}
