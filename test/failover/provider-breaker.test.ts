import { describe, expect, it } from 'vitest';
import { MAX_WINDOW_CALLS } from '../../src/main/failover/breaker-window.ts';
import { ProviderBreaker } from '../../src/main/failover/provider-breaker.ts';
import { BreakerDriver, outcomeOf } from './provider-breaker-driver.ts';

const lossKinds = ['error', 'cut', 'timeout'] as const;

describe('seed 003, test 1: thresholds and transitions of the breaker are exact', () => {
	it('opens at 30 % errors of five calls and not before the fifth', () => {
		const driver = new BreakerDriver().calls(4, 'error');
		expect(driver.state).toBe('closed');
		driver.calls(1, 'error');
		expect(driver.state).toBe('open');
	});

	it.each([
		{ ok: 7, errors: 3, state: 'open' },
		{ ok: 15, errors: 6, state: 'closed' },
		{ ok: 14, errors: 6, state: 'open' },
		{ ok: 71, errors: 30, state: 'closed' },
		{ ok: 70, errors: 30, state: 'open' },
	])('$errors errors after $ok good calls: $state', ({ ok, errors, state }) => {
		expect(new BreakerDriver().calls(ok, 'ok').calls(errors, 'error').state).toBe(state);
	});

	it('counts only what ended less than 60 s ago', () => {
		expect(new BreakerDriver().calls(4, 'error').wait(59_999).calls(1, 'error').state).toBe('open');
		expect(new BreakerDriver().calls(4, 'error').wait(60_000).calls(1, 'error').state).toBe('closed');
	});

	it('opens when the 95th percentile of the latency is above 15 s, not at 15 s', () => {
		expect(new BreakerDriver().calls(5, 'ok', { latencyMs: 15_000 }).state).toBe('closed');
		expect(new BreakerDriver().calls(5, 'ok', { latencyMs: 15_001 }).state).toBe('open');
	});

	it('needs five calls with a latency before it opens for slowness', () => {
		const driver = new BreakerDriver().calls(10, 'ok').calls(4, 'ok', { latencyMs: 60_000 });
		expect(driver.state).toBe('closed');
		expect(driver.calls(1, 'ok', { latencyMs: 60_000 }).state).toBe('open');
	});

	it('lets one slow call in twenty pass, two not', () => {
		const driver = new BreakerDriver().calls(19, 'ok', { latencyMs: 100 });
		expect(driver.calls(1, 'ok', { latencyMs: 60_000 }).state).toBe('closed');
		expect(driver.counts.p95LatencyMs).toBe(100);
		expect(driver.calls(1, 'ok', { latencyMs: 60_000 }).state).toBe('open');
		expect(driver.counts.p95LatencyMs).toBe(60_000);
	});

	it('is half-open 30 s after it opened, with one trial call', () => {
		const driver = new BreakerDriver().calls(5, 'error');
		expect(driver.refusedFor()).toBe(30_000);
		driver.wait(29_999);
		expect(driver.state).toBe('open');
		expect(driver.refusedFor()).toBe(1);
		driver.wait(1);
		expect(driver.state).toBe('half-open');
		expect(driver.admit().isTrial).toBe(true);
		expect(driver.state).toBe('half-open');
		expect(driver.refusedFor()).toBe(120_000);
	});

	it('closes with an empty window when the trial is answered', () => {
		const driver = new BreakerDriver().calls(5, 'error').wait(30_000).calls(1, 'ok');
		expect(driver.state).toBe('closed');
		expect(driver.counts).toMatchObject({ calls: 0, errors: 0 });
		expect(driver.calls(4, 'error').state).toBe('closed');
		expect(driver.changes.map(({ from, to }) => `${from} → ${to}`)).toEqual([
			'closed → open',
			'open → half-open',
			'half-open → closed',
		]);
	});

	it.each(['error', 'lost', 'cut', 'timeout'] as const)(
		'a trial that ends with "%s" opens it again for 30 s',
		(kind) => {
			const driver = new BreakerDriver().calls(5, 'error').wait(30_000).calls(1, kind);
			expect(driver.state).toBe('open');
			expect(driver.refusedFor()).toBe(30_000);
			expect(driver.breaker.opening()).toMatchObject({ openedAt: 1_000_000, failedTrials: 1 });
			expect(driver.wait(30_000).calls(1, 'ok').state).toBe('closed');
			expect(driver.changes.map(({ to }) => to)).toEqual([
				'open',
				'half-open',
				'open',
				'half-open',
				'closed',
			]);
		},
	);
});

