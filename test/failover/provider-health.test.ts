import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, CallOutcomeKind, CallTicket } from '../../src/main/failover/call.ts';
import { ProviderHealth, TRIAL_JITTER_MS } from '../../src/main/failover/provider-health.ts';
import { providerViewSchema } from '../../src/shared/capability.ts';
import type { ProviderSettings } from '../../src/shared/failover-settings.ts';
import { outcomeOf } from './provider-breaker-driver.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function providerNamed(id: string, more: Partial<ProviderSettings> = {}): ProviderSettings {
	const baseUrl = `https://${id}.example`;
	return { id, name: id.toUpperCase(), baseUrl, protocols: ['anthropic-messages'], ...more };
}

class HealthDriver {
	wall = Date.UTC(2026, 11, 2, 10);
	steady = 50_000;
	providers: ProviderSettings[] = [providerNamed('a'), providerNamed('b')];
	random = () => 0;
	readonly told: string[] = [];
	readonly health = new ProviderHealth({
		providers: () => this.providers,
		clock: { wall: () => this.wall, steady: () => this.steady },
		random: () => this.random(),
		onChange: (id) => this.told.push(id),
	});

	wait(ms: number): this {
		this.wall += ms;
		this.steady += ms;
		return this;
	}

	ticket(id = 'a'): CallTicket {
		const { ticket } = this.health.admit(id);
		if (ticket === null) throw new Error(`${id} is down`);
		return ticket;
	}

	call(kind: CallOutcomeKind, id = 'a', more?: Partial<CallOutcome>): this {
		this.health.settle(this.ticket(id), outcomeOf(kind, more));
		return this;
	}

	view(id = 'a') {
		const view = this.health.views().find((provider) => provider.id === id);
		if (view === undefined) throw new Error(`no view of ${id}`);
		return view;
	}

	/** The program ends and starts again `ms` later, on a new steady clock. */
	restarted(ms = 0, saved: unknown = JSON.parse(JSON.stringify(this.health.saved()))): HealthDriver {
		const next = new HealthDriver();
		next.wall = this.wall + ms;
		next.steady = 7;
		next.providers = this.providers;
		next.health.restore(saved);
		return next;
	}
}

