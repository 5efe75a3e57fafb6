/** Limits and outages that neighbouring programs forgot, prolonged or never came back from. */
import { describe, expect, it } from 'vitest';
import { createModelHooks } from '../../src/main/app/model-hooks.ts';
import type { CallOutcomeKind } from '../../src/main/failover/call.ts';
import { ProviderHealth } from '../../src/main/failover/provider-health.ts';
import { defaultProviders } from '../../src/shared/failover-settings.ts';
import { outcomeOf } from '../failover/provider-breaker-driver.ts';
import { BreakersDriver, MINUTE, START } from '../models/breakers-driver.ts';
import { FloorFixture } from '../support/floor-fixture.ts';

const MODEL = 'claude-sonnet-4-5';

describe('munder-difflin 124: a limit whose banner is drawn again and again (U9)', () => {
	/** A session of Claude Code beside the models of the floor, on one clock. */
	function limitedSession() {
		const driver = new BreakersDriver();
		const fixture = new FloorFixture();
		const hear = createModelHooks({
			models: driver.breakers,
			providers: () => defaultProviders,
			resetHintMs: () => null,
		});
		fixture.happen({ kind: 'prompt', text: 'go' }, { model: MODEL });
		const told = (minutes: number) => {
			fixture.now = driver.now;
			const message = `Rate limited, try again in ${minutes} minutes`;
			const event = fixture.event({ kind: 'provider-trouble', error: 'rate_limit', message, status: 429 });
			fixture.floor.apply(event);
			hear(event, fixture.agent());
		};
		return { driver, fixture, told };
	}

	it('is one limit, with the end that was said first', () => {
		const { driver, told } = limitedSession();
		told(60);
		const opened = driver.events.length;
		for (let frame = 1; frame <= 30; frame += 1) {
			driver.wait(MINUTE);
			told(60 - frame);
		}
		expect(driver.chain(MODEL)).toMatchObject({ state: 'open', resumeAt: START + 60 * MINUTE });
		expect(driver.events).toHaveLength(opened);
		driver.now = START + 60 * MINUTE;
		expect(driver.turn({ kind: 'ok' }, MODEL)).toBe(MODEL);
	});

	it('does not grow longer by being told again without a time', () => {
		const { driver, told } = limitedSession();
		told(60);
		for (let frame = 1; frame <= 30; frame += 1) {
			driver.wait(30_000);
			driver.breakers.observe(
				{ provider: 'anthropic', model: MODEL, holder: 'app' },
				{ kind: 'limited', retryAfterMs: null, said: '429' },
			);
		}
		expect(driver.chain(MODEL)).toMatchObject({ state: 'open', resumeAt: START + 60 * MINUTE });
	});

	it('is no longer shown on the agent once it is answered', () => {
		const { fixture, told } = limitedSession();
		for (let frame = 0; frame < 30; frame += 1) told(60);
		expect(fixture.agent().providerTrouble).not.toBeNull();
		fixture.happen({ kind: 'tool-call', callId: 'c', tool: 'Bash', input: { command: 'ls' } });
		expect(fixture.agent().providerTrouble).toBeNull();
	});
});

describe('openclaw 63996: whatever took a provider away, there is a way back (U87)', () => {
	const ways: readonly CallOutcomeKind[] = ['error', 'lost', 'cut', 'timeout'];
	it.each(ways)('after "%s", with the time of the next try shown', (kind) => {
		let now = 0;
		const health = new ProviderHealth({
			providers: () => [
				{ id: 'a', name: 'A', baseUrl: 'https://a.example', protocols: ['anthropic-messages'] },
			],
			clock: { wall: () => now, steady: () => now },
			random: () => 0,
			onChange: () => {},
		});
		const call = (outcome: CallOutcomeKind) => {
			const { ticket } = health.admit('a');
			if (ticket) health.settle(ticket, outcomeOf(outcome));
			return ticket !== null;
		};
		for (let calls = 0; calls < 10 && call(kind); calls += 1) now += 1_000;
		expect(health.views()).toMatchObject([{ breaker: 'open', nextTrialAt: expect.any(Number) }]);
		// The network is away for a day; each try fails in the same way.
		while (now < 24 * 60 * MINUTE) {
			now = health.views()[0]?.nextTrialAt ?? Number.NaN;
			expect(call(kind)).toBe(true);
		}
		now = health.views()[0]?.nextTrialAt ?? Number.NaN;
		expect(call('ok')).toBe(true);
		expect(health.views()).toMatchObject([{ breaker: 'closed', remote: 'reachable', nextTrialAt: null }]);
	});
});
