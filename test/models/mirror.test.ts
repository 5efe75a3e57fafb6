import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deedsBetween, deedsOfUnseen, isOlder } from '../../src/main/models/mirror.ts';
import type { ScriptDeed } from '../../src/main/models/script-deed.ts';
import { parseStateFile } from '../../src/main/models/state-file.ts';
import { defaultStateRecord, type StateRecord } from '../../src/main/models/state-record.ts';
import { SeedBreaker, type SeedRecord } from './seed-port.ts';
import { anyRecord } from './state-records.ts';

const T = Date.UTC(2026, 10, 30, 16);
const MINUTE = 60_000;
const { metrics } = defaultStateRecord;

const open: StateRecord = {
	...defaultStateRecord,
	state: 'open',
	openedAt: T,
	consecutiveFailures: 1,
	metrics: { ...metrics, totalFallbacks: 1, lastFallbackAt: T },
};
const halfOpen: StateRecord = { ...open, state: 'half-open' };
const recovered: StateRecord = {
	...defaultStateRecord,
	metrics: { ...open.metrics, totalRecoveries: 1, lastRecoveryAt: T + 12 * MINUTE },
};
const limited = (model: string, at: number | null = T): ScriptDeed => ({ kind: 'limited', model, at });

describe('what happened between two looks', () => {
	it.each<[string, StateRecord, StateRecord, ScriptDeed[]]>([
		['nothing', open, open, []],
		['the preferred model was limited', defaultStateRecord, open, [limited('claude-sonnet-5')]],
		[
			'a fallback was limited too',
			open,
			{ ...open, currentFallbackIndex: 1, openedAt: T + MINUTE, consecutiveFailures: 2 },
			[limited('gpt-5.4-mini', T + MINUTE)],
		],
		[
			'the last fallback was limited twice',
			{ ...open, currentFallbackIndex: 1 },
			{ ...open, currentFallbackIndex: 1, openedAt: T + MINUTE, consecutiveFailures: 3 },
			[limited('gpt-5-mini', T + MINUTE), limited('gpt-5-mini', T + MINUTE)],
		],
		['the test call began', open, halfOpen, [{ kind: 'probe-begun' }]],
		['it succeeded', halfOpen, { ...halfOpen, halfOpenSuccesses: 1 }, [{ kind: 'succeeded', count: 1 }]],
		[
			'it was limited',
			halfOpen,
			{
				...open,
				openedAt: T + 11 * MINUTE,
				metrics: { ...open.metrics, totalFallbacks: 2, lastFallbackAt: T + 11 * MINUTE },
			},
			[limited('claude-sonnet-5', T + 11 * MINUTE)],
		],
		['the second one succeeded', { ...halfOpen, halfOpenSuccesses: 1 }, recovered, [{ kind: 'closed' }]],
		[
			'everything from the cooldown’s end to recovery',
			open,
			recovered,
			[{ kind: 'probe-begun' }, { kind: 'succeeded', count: 1 }, { kind: 'closed' }],
		],
		[
			'a whole round',
			defaultStateRecord,
			recovered,
			[
				limited('claude-sonnet-5'),
				{ kind: 'probe-begun' },
				{ kind: 'succeeded', count: 1 },
				{ kind: 'closed' },
			],
		],
		['a person closed it', open, { ...open, state: 'closed', openedAt: null }, [{ kind: 'closed' }]],
		[
			'a person opened it, without a date',
			defaultStateRecord,
			{ ...defaultStateRecord, state: 'open' },
			[limited('claude-sonnet-5', null)],
		],
		[
			'a script that did not know of the opening saw the preferred model limited',
			open,
			{ ...open, openedAt: T + 5, metrics: { ...open.metrics, lastFallbackAt: T + 5 } },
			[limited('claude-sonnet-5', T + 5)],
		],
		['the fallback answered', open, { ...open, consecutiveFailures: 0 }, [{ kind: 'answered' }]],
		[
			'another floor has heard a longer wish',
			open,
			{ ...open, openedAt: T + 50 * MINUTE, resumeAt: T + 60 * MINUTE },
			[{ kind: 'wished', until: T + 60 * MINUTE }],
		],
		[
			'another floor opened it with a wish',
			defaultStateRecord,
			{ ...open, openedAt: T + 50 * MINUTE, resumeAt: T + 60 * MINUTE },
			[limited('claude-sonnet-5'), { kind: 'wished', until: T + 60 * MINUTE }],
		],
		[
			'another floor put it off at the end of the chain: no fallback was limited',
			{ ...open, currentFallbackIndex: 1 },
			{ ...open, currentFallbackIndex: 1, openedAt: T + MINUTE, resumeAt: T + 11 * MINUTE },
			[{ kind: 'wished', until: T + 11 * MINUTE }],
		],
		[
			'another floor took the test call for over',
			{ ...halfOpen, halfOpenSuccesses: 1 },
			{ ...open, openedAt: T - 10 * MINUTE, resumeAt: T },
			[{ kind: 'probe-ended' }, { kind: 'wished', until: T }],
		],
		['a person opened it while it was tested', halfOpen, open, [limited('claude-sonnet-5')]],
		[
			'a script saw the preferred model limited while ours was put off for a wish',
			{ ...open, openedAt: T + 50 * MINUTE, resumeAt: T + 60 * MINUTE },
			{
				...open,
				openedAt: T + 5,
				resumeAt: T + 60 * MINUTE,
				metrics: { ...open.metrics, lastFallbackAt: T + 5 },
			},
			[limited('claude-sonnet-5', T + 5)],
		],
		[
			'the configuration was edited',
			open,
			{ ...open, fallbackChain: ['gpt-5-mini'], cooldownMinutes: 3 },
			[
				{
					kind: 'configured',
					chain: {
						provider: null,
						preferredModel: 'claude-sonnet-5',
						fallbackChain: ['gpt-5-mini'],
						cooldownMinutes: 3,
					},
				},
			],
		],
		['the file was deleted, and made anew by a script', open, defaultStateRecord, []],
		[
			'only the counts were edited',
			recovered,
			{ ...recovered, metrics: { ...recovered.metrics, totalFallbacks: 900, totalRecoveries: 900 } },
			[],
		],
	])('%s', (_what, last, now, deeds) => {
		expect(deedsBetween(last, now)).toEqual(deeds);
	});

	it('never grows without bound, whatever two records say', () => {
		fc.assert(
			fc.property(anyRecord, anyRecord, (last, now) => {
				expect(deedsBetween(last, now).length).toBeLessThan(500);
				expect(deedsBetween(last, last).filter(({ kind }) => kind !== 'limited')).toEqual([]);
			}),
		);
	});
});

