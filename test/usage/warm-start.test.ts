import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { UsageChanges, UsageStore } from '../../src/main/usage/usage-store.ts';
import { boundsOf, dayAfter, localDay } from '../../src/shared/local-day.ts';
import { type Home, newHome, ROWS_AT, total } from './index-files.ts';
import { assistantLine } from './transcript-files.ts';

const rows = (...ids: string[]) => ids.map((id) => assistantLine({ id }));

/** One run of the program: everything is looked at, and the index stopped. */
async function run(home: Home, options: Parameters<Home['index']>[0] = {}) {
	const index = home.index({ store: home.store, ...options });
	await index.look();
	await index.stop();
	return index;
}

describe('after a restart', () => {
	it('nothing is read that was read before, and only what is new after an append', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', rows('a', 'b'));
		home.write('s/subagents/agent-a.jsonl', rows('c'));
		const cold = await run(home);
		expect(cold.bytesRead).toBeGreaterThan(statSync(path).size);
		const warm = await run(home);
		expect(warm.bytesRead).toBe(0);
		expect(warm.usageOf('claude-code', ['s'])).toEqual(cold.usageOf('claude-code', ['s']));
		expect(warm.machineUsage()).toEqual(cold.machineUsage());
		expect(warm.sessionsSince(0)).toEqual(cold.sessionsSince(0));
		const more = `${assistantLine({ id: 'd' })}\n`;
		appendFileSync(path, more);
		const grown = await run(home);
		expect(grown.bytesRead).toBe(more.length);
		expect(total(grown, 's').input).toBe(40);
	});

	it('what was named from elsewhere is known too', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', rows('a'));
		const named = home.index({ store: home.store, homeDirectory: '/nowhere' });
		await named.follow(path, 'claude-code');
		await named.stop();
		const later = await run(home, { homeDirectory: '/nowhere' });
		expect(later.bytesRead).toBe(0);
		expect(total(later, 's').input).toBe(10);
	});

	it.each([
		['cut short', (home: Home) => void home.write('s.jsonl', rows('b'))],
		[
			'replaced',
			(home: Home) => {
				home.write('new', rows('b', 'a', 'b'));
				renameSync(home.path('new'), home.path('s.jsonl'));
			},
		],
		['written anew in place', (home: Home) => void home.write('s.jsonl', rows('x', 'a', 'b').slice(1))],
		['moved', (home: Home) => renameSync(home.path('s.jsonl'), home.path('t.jsonl'))],
	])('a file that was %s meanwhile is read again, and nothing counts twice', async (_what, change) => {
		const home = newHome();
		home.write('s.jsonl', rows('a', 'b'));
		await run(home);
		change(home);
		const index = await run(home);
		expect(index.machineUsage().today?.input).toBe(20);
		expect(total(index, 's').input).toBe(20);
	});

	it('a model that has got a price meanwhile is priced', async () => {
		const home = newHome();
		home.write('s.jsonl', [assistantLine({ id: 'a', model: 'claude-x' })]);
		expect(total(await run(home), 's').costUsd).toBeNull();
		const later = await run(home, { price: () => 2 });
		expect(total(later, 's')).toMatchObject({ costUsd: 2, unpricedModels: [] });
	});

	it('a new session gets an id of its own', async () => {
		const home = newHome();
		home.write('s.jsonl', rows('a'));
		await run(home);
		home.write('t.jsonl', rows('b', 'c'));
		await run(home);
		const index = await run(home);
		expect([total(index, 's').input, total(index, 't').input]).toEqual([10, 20]);
	});
});

