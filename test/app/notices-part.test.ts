import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { NoticesPart } from '../../src/main/app/notices-part.ts';
import { Publisher } from '../../src/main/app/publisher.ts';
import { agentFromMemory, memoryOf } from '../../src/main/floor/agent-memory.ts';
import { order } from '../../src/main/floor/orders.ts';
import { openDatabase } from '../../src/main/store/database.ts';
import { NoticeTable } from '../../src/main/store/notice-table.ts';
import { emptyFailoverView } from '../../src/shared/failover-view.ts';
import { emptyModelsView } from '../../src/shared/models-view.ts';
import type { Notices } from '../../src/shared/notice.ts';
import { type Settings, settingsSchema } from '../../src/shared/settings.ts';
import { status } from '../desktop/floor-fixture.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { FloorFixture, T0 } from '../support/floor-fixture.ts';
import { floorUsage } from '../support/usage-views.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: T0 }));
afterEach(() => void vi.useRealTimers());

/** A floor with its publisher, its part and a real table, on a clock that the test turns. */
function running(directory = temporaryDirectory(), fixture = new FloorFixture()) {
	const { database } = openDatabase(directory);
	const { floor } = fixture;
	const publisher = new Publisher({
		floor,
		status: () => status(),
		failover: () => emptyFailoverView,
		models: () => emptyModelsView,
		usage: () => floorUsage(),
		sightings: () => [],
		now: Date.now,
	});
	const errors: string[] = [];
	let rules: Settings['notifications'] = settingsSchema.parse({}).notifications;
	const part = new NoticesPart({
		floor,
		publisher,
		table: new NoticeTable(database),
		openBefore: [],
		rules: () => rules,
		now: Date.now,
		schedule: (ms, work) => {
			const timer = setTimeout(work, ms);
			return () => clearTimeout(timer);
		},
		onError: (where) => errors.push(where),
	});
	floor.onRecord((record) => {
		if (record.kind === 'incident') publisher.incidentChanged(record.incident);
	});
	const told: Notices[] = [];
	publisher.subscribe('floor:notices', (notices) => told.push(notices));
	const stop = (): void => {
		part.dispose();
		publisher.dispose();
		if (database.open) database.close();
	};
	onTestFinished(stop);
	part.start();
	return {
		...{ fixture, part, told, errors, database, directory, stop },
		titles: () => told.flatMap(({ show }) => show.map(({ title }) => title)),
		set: (changes: Partial<Settings['notifications']>) => {
			rules = { ...rules, ...changes };
			part.changed();
		},
		/** Something happened; then time goes by. */
		happen: (happening: Parameters<FloorFixture['happen']>[0], afterMs = 0) => {
			fixture.now = Date.now();
			fixture.happen(happening);
			publisher.schedule();
			vi.advanceTimersByTime(afterMs);
		},
	};
}

const asks = { kind: 'waiting', on: 'permission', message: 'wants to run Bash `make`' } as const;

it('tells soon after a change, once, and takes it back when it is answered', () => {
	const floor = running();
	vi.advanceTimersByTime(10_000);
	floor.happen(asks, 1_000);
	expect(floor.told).toMatchObject([{ show: [{ title: 'app needs you' }], withdraw: [] }]);
	vi.advanceTimersByTime(60 * MINUTE);
	floor.happen({ kind: 'prompt', text: 'yes' }, 1_000);
	expect(floor.told.slice(1)).toEqual([{ show: [], withdraw: [`agent:claude-code:s1:ask@${T0 + 10_000}`] }]);
});

it('asks again by itself when something is due', () => {
	const floor = running();
	vi.advanceTimersByTime(10_000);
	floor.happen(asks, 1_000);
	floor.happen({ kind: 'prompt', text: 'yes' }, 1_000);
	floor.happen(asks, 1_000);
	expect(floor.titles()).toHaveLength(1);
	vi.advanceTimersByTime(MINUTE);
	expect(floor.titles()).toEqual(['app needs you', 'app needs you']);
});

