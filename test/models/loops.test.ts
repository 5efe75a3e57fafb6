/** What shell loops are told, and what their reports are about. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ChannelError } from '../../src/shared/channels.ts';
import { modelChoiceSchema } from '../../src/shared/models-view.ts';
import { BreakersDriver, MINI, MINI_5, MINUTE, SONNET, START } from './breakers-driver.ts';

describe('which model a report is about', () => {
	it('the one that this loop was given last', () => {
		const driver = new BreakersDriver();
		const [a, b] = [{ caller: 'a' }, { caller: 'b' }];
		driver.current(a);
		driver.current(b);
		driver.report('rate-limit', a);
		driver.report('rate-limit', b);
		expect(driver.chain()).toMatchObject({ currentFallbackIndex: 0, modelInUse: MINI });
		expect(driver.current(b)).toBe(MINI);
		driver.report('rate-limit', b);
		expect(driver.current(a)).toBe(MINI_5);
	});

	it('one of the chain that it names, also when this loop was given one of another', () => {
		const driver = new BreakersDriver({ chains: [{ preferredModel: SONNET }, { preferredModel: MINI }] });
		driver.current({ preferredModel: SONNET });
		driver.report('rate-limit', { preferredModel: MINI });
		expect([driver.chain(SONNET).state, driver.chain(MINI).state]).toEqual(['closed', 'open']);
	});

	it('after a rate limit the one that the answer named', () => {
		const driver = new BreakersDriver();
		driver.current();
		expect(driver.report('rate-limit').model).toBe(MINI);
		expect(driver.report('rate-limit').model).toBe(MINI_5);
		expect(driver.report('rate-limit')).toMatchObject({ model: null, resumeAt: START + MINUTE });
	});

	it('the one that it names itself, date suffix or not', () => {
		const driver = new BreakersDriver();
		driver.report('rate-limit', { model: `${SONNET}-20250929` });
		expect(driver.chain().state).toBe('open');
		driver.report('rate-limit', { model: MINI_5 });
		expect(driver.chain()).toMatchObject({ modelInUse: MINI, models: [{}, {}, { state: 'limited' }] });
	});

	it('without any memory the preferred one while closed and half-open, the fallback while open', () => {
		const driver = new BreakersDriver();
		driver.report('rate-limit');
		expect(driver.chain().state).toBe('open');
		driver.report('rate-limit', { caller: 'another' });
		expect(driver.chain().modelInUse).toBe(MINI_5);
		driver.wait(10 * MINUTE).current({ caller: 'a third' });
		driver.report('success', { caller: 'a fourth' });
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
	});
});

describe('a success of which nobody knows when its call began', () => {
	const halfOpen = () => {
		const driver = new BreakersDriver();
		const [one, two] = [{ caller: 'run 1' }, { caller: 'run 2' }];
		driver.current(one);
		driver.current(two);
		return { driver, one, two };
	};

	it('proves nothing where the loop may be forgotten, however many ran since', () => {
		const { driver, one, two } = halfOpen();
		for (let run = 3; run < 503; run += 1) driver.current({ caller: `run ${run}` });
		driver.report('rate-limit', { caller: 'run 502' });
		driver.wait(10 * MINUTE).current({ caller: 'tester' });
		for (const model of [SONNET, undefined]) {
			for (const loop of [one, two]) driver.report('success', { ...loop, ...(model && { model }) });
		}
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0 });
		for (let call = 0; call < 2; call += 1) {
			driver.current({ caller: 'tester' });
			driver.report('success', { caller: 'tester' });
		}
		expect(driver.chain().state).toBe('closed');
	});

	it('proves nothing where the loop was given something else since', () => {
		const { driver, one, two } = halfOpen();
		driver.report('rate-limit', { caller: 'run 3', model: SONNET });
		for (const loop of [one, two]) expect(driver.current(loop)).toBe(MINI);
		driver.wait(10 * MINUTE).current({ caller: 'tester' });
		for (const loop of [one, two]) driver.report('success', { ...loop, model: SONNET });
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0 });
	});

	it('a limit of such a call counts: better one test more', () => {
		const { driver, one } = halfOpen();
		for (let run = 3; run < 503; run += 1) driver.current({ caller: `run ${run}` });
		driver.report('rate-limit', { ...one, model: SONNET });
		expect(driver.chain().state).toBe('open');
	});
});

describe('which chain a loop gets', () => {
	const chains = [
		{ preferredModel: SONNET, fallbackChain: [MINI] },
		{ preferredModel: 'claude-opus-4.8', fallbackChain: [SONNET], provider: 'bedrock' },
	];

	it('the first of the settings, the one of its provider, the one that it names', () => {
		const driver = new BreakersDriver({ chains });
		expect(driver.current()).toBe(SONNET);
		expect(driver.current({ provider: 'bedrock' })).toBe('claude-opus-4.8');
		expect(driver.current({ preferredModel: SONNET, provider: 'bedrock' })).toBe(SONNET);
	});

	it('a model that no chain names is used as it is, and its limit is remembered', () => {
		const driver = new BreakersDriver({ chains });
		const caller = { preferredModel: 'my-model' };
		expect(driver.current(caller)).toBe('my-model');
		expect(driver.report('rate-limit', caller)).toMatchObject({ model: null, state: 'open' });
		expect(driver.current(caller)).toBeNull();
		driver.wait(10 * MINUTE);
		expect(driver.breakers.current({ directory: '/repo', ...caller })).toMatchObject({
			model: 'my-model',
			isProbe: true,
		});
	});

	it('none at all is refused in words', () => {
		const driver = new BreakersDriver({ chains: [] });
		expect(() => driver.current()).toThrow(ChannelError);
		expect(() => driver.report('success')).toThrow(ChannelError);
		expect(driver.current({ preferredModel: SONNET })).toBe(SONNET);
		expect(driver.report('rate-limit', { model: SONNET, directory: '/other' }).model).toBeNull();
	});
});

describe('the test call of a loop', () => {
	it("is its own again when it asks before it reported, and nobody else's", () => {
		const driver = new BreakersDriver();
		driver.report('rate-limit');
		driver.wait(10 * MINUTE);
		const [a, b] = [{ caller: 'a' }, { caller: 'b' }];
		expect(driver.current(a)).toBe(SONNET);
		expect(driver.current(b)).toBe(MINI);
		driver.wait(MINUTE);
		expect(driver.current(a)).toBe(SONNET);
		expect(driver.chain().probe).toMatchObject({ holder: 'a in /repo', since: driver.now });
		driver.report('other', a);
		expect(driver.current(b)).toBe(SONNET);
	});

	it('of a loop without a name is not given to it twice: it may be another one', () => {
		const driver = new BreakersDriver();
		driver.report('rate-limit');
		driver.wait(10 * MINUTE);
		expect([driver.current(), driver.current(), driver.current({ caller: 'a' })]).toEqual([
			SONNET,
			MINI,
			MINI,
		]);
		driver.report('success', { model: SONNET });
		expect(driver.chain()).toMatchObject({ halfOpenSuccesses: 1, probe: null });
		expect([driver.current(), driver.current()]).toEqual([SONNET, MINI]);
		driver.wait(10 * MINUTE);
		expect(driver.current()).toBe(SONNET);
	});

	it('is the one of a fallback that its own chain has not tested yet, too; it is its own again', () => {
		const driver = new BreakersDriver({
			chains: [
				{ preferredModel: 'm' },
				{ preferredModel: 'n', fallbackChain: ['m', 'y'], cooldownMinutes: 30 },
			],
		});
		const [a, b] = ['a', 'b'].map((caller) => ({ caller, preferredModel: 'n' }));
		driver.report('rate-limit', { preferredModel: 'm' });
		driver.wait(11 * MINUTE);
		driver.current(a);
		expect(driver.report('rate-limit', a)).toMatchObject({ model: 'm', isFallback: true, isProbe: false });
		expect([driver.current(a), driver.current(b)]).toEqual(['m', 'y']);
		// Nobody is left with a test that the loop has given up for something else.
		expect([driver.current(a), driver.chain('m').probe]).toEqual(['y', null]);
		const c = { caller: 'c', preferredModel: 'n' };
		expect([driver.report('rate-limit', { ...c, model: 'y' }).model, driver.current(a)]).toEqual(['m', null]);
		expect(driver.chain('m')).toMatchObject({ state: 'half-open', probe: { holder: 'c in /repo' } });
		driver.report('success', c);
		expect(driver.chain('m')).toMatchObject({ halfOpenSuccesses: 1, probe: null });
	});

	it('is awaited in steps by whoever has no other model', () => {
		const driver = new BreakersDriver({ chains: [{ preferredModel: SONNET }] });
		driver.report('rate-limit');
		driver.wait(10 * MINUTE);
		driver.current({ caller: 'a' });
		const waiting = driver.breakers.current({ directory: '/repo', caller: 'b' });
		expect(waiting).toMatchObject({ model: null, resumeAt: driver.now + 30_000 });
		expect(driver.chain().waitUntil).toBeNull();
	});

	it('every answer is what the channel allows', () => {
		const driver = new BreakersDriver();
		const answers = [driver.breakers.current({ directory: '/repo' }), driver.report('rate-limit')];
		for (const answer of answers) expect(modelChoiceSchema.parse(answer)).toEqual(answer);
	});
});

describe('loops without a running floor: every call its own process', () => {
	let saved: unknown;
	let now: number;

	function inProcess<T>(deed: (driver: BreakersDriver) => T): T {
		const driver = new BreakersDriver();
		driver.now = now;
		expect(driver.breakers.restore(saved)).toEqual([]);
		driver.changes = 0;
		const result = deed(driver);
		// What is not told as a change is not kept.
		if (driver.changes > 0) saved = JSON.parse(JSON.stringify(driver.breakers.saved()));
		return result;
	}

	const current = (caller?: string) => inProcess((driver) => driver.current(caller ? { caller } : {}));
	const report = (outcome: 'success' | 'rate-limit', caller?: string) =>
		inProcess((driver) => driver.report(outcome, caller ? { caller } : {}).model);
	const chain = () => inProcess((driver) => driver.chain());

	beforeEach(() => {
		saved = null;
		now = START;
	});

	it('one walks the whole way over what is kept', () => {
		for (let poll = 0; poll < 3; poll += 1) expect([current(), report('success')]).toEqual([SONNET, SONNET]);
		expect([current(), report('rate-limit')]).toEqual([SONNET, MINI]);
		expect([current(), report('rate-limit')]).toEqual([MINI, MINI_5]);
		expect([current(), report('success')]).toEqual([MINI_5, MINI_5]);
		now += 10 * MINUTE;
		expect([current(), report('success')]).toEqual([SONNET, SONNET]);
		expect(chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
		expect([current(), report('success')]).toEqual([SONNET, SONNET]);
		expect(chain()).toMatchObject({ state: 'closed' });
		expect([current(), report('rate-limit')]).toEqual([SONNET, MINI]);
	});

	it('a test call that is reported twice counts once', () => {
		expect([current('a'), report('rate-limit', 'a')]).toEqual([SONNET, MINI]);
		now += 10 * MINUTE;
		expect([current('a'), report('success', 'a'), report('success', 'a')]).toEqual([SONNET, SONNET, SONNET]);
		expect(chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
	});

	it('one that is given the same model as ever, after others opened and closed the circuit, is believed', () => {
		expect([current('a'), report('success', 'a')]).toEqual([SONNET, SONNET]);
		expect([current('b'), report('rate-limit', 'b')]).toEqual([SONNET, MINI]);
		now += 10 * MINUTE;
		for (let call = 0; call < 2; call += 1)
			expect([current('b'), report('success', 'b')]).toEqual([SONNET, SONNET]);
		expect([current('a'), report('rate-limit', 'a')]).toEqual([SONNET, MINI]);
		expect(chain()).toMatchObject({ state: 'open', metrics: { totalFallbacks: 2 } });
	});
});
