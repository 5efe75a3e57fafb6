import { describe, expect, it, onTestFinished } from 'vitest';
import { SessionCounters } from '../../src/main/app/session-counters.ts';
import type { CountedAnswer } from '../../src/main/gateway/options.ts';
import { openDatabase } from '../../src/main/store/database.ts';
import { UsageTables } from '../../src/main/store/usage-tables.ts';
import { temporaryDirectory } from '../usage/transcript-files.ts';

const NOON = new Date(2026, 10, 26, 12).getTime();
const LOCAL = { at: 'ollama', harness: 'local', model: 'qwen3:8b' } as const;

function newStore(): UsageTables {
	const { database } = openDatabase(temporaryDirectory());
	onTestFinished(() => void database.close());
	return new UsageTables(database);
}

function answer(more: Partial<CountedAnswer> = {}): CountedAnswer {
	return {
		client: 'codex',
		sessionKey: 's-1',
		subagentId: null,
		isAuxiliary: false,
		key: 'r-1',
		asked: 'gpt-5.4',
		served: LOCAL,
		usage: { input: 4_000, output: 100, cacheRead: 0, cacheCreation: 0, cacheCreation1h: 0, webSearches: 0 },
		isWhole: true,
		at: NOON,
		...more,
	};
}

describe('what the gateway served in the place of another model', () => {
	it('is known after a restart, and goes on', () => {
		const store = newStore();
		new SessionCounters(() => false, { store }).answered(answer());
		const later = new SessionCounters(() => false, { store });
		const [count] = later.counts('codex', 's-1', NOON);
		expect(count).toMatchObject({
			source: 'gateway',
			hasStandIns: true,
			total: { work: 4_100, localWork: 4_100, costUsd: 0 },
		});
		later.answered(answer({ key: 'r-2' }));
		const latest = new SessionCounters(() => false, { store });
		expect(latest.withStandIns(NOON)).toMatchObject([
			{ client: 'codex', sessionId: 's-1', count: { total: { work: 8_200, costUsd: 0 } } },
		]);
	});

	it.each<[string, Partial<CountedAnswer>]>([
		['the model that was asked', { served: { at: 'openai', harness: 'cloud', model: 'gpt-5.4' } }],
		[
			'the same under its release’s name',
			{ served: { at: 'openai', harness: 'cloud', model: 'gpt-5.4-2026-03-05' } },
		],
		['another, to a program whose files name it', { client: 'claude-code' }],
	])('is nothing where it served %s', (_what, more) => {
		const store = newStore();
		const counters = new SessionCounters(() => false, { store });
		counters.answered(answer(more));
		expect([counters.withStandIns(NOON), store.served()]).toEqual([[], []]);
	});

	it('is paid where it was paid for, though a local model has the same name', () => {
		const counters = new SessionCounters(() => true);
		counters.answered(answer({ served: { at: 'openai', harness: 'cloud', model: 'gpt-5.4' } }));
		expect(counters.counts('codex', 's-1', NOON)[0]?.total).toMatchObject({ localWork: 0 });
		expect(counters.counts('codex', 's-1', NOON)[0]?.total.costUsd).toBeGreaterThan(0);
	});

	it.each(['', '{}', '{"asOf":1,"buckets":[{"usage":{"input":-1}}]}', 'null'])(
		'that was stored as %j blames nobody, and somebody is told',
		(state) => {
			const store = newStore();
			store.keepServed({ client: 'codex', sessionId: 's-1', at: NOON, state }, 10);
			const errors: unknown[] = [];
			const counters = new SessionCounters(() => false, { store, onError: (_, error) => errors.push(error) });
			expect(counters.counts('codex', 's-1', NOON)).toEqual([]);
			expect(errors).toHaveLength(1);
		},
	);

	it('is kept of so many sessions, the newest', () => {
		const store = newStore();
		for (const at of [3, 1, 2]) {
			store.keepServed({ client: 'codex', sessionId: `s-${at}`, at, state: '{}' }, 2);
		}
		expect(store.served().map(({ sessionId }) => sessionId)).toEqual(['s-2', 's-3']);
	});
});
