import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../src/main/store/database.ts';
import { FloorStore } from '../../src/main/store/floor-store.ts';
import { coveredMs, percentilesOf, type SloRow } from '../../src/main/store/slo-tables.ts';
import { sloDaySchema } from '../../src/shared/failover-view.ts';
import { boundsOf, dayAfter, localDay } from '../../src/shared/local-day.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const HOUR = 3_600_000;

function open(directory = temporaryDirectory()) {
	const { database } = openDatabase(directory);
	const store = new FloorStore(database, () => {});
	onTestFinished(() => store.dispose());
	const add = (...rows: SloRow[]) => {
		for (const row of rows) store.appendSlo(row);
	};
	const turn = (
		day: string,
		end: Extract<SloRow, { kind: 'turn' }>['end'] = 'answered',
		providerId = 'anthropic',
	) => add({ kind: 'turn', day, providerId, end });
	return { store, add, turn, directory };
}

/** Tests in a place where clocks are set forward and back. */
function inZone(zone: string): void {
	vi.stubEnv('TZ', zone);
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
}

const noon = (day: string) => boundsOf(day).from + 12 * HOUR;

describe('local days', () => {
	it('have as many hours as the calendar says', () => {
		inZone('Europe/Berlin');
		const hours = (day: string) => (boundsOf(day).until - boundsOf(day).from) / HOUR;
		expect(['2026-03-28', '2026-03-29', '2026-10-25', '2026-10-26'].map(hours)).toEqual([24, 23, 25, 24]);
	});

	it('follow each other without a gap and without a twin', () => {
		for (const zone of [
			'UTC',
			'Europe/Berlin',
			'America/Santiago',
			'Pacific/Apia',
			'Africa/Cairo',
			'Asia/Kathmandu',
		]) {
			inZone(zone);
			fc.assert(
				fc.property(
					fc.integer({ min: 0, max: 4_102_444_800_000 }),
					fc.integer({ min: -400, max: 400 }),
					(at, days) => {
						const day = localDay(at);
						const { from, until } = boundsOf(day);
						expect(from <= at && at < until).toBe(true);
						expect([localDay(from), localDay(until - 1)]).toEqual([day, day]);
						expect(localDay(until)).not.toBe(day);
						// Apia left a day out in 2011.
						if (zone !== 'Pacific/Apia') expect(dayAfter(dayAfter(day, days), -days)).toBe(day);
					},
				),
			);
		}
	});
});

describe('percentiles', () => {
	it('are times that were measured: the nearest rank', () => {
		expect(percentilesOf([])).toBeNull();
		expect(percentilesOf([7])).toEqual({ count: 1, p50: 7, p99: 7, max: 7 });
		expect(percentilesOf([1, 2])).toEqual({ count: 2, p50: 1, p99: 2, max: 2 });
		const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
		expect(percentilesOf(hundred)).toEqual({ count: 100, p50: 50, p99: 99, max: 100 });
		const thousand = Array.from({ length: 1_000 }, (_, index) => index + 1);
		expect(percentilesOf(thousand)).toEqual({ count: 1_000, p50: 500, p99: 990, max: 1_000 });
	});

	it('leave at least that share at or below them, and no smaller one does', () => {
		const times = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 200 });
		fc.assert(
			fc.property(times, (unsorted) => {
				const sorted = unsorted.toSorted((a, b) => a - b);
				const found = percentilesOf(sorted);
				for (const [share, value] of [[0.5, found?.p50] as const, [0.99, found?.p99] as const]) {
					const needed = share * sorted.length;
					expect(sorted.filter((time) => time <= (value ?? -1)).length).toBeGreaterThanOrEqual(needed);
					expect(sorted.filter((time) => time < (value ?? -1)).length).toBeLessThan(needed);
				}
			}),
		);
	});
});

describe('covered time', () => {
	it('is what a walk over every moment counts, however spans overlap', () => {
		const moment = fc.integer({ min: -5, max: 45 });
		const span = fc
			.tuple(moment, fc.nat(20))
			.map(([startedAt, length]) => ({ startedAt, knownUntil: startedAt + length }));
		fc.assert(
			fc.property(fc.array(span, { maxLength: 8 }), moment, fc.nat(40), (spans, from, length) => {
				const until = from + length;
				let walked = 0;
				for (let at = from; at < until; at += 1)
					if (spans.some((one) => one.startedAt <= at && at < one.knownUntil)) walked += 1;
				expect(coveredMs(spans, { from, until })).toBe(walked);
			}),
		);
	});
});

