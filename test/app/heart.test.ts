import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heart } from '../../src/main/app/heart.ts';

const SECOND = 1_000;
const START = 1_796_000_000_000;

describe('the heart', () => {
	let interval = 30;
	let beats: { readonly at: number; readonly lateMs: number }[] = [];
	let observing: Promise<void> = Promise.resolve();
	let heart: Heart;
	const newHeart = (): Heart =>
		new Heart({
			intervalSeconds: () => interval,
			now: Date.now,
			observe: () => observing,
			beat: (at, lateMs) => beats.push({ at, lateMs }),
			sleptMs: () => 0,
			onSleep: () => {},
			onError: (error) => {
				throw error;
			},
		});

	const secondsOfBeats = (): number[] => beats.map(({ at }) => (at - START) / SECOND);
	const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND);

	beforeEach(() => {
		vi.useFakeTimers({ now: START });
		interval = 30;
		beats = [];
		observing = Promise.resolve();
		heart = newHeart();
		heart.start();
	});

	afterEach(() => {
		heart.dispose();
		vi.useRealTimers();
	});

	it('beats at its interval', async () => {
		await pass(95);
		expect(secondsOfBeats()).toEqual([30, 60, 90]);
		expect(heart.nextBeatAt).toBe(START + 120 * SECOND);
	});

	it.each([
		['a change that leaves the interval as it is', 30, [30, 60, 90]],
		['a longer interval, from the last beat', 45, [30, 75, 120]],
		['a shorter interval, from the last beat', 20, [30, 50, 70]],
		['an interval that is over already: at once, then from there', 5, [30, 40, 45]],
	])('%s', async (_name, changed, expected) => {
		await pass(40);
		interval = changed;
		heart.rearm();
		expect(heart.nextBeatAt).toBe(START + (expected[1] ?? 0) * SECOND);
		await pass(85);
		expect(secondsOfBeats().slice(0, 3)).toEqual(expected);
		expect(beats.every(({ lateMs }) => lateMs === 0)).toBe(true);
	});

	it('is not put off by changes that come one after another', async () => {
		for (let second = 0; second < 95; second += 1) {
			await pass(1);
			heart.rearm();
		}
		expect(secondsOfBeats()).toEqual([30, 60, 90]);
	});

	it('takes a change before its first beat', async () => {
		await pass(10);
		interval = 12;
		heart.rearm();
		await pass(15);
		expect(secondsOfBeats()).toEqual([12, 24]);
	});

	it('does not beat before it is started, whatever changes', async () => {
		heart.dispose();
		heart = newHeart();
		heart.rearm();
		await pass(40);
		expect(beats).toEqual([]);
	});

	it('takes a change during a beat when that is over', async () => {
		let done = (): void => {};
		observing = new Promise((resolve) => {
			done = resolve;
		});
		await pass(31);
		interval = 10;
		heart.rearm();
		observing = Promise.resolve();
		done();
		await pass(15);
		expect(secondsOfBeats()).toEqual([31, 40]);
		expect(beats[0]?.lateMs).toBe(SECOND);
	});

	it('makes up for no beat that was missed', async () => {
		let done = (): void => {};
		observing = new Promise((resolve) => {
			done = resolve;
		});
		await pass(100);
		observing = Promise.resolve();
		done();
		await pass(61);
		expect(secondsOfBeats()).toEqual([100, 130, 160]);
	});

	it.each([
		['back', -3_600],
		['on', 3_600],
	])('a clock that is put %s by an hour puts off no beat', async (_name, seconds) => {
		await pass(40);
		vi.setSystemTime(Date.now() + seconds * SECOND);
		const changedAt = Date.now();
		heart.rearm();
		await pass(60);
		const after = beats.filter(({ at }) => at >= changedAt);
		expect(after.length).toBeGreaterThanOrEqual(2);
		expect(after.length).toBeLessThanOrEqual(3);
	});
});
