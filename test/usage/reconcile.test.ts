import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageTrack } from '../../src/main/floor/ladder/usage-track.ts';
import {
	addSamples,
	CountedSession,
	ofSessions,
	reconcile,
	type SessionCount,
} from '../../src/main/usage/reconcile.ts';
import { NO_USAGE, type UsageAmount, type UsageSource } from '../../src/shared/usage-view.ts';

const DAY = 86_400_000;
const NOON = new Date(2026, 10, 26, 12).getTime();

function amount(input: number, output = 0, more: Partial<UsageAmount> = {}): UsageAmount {
	const cacheCreation = more.cacheCreation ?? 0;
	return { ...NO_USAGE, input, output, costUsd: 1, ...more, work: input + output + cacheCreation };
}

function count(source: UsageSource, total: UsageAmount, more: Partial<SessionCount> = {}): SessionCount {
	return { source, total, asOf: NOON, today: total, week: total, hasEarlierWork: false, ...more };
}

describe('several counts of one session', () => {
	it('are compared, never added: the largest holds, the others are named', () => {
		const view = reconcile(
			[
				count('telemetry', amount(40)),
				count('transcript', amount(100, 20, { cacheRead: 7 })),
				count('gateway', amount(90)),
			],
			NOON,
		);
		expect(view).toEqual({
			...amount(100, 20, { cacheRead: 7 }),
			asOf: NOON,
			source: 'transcript',
			otherCounts: [
				{ source: 'gateway', work: 90 },
				{ source: 'telemetry', work: 40 },
			],
			today: amount(100, 20, { cacheRead: 7 }),
			week: amount(100, 20, { cacheRead: 7 }),
		});
	});

	it.each([
		[['telemetry', 'transcript', 'gateway'], 'gateway'],
		[['telemetry', 'transcript'], 'transcript'],
	] as const)('of %j that are equal the exact one is named', (equal, source) => {
		const counts = equal.map((each) => count(each, amount(10)));
		expect(reconcile(counts, NOON)?.source).toBe(source);
	});

	it('a gateway that was connected in the middle lowers nothing', () => {
		const before = count('transcript', amount(1_000, 300));
		const part = count('gateway', amount(50, 10, { costUsd: 0.1 }));
		expect(reconcile([before, part], NOON)).toMatchObject({ work: 1_300, source: 'transcript', costUsd: 1 });
	});

	it('what was counted yesterday is not told as today’s, what was counted last week not as this week’s', () => {
		const counts = [count('transcript', amount(10))];
		expect(reconcile(counts, NOON + DAY)).toMatchObject({ work: 10, today: null, week: { work: 10 } });
		expect(reconcile(counts, NOON + 7 * DAY)).toMatchObject({ work: 10, today: null, week: null });
	});

	it('none is none', () => {
		expect(reconcile([], NOON)).toBeNull();
		expect(new CountedSession().view(NOON)).toBeNull();
		expect(new CountedSession().takeSample('m')).toBeNull();
		expect(ofSessions([])).toBeNull();
		expect(addSamples('m', [])).toBeNull();
	});
});

describe('a session that other models answered than its file names', () => {
	const asked = (input: number) => count('transcript', amount(input, 0, { costUsd: input / 100 }));
	const served = (input: number, more: Partial<UsageAmount>) =>
		count('gateway', amount(input, 0, { costUsd: 0, ...more }), { hasStandIns: true });

	it.each([
		['all of it', 400, 400, { localWork: 400 }, { costUsd: 0, localWork: 400, work: 400 }],
		['more than the file has yet', 400, 500, { localWork: 500 }, { costUsd: 0, localWork: 500, work: 500 }],
		['a part, by a local model', 400, 100, { localWork: 100 }, { costUsd: 3, localWork: 100, work: 400 }],
		['a part, by a dear one', 400, 200, { costUsd: 50 }, { costUsd: 52, localWork: 0, work: 400 }],
		[
			'all, without a price',
			400,
			400,
			{ costUsd: null, unpricedModels: ['x'] },
			{ costUsd: null, work: 400 },
		],
	])('costs what the gateway says of what it answered: %s', (_what, read, answered, more, expected) => {
		const counts = [asked(read), served(answered, more)];
		const view = reconcile(counts, NOON);
		expect(view).toMatchObject({ ...expected, today: expected });
		const session = new CountedSession();
		for (const each of counts) session.tell(each);
		const usd = expected.costUsd ?? asked(read).total.costUsd;
		expect(session.takeSample(null)?.sample.usd).toBe(usd);
	});

	it('costs what its file says where the models are those that were asked', () => {
		const view = reconcile([asked(400), count('gateway', amount(100, 0, { costUsd: 0 }))], NOON);
		expect(view).toMatchObject({ costUsd: 4, localWork: 0 });
	});
});