const cooled = T + 10 * MINUTE;

describe('what is no news', () => {
	const counted: StateRecord = {
		...recovered,
		metrics: { totalFallbacks: 7, totalRecoveries: 6, lastFallbackAt: T, lastRecoveryAt: T },
	};
	it.each<[string, Partial<StateRecord['metrics']>]>([
		['fewer openings', { totalFallbacks: 6 }],
		['fewer recoveries', { totalRecoveries: 5 }],
		['an earlier opening', { lastFallbackAt: T - MINUTE }],
		['an earlier recovery', { lastRecoveryAt: T - MINUTE }],
		['no opening ever', { lastFallbackAt: null }],
		['more openings, but an earlier last one', { totalFallbacks: 9, lastFallbackAt: T - MINUTE }],
	])('a file with %s is an older one, whatever it says', (_what, earlier) => {
		for (const last of [counted, { ...counted, state: 'open', openedAt: T } as const]) {
			for (const state of ['closed', 'open', 'half-open'] as const) {
				const metrics = { ...counted.metrics, ...earlier };
				const old = { ...counted, state, openedAt: state === 'closed' ? null : T, metrics };
				expect(deedsBetween(last, old, T)).toEqual([]);
				const other = { ...old, cooldownMinutes: 3 };
				expect(deedsBetween(last, other, T).map(({ kind }) => kind)).toEqual(['configured']);
			}
		}
	});

	it('a date that lost its fraction of a second is no earlier one', () => {
		const metrics = { ...counted.metrics, lastFallbackAt: T - 999 };
		const limitedNow = { ...open, metrics: { ...metrics, totalFallbacks: 8 } };
		expect(deedsBetween(counted, limitedNow, T)).toHaveLength(1);
	});

	it.each<[string, Partial<StateRecord>, number, boolean]>([
		['that still runs', {}, cooled - 1, true],
		['that is over', {}, cooled, false],
		['that is over, but the wish is not', { resumeAt: cooled + MINUTE }, cooled, true],
		['that is over, like the wish', { resumeAt: cooled + MINUTE }, cooled + MINUTE, false],
		['and of a test since then', { state: 'half-open' }, cooled, false],
	])('a limit with a cooldown %s', (_what, more, at, isNews) => {
		expect(deedsBetween(defaultStateRecord, { ...open, ...more }, at).length > 0).toBe(isNews);
	});

	it('whatever an older file says, nothing of it moves a model', () => {
		fc.assert(
			fc.property(anyRecord, anyRecord, (last, now) => {
				fc.pre(isOlder(now, last));
				expect(deedsBetween(last, now).filter(({ kind }) => kind !== 'configured')).toEqual([]);
			}),
		);
	});
});