describe('evidence', () => {
	it.each(lossKinds)('"%s" counts as an error', (kind) => {
		expect(new BreakerDriver().calls(5, kind).state).toBe('open');
	});

	it('a lost connection opens it at once: the minimum guards the rate, not plain evidence', () => {
		const driver = new BreakerDriver().calls(1, 'lost');
		expect(driver.state).toBe('open');
		expect(driver.breaker.opening()?.cause).toEqual({
			kind: 'lost',
			last: { kind: 'lost', status: null, code: 'ECONNREFUSED' },
		});
	});

	it('a lost connection opens it among a hundred good calls', () => {
		expect(new BreakerDriver().calls(100, 'ok').calls(1, 'lost').state).toBe('open');
	});

	it('rate limits are counted apart and never open it', () => {
		const driver = new BreakerDriver().calls(50, 'rate-limited', { latencyMs: 60_000 });
		expect(driver.state).toBe('closed');
		expect(driver.counts).toMatchObject({ calls: 0, errors: 0, rateLimited: 50, p95LatencyMs: null });
	});

	it('a rate limit opens nothing, also when good calls have just slid out of the window', () => {
		const driver = new BreakerDriver().calls(12, 'ok').wait(30_000).calls(5, 'error').wait(30_000);
		expect(driver.calls(1, 'rate-limited').state).toBe('closed');
		expect(driver.calls(1, 'ok').state).toBe('open');
	});

	it('rate limits do not thin out errors', () => {
		expect(new BreakerDriver().calls(50, 'rate-limited').calls(5, 'error').state).toBe('open');
	});

	it('tells what it counted when it opened', () => {
		const { breaker } = new BreakerDriver().calls(7, 'ok').calls(3, 'error');
		expect(breaker.opening()?.cause).toEqual({
			kind: 'error-rate',
			calls: 10,
			errors: 3,
			last: { kind: 'error', status: 529, code: 'overloaded_error' },
		});
	});

	it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('a latency of %d is none', (latencyMs) => {
		const driver = new BreakerDriver().calls(9, 'ok', { latencyMs });
		expect(driver.state).toBe('closed');
		expect(driver.counts.timed).toBe(0);
	});

	it('memory is bounded at any rate, and the newest calls count', () => {
		const driver = new BreakerDriver().calls(MAX_WINDOW_CALLS * 3, 'ok');
		expect(driver.counts.calls).toBe(MAX_WINDOW_CALLS);
		expect(driver.calls(MAX_WINDOW_CALLS * 0.3 - 1, 'error').state).toBe('closed');
		expect(driver.calls(1, 'error').state).toBe('open');
	});
});

describe('the trial', () => {
	it('an abandoned one is replaced when its lease ends', () => {
		const driver = new BreakerDriver({ rules: { trialLeaseMs: 5_000 } }).calls(1, 'lost').wait(30_000);
		driver.admit();
		expect(driver.wait(4_999).refusedFor()).toBe(1);
		expect(driver.wait(1).admit().isTrial).toBe(true);
		expect(driver.changes).toHaveLength(2);
	});

	it('a long answer that ends well after its lease still closes it', () => {
		const driver = new BreakerDriver().calls(1, 'lost').wait(30_000);
		const long = driver.admit();
		driver.wait(130_000).admit();
		expect(driver.wait(1_000).settle(long, 'ok')).toBe(true);
		expect(driver.state).toBe('closed');
	});

	it('a failure of one whose place was taken changes nothing', () => {
		const driver = new BreakerDriver().calls(1, 'lost').wait(30_000);
		const long = driver.admit();
		const next = driver.wait(130_000).admit();
		expect(driver.settle(long, 'timeout')).toBe(false);
		expect(driver.state).toBe('half-open');
		expect(driver.settle(next, 'ok')).toBe(true);
		expect(driver.state).toBe('closed');
	});

	it('one answered 429 goes back to open until the provider wants to be asked', () => {
		const driver = new BreakerDriver().calls(5, 'error').wait(30_000);
		driver.calls(1, 'rate-limited', { retryAfterMs: 90_000 });
		expect(driver.state).toBe('open');
		expect(driver.refusedFor()).toBe(90_000);
		expect(driver.breaker.opening()).toMatchObject({ failedTrials: 0, lastTrial: { kind: 'rate-limited' } });
	});

	it.each(['rate-limited', 'unauthorised', 'neutral'] as const)(
		'one answered "%s" closes what was lost without an answer: something answers there',
		(kind) => {
			const driver = new BreakerDriver().calls(1, 'lost').wait(30_000);
			driver.calls(1, kind, { retryAfterMs: 600_000 });
			expect(driver.state).toBe('closed');
			expect(driver.counts).toMatchObject({ errors: 0, rateLimited: kind === 'rate-limited' ? 1 : 0 });
		},
	);

	it.each(['neutral', 'error', 'cut', 'timeout', 'lost'] as const)(
		'one that is no answer, or one with an error ("%s"), does not',
		(kind) => {
			const driver = new BreakerDriver().calls(1, 'lost').wait(30_000);
			driver.calls(1, kind, kind === 'neutral' ? { status: null } : {});
			expect(driver.state).toBe(kind === 'neutral' ? 'half-open' : 'open');
		},
	);

	it('one answered 429 a week from now is tried again after ten minutes', () => {
		const driver = new BreakerDriver().calls(5, 'error').wait(30_000);
		driver.calls(1, 'rate-limited', { retryAfterMs: 604_800_000 });
		expect(driver.refusedFor()).toBe(600_000);
	});

	it.each(['neutral', 'unauthorised'] as const)('"%s" only releases it', (kind) => {
		const driver = new BreakerDriver().calls(5, 'error').wait(30_000).calls(1, kind);
		expect(driver.state).toBe('half-open');
		expect(driver.admit().isTrial).toBe(true);
	});
});