describe('a counter that begins again', () => {
	it('lowers nothing until it has passed what it had reached', () => {
		const session = new CountedSession();
		session.tell(count('gateway', amount(500, 80)));
		for (const work of [3, 200, 499]) {
			session.tell(count('gateway', amount(work), { asOf: NOON + work }));
			expect(session.view(NOON + work)).toMatchObject({ work: 580, output: 80, source: 'gateway' });
		}
		session.tell(count('gateway', amount(600, 90), { asOf: NOON + 600 }));
		expect(session.view(NOON + 600)).toMatchObject({ work: 690 });
	});

	it('tells the new day’s figure all the same', () => {
		const session = new CountedSession();
		session.tell(count('gateway', amount(500)));
		session.tell(count('gateway', amount(30), { asOf: NOON + DAY }));
		expect(session.view(NOON + DAY)).toMatchObject({ work: 500, today: { work: 30 }, week: { work: 500 } });
	});
});

describe('an agent over several sessions', () => {
	it('is the sum of what each of them came to, by the source that counted most of it', () => {
		const first = reconcile([count('transcript', amount(100)), count('gateway', amount(40))], NOON);
		const second = reconcile([count('gateway', amount(30)), count('telemetry', amount(5))], NOON + 1);
		expect(ofSessions([first, second].flatMap((view) => view ?? []))).toMatchObject({
			work: 130,
			costUsd: 2,
			source: 'transcript',
			otherCounts: [
				{ source: 'gateway', work: 70 },
				{ source: 'telemetry', work: 5 },
			],
			today: { work: 130 },
		});
	});

	it('says that today is not known when it is not known of one of them', () => {
		const known = reconcile([count('gateway', amount(1))], NOON);
		const unknown = reconcile([count('transcript', amount(2), { today: null })], NOON);
		const views = [known, unknown].flatMap((view) => view ?? []);
		expect(ofSessions(views)).toMatchObject({ work: 3, today: null, week: { work: 3 } });
	});

	it('has one sample', () => {
		const part = (usd: number | null, hasEarlierWork: boolean) => ({
			sample: { model: null, input: 1, output: 2, cacheRead: 3, cacheCreation: 4, usd },
			hasEarlierWork,
		});
		const tokens = { input: 2, output: 4, cacheRead: 6, cacheCreation: 8 };
		const sample = { model: 'm', ...tokens, usd: 0.5, corrections: 0 };
		expect(addSamples('m', [part(null, true), part(0.5, false)])).toEqual({ sample, hasEarlierWork: true });
	});
});