describe('a file that is seen for the first time', () => {
	it('tells of a limit whose cooldown still runs', () => {
		const record = { ...open, currentFallbackIndex: 1 };
		expect(deedsOfUnseen(record, T + 9 * MINUTE)).toEqual([
			limited('claude-sonnet-5'),
			limited('gpt-5.4-mini'),
		]);
		expect(deedsOfUnseen({ ...open, openedAt: null }, T)).toEqual([limited('claude-sonnet-5', null)]);
		const wished = { ...open, resumeAt: T + 60 * MINUTE };
		expect(deedsOfUnseen(wished, T + 50 * MINUTE)).toEqual([
			limited('claude-sonnet-5'),
			{ kind: 'wished', until: T + 60 * MINUTE },
		]);
	});

	it.each([
		['closed', recovered],
		['open, but abandoned', open],
		['half-open, but abandoned', { ...halfOpen, halfOpenSuccesses: 1 }],
		['half-open without a date', { ...halfOpen, openedAt: null }],
	])('tells nothing when it is %s', (_what, record) => {
		expect(deedsOfUnseen(record, T + 10 * MINUTE)).toEqual([]);
	});
});

/** The deeds once more, as the seed's machine would do them. */
function replay(last: StateRecord, deeds: readonly ScriptDeed[]): StateRecord {
	let record = last;
	for (const deed of deeds) record = replayed(record, deed);
	return record;
}

function replayed(record: StateRecord, deed: ScriptDeed): StateRecord {
	const counted = { ...record, consecutiveFailures: record.consecutiveFailures + 1 };
	switch (deed.kind) {
		case 'configured':
			return { ...record, ...deed.chain };
		case 'probe-begun':
			return { ...record, state: 'half-open', halfOpenSuccesses: 0 };
		case 'succeeded':
			return {
				...record,
				consecutiveFailures: 0,
				halfOpenSuccesses: record.halfOpenSuccesses + deed.count,
			};
		case 'probe-ended':
			return { ...record, state: 'open', halfOpenSuccesses: 0 };
		case 'answered':
			return { ...record, consecutiveFailures: 0 };
		case 'wished':
			return { ...record, resumeAt: deed.until };
		case 'closed':
			return {
				...record,
				state: 'closed',
				openedAt: null,
				currentFallbackIndex: 0,
				halfOpenSuccesses: 0,
				consecutiveFailures: 0,
				metrics: { ...record.metrics, totalRecoveries: record.metrics.totalRecoveries + 1 },
			};
		case 'limited':
			if (record.state === 'open') {
				expect(deed.model).toBe(record.fallbackChain[record.currentFallbackIndex] ?? record.preferredModel);
				const last = Math.max(record.fallbackChain.length - 1, 0);
				const currentFallbackIndex = Math.min(record.currentFallbackIndex + 1, last);
				return { ...counted, currentFallbackIndex, openedAt: deed.at };
			}
			expect(deed.model).toBe(record.preferredModel);
			return {
				...counted,
				state: 'open',
				openedAt: deed.at,
				currentFallbackIndex: 0,
				halfOpenSuccesses: 0,
				metrics: {
					...record.metrics,
					totalFallbacks: record.metrics.totalFallbacks + 1,
					lastFallbackAt: deed.at,
				},
			};
	}
}

function recordOf(file: SeedRecord, now: number): StateRecord {
	const parsed = parseStateFile(Buffer.from(JSON.stringify(file)), now);
	if (!parsed.ok) throw new Error(parsed.problem);
	return parsed.record;
}

/** What a loop does, and how many minutes it takes before it does it. */
const step = fc.tuple(fc.constantFrom('current', 'success', 'limit'), fc.constantFrom(0, 1, 6, 11));

function run(seed: SeedBreaker, [deed, minutes]: readonly [string, number]): void {
	seed.now += minutes * MINUTE + 1;
	if (deed === 'current') seed.getCurrentModel();
	else if (deed === 'success') seed.updateCircuitBreakerOnSuccess();
	else seed.updateCircuitBreakerOnRateLimit();
}

/** The times at which it closed, and how often a fallback was limited in openings that are over, are not told. */
function told(record: StateRecord, isEachStep: boolean): unknown {
	const { lastRecoveryAt, ...counts } = record.metrics;
	const failures = isEachStep ? record.consecutiveFailures : 'not told';
	return { ...record, consecutiveFailures: failures, metrics: counts };
}

describe('the seed’s functions on a file that we look at after every k of their steps', () => {
	it.each([1, 2, 3, 7, 20])('k = %i: the deeds lead to the same state', (k) => {
		fc.assert(
			fc.property(
				fc.array(step, { maxLength: 120, size: 'max' }),
				fc.subarray(['gpt-5.4-mini', 'gpt-5-mini', 'gpt-4.1']),
				(steps, fallbackChain) => {
					const seed = new SeedBreaker();
					seed.now = T;
					seed.file.fallbackChain = fallbackChain;
					let ours = recordOf(seed.file, seed.now);
					let last = ours;
					for (const [index, each] of steps.entries()) {
						run(seed, each);
						if (index % k !== k - 1) continue;
						const now = recordOf(seed.file, seed.now);
						ours = replay(ours, deedsBetween(last, now));
						expect(told(ours, k === 1)).toEqual(told(now, k === 1));
						last = now;
					}
				},
			),
		);
	});
});