it('waits at the start: what ended meanwhile is not told, the rest is', () => {
	const floor = running();
	floor.happen(asks, 1_000);
	floor.fixture.floor.observe('claude-code:s1', { processAlive: false }, Date.now());
	floor.happen({ kind: 'other' }, MINUTE);
	expect(floor.titles()).toEqual([]);
	const other = running();
	other.happen(asks, 4_000);
	expect(other.titles()).toEqual([]);
	vi.advanceTimersByTime(2_000);
	expect(other.titles()).toEqual(['app needs you']);
});

it('knows of the turn that ends after a restart, however long it went on before', () => {
	const first = running();
	first.happen({ kind: 'prompt', text: 'go' }, 4 * MINUTE);
	const memory = memoryOf(first.fixture.agent());
	first.stop();
	const fixture = new FloorFixture();
	const agent = agentFromMemory(JSON.parse(JSON.stringify(memory)));
	if (!agent) throw new Error('the memory cannot be read');
	fixture.floor.restore([agent]);
	const second = running(first.directory, fixture);
	vi.advanceTimersByTime(MINUTE);
	second.happen({ kind: 'tool-call', callId: 'c', tool: 'Read', input: {} }, MINUTE);
	second.happen({ kind: 'turn-end', message: '' }, 1_000);
	expect(second.titles()).toEqual(['app is done']);
	const told = memoryOf(second.fixture.agent());
	second.stop();
	const third = running(first.directory, fixtureWith(told));
	vi.advanceTimersByTime(MINUTE);
	expect(third.titles()).toEqual([]);
});

function fixtureWith(memory: unknown): FloorFixture {
	const fixture = new FloorFixture();
	fixture.floor.restore([agentFromMemory(memory)].filter((agent) => agent !== null));
	return fixture;
}

it('a turn that ended because the operator stopped it is not done', () => {
	const floor = running();
	floor.happen({ kind: 'prompt', text: 'go' }, 10 * MINUTE);
	order(floor.fixture.floor, 'claude-code:s1', 'stop', '', Date.now());
	floor.happen({ kind: 'turn-end', message: '' }, MINUTE);
	expect(floor.titles()).toEqual([]);
});

it('follows the settings at once: the end of quiet hours tells what waits', () => {
	const floor = running();
	const hour = new Date(T0).getHours();
	const clock = (hours: number) => `${String((hours + 24) % 24).padStart(2, '0')}:00`;
	floor.set({ quietFrom: clock(hour - 1), quietUntil: clock(hour + 2) });
	vi.advanceTimersByTime(10_000);
	floor.happen(asks, MINUTE);
	expect(floor.titles()).toEqual([]);
	floor.set({ quietFrom: null });
	vi.advanceTimersByTime(1_000);
	expect(floor.titles()).toEqual(['app needs you']);
});

it('what a desktop could not show is told again after the cooldown, also by the next run', () => {
	const floor = running();
	vi.advanceTimersByTime(10_000);
	floor.happen(asks, 1_000);
	floor.part.notShown(floor.told[0]?.show[0]?.key ?? '');
	const memory = memoryOf(floor.fixture.agent());
	vi.advanceTimersByTime(30_000);
	expect(floor.titles()).toHaveLength(1);
	vi.advanceTimersByTime(31_000);
	expect(floor.titles()).toHaveLength(2);
	floor.part.notShown(floor.told[1]?.show[0]?.key ?? '');
	floor.stop();
	const next = running(floor.directory, fixtureWith(memory));
	vi.advanceTimersByTime(10_000);
	expect(next.titles()).toEqual(['app needs you']);
});

it('a disk that refuses keeps nobody from being told', () => {
	const floor = running();
	vi.advanceTimersByTime(10_000);
	floor.database.close();
	floor.happen(asks, 1_000);
	expect([floor.titles(), floor.errors]).toEqual([['app needs you'], ['remembering what you are told']]);
});