describe('Retry-After is a floor for the next trial', () => {
	it.each([
		{ retryAfterMs: 90_000, waits: 90_000 },
		{ retryAfterMs: 10_000, waits: 30_000 },
		{ retryAfterMs: null, waits: 30_000 },
		{ retryAfterMs: Number.NaN, waits: 30_000 },
		{ retryAfterMs: -5, waits: 30_000 },
		{ retryAfterMs: 600_000, waits: 600_000 },
		{ retryAfterMs: 864_000_000, waits: 600_000 },
		{ retryAfterMs: Number.POSITIVE_INFINITY, waits: 600_000 },
	])('$retryAfterMs ms: waits $waits ms', ({ retryAfterMs, waits }) => {
		const driver = new BreakerDriver().calls(4, 'error').calls(1, 'error', { retryAfterMs });
		expect(driver.refusedFor()).toBe(waits);
	});

	it('the wish of an earlier error holds as well', () => {
		const driver = new BreakerDriver()
			.calls(4, 'error', { retryAfterMs: 90_000 })
			.wait(10_000)
			.calls(1, 'error');
		expect(driver.refusedFor()).toBe(80_000);
	});

	it('the wish of a rate limit does not: it is about one model or key', () => {
		const driver = new BreakerDriver().calls(1, 'rate-limited', { retryAfterMs: 90_000 }).calls(1, 'lost');
		expect(driver.refusedFor()).toBe(30_000);
	});
});

describe('settling', () => {
	it('counts once', () => {
		const driver = new BreakerDriver();
		const call = driver.admit();
		expect(driver.settle(call, 'error')).toBe(true);
		expect(driver.settle(call, 'error')).toBe(false);
		expect(driver.counts.errors).toBe(1);
	});

	it('does not take a call of another breaker for its own', () => {
		const driver = new BreakerDriver();
		driver.admit();
		expect(driver.settle({ era: 7, serial: 1, isTrial: false }, 'lost')).toBe(false);
		expect(driver.state).toBe('closed');
	});

	it('a call nobody settles is forgotten after an hour', () => {
		const driver = new BreakerDriver();
		const lost = driver.admit();
		driver.wait(3_600_000).calls(1, 'ok');
		expect(driver.settle(lost, 'lost')).toBe(false);
		expect(driver.state).toBe('closed');
	});
});

it('a clock that gives no number does no harm', () => {
	const breaker = new ProviderBreaker();
	const admission = breaker.admit(Number.NaN);
	if (!admission.admitted) throw new Error('not admitted');
	breaker.settle(admission.call, outcomeOf('lost'), Number.NaN);
	expect(breaker.admit(Number.NaN)).toEqual({ admitted: false, retryInMs: 30_000 });
	expect(breaker.admit(30_000).admitted).toBe(true);
});
