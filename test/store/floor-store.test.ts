import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/main/store/database.ts';
import type { QueueTrouble } from '../../src/main/store/event-queue.ts';
import { FloorStore } from '../../src/main/store/floor-store.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { breakerLevelSchema, orderKindSchema } from '../../src/shared/words.ts';
import { agentRow, eventRow, evidence, incident, sessionRow, transitionRow } from './rows.ts';
import { temporaryDirectory } from './temporary-directory.ts';

interface Opened {
	readonly store: FloorStore;
	readonly database: Database;
	readonly troubles: QueueTrouble[];
}

function open(directory = temporaryDirectory()): Opened {
	const { database } = openDatabase(directory);
	const troubles: QueueTrouble[] = [];
	const store = new FloorStore(database, (trouble) => troubles.push(trouble));
	onTestFinished(() => store.dispose());
	return { store, database, troubles };
}

describe('agents', () => {
	it('come back after a restart as they were', () => {
		const directory = temporaryDirectory();
		const held = agentRow({
			level: 'constrained',
			order: { kind: 'stop', words: 'not in production', at: 1500 },
			process: { pid: 4242, startTime: '77' },
			model: 'claude-opus-4-8',
			demo: true,
			state: { notes: [{ text: 'half a pair \ud83d' }], nested: { deep: [1, null, true] } },
		});
		const { store } = open(directory);
		store.saveAgents([held, agentRow({ id: 'agent-0', firstSeenAt: 500 })]);
		store.dispose();
		expect(open(directory).store.loadAgents()).toEqual([agentRow({ id: 'agent-0', firstSeenAt: 500 }), held]);
	});

	it('are updated in place; the first sight stays', () => {
		const { store } = open();
		store.saveAgent(agentRow({ order: { kind: 'hold', words: '', at: 1 } }));
		store.saveAgent(agentRow({ sessionId: 's-2', firstSeenAt: 9999, lastEventAt: 5000 }));
		expect(store.loadAgents()).toEqual([agentRow({ sessionId: 's-2', lastEventAt: 5000 })]);
	});

	it('are saved all or none', () => {
		const { store } = open();
		const invalid = agentRow({ id: 'b', levelSince: Number.NaN });
		expect(() => store.saveAgents([agentRow({ id: 'a' }), invalid])).toThrow(StoreError);
		expect(store.loadAgents()).toEqual([]);
	});

	it('of any content are read as they were written', () => {
		const { store } = open();
		const row = fc.record({
			id: fc.string({ minLength: 1 }),
			name: fc.string({ unit: 'grapheme' }),
			directory: fc.string({ unit: 'grapheme' }),
			model: fc.option(fc.string()),
			level: fc.constantFrom(...breakerLevelSchema.options),
			lastEventAt: fc.double({ noNaN: true, noDefaultInfinity: true }).map((at) => at + 0),
			order: fc.option(
				fc.record({
					kind: fc.constantFrom(...orderKindSchema.options),
					words: fc.string({ unit: 'grapheme' }),
					at: fc.integer(),
				}),
			),
			process: fc.option(fc.record({ pid: fc.nat(), startTime: fc.option(fc.string()) })),
			demo: fc.boolean(),
			state: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
		});
		fc.assert(
			fc.property(row, (values) => {
				const agent = agentRow(values);
				store.saveAgent(agent);
				const [read] = store.loadAgents();
				store.removeAgents([agent.id]);
				expect(read).toEqual({ ...agent, state: JSON.parse(JSON.stringify(agent.state)) });
			}),
		);
	});
});

describe('sessions', () => {
	it('lead to their agent, also after the session id was rotated', () => {
		const { store } = open();
		store.saveAgent(agentRow());
		store.saveSession(sessionRow({ transcriptPath: '/t/s-1.jsonl' }));
		store.saveSession(sessionRow({ lastSeenAt: 3000 }));
		store.saveSession(sessionRow({ sessionId: 's-2', firstSeenAt: 4000 }));
		store.saveSession(sessionRow({ client: 'codex', firstSeenAt: 5000 }));
		expect(store.loadSessions()).toEqual([
			sessionRow({ transcriptPath: '/t/s-1.jsonl', lastSeenAt: 3000 }),
			sessionRow({ sessionId: 's-2', firstSeenAt: 4000 }),
			sessionRow({ client: 'codex', firstSeenAt: 5000 }),
		]);
	});

	it('need an agent, and leave with it', () => {
		const { store } = open();
		expect(() => store.saveSession(sessionRow())).toThrow(StoreError);
		store.saveAgent(agentRow());
		store.saveSession(sessionRow());
		store.removeAgents(['agent-1']);
		expect(store.loadSessions()).toEqual([]);
	});
});

