import { describe, expect, it } from 'vitest';
import { BreakersDriver, limited, MINI, MINI_5, MINUTE, ok, SONNET } from './breakers-driver.ts';

describe("the seed's walk through the gateway", () => {
	it('closed → open → fallbacks → half-open → closed', () => {
		const driver = new BreakersDriver();
		expect(driver.turn(limited())).toBe(SONNET);
		expect(driver.ticket(SONNET, [SONNET]).model).toBe(MINI);
		expect(driver.turn(limited())).toBe(MINI);
		expect(driver.turn(ok)).toBe(MINI_5);
		expect(driver.chain()).toMatchObject({ state: 'open', currentFallbackIndex: 1, modelInUse: MINI_5 });
		driver.wait(10 * MINUTE);
		const probe = driver.ticket();
		expect(probe).toMatchObject({ model: SONNET, isProbe: true, isFallback: false });
		expect(driver.ticket().model).not.toBe(SONNET);
		driver.breakers.settle(probe, ok);
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
		expect(driver.turn(ok)).toBe(SONNET);
		expect(driver.chain()).toMatchObject({ state: 'closed', openedAt: null, currentFallbackIndex: 0 });
		expect(driver.kinds).toEqual(['opened', 'advanced', 'half-open', 'recovered']);
		expect(driver.events.map(({ words }) => words)).toMatchInlineSnapshot(`
			[
			  "claude-sonnet-5 is rate-limited by anthropic (“429”): gpt-5.4-mini stands in, tried again in 10 m.",
			  "gpt-5.4-mini is limited too (“429”): gpt-5-mini stands in.",
			  "The cooldown of claude-sonnet-5 is over: one call tests it.",
			  "claude-sonnet-5 answers again and is used again.",
			]
		`);
	});

	it('is the same after a restart', () => {
		const driver = new BreakersDriver();
		driver.current();
		driver.report('rate-limit', { retryAfterMs: 4 * 60 * MINUTE });
		expect(driver.current()).toBe(MINI);
		const other = new BreakersDriver();
		expect(other.breakers.restore(JSON.parse(JSON.stringify(driver.breakers.saved())))).toEqual([]);
		expect(other.breakers.saved()).toEqual(driver.breakers.saved());
		expect(other.chains).toEqual(driver.chains);
	});
});
