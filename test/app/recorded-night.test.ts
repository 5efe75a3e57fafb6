/** What is played of a night, from a real store. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nightOf, recordedNight } from '../../src/main/app/recorded-night.ts';
import { openDatabase } from '../../src/main/store/database.ts';
import { FloorStore } from '../../src/main/store/floor-store.ts';
import { eventRow } from '../store/rows.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

/** A store with an event at each of those times; what else happens in it is appended through it. */
function storeWith(times: readonly number[]): FloorStore {
	const { database } = openDatabase(temporaryDirectory());
	const store = new FloorStore(database, () => {});
	onTestFinished(() => store.dispose());
	store.appendEvents(times.map((at, index) => eventRow({ at, body: JSON.stringify({ index }) })));
	return store;
}

const response = (at: number) => ({
	at,
	sessionId: 's-1',
	model: 'm',
	input: 1,
	output: 1,
	cacheRead: 0,
	cacheCreation: 0,
	usd: null,
});

interface Asked {
	readonly from: number;
	readonly until: number;
	readonly most: number;
}
async function nightIn(store: FloorStore, asked: Asked, spentAt: readonly number[] = []) {
	const night = await nightOf({
		...asked,
		store,
		responsesSince: (at) => spentAt.filter((time) => time >= at).map(response),
		breathe: () => null,
	});
	const lines: { at: number; usage?: unknown }[] = [];
	for await (const line of recordedNight(night)) lines.push(JSON.parse(line));
	return {
		night,
		events: lines.flatMap(({ at, usage }) => (usage === undefined ? [at] : [])),
		spent: lines.flatMap(({ at, usage }) => (usage === undefined ? [] : [at])),
	};
}

describe('a recorded night', () => {
	it('is every event since then, or the newest of too many with those of the same moment; the rest is counted', async () => {
		const times = fc.array(fc.nat(30), { maxLength: 25 });
		const asked = fc.record({ from: fc.nat(30), most: fc.integer({ min: 1, max: 30 }) });
		await fc.assert(
			fc.asyncProperty(times, asked, async (at, { from, most }) => {
				const store = storeWith(at);
				const wanted = at.filter((time) => time >= from).toSorted((one, other) => one - other);
				const start = wanted.length > most ? (wanted.at(-most) ?? from) : from;
				const { night, events } = await nightIn(store, { from, until: 30, most });
				store.dispose();
				expect(events).toEqual(wanted.filter((time) => time >= start));
				expect(night.from).toBe(start);
				expect([night.recorded, night.leftOut]).toEqual([events.length, wanted.length - events.length]);
			}),
			{ numRuns: 25 },
		);
	});

	it('has the spending of its own time alone, when it begins later than asked', async () => {
		const store = storeWith([10, 20, 30, 40]);
		const { night, events, spent } = await nightIn(store, { from: 0, until: 50, most: 2 }, [15, 35, 45, 60]);
		expect([events, spent]).toEqual([
			[30, 40],
			[35, 45],
		]);
		expect(night).toMatchObject({ from: 30, recorded: 2, leftOut: 2 });
	});

	it('is the same a second time, whatever is recorded in between; long ones are read in pages', async () => {
		const times = Array.from({ length: 120 }, (_, index) => Math.floor(index / 3));
		const store = storeWith(times);
		const { night, events } = await nightIn(store, { from: 0, until: 100, most: 1_000 });
		expect(events).toEqual(times);
		store.appendEvents([eventRow({ at: 101 })]);
		store.flush();
		let again = 0;
		for await (const _ of recordedNight(night)) again += 1;
		expect(again).toBe(times.length);
	});
});
