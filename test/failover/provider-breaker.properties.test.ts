/**
 * What holds for every trace whatsoever of admitted, settled, doubly settled, late and abandoned calls, waits and
 * sleeps. Named after the public failures of breakers that each property rules out. `PROPERTY_RUNS` runs more of them.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, CallOutcomeKind } from '../../src/main/failover/call.ts';
import { type AdmittedCall, ProviderBreaker } from '../../src/main/failover/provider-breaker.ts';
import { savedBreakerSchema } from '../../src/main/failover/saved-breaker.ts';
import { BreakerDriver, outcomeOf } from './provider-breaker-driver.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
const LEASE_MS = 120_000;
const LONGEST_WISH_MS = 600_000;

type Deed =
	| { readonly kind: 'admit' }
	| { readonly kind: 'settle'; readonly which: number; readonly outcome: CallOutcome }
	| { readonly kind: 'call'; readonly outcome: CallOutcome }
	| { readonly kind: 'wait'; readonly ms: number };

const kinds: readonly CallOutcomeKind[] = [
	'ok',
	'error',
	'lost',
	'cut',
	'timeout',
	'rate-limited',
	'unauthorised',
	'neutral',
];
const wish = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(null) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			0,
			-1,
			1_000,
			29_999,
			45_000,
			90_000,
			1e12,
			Number.NaN,
			Number.POSITIVE_INFINITY,
		),
	},
);
const outcome: fc.Arbitrary<CallOutcome> = fc
	.record({
		kind: fc.constantFrom(...kinds, 'ok' as const, 'error' as const),
		latencyMs: fc.constantFrom(null, null, 0, 100, 15_000, 15_001, 60_000),
		retryAfterMs: wish,
	})
	.map(({ kind, ...more }) => outcomeOf(kind, more));
const span = fc.oneof(
	fc.constantFrom(0, 1, 999, 5_000, 29_999, 30_000, 59_999, 60_000, LEASE_MS, 8 * 3_600_000),
	fc.nat(40_000),
);
const deed: fc.Arbitrary<Deed> = fc.oneof(
	{ weight: 4, arbitrary: outcome.map((of) => ({ kind: 'call' as const, outcome: of })) },
	{ weight: 2, arbitrary: fc.constant({ kind: 'admit' as const }) },
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat(100), outcome }),
	},
	{ weight: 2, arbitrary: span.map((ms) => ({ kind: 'wait' as const, ms })) },
);
/** Half of them begin with an open breaker, which chance alone reaches late. */
const trace = fc
	.tuple(fc.boolean(), fc.array(deed, { maxLength: 40 }))
	.map(([isOpen, deeds]): Deed[] =>
		isOpen ? [{ kind: 'call', outcome: outcomeOf('lost') }, ...deeds] : deeds,
	);

interface Held {
	readonly call: AdmittedCall;
	readonly at: number;
	settled: boolean;
}

/** A breaker with everybody who holds one of its calls. */
class Traffic extends BreakerDriver {
	readonly held: Held[] = [];

	tryAdmit(): Held | null {
		const admission = this.breaker.admit(this.now);
		if (!admission.admitted) return null;
		const held = { call: admission.call, at: this.now, settled: false };
		this.held.push(held);
		return held;
	}

	settleHeld(held: Held, of: CallOutcome): boolean {
		held.settled = true;
		return this.breaker.settle(held.call, of, this.now);
	}

	do(step: Deed): void {
		if (step.kind === 'wait') this.now += step.ms;
		else if (step.kind === 'admit') this.tryAdmit();
		else if (step.kind === 'call') {
			const held = this.tryAdmit();
			if (held !== null) this.settleHeld(held, step.outcome);
		} else {
			const held = this.held[step.which % Math.max(1, this.held.length)];
			if (held !== undefined) this.settleHeld(held, step.outcome);
		}
	}

	/** All that a breaker knows, to compare. */
	get known(): string {
		return JSON.stringify([this.breaker.save(this.now), this.breaker.opening(), this.changes.length]);
	}
}

function follow(deeds: readonly Deed[], after: (traffic: Traffic, step: Deed) => void = () => {}): Traffic {
	const traffic = new Traffic();
	for (const step of deeds) {
		traffic.do(step);
		after(traffic, step);
	}
	return traffic;
}