describe('events', () => {
	it('keep their bodies exactly as they were received', () => {
		const { store } = open();
		const bodies = [
			'{"text":"abc\\ud83d"}',
			'{ "spaces" :  1 }\r\n',
			'\uFEFF{"bom":true}',
			'{"separator":"\u2028"}',
			'not JSON \0 at all',
			'',
			`{"big":"${'é💥'.repeat(500_000)}"}`,
			readFileSync('test/recordings/claude-code.loop.jsonl', 'utf8'),
		];
		store.appendEvents(bodies.map((body, index) => eventRow({ at: index, body })));
		const stored = store.eventsOf('agent-1', 100).reverse();
		expect(stored.map((event) => event.body)).toEqual(bodies);
		expect(stored.map((event) => event.bytes)).toEqual(bodies.map((body) => Buffer.byteLength(body)));
	});

	it('delivered twice are stored once, which is no trouble', () => {
		const { store, troubles } = open();
		const call = eventRow({ dedupeKey: 'toolu_1' });
		store.appendEvents([call, call]);
		store.flush();
		store.appendEvents([call, { ...call, at: 5000 }]);
		// Another event of the same call, another agent's call, and events without a key are their own.
		store.appendEvents([eventRow({ dedupeKey: 'toolu_1', name: 'PostToolUse' })]);
		store.appendEvents([eventRow({ dedupeKey: 'toolu_1', agentId: 'agent-2' }), eventRow(), eventRow()]);
		expect(store.eventsOf('agent-1', 100)).toHaveLength(4);
		expect(store.eventsOf('agent-2', 100)).toHaveLength(1);
		expect({ dropped: store.dropped, troubles }).toEqual({ dropped: 0, troubles: [] });
	});

	it('are not written in the call that brings them, but are there after a restart', () => {
		const directory = temporaryDirectory();
		const { store, database } = open(directory);
		const before = database.prepare('SELECT count(*) FROM events').pluck();
		store.appendEvents([eventRow()]);
		expect(before.get()).toBe(0);
		store.dispose();
		expect(open(directory).store.eventsOf('agent-1', 1)).toHaveLength(1);
	});

	it('wait in memory while the disk is full, and nothing is thrown at the hooks', () => {
		const { store, database, troubles } = open();
		database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`);
		for (let count = 0; count < 50; count += 1) store.appendEvents([eventRow({ body: 'x'.repeat(10_000) })]);
		expect(store.flush()).toBe(false);
		expect(troubles.map(({ error }) => error?.code)).toEqual(['disk-full']);
		expect(() =>
			store.recordOperatorAction({
				at: 1,
				agentId: 'a',
				action: 'stop',
				words: 'x'.repeat(50_000),
				detail: null,
			}),
		).toThrow(StoreError);
		database.pragma('max_page_count = 1000000');
		expect(store.eventsOf('agent-1', 100)).toHaveLength(50);
		expect(troubles.at(-1)).toEqual({ error: null, dropped: 0 });
	});

	it('wait as well while the database cannot be written', () => {
		const { store, database, troubles } = open();
		database.pragma('query_only = ON');
		store.appendEvents([eventRow()]);
		expect(store.flush()).toBe(false);
		expect(troubles.map(({ error }) => error?.code)).toEqual(['not-writable']);
		database.pragma('query_only = OFF');
		expect(store.flush()).toBe(true);
	});
});

describe('the history of an agent', () => {
	it('tells levels with their evidence, orders and remarks, newest first', () => {
		const { store } = open();
		store.recordTransition(transitionRow({ at: 1 }));
		store.appendRemark({ at: 2, agentId: 'agent-1', kind: 'note', text: 'seen nine times' });
		store.recordOperatorAction({
			at: 3,
			agentId: 'agent-1',
			action: 'hold',
			words: 'wait for me',
			detail: null,
		});
		store.recordOperatorAction({
			at: 4,
			agentId: 'agent-1',
			action: 'resume',
			words: '',
			detail: { by: 'window' },
		});
		store.recordTransition(
			transitionRow({ at: 5, from: 'steering', to: 'healthy', action: 'none', reason: '', evidence: null }),
		);
		store.appendRemark({ at: 6, agentId: 'agent-2', kind: 'denial', text: "another agent's" });
		const none = { from: null, to: null, evidence: null };
		expect(store.historyOf('agent-1')).toEqual([
			{ at: 5, kind: 'level', from: 'steering', to: 'healthy', text: '', evidence: null },
			{ at: 4, kind: 'order', text: 'Resumed by the operator', ...none },
			{ at: 3, kind: 'order', text: 'Held by the operator: wait for me', ...none },
			{ at: 2, kind: 'note', text: 'seen nine times', ...none },
			{ at: 1, kind: 'level', from: 'healthy', to: 'steering', text: 'the same call nine times', evidence },
		]);
	});

	it('is cut to the newest rows', () => {
		const { store } = open();
		for (let at = 0; at < 20; at += 1) {
			store.recordTransition(transitionRow({ at: at * 2 }));
			store.appendRemark({ at: at * 2 + 1, agentId: 'agent-1', kind: 'denial', text: '' });
		}
		expect(store.historyOf('agent-1', 5).map((row) => row.at)).toEqual([39, 38, 37, 36, 35]);
	});

	it('is at once on the disk where it was decided', () => {
		const directory = temporaryDirectory();
		open(directory).store.recordTransition(transitionRow());
		expect(open(directory).store.historyOf('agent-1')).toHaveLength(1);
	});

	it('still shows a level whose evidence another version wrote', () => {
		const { store, database } = open();
		store.recordTransition(transitionRow());
		database.exec(`UPDATE transitions SET evidence = '{"counted":"apples"}'`);
		expect(store.historyOf('agent-1')).toMatchObject([{ text: 'the same call nine times', evidence: null }]);
	});
});

describe('incidents', () => {
	it('are kept as they last were; all open ones and the newest ended ones come back', () => {
		const { store } = open();
		store.saveIncident(incident());
		store.saveIncident(incident({ count: 3, updatedAt: 2000 }));
		for (let count = 2; count < 10; count += 1) {
			store.saveIncident(
				incident({ id: `incident-${count}`, openedAt: count * 1000, endedAt: 1, endReason: 'gone' }),
			);
		}
		expect(store.loadIncidents(2).map(({ id }) => id)).toEqual(['incident-9', 'incident-8', 'incident-1']);
		expect(store.loadIncidents(0)).toEqual([incident({ count: 3, updatedAt: 2000 })]);
	});
});

describe('pruning', () => {
	const DAY = 24 * 3_600_000;
	const now = 100 * DAY;

	it('removes what is older than the days allowed', async () => {
		const { store } = open();
		const days = [99.9, 95, 86.1, 85.9, 50];
		store.appendEvents(days.map((day) => eventRow({ at: day * DAY })));
		for (const day of days)
			store.appendRemark({ at: day * DAY, agentId: 'agent-1', kind: 'denial', text: '' });
		store.recordTransition(transitionRow({ at: DAY }));
		expect(await store.prune({ now, eventDays: 14, eventMegabytes: 100 })).toEqual({ events: 2, remarks: 2 });
		expect(store.eventsOf('agent-1', 10).map((event) => event.at / DAY)).toEqual([99.9, 95, 86.1]);
		expect(store.historyOf('agent-1').filter((row) => row.kind === 'level')).toHaveLength(1);
	});

	it('then removes the oldest until the rest fits, and gives the room back', async () => {
		const directory = temporaryDirectory();
		const { store, database } = open(directory);
		const size = () => {
			database.pragma('wal_checkpoint(TRUNCATE)');
			return statSync(join(directory, 'floor.db')).size;
		};
		store.appendEvents(
			Array.from({ length: 2000 }, (_, at) => eventRow({ at: now - 2000 + at, body: 'x'.repeat(4000) })),
		);
		store.flush();
		const before = size();
		const { events } = await store.prune({ now, eventDays: 14, eventMegabytes: 2 });
		expect(events).toBe(1500);
		const left = store.eventsOf('agent-1', 3000);
		expect(left.map((event) => event.at)).toEqual(Array.from({ length: 500 }, (_, index) => now - 1 - index));
		expect(size()).toBeLessThan(before / 2);
	});

	it('gives the event loop its turn between small steps', async () => {
		const { store } = open();
		store.appendEvents(Array.from({ length: 3000 }, (_, at) => eventRow({ at })));
		let turns = 0;
		let going = true;
		const turn = () => {
			turns += 1;
			if (going) setImmediate(turn);
		};
		setImmediate(turn);
		expect(await store.prune({ now, eventDays: 14, eventMegabytes: 1 })).toMatchObject({ events: 3000 });
		going = false;
		expect(turns).toBeGreaterThanOrEqual(6);
	});

	it('leaves everything within the limits alone', async () => {
		const { store } = open();
		store.appendEvents([eventRow({ at: now })]);
		expect(await store.prune({ now, eventDays: 14, eventMegabytes: 1 })).toEqual({ events: 0, remarks: 0 });
	});

	it('stops without an error when the store is closed under it', async () => {
		const { store } = open();
		store.appendEvents(Array.from({ length: 3000 }, (_, at) => eventRow({ at })));
		const pruning = store.prune({ now, eventDays: 14, eventMegabytes: 1 });
		store.dispose();
		expect((await pruning).events).toBeLessThan(3000);
	});

	it('runs once at a time', async () => {
		const { store } = open();
		store.appendEvents(Array.from({ length: 1200 }, (_, at) => eventRow({ at })));
		const limits = { now, eventDays: 14, eventMegabytes: 1 };
		const both = await Promise.all([store.prune(limits), store.prune(limits)]);
		expect(both.map(({ events }) => events)).toEqual([1200, 1200]);
	});
});