describe('what is known of a provider', () => {
	it('nothing, before a call', () => {
		const { health } = new HealthDriver();
		expect(health.remote('a')).toBe('unknown');
		expect(health.isDown('a')).toBe(false);
		expect(health.down()).toEqual([]);
		expect(health.lastCalled()).toBeNull();
		for (const view of health.views()) providerViewSchema.parse(view);
	});

	it('reachable for five minutes after a success', () => {
		const driver = new HealthDriver().call('ok');
		expect(driver.health.remote('a')).toBe('reachable');
		expect(driver.wait(5 * MINUTE).health.remote('a')).toBe('reachable');
		expect(driver.wait(1).health.remote('a')).toBe('unknown');
	});

	it.each([
		['error', 'unknown'],
		['timeout', 'unknown'],
		['cut', 'unknown'],
		['lost', 'unreachable'],
		['unauthorised', 'unauthorised'],
		['rate-limited', 'reachable'],
		['neutral', 'reachable'],
	] as const)('after a success and then "%s": %s', (kind, remote) => {
		expect(new HealthDriver().call('ok').call(kind).health.remote('a')).toBe(remote);
	});

	it('unauthorised until a success, whatever is between', () => {
		const driver = new HealthDriver().call('unauthorised').call('error').call('neutral').wait(DAY);
		expect(driver.health.remote('a')).toBe('unauthorised');
		expect(driver.health.isDown('a')).toBe(false);
		expect(driver.health.reason('a')).toBe("A refused the caller's credentials (401 authentication_error).");
		expect(driver.call('ok').health.remote('a')).toBe('reachable');
		expect(driver.health.reason('a')).toBe('');
	});

	it.each([
		['unauthorised', 'unauthorised'],
		['rate-limited', 'unknown'],
		['neutral', 'unknown'],
	] as const)('back when the trial after a loss is answered "%s", and then %s', (kind, remote) => {
		const driver = new HealthDriver().call('lost').wait(MINUTE).call(kind, 'a', { retryAfterMs: 600_000 });
		expect(driver.health.isDown('a')).toBe(false);
		expect(driver.health.remote('a')).toBe(remote);
		driver.call('ok');
	});

	it('nothing by the result of a call to an address that it does not have any more', () => {
		const driver = new HealthDriver().call('ok');
		const old = driver.ticket();
		expect(old.baseUrl).toBe('https://a.example');
		driver.providers = [providerNamed('a', { baseUrl: 'https://new.example' }), providerNamed('b')];
		// A retry that was admitted for the new address went to the old one all the same.
		const fresh = driver.ticket();
		driver.health.settle(old, outcomeOf('lost'));
		driver.health.settle({ ...fresh, baseUrl: 'https://a.example' }, outcomeOf('lost'));
		expect(driver.health.isDown('a')).toBe(false);
		expect(driver.view()).toMatchObject({ calls: 0, remote: 'unknown' });
	});

	it('frees the place of a trial that went to another address', () => {
		const driver = new HealthDriver().call('lost').wait(MINUTE);
		driver.health.settle({ ...driver.ticket(), baseUrl: 'https://old.example' }, outcomeOf('ok'));
		expect(driver.health.isDown('a')).toBe(true);
		expect(driver.ticket().isTrial).toBe(true);
	});

	it('its whole wish is shown, of which ten minutes are waited', () => {
		const driver = new HealthDriver();
		for (let call = 0; call < 5; call += 1) driver.call('error', 'a', { retryAfterMs: 86_400_000 });
		expect(driver.view()).toMatchObject({
			nextTrialAt: driver.wall + 600_000,
			retryAfterUntil: driver.wall + 86_400_000,
		});
	});

	it('has the usual name of a well-known id when nobody gave it one', () => {
		const driver = new HealthDriver();
		driver.providers = ['anthropic', 'openai', 'proxy'].map((id) => ({
			id,
			baseUrl: `https://${id}.example`,
			protocols: ['anthropic-messages'],
		}));
		expect(driver.health.views().map(({ name }) => name)).toEqual(['Anthropic', 'OpenAI', 'proxy']);
	});

	it('which was called last, and not merely asked for', () => {
		const driver = new HealthDriver().call('ok', 'b').call('lost', 'a');
		driver.call('ok', 'b').health.admit('a');
		expect(driver.health.lastCalled()).toBe('b');
		driver.providers = [providerNamed('a')];
		expect(driver.health.lastCalled()).toBeNull();
	});
});

