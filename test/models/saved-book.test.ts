/** What outlives the program, and what does not. */
import { describe, expect, it } from 'vitest';
import { BreakersDriver, limited, MINI, MINI_5, MINUTE, ok, SONNET, START } from './breakers-driver.ts';

function restarted(driver: BreakersDriver, saved: unknown = driver.breakers.saved()) {
	const again = new BreakersDriver();
	again.settings = driver.settings;
	again.now = driver.now;
	const problems = again.breakers.restore(JSON.parse(JSON.stringify(saved)));
	return { again, problems };
}

describe('after a restart', () => {
	it("a turn's test call is gone: the next caller tests", () => {
		const driver = new BreakersDriver();
		driver.turn(limited(60 * MINUTE));
		driver.wait(60 * MINUTE).ticket();
		const { again, problems } = restarted(driver);
		expect(problems).toEqual([]);
		expect(again.chain()).toMatchObject({ state: 'open', probe: null, resumeAt: null });
		expect(again.ticket().isProbe).toBe(true);
	});

	it("a loop's test call is still its own", () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE).current();
		const { again } = restarted(driver);
		expect(again.chain()).toEqual(driver.chain());
		expect(again.ticket().model).toBe(MINI);
		again.report('success');
		expect(again.chain().halfOpenSuccesses).toBe(1);
	});

	it('a test that succeeded once goes on', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE).turn(ok);
		const { again } = restarted(driver);
		again.turn(ok);
		expect(again.chain().state).toBe('closed');
	});

	it('limits, spending limits, unserved models and holds are known', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.turn(limited(30 * MINUTE));
		driver.turn({ kind: 'spend-limit', said: 'no credit' });
		driver.breakers.settle(driver.ticket(), { kind: 'unserved', said: 'no such model' });
		driver.current();
		driver.breakers.hold(driver.chain().id, true);
		const { again } = restarted(driver);
		expect(again.breakers.saved()).toEqual(driver.breakers.saved());
		expect(again.chains).toEqual(driver.chains);
	});
});

describe('what cannot be used', () => {
	it('nothing saved is no problem', () => {
		expect(new BreakersDriver().breakers.restore(undefined)).toEqual([]);
		expect(new BreakersDriver().breakers.restore(null)).toEqual([]);
	});

	it.each([
		{ saved: 42 },
		{ saved: 'text' },
		{ saved: [] },
		{ saved: {} },
		{ saved: { version: 2, chains: [] } },
		{ saved: { version: 1, serial: 'x' } },
	])('$saved: everything starts closed, and that is said', ({ saved }) => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		const problems = driver.breakers.restore(saved);
		expect(problems).toHaveLength(1);
		expect(driver.chain().state).toBe('closed');
	});

	it('one bad part costs one part, and says so once', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		const saved = driver.breakers.saved();
		const { again, problems } = restarted(driver, {
			...saved,
			limits: [{ model: 7 }, { model: 8 }, ...saved.limits],
		});
		expect(problems).toEqual(['A saved rate limit cannot be read: that model is asked again.']);
		expect(again.chain().state).toBe('open');
	});

	it('times that cannot be are cut to what can', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.turn(limited());
		const saved = driver.breakers.saved();
		const far = START + 1e12;
		const { again } = restarted(driver, {
			...saved,
			chains: saved.chains.map((chain) => ({ ...chain, circuit: { ...chain.circuit, notBefore: far } })),
			limits: saved.limits.map((limit) => ({ ...limit, at: far, until: far })),
		});
		const week = 7 * 24 * 60 * MINUTE;
		expect(again.chain().resumeAt).toBe(START + week);
		expect(again.ticket().model).toBe(MINI_5);
		again.wait(week + 1);
		expect(again.ticket(SONNET, [SONNET, MINI_5]).model).toBe(MINI);
		expect(again.ticket()).toMatchObject({ model: SONNET, isProbe: true });
	});

	it('a number of the future does not make new tickets old', () => {
		const driver = new BreakersDriver();
		const saved = driver.breakers.saved();
		const { again } = restarted(driver, {
			...saved,
			chains: saved.chains.map((chain) => ({ ...chain, era: 1_000_000 })),
		});
		again.turn(limited());
		expect(again.chain().state).toBe('open');
	});
});