describe('what is too old for any period', () => {
	const now = ROWS_AT + 60_000;
	const daysAgo = (days: number) =>
		new Date(boundsOf(dayAfter(localDay(now), -days)).from + 3_600_000).toISOString();
	const old = (id: string) => assistantLine({ id, timestamp: daysAgo(40) });

	it('stays in its session’s total, and in the store only as a key', async () => {
		const home = newHome();
		home.write('s.jsonl', [old('a'), old('b'), assistantLine({ id: 'c' })]);
		const cold = await run(home);
		expect(home.store.responses(-1, 10)).toHaveLength(1);
		expect(home.store.retired(-1, 10)).toHaveLength(2);
		const warm = await run(home);
		for (const index of [cold, warm]) {
			expect(index.usageOf('claude-code', ['s'])).toMatchObject({
				total: { input: 30, costUsd: (30 * 5 + 15 * 25) / 1e6 },
				today: { input: 10 },
			});
		}
	});

	it('counts for nobody when it is read again, neither today nor in a total', async () => {
		const home = newHome();
		home.write('s.jsonl', [old('a'), assistantLine({ id: 'b', timestamp: daysAgo(3) })]);
		await run(home);
		home.write('s.jsonl', [assistantLine({ id: 'a', timestamp: 'unknown' }), ...rows('c')]);
		home.write('copy.jsonl', [old('a')]);
		const index = await run(home);
		expect(index.usageOf('claude-code', ['s'])).toMatchObject({ total: { input: 30 }, today: { input: 10 } });
		expect(total(index, 'copy').input).toBe(0);
	});

	it('is let go of when its day comes, also in an index that goes on', async () => {
		const home = newHome();
		home.write('s.jsonl', rows('a'));
		let at = now;
		const index = home.index({ store: home.store, now: () => at });
		await index.look();
		at += 36 * 24 * 3_600_000;
		home.write('t.jsonl', [assistantLine({ id: 'b', timestamp: new Date(at).toISOString() })]);
		await index.look();
		expect(home.store.responses(-1, 10)).toMatchObject([{ at }]);
		expect(index.usageOf('claude-code', ['s'])).toMatchObject({ total: { input: 10 }, week: { input: 0 } });
		await index.stop();
	});
});

describe('a clock that is not to be trusted', () => {
	it('was far ahead for one look: all is as it was before', async () => {
		const home = newHome();
		home.write('s.jsonl', rows('a', 'b'));
		let at = ROWS_AT + 60_000;
		const index = home.index({ store: home.store, now: () => at });
		await index.look();
		at += 400 * 24 * 3_600_000;
		await index.look();
		expect(index.machineUsage().today?.input).toBe(0);
		at = ROWS_AT + 60_000;
		await index.look();
		expect(index.machineUsage().today?.input).toBe(20);
		await index.stop();
	});

	it.each([false, true])(
		'goes over to another time zone: days are those of the new one (looks again: %s)',
		async (looks) => {
			vi.stubEnv('TZ', 'UTC');
			onTestFinished(() => void vi.unstubAllEnvs());
			const home = newHome();
			const lineAt = (id: string, hour: string) =>
				assistantLine({ id, timestamp: `2026-11-25T${hour}:30:00.000Z` });
			home.write('s.jsonl', [lineAt('a', '10'), lineAt('b', '16')]);
			let at = Date.parse('2026-11-25T17:00:00Z');
			const index = home.index({ now: () => at });
			await index.look();
			expect(index.machineUsage().today?.input).toBe(20);
			// There it is the 26th since 15:00 of the other clock.
			vi.stubEnv('TZ', 'Asia/Tokyo');
			if (looks) await index.look();
			expect(index.machineUsage()).toMatchObject({ today: { input: 10 }, week: { input: 20 } });
			at += 24 * 3_600_000;
			expect(index.machineUsage().today?.input).toBe(0);
			vi.stubEnv('TZ', 'UTC');
			at -= 24 * 3_600_000;
			expect(index.machineUsage().today?.input).toBe(20);
			await index.stop();
		},
	);
});