describe('a provider that is down', () => {
	it('is refused with the time and the reason, and shown so', () => {
		const driver = new HealthDriver().call('ok', 'a', { latencyMs: 80 }).wait(1_000).call('lost');
		const reason = 'A refused the connection (ECONNREFUSED).';
		expect(driver.health.admit('a')).toEqual({ ticket: null, retryInMs: 30_000, reason });
		expect(driver.health.retryInMs('a')).toBe(30_000);
		expect(driver.health.down()).toEqual([{ id: 'a', name: 'A', reason }]);
		expect(providerViewSchema.parse(driver.view())).toEqual({
			id: 'a',
			name: 'A',
			remote: 'unreachable',
			breaker: 'open',
			reason,
			lastSuccessAt: driver.wall - 1_000,
			lastFailureAt: driver.wall,
			nextTrialAt: driver.wall + 30_000,
			calls: 2,
			errors: 1,
			rateLimited: 0,
			p95LatencyMs: null,
			retryAfterUntil: null,
		});
	});

	it('says what was counted and how its trials went', () => {
		const driver = new HealthDriver().call('ok').call('ok');
		for (let call = 0; call < 3; call += 1) driver.call('error');
		expect(driver.health.reason('a')).toBe(
			'3 of 5 calls to A failed within 60 s, the last with 529 overloaded_error.',
		);
		driver.wait(30_000).call('lost');
		expect(driver.health.reason('a')).toContain(
			'; 1 trial call has failed since, the last with ECONNREFUSED.',
		);
		driver.wait(30_000).call('error');
		expect(driver.health.reason('a')).toContain('; 2 trial calls have failed since, the last with 529');
		driver.wait(30_000).call('rate-limited');
		expect(driver.health.reason('a')).toContain(
			'; the last trial call was rate-limited (429 rate_limit_error).',
		);
	});

	it('says when it is too slow', () => {
		const driver = new HealthDriver();
		for (let call = 0; call < 5; call += 1) driver.call('ok', 'a', { latencyMs: 18_200 });
		expect(driver.health.reason('a')).toBe(
			'A answers too late: 95 % of 5 calls within 60 s had their first byte after up to 18 s, above 15 s.',
		);
	});

	it('is half-open when its trial is due, and back after one good call', () => {
		const driver = new HealthDriver().call('lost').wait(30_000);
		expect(driver.view().breaker).toBe('half-open');
		expect(driver.health.retryInMs('a')).toBe(0);
		expect(driver.health.isDown('a')).toBe(true);
		expect(driver.call('ok').view()).toMatchObject({
			breaker: 'closed',
			remote: 'reachable',
			nextTrialAt: null,
		});
	});

	it('a wish of the provider is shown until it is over and never shortened', () => {
		const driver = new HealthDriver()
			.call('rate-limited', 'a', { retryAfterMs: 60_000 })
			.call('rate-limited', 'a', { retryAfterMs: 5_000 });
		expect(driver.view()).toMatchObject({ retryAfterUntil: driver.wall + 60_000, rateLimited: 2, errors: 0 });
		expect(driver.wait(60_000).view().retryAfterUntil).toBeNull();
	});
});

describe('who is told', () => {
	it('once for many failures, and when a trial begins and ends', () => {
		const driver = new HealthDriver();
		const tickets = Array.from({ length: 20 }, () => driver.ticket());
		for (const ticket of tickets) driver.health.settle(ticket, outcomeOf('lost'));
		expect(driver.told).toEqual(['a']);
		const trial = driver.wait(30_000).ticket();
		expect(driver.told).toEqual(['a', 'a']);
		driver.health.settle(trial, outcomeOf('neutral'));
		expect(driver.told).toEqual(['a', 'a', 'a']);
	});

	it('not by ordinary calls', () => {
		const driver = new HealthDriver().call('ok');
		driver.told.length = 0;
		driver.call('ok').call('neutral').call('rate-limited').call('ok', 'a', { latencyMs: 5 });
		expect(driver.told).toEqual([]);
	});
});

describe('P13 and P16: several providers', () => {
	it('what happens to one never touches another', () => {
		const kind = fc.constantFrom<CallOutcomeKind>(
			'error',
			'lost',
			'cut',
			'timeout',
			'rate-limited',
			'unauthorised',
		);
		fc.assert(
			fc.property(fc.array(fc.tuple(kind, fc.nat(60_000))), (calls) => {
				const driver = new HealthDriver();
				for (const [of, ms] of calls) {
					const { ticket } = driver.wait(ms).health.admit('a');
					if (ticket !== null) driver.health.settle(ticket, outcomeOf(of));
					expect(driver.call('ok', 'b').view('b')).toMatchObject({ breaker: 'closed', remote: 'reachable' });
				}
			}),
			{ numRuns: RUNS },
		);
	});

	it('with all of them down, asking again at the time that was said is enough', () => {
		fc.assert(
			fc.property(fc.array(fc.nat(100_000), { minLength: 1, maxLength: 8 }), (wishes) => {
				const driver = new HealthDriver();
				driver.providers = wishes.map((_, index) => providerNamed(`p${index}`));
				for (const [index, retryAfterMs] of wishes.entries())
					driver.call('lost', `p${index}`, { retryAfterMs });
				const waits = driver.providers
					.map(({ id }) => driver.health.admit(id))
					.map((admission) => {
						if (admission.ticket !== null) throw new Error('admitted');
						return admission.retryInMs;
					});
				const soonest = Math.min(...waits);
				expect(soonest).toBeGreaterThanOrEqual(30_000);
				driver.wait(soonest);
				expect(driver.health.admit(`p${waits.indexOf(soonest)}`).ticket?.isTrial).toBe(true);
			}),
			{ numRuns: RUNS },
		);
	});

	it('P10: however chance falls, no two that opened together are tried in the same ms, and none before 30 s', () => {
		const chance = fc.oneof(fc.double(), fc.constantFrom(0, 0.5, 0.999_999, 1, -1, Number.NaN));
		fc.assert(
			fc.property(fc.array(chance, { minLength: 2, maxLength: 50 }), (chances) => {
				const driver = new HealthDriver();
				driver.providers = chances.map((_, index) => providerNamed(`p${index}`));
				const times = chances.map((value, index) => {
					driver.random = () => value;
					return driver.call('lost', `p${index}`).health.retryInMs(`p${index}`);
				});
				expect(new Set(times.map(Math.floor)).size).toBe(times.length);
				for (const time of times) {
					expect(time).toBeGreaterThanOrEqual(30_000);
					expect(time).toBeLessThan(30_000 + TRIAL_JITTER_MS);
				}
			}),
			{ numRuns: RUNS },
		);
	});
});