describe('the ladder’s sample', () => {
	it('does not jump and does not begin again when sources overtake each other at every answer', () => {
		const session = new CountedSession();
		const track = new UsageTrack();
		// The transcript has 10 000 of before; the gateway hears of each answer first, and counts 9 950 at the same time.
		session.tell(count('transcript', amount(9_000, 1_000)));
		session.tell(count('gateway', amount(9_450, 500)));
		session.takeSample(null);
		for (let answer = 1; answer <= 20; answer += 1) {
			const at = { asOf: NOON + answer };
			for (const told of [
				count('gateway', amount(9_450, 500 + answer * 100), at),
				count('transcript', amount(9_000, 1_000 + answer * 100), at),
			]) {
				session.tell(told);
				const taken = session.takeSample(null);
				expect(taken?.hasEarlierWork).toBe(false);
				track.observe(taken?.sample, NOON, false);
				expect(track.seen).not.toBe('restart');
				expect(track.grown.output).toBeLessThanOrEqual(100);
			}
		}
		expect(session.view(NOON + 20)).toMatchObject({ source: 'transcript', work: 12_000 });
		expect(track.work).toBe(12_000);
	});

	it('says so when a source comes that has seen more: that is no burst', () => {
		const session = new CountedSession();
		session.tell(count('gateway', amount(50, 10)));
		expect(session.takeSample('m')).toMatchObject({
			hasEarlierWork: false,
			sample: { model: 'm', output: 10 },
		});
		session.tell(count('transcript', amount(90_000, 8_000)));
		expect(session.takeSample('m')).toMatchObject({ hasEarlierWork: true, sample: { output: 8_000 } });
		expect(session.takeSample('m')).toMatchObject({ hasEarlierWork: false });
		session.tell(count('transcript', amount(400_000, 8_000), { hasEarlierWork: true }));
		expect(session.takeSample('m')).toMatchObject({ hasEarlierWork: true });
	});

	it('says nothing when a source comes that has seen less', () => {
		const session = new CountedSession();
		session.tell(count('transcript', amount(500, 100)));
		session.takeSample(null);
		session.tell(count('telemetry', amount(20, 5), { hasEarlierWork: true }));
		expect(session.takeSample(null)?.hasEarlierWork).toBe(false);
	});

	it('costs what the card shows, also when that was too much: dollars that were not spent count against no cap', () => {
		const session = new CountedSession();
		const track = new UsageTrack();
		const observed = () => {
			track.observe(session.takeSample(null)?.sample, NOON, true);
			return { usd: track.usd, grown: track.grown.usd, seen: track.seen };
		};
		session.tell(count('transcript', amount(100, 0, { costUsd: 2 })));
		session.tell(count('telemetry', amount(50, 0, { costUsd: 9 })));
		expect(observed()).toEqual({ usd: 2, grown: 2, seen: 'first' });
		session.tell(count('gateway', amount(100, 0, { costUsd: 0.5 })));
		expect(session.view(NOON)).toMatchObject({ source: 'gateway', costUsd: 0.5 });
		expect(observed()).toEqual({ usd: 0.5, grown: 0, seen: 'sample' });
		session.tell(count('gateway', amount(100, 0, { costUsd: 0, localWork: 100 }), { asOf: NOON + 1 }));
		session.tell(count('gateway', amount(110, 0, { costUsd: 0, localWork: 110 }), { asOf: NOON + 2 }));
		expect(observed()).toEqual({ usd: 0, grown: 0, seen: 'sample' });
		session.tell(count('gateway', amount(120, 0, { costUsd: 1, localWork: 110 }), { asOf: NOON + 3 }));
		expect(observed()).toEqual({ usd: 1, grown: 1, seen: 'sample' });
	});

	it('is lowered by files that say less now: that is no burst and no new beginning, and what follows counts at once', () => {
		const session = new CountedSession();
		const track = new UsageTrack();
		const told = (input: number, output: number, ms: number) => {
			session.tell(count('transcript', amount(input, output), { asOf: NOON + ms }));
			track.observe(session.takeSample(null)?.sample, NOON + ms, false);
			return { work: track.work, grown: track.grown.work, seen: track.seen };
		};
		expect(told(900, 100, 0)).toEqual({ work: 1_000, grown: 0, seen: 'first' });
		expect(told(400, 50, 1)).toEqual({ work: 450, grown: 0, seen: 'corrected' });
		expect(session.view(NOON + 1)).toMatchObject({ work: 450 });
		expect(told(410, 55, 2)).toEqual({ work: 465, grown: 15, seen: 'sample' });
	});

	it('has no cost while none is known', () => {
		const session = new CountedSession();
		session.tell(count('transcript', amount(100, 0, { costUsd: null, unpricedModels: ['x'] })));
		expect(session.takeSample(null)?.sample.usd).toBeNull();
	});
});