describe('days of failover', () => {
	it('tell turns, fallbacks, popups, degraded time and the queue, a provider at a time', () => {
		inZone('Europe/Berlin');
		const { store, add, turn } = open();
		const day = '2026-11-30';
		for (const end of ['answered', 'answered', 'fallback', 'refused', 'queued', 'failed'] as const)
			turn(day, end);
		turn(day, 'fallback', 'openai');
		turn('2026-11-28');
		for (const ms of [300, 100, 200]) add({ kind: 'popup', day, providerId: 'anthropic', ms });
		const startedAt = noon(day);
		add(
			{ kind: 'degraded', id: 'a', providerId: 'anthropic', startedAt, knownUntil: startedAt },
			{ kind: 'degraded', id: 'a', providerId: 'anthropic', startedAt, knownUntil: startedAt + 5 * HOUR },
			{ kind: 'degraded', id: 'a', providerId: 'anthropic', startedAt, knownUntil: startedAt + HOUR },
			{ kind: 'queue-depth', day, depth: 2 },
			{ kind: 'queue-depth', day, depth: 5 },
			{ kind: 'queue-depth', day, depth: 1 },
		);
		const rows = store.sloDays(14, noon(day));
		for (const row of rows) sloDaySchema.parse(row);
		const empty = { refusedTurns: 0, queuedTurns: 0, degradedMs: 0, popupMs: null };
		expect(rows).toEqual([
			{
				day,
				providerId: 'anthropic',
				turns: 6,
				fallbackTurns: 1,
				refusedTurns: 1,
				queuedTurns: 1,
				degradedMs: 5 * HOUR,
				popupMs: { count: 3, p50: 200, p99: 300, max: 300 },
				queueDepthMax: 5,
			},
			{ ...empty, day, providerId: 'openai', turns: 1, fallbackTurns: 1, queueDepthMax: 5 },
			{ ...empty, day: '2026-11-28', providerId: 'anthropic', turns: 1, fallbackTurns: 0, queueDepthMax: 0 },
		]);
	});

	it('are as many as were asked for, the one of now included', () => {
		const { store, turn } = open();
		for (const day of ['2026-11-30', '2026-11-29', '2026-11-28']) turn(day);
		const days = (count: number) => store.sloDays(count, noon('2026-11-30')).map(({ day }) => day);
		expect(days(1)).toEqual(['2026-11-30']);
		expect(days(2)).toEqual(['2026-11-30', '2026-11-29']);
		expect(store.sloDays(366, noon('2026-11-29')).map(({ day }) => day)).toEqual([
			'2026-11-29',
			'2026-11-28',
		]);
	});

	it('part an outage at midnight, also in the night in which the clocks change', () => {
		inZone('Europe/Berlin');
		const { store, add, turn } = open();
		for (const day of ['2026-10-24', '2026-10-25', '2026-10-26']) turn(day);
		const startedAt = boundsOf('2026-10-24').until - HOUR;
		const knownUntil = boundsOf('2026-10-25').until + 2 * HOUR;
		add({ kind: 'degraded', id: 'a', providerId: 'anthropic', startedAt, knownUntil });
		expect(store.sloDays(7, noon('2026-10-26')).map(({ degradedMs }) => degradedMs / HOUR)).toEqual([
			2, 25, 1,
		]);
	});

	it('without a turn or a popup are left out, with their outages', () => {
		const { store, add } = open();
		const startedAt = noon('2026-11-30');
		add({ kind: 'degraded', id: 'a', providerId: 'anthropic', startedAt, knownUntil: startedAt + HOUR });
		add({ kind: 'queue-depth', day: '2026-11-30', depth: 3 });
		expect(store.sloDays(14, startedAt)).toEqual([]);
		add({ kind: 'popup', day: '2026-11-30', providerId: 'anthropic', ms: 100 });
		expect(store.sloDays(14, startedAt)).toMatchObject([{ turns: 0, degradedMs: HOUR, queueDepthMax: 3 }]);
	});

	it('together count an outage of two providers once, and rank all popups as one', () => {
		const { store, add, turn } = open();
		const day = '2026-11-30';
		turn(day);
		turn(day, 'fallback', 'openai');
		const startedAt = noon(day);
		add(
			{ kind: 'degraded', id: 'a', providerId: 'anthropic', startedAt, knownUntil: startedAt + 2 * HOUR },
			{
				kind: 'degraded',
				id: 'b',
				providerId: 'openai',
				startedAt: startedAt + HOUR,
				knownUntil: startedAt + 3 * HOUR,
			},
			{ kind: 'popup', day, providerId: 'anthropic', ms: 10 },
			{ kind: 'popup', day, providerId: 'openai', ms: 30 },
			{ kind: 'queue-depth', day, depth: 4 },
		);
		expect(store.sloTotal(day)).toEqual({
			turns: 2,
			fallbackTurns: 1,
			degradedMs: 3 * HOUR,
			popupMs: { count: 2, p50: 10, p99: 30, max: 30 },
			queueDepthMax: 4,
		});
		expect(store.sloTotal('2026-11-29')).toMatchObject({ turns: 0, degradedMs: 0, popupMs: null });
	});

	it('are written behind, and are there after a restart', () => {
		const { store, turn, directory } = open();
		expect(store.firstSloDay()).toBeNull();
		turn('2026-11-30');
		turn('2026-11-29');
		store.dispose();
		const again = open(directory).store;
		expect(again.firstSloDay()).toBe('2026-11-29');
		expect(again.sloDays(14, noon('2026-11-30'))).toHaveLength(2);
	});

	it('go after a year, with the history', async () => {
		const { store, add, turn } = open();
		const today = '2026-11-30';
		for (const day of [dayAfter(today, -365), dayAfter(today, -366)]) {
			turn(day);
			add({ kind: 'popup', day, providerId: 'anthropic', ms: 1 }, { kind: 'queue-depth', day, depth: 1 });
			add({
				kind: 'degraded',
				id: day,
				providerId: 'anthropic',
				startedAt: noon(day),
				knownUntil: noon(day) + HOUR,
			});
		}
		await store.prune({ now: noon(today), eventDays: 14, eventMegabytes: 100 });
		expect(store.firstSloDay()).toBe(dayAfter(today, -365));
		expect(store.sloTotal(dayAfter(today, -365))).toMatchObject({
			turns: 1,
			degradedMs: HOUR,
			queueDepthMax: 1,
		});
		expect(store.sloTotal(dayAfter(today, -366))).toEqual({
			turns: 0,
			fallbackTurns: 0,
			degradedMs: 0,
			popupMs: null,
			queueDepthMax: 0,
		});
	});
});