describe('P12: clocks', () => {
	it('a wall clock that jumps by days opens, closes and sticks nothing', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: -DAY, max: DAY }), { maxLength: 20 }), (jumps) => {
				const driver = new HealthDriver().call('ok', 'b').call('lost');
				for (const jump of jumps) {
					driver.wall += jump;
					expect(driver.health.retryInMs('a')).toBe(30_000);
					expect(driver.health.remote('b')).toBe('reachable');
					expect(driver.view('b').breaker).toBe('closed');
				}
				expect(driver.wait(30_000).call('ok').health.isDown('a')).toBe(false);
			}),
			{ numRuns: RUNS },
		);
	});

	it('a night of sleep lets a trial go and makes old evidence unknown', () => {
		const driver = new HealthDriver()
			.call('ok', 'b')
			.call('lost')
			.wait(8 * 60 * MINUTE);
		expect(driver.health.remote('b')).toBe('unknown');
		expect(driver.ticket().isTrial).toBe(true);
	});
});

describe('P11: a restart', () => {
	it('keeps who is down, since when, why and until when', () => {
		const driver = new HealthDriver().call('ok', 'b').call('ok').call('lost', 'a', { retryAfterMs: 90_000 });
		const next = driver.restarted(20_000);
		expect(next.view()).toEqual({ ...driver.view(), calls: 2 });
		expect(next.health.retryInMs('a')).toBe(70_000);
		expect(next.health.remote('b')).toBe('reachable');
		expect(next.health.lastCalled()).toBe('a');
		expect(next.wait(70_000).call('ok').health.isDown('a')).toBe(false);
	});

	it('keeps a refusal of credentials', () => {
		expect(new HealthDriver().call('unauthorised').restarted(DAY).health.remote('a')).toBe('unauthorised');
	});

	it('does not show old successes as fresh', () => {
		expect(
			new HealthDriver()
				.call('ok')
				.restarted(5 * MINUTE)
				.health.remote('a'),
		).toBe('reachable');
		expect(
			new HealthDriver()
				.call('ok')
				.restarted(5 * MINUTE + 1)
				.health.remote('a'),
		).toBe('unknown');
	});

	it('lets a trial decide when the clock was set back, and believes no stamp of it', () => {
		const driver = new HealthDriver().call('ok', 'b').call('lost', 'a', { retryAfterMs: DAY });
		const next = driver.restarted(-DAY);
		expect(next.view()).toMatchObject({ breaker: 'half-open', lastSuccessAt: null, retryAfterUntil: null });
		expect(next.health.remote('b')).toBe('unknown');
		expect(next.ticket().isTrial).toBe(true);
	});

	it.each([null, undefined, 7, 'x', [], {}, { savedAt: 'yesterday', lastCalled: null, providers: [] }])(
		'%j is no saved state: it says so and starts without evidence',
		(value) => {
			const { health } = new HealthDriver();
			expect(health.restore(value)).toEqual([
				'What was known of the providers could not be read; all of them start without evidence.',
			]);
			expect(health.remote('a')).toBe('unknown');
		},
	);

	it('does not believe a success in the future', () => {
		const driver = new HealthDriver().call('ok');
		const saved = driver.health.saved();
		const providers = saved.providers.map((part) => ({ ...part, lastSuccessAt: driver.wall + DAY }));
		const next = driver.restarted(0, { ...saved, providers });
		expect(next.view()).toMatchObject({ remote: 'unknown', lastSuccessAt: null });
	});

	it('one bad part costs one provider', () => {
		const saved = new HealthDriver().call('ok', 'b').call('lost').health.saved();
		const providers = saved.providers.map((part) => (part.id === 'a' ? { ...part, breaker: null } : part));
		const next = new HealthDriver();
		expect(next.health.restore({ ...saved, providers })).toHaveLength(1);
		expect(next.health.isDown('a')).toBe(false);
		expect(next.health.remote('b')).toBe('reachable');
	});

	it('any JSON in its place is survived, and every provider can be called within a day', () => {
		const good = new HealthDriver().call('ok', 'b').call('lost').health.saved();
		const spoiled = fc.tuple(fc.jsonValue(), fc.nat(40)).map(([value, at]) => {
			let count = 0;
			return JSON.parse(JSON.stringify(good), (_, part) => (count++ === at ? value : part));
		});
		fc.assert(
			fc.property(fc.oneof(fc.jsonValue(), spoiled), (value) => {
				const next = new HealthDriver().restarted(0, value);
				for (const view of next.health.views()) providerViewSchema.parse(view);
				next.wait(DAY + MINUTE);
				expect(next.health.admit('a').ticket).not.toBeNull();
				expect(next.health.admit('b').ticket).not.toBeNull();
			}),
			{ numRuns: RUNS },
		);
	});
});