describe('properties', () => {
	const source = fc.constantFrom<UsageSource>('transcript', 'gateway', 'telemetry');
	const tokens = fc.nat({ max: 1_000 });
	const told = fc
		.record({ source, input: tokens, output: tokens, cacheCreation: tokens, minutes: fc.nat({ max: 4_000 }) })
		.map(({ source: by, input, output, cacheCreation, minutes }) =>
			count(by, amount(input, output, { cacheCreation, costUsd: input / 100 }), {
				asOf: NOON + minutes * 60_000,
			}),
		);
	const tellings = fc.array(told, { minLength: 1, maxLength: 12 });
	/** Files are told whole, as they are then: only counters come in any order. */
	const ofCounters = fc.array(
		told.filter(({ source: by }) => by !== 'transcript'),
		{ minLength: 1, maxLength: 12 },
	);
	const inTime = tellings.map((counts) => [...counts].sort((a, b) => a.asOf - b.asOf));
	const LATER = NOON + DAY;
	const sessionAfter = (counts: readonly SessionCount[]): CountedSession => {
		const session = new CountedSession();
		for (const each of counts) session.tell(each);
		return session;
	};
	const workOf = (sample: { input: number; output: number; cacheCreation: number }): number =>
		sample.input + sample.output + sample.cacheCreation;

	it('the order does not matter', () => {
		fc.assert(
			fc.property(ofCounters, fc.infiniteStream(fc.nat()), (counts, keys) => {
				const shuffled = counts
					.map((each) => ({ each, key: keys.next().value ?? 0 }))
					.sort((a, b) => a.key - b.key)
					.map(({ each }) => each);
				const told1 = sessionAfter(counts).view(LATER);
				const told2 = sessionAfter(shuffled).view(LATER);
				const sorted = (view: typeof told1) =>
					view && [
						view.work,
						view.source,
						[...view.otherCounts].sort((a, b) => a.work - b.work),
						view.today?.work,
					];
				expect(sorted(told2)).toEqual(sorted(told1));
				expect(reconcile(shuffled, LATER)?.work).toBe(told1?.work);
			}),
		);
	});

	it('one of them is the answer, whole, and it is the largest', () => {
		fc.assert(
			fc.property(tellings, (counts) => {
				const view = reconcile(counts, LATER);
				expect(view?.work).toBe(Math.max(...counts.map(({ total }) => total.work)));
				expect(counts.map(({ total }) => total)).toContainEqual(
					expect.objectContaining({
						input: view?.input,
						output: view?.output,
						cacheCreation: view?.cacheCreation,
						costUsd: view?.costUsd,
					}),
				);
				for (const { work } of view?.otherCounts ?? []) expect(work).toBeLessThanOrEqual(view?.work ?? 0);
			}),
		);
	});

	it('a count more lowers nothing, and telling one twice changes nothing', () => {
		fc.assert(
			fc.property(tellings, told, (counts, more) => {
				const before = reconcile(counts, LATER)?.work ?? 0;
				expect(reconcile([...counts, more], LATER)?.work).toBeGreaterThanOrEqual(before);
				expect(reconcile([...counts, ...counts], LATER)).toEqual(reconcile(counts, LATER));
			}),
		);
	});

	it('the sample is the largest count; it grows no faster than a source did, and goes back only as a correction', () => {
		fc.assert(
			fc.property(inTime, (counts) => {
				const session = new CountedSession();
				const track = new UsageTrack();
				const peaks = new Map<UsageSource, { work: number; output: number; asOf: number }>();
				let before = { work: 0, output: 0, usd: 0, corrections: 0 };
				for (const each of counts) {
					const { work, output } = each.total;
					const { asOf } = each;
					const peak = peaks.get(each.source) ?? { work: 0, output: 0, asOf };
					const grown = { work: Math.max(0, work - peak.work), output: Math.max(0, output - peak.output) };
					const isWhole = each.source === 'transcript' && asOf > peak.asOf;
					const most = { work: Math.max(peak.work, work), output: Math.max(peak.output, output), asOf };
					peaks.set(each.source, isWhole ? { work, output, asOf } : most);
					session.tell(each);
					const taken = session.takeSample(null);
					if (taken === null) throw new Error('a count was told');
					track.observe(taken.sample, NOON, true);
					expect(['first', 'sample', 'corrected']).toContain(track.seen);
					expect(track.problem).toBe('');
					const { usd, corrections = 0 } = taken.sample;
					const now = { work: workOf(taken.sample), output: taken.sample.output, usd: usd ?? 0, corrections };
					const isLess = now.work < before.work || now.output < before.output || now.usd < before.usd;
					expect(now.corrections - before.corrections).toBe(isLess ? 1 : 0);
					expect(now.work - before.work).toBeLessThanOrEqual(grown.work);
					expect(now.output - before.output).toBeLessThanOrEqual(grown.output);
					for (const growth of Object.values(track.grown)) expect(growth).toBeGreaterThanOrEqual(0);
					before = now;
				}
				expect(before.work).toBe(Math.max(...[...peaks.values()].map(({ work }) => work)));
				expect(track.work).toBe(before.work);
				expect(track.usd).toBeCloseTo(session.view(LATER)?.costUsd ?? 0, 9);
			}),
		);
	});
});