function holds<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void): void {
	fc.assert(fc.property(arbitrary, check), { numRuns: RUNS });
}

describe('for every trace', () => {
	it('P1: at most one trial is under way', () => {
		holds(trace, (deeds) => {
			follow(deeds, ({ held, now }) => {
				const newest = held.at(-1);
				const underWay = held.filter(
					({ call, at, settled }) =>
						call.isTrial && !settled && call.era === newest?.call.era && now - at < LEASE_MS,
				);
				expect(underWay.length).toBeLessThanOrEqual(1);
			});
		});
	});

	it('P2: a result of an older era, or a second one, changes nothing', () => {
		holds(fc.tuple(trace, outcome), ([deeds, late]) => {
			const traffic = follow(deeds);
			const newest = Math.max(0, ...traffic.held.map(({ call }) => call.era));
			for (const held of traffic.held.filter(({ call, settled }) => settled || call.era < newest)) {
				const before = traffic.known;
				expect(traffic.settleHeld(held, late)).toBe(false);
				expect(traffic.known).toBe(before);
			}
		});
	});

	it('P3: whoever is refused is admitted after the time that was said, whatever others left unsettled', () => {
		holds(trace, (deeds) => {
			const traffic = follow(deeds);
			const admission = traffic.breaker.admit(traffic.now);
			if (admission.admitted) return;
			expect(admission.retryInMs).toBeGreaterThan(0);
			expect(traffic.wait(admission.retryInMs).admit().isTrial).toBe(true);
		});
	});

	it('P4: while it is open nothing closes it, and nothing moves its times', () => {
		holds(fc.tuple(trace, fc.array(outcome, { maxLength: 10 })), ([deeds, late]) => {
			const traffic = follow(deeds);
			fc.pre(traffic.state === 'open');
			const before = traffic.known;
			for (const [index, of] of late.entries()) {
				const held = traffic.held[index % traffic.held.length];
				if (held !== undefined) traffic.settleHeld(held, of);
			}
			expect(traffic.known).toBe(before);
		});
	});

	it('P5: any number of failures at one time is one opening', () => {
		const failures = fc.array(fc.constantFrom('error', 'lost', 'cut', 'timeout'), {
			minLength: 5,
			maxLength: 60,
		});
		holds(failures, (all) => {
			const traffic = new Traffic();
			const calls = all.map(() => traffic.admit());
			for (const [index, call] of calls.entries()) traffic.settle(call, all[index] ?? 'lost');
			expect(traffic.changes).toEqual([{ from: 'closed', to: 'open', at: traffic.now }]);
			expect(traffic.refusedFor()).toBe(30_000);
		});
	});

	it('P6: after a minute of silence nothing counts', () => {
		holds(fc.tuple(trace, fc.integer({ min: 60_000, max: 1e9 })), ([deeds, silence]) => {
			const traffic = follow(deeds).wait(silence);
			expect(traffic.counts).toEqual({ calls: 0, errors: 0, rateLimited: 0, timed: 0, p95LatencyMs: null });
		});
	});

	it('P7: a neutral result changes nothing but that its place is free, unless it answers what was lost', () => {
		holds(fc.tuple(trace, fc.constantFrom('neutral', 'unauthorised')), ([deeds, kind]) => {
			const traffic = follow(deeds);
			const held = traffic.tryAdmit();
			if (held === null) return;
			if (traffic.breaker.opening()?.cause.kind === 'lost') {
				traffic.settleHeld(held, outcomeOf(kind));
				expect(traffic.state).toBe('closed');
				return;
			}
			const { open: _, ...before } = traffic.breaker.save(traffic.now);
			const { state } = traffic;
			const changes = traffic.changes.length;
			expect(traffic.settleHeld(held, outcomeOf(kind))).toBe(true);
			const { open: __, ...after } = traffic.breaker.save(traffic.now);
			expect(after).toEqual(before);
			expect(traffic.changes).toHaveLength(changes);
			expect(traffic.state).toBe(state);
			expect(traffic.admit().isTrial).toBe(state === 'half-open');
		});
	});

	it('P8: it opens at exactly the call at which the seed says so', () => {
		const calls = fc.array(
			fc.record({
				after: fc.oneof(fc.constant(0), fc.nat(20_000)),
				kind: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'error', 'rate-limited', 'neutral'),
				latencyMs: fc.constantFrom(null, 100, 100, 100, 100, 100, 100, 15_000, 15_001),
			}),
			{ maxLength: 60 },
		);
		holds(calls, (all) => {
			const driver = new BreakerDriver();
			const log: { at: number; isError: boolean; latencyMs: number | null }[] = [];
			for (const { after, kind, latencyMs } of all) {
				driver.wait(after).settle(driver.admit(), kind, { latencyMs });
				if (kind === 'ok' || kind === 'error')
					log.push({ at: driver.now, isError: kind === 'error', latencyMs });
				const isCounted = kind === 'ok' || kind === 'error';
				expect(driver.state).toBe(isCounted && seedOpens(log, driver.now) ? 'open' : 'closed');
				if (driver.state === 'open') return;
			}
		});
	});

	it('P9: no trial before 30 s, nor before the provider wants one; never later than ten minutes', () => {
		holds(fc.tuple(trace, outcome), ([deeds, last]) => {
			const traffic = follow(deeds);
			const held = traffic.tryAdmit();
			if (held === null) return;
			const changes = traffic.changes.length;
			traffic.settleHeld(held, last);
			if (traffic.changes.at(changes)?.to !== 'open') return;
			// A good answer can be the fifth call that opens it; what it asks for besides is no wish.
			const wanted = last.kind === 'ok' ? 0 : (last.retryAfterMs ?? 0);
			const floor = Math.max(30_000, wanted > 0 ? Math.min(wanted, LONGEST_WISH_MS) : 0);
			expect(traffic.refusedFor()).toBeGreaterThanOrEqual(floor);
			expect(traffic.refusedFor()).toBeLessThanOrEqual(LONGEST_WISH_MS);
		});
	});

	it('P10: jitter only lengthens, and at most by the time itself', () => {
		holds(fc.oneof(fc.double(), fc.integer()), (jitter) => {
			const driver = new BreakerDriver({ jitterMs: () => jitter }).calls(1, 'lost');
			expect(driver.refusedFor()).toBeGreaterThanOrEqual(30_000);
			expect(driver.refusedFor()).toBeLessThanOrEqual(60_000);
		});
	});

	it('P11: saved and restored it behaves the same, on whatever clock', () => {
		holds(fc.tuple(trace, trace, fc.nat(1e9), fc.nat(200_000)), ([before, afterwards, base, elapsed]) => {
			const original = follow(before);
			// A trial under way ends with the program: the next property is about it.
			const newest = original.held.at(-1)?.call.era;
			fc.pre(!original.held.some(({ call, settled }) => call.isTrial && !settled && call.era === newest));
			const saved = savedBreakerSchema.parse(JSON.parse(JSON.stringify(original.breaker.save(original.now))));
			const restored = new Traffic();
			restored.now = base + 86_400_000;
			restored.breaker.restore(saved, restored.now, elapsed);
			original.wait(elapsed);
			original.held.length = 0;
			const ages = (traffic: Traffic): unknown => {
				const { openedAt, nextTrialAt, ...opening } = traffic.breaker.opening() ?? {
					openedAt: traffic.now,
					nextTrialAt: traffic.now,
				};
				return [
					traffic.state,
					traffic.counts,
					traffic.now - openedAt,
					Math.max(0, nextTrialAt - traffic.now),
					opening,
				];
			};
			expect(ages(restored)).toEqual(ages(original));
			for (const step of afterwards) {
				original.do(step);
				restored.do(step);
				expect(ages(restored)).toEqual(ages(original));
			}
		});
	});

	it('P11: a trial under way is due again at once after a restart', () => {
		holds(trace, (deeds) => {
			const traffic = follow([...deeds, { kind: 'call', outcome: outcomeOf('lost') }]);
			fc.pre(traffic.breaker.opening() !== null);
			traffic.now = Math.max(traffic.now, traffic.breaker.opening()?.nextTrialAt ?? 0);
			traffic.admit();
			const restored = new ProviderBreaker();
			restored.restore(traffic.breaker.save(traffic.now), 5, 0);
			expect(restored.state(5)).toBe('half-open');
			expect(restored.admit(5)).toMatchObject({ admitted: true, call: { isTrial: true } });
		});
	});

	it('P11: no saved time whatever, and no clock set back, keeps it from trying again within ten minutes', () => {
		const number = fc.oneof(fc.constantFrom(0, 30_000, 1e15, Number.MAX_VALUE), fc.nat());
		holds(
			fc.tuple(number, number, number, fc.option(number), fc.boolean()),
			([openedAgoMs, trialInMs, notBeforeInMs, elapsed, isOpen]) => {
				const last = { kind: 'lost', status: null, code: 'x' } as const;
				const driver = new BreakerDriver();
				const open = {
					openedAgoMs,
					trialInMs,
					cause: { kind: 'lost', last } as const,
					failedTrials: 0,
					lastTrial: null,
				};
				const calls = [openedAgoMs, trialInMs].map(
					(agoMs) => ({ agoMs, as: 'error', latencyMs: null }) as const,
				);
				driver.breaker.restore(
					{ notBeforeInMs, lastLoss: last, calls, open: isOpen ? open : null },
					driver.now,
					elapsed,
				);
				expect(driver.counts.calls).toBeLessThanOrEqual(2);
				driver.wait(LONGEST_WISH_MS + 60_000);
				expect(driver.admit().isTrial).toBe(isOpen);
				driver.wait(LEASE_MS).calls(1, 'lost');
				expect(driver.refusedFor()).toBeLessThanOrEqual(LONGEST_WISH_MS);
			},
		);
	});

	it('P12: a clock that steps back stands still; a night of sleep lets a trial go', () => {
		const steps = fc.array(fc.tuple(deed, fc.integer({ min: -86_400_000, max: 0 })), { maxLength: 40 });
		holds(steps, (all) => {
			const still = new Traffic();
			const back = new Traffic();
			for (const [step, jump] of all) {
				still.do(step);
				back.do(step);
				const { now, state } = back;
				back.now += jump;
				expect(back.state).toBe(state);
				expect(back.counts).toEqual(still.counts);
				back.now = now;
			}
			const night = still.wait(8 * 3_600_000).breaker.opening();
			if (night !== null && night.nextTrialAt <= still.now) expect(still.admit().isTrial).toBe(true);
			expect(still.wait(16 * 3_600_000).tryAdmit()).not.toBeNull();
		});
	});

	it('P14: a trial answered 429 after errors goes back to open with the time of the provider', () => {
		holds(fc.tuple(trace, fc.integer({ min: 1, max: 1e9 })), ([deeds, retryAfterMs]) => {
			const traffic = follow(deeds);
			const held = traffic.tryAdmit();
			if (held?.call.isTrial !== true) return;
			const { openedAt, cause } = traffic.breaker.opening() ?? {};
			fc.pre(cause?.kind !== 'lost');
			traffic.settleHeld(held, outcomeOf('rate-limited', { retryAfterMs }));
			expect(traffic.state).toBe('open');
			expect(traffic.breaker.opening()?.openedAt).toBe(openedAt);
			// Another wish, of the errors that opened it, may reach further.
			expect(traffic.refusedFor()).toBeGreaterThanOrEqual(
				Math.max(30_000, Math.min(retryAfterMs, LONGEST_WISH_MS)),
			);
		});
	});

	it('its changes are a chain of the four that exist', () => {
		const allowed = ['closed → open', 'open → half-open', 'half-open → open', 'half-open → closed'];
		holds(trace, (deeds) => {
			const { changes } = follow(deeds);
			for (const [index, { from, to }] of changes.entries()) {
				expect(allowed).toContain(`${from} → ${to}`);
				expect(from).toBe(changes[index - 1]?.to ?? 'closed');
			}
		});
	});
});

/** The seed's sentence, word by word, over all calls ever made. */
function seedOpens(
	log: readonly { at: number; isError: boolean; latencyMs: number | null }[],
	now: number,
): boolean {
	const recent = log.filter(({ at }) => now - at < 60_000);
	const errors = recent.filter(({ isError }) => isError).length;
	if (recent.length >= 5 && errors / recent.length >= 0.3) return true;
	const latencies = recent.flatMap(({ latencyMs }) => latencyMs ?? []).sort((left, right) => left - right);
	const p95 = latencies[Math.ceil(latencies.length * 0.95) - 1] ?? 0;
	return latencies.length >= 5 && p95 > 15_000;
}