describe('P15: a provider that is removed, renamed or moved strands nothing', () => {
	it('one that is gone is neither down nor shown, and its late results do no harm', () => {
		const driver = new HealthDriver().call('lost');
		const trial = driver.wait(30_000).ticket();
		driver.providers = [providerNamed('b')];
		driver.health.settle(trial, outcomeOf('ok'));
		expect(driver.health.down()).toEqual([]);
		expect(driver.health.views().map(({ id }) => id)).toEqual(['b']);
		expect(driver.health.saved().providers).toEqual([]);
	});

	it('asking for one that is not there names it, and not in a loop', () => {
		expect(new HealthDriver().health.admit('gone')).toEqual({
			ticket: null,
			retryInMs: 30_000,
			reason: 'The settings have no provider "gone".',
		});
	});

	it('one under a new address starts without evidence, and the old address cannot speak for it', () => {
		const driver = new HealthDriver();
		const old = driver.ticket();
		driver.call('lost');
		driver.providers = [providerNamed('a', { baseUrl: 'https://elsewhere.example' }), providerNamed('b')];
		expect(driver.health.isDown('a')).toBe(false);
		driver.call('ok');
		driver.health.settle(old, outcomeOf('lost'));
		expect(driver.health.remote('a')).toBe('reachable');
		expect(driver.restarted().health.remote('a')).toBe('reachable');
	});

	it('what was saved of another address is not taken over', () => {
		const driver = new HealthDriver().call('lost');
		driver.providers = [providerNamed('a', { baseUrl: 'https://elsewhere.example' })];
		const saved = new HealthDriver().call('lost').health.saved();
		expect(driver.restarted(0, saved).health.isDown('a')).toBe(false);
	});

	it('another name is used at once and keeps what is known', () => {
		const driver = new HealthDriver().call('lost');
		driver.providers = [providerNamed('a', { name: 'Aleph' })];
		expect(driver.health.reason('a')).toBe('Aleph refused the connection (ECONNREFUSED).');
	});

	it('one that is removed while its trial runs and comes back can be tried', () => {
		const driver = new HealthDriver().call('lost').wait(30_000);
		driver.ticket();
		const all = driver.providers;
		driver.providers = [];
		driver.wait(2 * MINUTE).providers = all;
		expect(driver.call('ok').health.isDown('a')).toBe(false);
	});
});