describe('a store that cannot be used', () => {
	/** The store with some methods that fail or lie. */
	const spoiled = (store: UsageStore, methods: Partial<UsageStore>): UsageStore => ({
		layout: () => store.layout(),
		clear: (layout) => store.clear(layout),
		sessions: (after, limit) => store.sessions(after, limit),
		files: (after, limit) => store.files(after, limit),
		responses: (after, limit) => store.responses(after, limit),
		retired: (after, limit) => store.retired(after, limit),
		sums: () => store.sums(),
		save: (changes) => store.save(changes),
		...methods,
	});
	const fail = (): never => {
		throw new Error('the disk is on fire');
	};

	it.each<[string, (store: UsageStore) => Partial<UsageStore>]>([
		['cannot be read', () => ({ responses: fail })],
		[
			'has sessions that are none',
			(store) => ({
				sessions: (...page) => store.sessions(...page).map((each) => ({ ...each, state: '[]' })),
			}),
		],
		[
			'has files that are none',
			(store) => ({
				files: (...page) => store.files(...page).map((each) => ({ ...each, state: '{"position":{}}' })),
			}),
		],
		[
			'has files that are no JSON',
			(store) => ({ files: (...page) => store.files(...page).map((each) => ({ ...each, state: '{' })) }),
		],
		...[-5, 3.5].map((offset): [string, (store: UsageStore) => Partial<UsageStore>] => [
			`says that ${offset} bytes were read`,
			(store) => ({
				files: (...page) =>
					store
						.files(...page)
						.map((each) => ({ ...each, state: each.state.replace(/"offset":\d+/, `"offset":${offset}`) })),
			}),
		]),
		[
			'has rows far above all others',
			(store) => ({
				responses: (...page) => store.responses(...page).map((each) => ({ ...each, row: each.row + 2 })),
			}),
		],
		[
			'has a moment that is none',
			(store) => ({
				responses: (...page) => store.responses(...page).map((each) => ({ ...each, at: 1e18 })),
			}),
		],
		['lost its sessions', () => ({ sessions: () => [] })],
		[
			'has numbers that are none',
			(store) => ({
				responses: (...page) => store.responses(...page).map((each) => ({ ...each, output: -1 })),
			}),
		],
	])('because it %s is begun anew, which is said until everything was read', async (_what, methods) => {
		const home = newHome();
		home.write('s.jsonl', rows('a', 'b'));
		await run(home);
		const index = home.index({ store: spoiled(home.store, methods(home.store)) });
		await index.follow('/no/such/file.jsonl', 'claude-code');
		expect(index.machineUsage().problems[0]).toContain('all files are read anew');
		await index.look();
		expect(index.machineUsage()).toMatchObject({ today: { input: 20 }, problems: [] });
		await index.stop();
		const later = await run(home);
		expect(later.bytesRead).toBe(0);
		expect(total(later, 's').input).toBe(20);
	});

	it('of another layout is begun anew', async () => {
		const home = newHome();
		home.write('s.jsonl', rows('a'));
		await run(home);
		home.store.clear('of another version');
		const index = await run(home);
		expect(index.bytesRead).toBeGreaterThan(0);
		expect((await run(home)).bytesRead).toBe(0);
		expect(total(index, 's').input).toBe(10);
	});

	it('takes what it could not take before once it can', async () => {
		const home = newHome();
		const path = home.write('s.jsonl', rows('a'));
		let isFull = true;
		const save = (changes: UsageChanges): void => (isFull ? fail() : home.store.save(changes));
		const index = home.index({ store: spoiled(home.store, { save }) });
		await index.look();
		expect(index.machineUsage()).toMatchObject({ today: { input: 10 } });
		expect(index.machineUsage().problems[0]).toContain('the disk is on fire');
		isFull = false;
		appendFileSync(path, `${assistantLine({ id: 'b' })}\n`);
		await index.look();
		expect(index.machineUsage().problems).toEqual([]);
		await index.stop();
		rmSync(path);
		expect(total(await run(home), 's').input).toBe(20);
	});
});
