/** The known faults of the seed's own functions (S1 to S9 of their public review), each as a test that ours passes. */
import { describe, expect, it } from 'vitest';
import {
	BreakersDriver,
	limited,
	MINI,
	MINI_5,
	MINUTE,
	ok,
	other,
	SONNET,
	START,
} from './breakers-driver.ts';

describe("the faults of the seed's functions", () => {
	it('S1: a fallback that is limited again and again does not put off the test of the preferred model', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		for (let minute = 0; minute < 9; minute += 1) {
			const choice = driver.choose();
			if (choice?.kind === 'use') driver.breakers.settle(choice.ticket, limited());
			driver.wait(MINUTE);
		}
		expect(driver.chain().openedAt).toBe(START);
		driver.wait(MINUTE);
		expect(driver.ticket()).toMatchObject({ model: SONNET, isProbe: true });
	});

	it('S1: "any" is the seed to the letter', () => {
		const driver = new BreakersDriver({ cooldownResetBy: 'any' });
		driver.turn(limited());
		driver.wait(9 * MINUTE).turn(limited());
		driver.wait(9 * MINUTE);
		expect(driver.chain()).toMatchObject({ openedAt: START + 9 * MINUTE, state: 'open' });
		expect(driver.ticket().model).toBe(MINI_5);
	});

	it('S2: when the whole chain is limited the answer is one time, not a model and not a hot loop', () => {
		const driver = new BreakersDriver();
		let asked = 0;
		while (driver.now < START + 10 * MINUTE) {
			asked += 1;
			const { model, resumeAt, why } = driver.breakers.current({ directory: '/repo' });
			if (model !== null) {
				driver.report('rate-limit');
			} else {
				expect(resumeAt).toBeGreaterThan(driver.now);
				expect(why).toContain('No model of the chain can be asked now');
				driver.now = resumeAt ?? Number.NaN;
			}
		}
		// Two fallbacks after 1, 2, 4, 8 minutes and the preferred one once, with a wait between.
		expect(asked).toBeLessThanOrEqual(20);
	});

	it('S3: another failure is neither success nor limit', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE);
		for (let count = 0; count < 5; count += 1) expect(driver.turn(other)).toBe(SONNET);
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0 });
	});

	it('S4: fifty loops that report at once lose nothing and count one opening', () => {
		const driver = new BreakersDriver();
		const loops = Array.from({ length: 50 }, (_, index) => ({ caller: `loop ${index}` }));
		for (const loop of loops) expect(driver.current(loop)).toBe(SONNET);
		for (const loop of loops) driver.report('rate-limit', loop);
		expect(driver.kinds).toEqual(['opened']);
		expect(driver.chain()).toMatchObject({ currentFallbackIndex: 0, metrics: { totalFallbacks: 1 } });
		for (const loop of loops) expect(driver.current(loop)).toBe(MINI);
	});

	it('S5: in half-open one loop gets the preferred model, all others stay on the fallback', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE);
		const models = Array.from({ length: 20 }, (_, index) => driver.current({ directory: `/repo ${index}` }));
		expect(models.filter((model) => model === SONNET)).toHaveLength(1);
		expect(models.filter((model) => model === MINI)).toHaveLength(19);
	});

	it('S6: consecutiveFailures goes back to 0 in every state, and that is kept', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		expect(driver.chain().consecutiveFailures).toBe(1);
		const { changes } = driver;
		driver.turn(ok);
		expect(driver.chain()).toMatchObject({ state: 'open', consecutiveFailures: 0 });
		expect(driver.changes).toBe(changes + 1);
	});

	it('S7: what the provider wishes is a floor', () => {
		const driver = new BreakersDriver();
		driver.turn(limited(4 * 60 * MINUTE));
		expect(driver.chain().resumeAt).toBe(START + 240 * MINUTE);
		driver.wait(239 * MINUTE);
		expect(driver.ticket().model).toBe(MINI);
		driver.wait(MINUTE);
		expect(driver.ticket().model).toBe(SONNET);
	});

	it.each([
		['null', null],
		['a day ahead', START + 24 * 60 * MINUTE],
	])('S8: openedAt %s while open counts from now', (_what, openedAt) => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		const saved = structuredClone(driver.breakers.saved());
		const chains = saved.chains.map((chain) => ({ ...chain, circuit: { ...chain.circuit, openedAt } }));
		const again = new BreakersDriver();
		expect(again.breakers.restore({ ...saved, chains })).toEqual([]);
		expect(again.chain()).toMatchObject({ state: 'open', openedAt: START, resumeAt: START + 10 * MINUTE });
	});

	it('S9: what a program said does not count, only how it went', () => {
		const driver = new BreakersDriver();
		driver.current();
		driver.report('success', { said: 'issue 429: rate limit, quota, Too Many Requests' });
		driver.report('other', { said: '429 rate_limit_error' });
		expect(driver.chain()).toMatchObject({ state: 'closed', consecutiveFailures: 0 });
	});
});
