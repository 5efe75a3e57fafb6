import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/main/store/database.ts';
import { FloorStore } from '../../src/main/store/floor-store.ts';
import { agentRow, evidence, sessionRow, transitionRow } from './rows.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const DAY = 24 * 3_600_000;

function open(directory = temporaryDirectory()) {
	const { database } = openDatabase(directory);
	const store = new FloorStore(database, () => {});
	onTestFinished(() => store.dispose());
	return { store, database, directory };
}

describe('trips', () => {
	it('are the steps upwards, newest first, with the arm that took them', () => {
		const { store } = open();
		store.saveAgent(agentRow());
		store.recordTransition(transitionRow({ at: 1 }));
		store.recordTransition(
			transitionRow({ at: 2, from: 'steering', to: 'constrained', action: 'constrain', evidence: null }),
		);
		store.recordTransition(transitionRow({ at: 3, from: 'constrained', to: 'steering', action: 'none' }));
		store.recordTransition(transitionRow({ at: 3, from: 'steering', to: 'stopped', action: 'stop' }));
		expect(store.trips.newest(0, 10)).toMatchObject([
			{
				at: 3,
				from: 'steering',
				to: 'stopped',
				arm: evidence.arm,
				evidence,
				agentName: 'app',
				directory: '/home/dev/app',
			},
			{ at: 2, to: 'constrained', arm: null, evidence: null, verdict: null },
			{ at: 1, to: 'steering' },
		]);
		expect(store.trips.newest(2, 1)).toHaveLength(1);
	});

	it('are counted by the quarter of an hour, by arm and verdict, the steps down left out', () => {
		const { store } = open();
		const quarter = 900_000;
		for (const at of [quarter, 2 * quarter - 1, 2 * quarter]) store.recordTransition(transitionRow({ at }));
		store.recordTransition(transitionRow({ at: quarter, evidence: null }));
		store.recordTransition(transitionRow({ at: quarter, action: 'none' }));
		const [newest] = store.trips.newest(0, 1);
		store.trips.judge(newest?.id ?? Number.NaN, 'right', 1);
		expect(store.trips.counts(quarter)).toEqual([
			{ at: quarter, arm: null, verdict: null, trips: 1 },
			{ at: quarter, arm: evidence.arm, verdict: null, trips: 2 },
			{ at: 2 * quarter, arm: evidence.arm, verdict: 'right', trips: 1 },
		]);
		expect(store.trips.counts(2 * quarter)).toHaveLength(1);
	});

	it('of an arm that this floor does not know are listed all the same', () => {
		const { store, database } = open();
		store.recordTransition(transitionRow());
		database.prepare(`UPDATE transitions SET evidence = '{"arm":"of-tomorrow"}'`).run();
		expect(store.trips.newest(0, 10)).toMatchObject([{ arm: null, evidence: null, agentName: null }]);
		expect(store.trips.counts(0)).toMatchObject([{ arm: null }]);
	});

	it('keep their verdict over a restart, and lose it with it taken back', () => {
		const first = open();
		first.store.recordTransition(transitionRow());
		const [trip] = first.store.trips.newest(0, 1);
		const id = trip?.id ?? Number.NaN;
		first.store.trips.judge(id, 'right', 5);
		first.store.trips.judge(id, 'false-alarm', 6);
		first.store.dispose();
		const { store } = open(first.directory);
		expect(store.trips.trip(id)).toMatchObject({ verdict: 'false-alarm' });
		store.trips.judge(id, null, 7);
		expect(store.trips.trip(id)).toMatchObject({ verdict: null });
		expect(store.trips.trip(id + 1)).toBeNull();
	});

	it('are forgotten after a year with their verdicts and with the names of who is gone, and not before', async () => {
		const { store, database } = open();
		const now = 1000 * DAY;
		for (const [id, at] of [
			['old', now - 367 * DAY],
			['young', now - 364 * DAY],
		] as const) {
			store.saveAgent(agentRow({ id, sessionId: id, name: id, lastEventAt: at, levelSince: at }));
			store.saveSession(sessionRow({ sessionId: id, agentId: id }));
			store.recordTransition(transitionRow({ agentId: id, at }));
		}
		for (const { id } of store.trips.newest(0, 10)) store.trips.judge(id, 'right', now);
		store.removeAgents(['old', 'young']);
		await store.prune({ now, eventDays: 1, eventMegabytes: 1000 });
		expect(store.trips.newest(0, 10)).toMatchObject([
			{ agentId: 'young', agentName: 'young', verdict: 'right' },
		]);
		expect(store.departed.since(0)).toMatchObject([{ sessionId: 'young', agentName: 'young' }]);
		const left = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
		expect(['trip_verdicts', 'departed_agents', 'departed_sessions'].map(left)).toEqual([1, 1, 1]);
	});
});

describe('who has left the floor', () => {
	it('is known by every session, under the last name; who came back goes by the present one', () => {
		const { store } = open();
		store.recordTransition(transitionRow());
		for (const [name, sessionId] of [
			['app', 's-1'],
			['shop', 's-2'],
		] as const) {
			store.saveAgent(agentRow({ name, sessionId }));
			store.saveSession(sessionRow({ sessionId }));
			store.removeAgents(['agent-1']);
		}
		expect(store.departed.since(2000).map(({ sessionId, agentName }) => [sessionId, agentName])).toEqual([
			['s-1', 'shop'],
			['s-2', 'shop'],
		]);
		expect(store.departed.since(2001)).toEqual([]);
		const { client } = agentRow();
		expect([store.departed.lastSeenOf(client), store.departed.lastSeenOf('no such')]).toEqual([2000, null]);
		store.saveAgent(agentRow({ name: 'back' }));
		expect(store.trips.newest(0, 1)).toMatchObject([{ agentName: 'back' }]);
	});

	it('is nobody who was a demonstration', () => {
		const { store } = open();
		store.saveAgent(agentRow({ demo: true }));
		store.saveSession(sessionRow());
		store.removeAgents(['agent-1', 'never-there']);
		expect(store.departed.since(0)).toEqual([]);
	});
});
