/** What the operator does: hold, release, probe now, edit the settings. And what repositories and scripts bring. */
import { describe, expect, it } from 'vitest';
import { defaultStateRecord } from '../../src/main/models/state-record.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { modelsViewSchema } from '../../src/shared/models-view.ts';
import { BreakersDriver, limited, MINI, MINI_5, MINUTE, ok, SONNET, START } from './breakers-driver.ts';

describe('hold', () => {
	it('keeps a closed chain on its fallback, uncounted and without test calls, until it is released', () => {
		const driver = new BreakersDriver();
		const { id } = driver.chain();
		driver.breakers.hold(id, true);
		expect(driver.chain()).toMatchObject({
			state: 'open',
			held: true,
			modelInUse: MINI,
			resumeAt: null,
			metrics: defaultStateRecord.metrics,
		});
		driver.wait(100 * MINUTE);
		expect(driver.ticket().model).toBe(MINI);
		driver.breakers.hold(id, false);
		expect(driver.chain()).toMatchObject({ state: 'half-open', held: false });
		driver.turn(ok);
		driver.turn(ok);
		expect(driver.chain().state).toBe('closed');
		expect(driver.kinds).toEqual(['held', 'released', 'recovered']);
	});

	it('on a limited chain goes on with the cooldown when it is released', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.breakers.hold(driver.chain().id, true);
		driver.wait(5 * MINUTE).breakers.hold(driver.chain().id, false);
		expect(driver.chain()).toMatchObject({ state: 'open', resumeAt: START + 10 * MINUTE });
	});

	it('waits for a fallback, never for the preferred model', () => {
		const driver = new BreakersDriver({ chains: [{ preferredModel: SONNET, fallbackChain: [MINI] }] });
		driver.breakers.hold(driver.chain().id, true);
		driver.turn(limited(60 * MINUTE));
		expect(driver.choose()).toMatchObject({ kind: 'wait', model: MINI, resumeAt: START + 60 * MINUTE });
	});

	it('of a test call that is out makes its answer worthless', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		const probe = driver.wait(10 * MINUTE).ticket();
		driver.breakers.hold(driver.chain().id, true);
		expect(driver.chain().probe).toBeNull();
		driver.breakers.settle(probe, ok);
		expect(driver.chain()).toMatchObject({ state: 'open', held: true, halfOpenSuccesses: 0, probe: null });
	});

	it('of one chain leaves the test call to another that tests the same model', () => {
		const driver = new BreakersDriver();
		const own = { provider: null, preferredModel: SONNET, fallbackChain: [MINI_5], cooldownMinutes: 5 };
		driver.breakers.repository('/a', own);
		driver.turn(limited());
		driver.wait(10 * MINUTE).current({ directory: '/a', caller: 'one' });
		expect(driver.ticket().model).toBe(MINI);
		const [, ofRepository] = driver.chains;
		driver.breakers.hold(ofRepository?.id ?? '', true);
		expect(driver.chain().probe).toMatchObject({ holder: 'one in /a' });
		expect(driver.ticket().model).toBe(MINI);
	});

	it('stands on the first fallback that may stand in', () => {
		const chains = [{ preferredModel: SONNET, fallbackChain: ['claude-opus-4.8', MINI] }];
		const driver = new BreakersDriver({ chains });
		driver.breakers.hold(driver.chain().id, true);
		expect(driver.breakers.recordFor('/repo').currentFallbackIndex).toBe(1);
	});

	it('is refused where nothing may stand in, and so is "probe now" on a held chain', () => {
		const driver = new BreakersDriver({
			chains: [
				{ preferredModel: SONNET, fallbackChain: ['claude-opus-4.8'] },
				{ preferredModel: MINI, fallbackChain: [MINI_5] },
			],
		});
		expect(() => driver.breakers.hold(driver.chain().id, true)).toThrow(ChannelError);
		driver.breakers.hold(driver.chain(MINI).id, true);
		expect(() => driver.breakers.probeNow(driver.chain(MINI).id)).toThrow(ChannelError);
		expect(() => driver.breakers.hold('no such chain', true)).toThrow(ChannelError);
		expect(() => driver.breakers.probeNow('no such chain')).toThrow(ChannelError);
	});

	it('P15: of a chain that lost its fallbacks strands nobody', () => {
		const driver = new BreakersDriver();
		driver.breakers.hold(driver.chain().id, true);
		driver.configure({ chains: [{ preferredModel: SONNET }] });
		expect(driver.ticket().model).toBe(SONNET);
		expect(driver.chain()).toMatchObject({ held: false, state: 'half-open' });
		expect(driver.kinds).toEqual(['held', 'released']);
	});

	it('P15: of a chain that is removed is released with it', () => {
		const driver = new BreakersDriver();
		driver.breakers.hold(driver.chain().id, true);
		driver.configure({ chains: [] });
		expect(driver.current({ preferredModel: SONNET })).toBe(SONNET);
	});
});

describe('probe now', () => {
	it('lets the next caller test, without jitter or wish, and only that one', () => {
		const driver = new BreakersDriver();
		driver.random = 1;
		driver.turn(limited(4 * 60 * MINUTE));
		driver.breakers.probeNow(driver.chain().id);
		expect(driver.chain().resumeAt).toBeNull();
		expect(driver.ticket()).toMatchObject({ model: SONNET, isProbe: true });
		expect(driver.ticket().model).toBe(MINI);
	});

	it("takes somebody's test call away, in the chain that tests and in another that waits for it", () => {
		const driver = new BreakersDriver();
		const own = { provider: null, preferredModel: SONNET, fallbackChain: [MINI_5], cooldownMinutes: 60 };
		driver.breakers.repository('/a', own);
		driver.turn(limited());
		driver.wait(10 * MINUTE).current({ caller: 'killed' });
		driver.breakers.probeNow(driver.chain().id);
		expect(driver.chain().probe).toBeNull();
		expect(driver.current({ caller: 'next' })).toBe(SONNET);
		expect(driver.current({ caller: 'third' })).toBe(MINI);
		driver.breakers.probeNow(driver.chains[1]?.id ?? '');
		expect(driver.current({ directory: '/a', caller: 'fourth' })).toBe(SONNET);
		driver.report('success', { directory: '/a', caller: 'fourth' });
		driver.report('success', { caller: 'killed' });
		expect(driver.chains.map(({ state }) => state)).toEqual(['closed', 'closed']);
	});
});

describe('settings that change while a chain is open', () => {
	it('P15: a chain that is removed stays shown and limited; it goes on when it comes back', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		const before = driver.chain();
		driver.configure({ chains: [{ preferredModel: 'claude-opus-4.8', fallbackChain: [SONNET, MINI] }] });
		expect(driver.chain()).toMatchObject({ state: 'open', source: 'seen', fallbackChain: [] });
		driver.turn(limited(), 'claude-opus-4.8');
		expect(driver.ticket('claude-opus-4.8').model).toBe(MINI);
		driver.configure({});
		expect(driver.chain()).toEqual(before);
	});

	it('P15: a renamed chain keeps the limit of the model that is now a fallback', () => {
		const driver = new BreakersDriver();
		driver.turn(limited(60 * MINUTE));
		driver.configure({ chains: [{ preferredModel: MINI, fallbackChain: [MINI_5] }] });
		expect(driver.ticket(MINI).model).toBe(MINI);
	});

	it('P15: a shorter list moves the index to its end', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.turn(limited());
		driver.configure({ chains: [{ preferredModel: SONNET, fallbackChain: [MINI_5] }] });
		expect(driver.chain()).toMatchObject({ currentFallbackIndex: 0, modelInUse: MINI_5 });
	});

	it('a chain for a model that was seen limited goes on where that was', () => {
		const driver = new BreakersDriver({ chains: [] });
		driver.breakers.observe({ provider: 'anthropic', model: SONNET, holder: 'agent' }, limited(60 * MINUTE));
		driver.configure({});
		expect(driver.chains).toHaveLength(1);
		expect(driver.chain()).toMatchObject({
			source: 'settings',
			state: 'open',
			resumeAt: START + 60 * MINUTE,
			metrics: { totalFallbacks: 1 },
		});
		expect(driver.ticket().model).toBe(MINI);
	});

	it("a removed chain's limit holds for a chain that names its model later", () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/repo', {
			provider: null,
			preferredModel: 'my-model',
			fallbackChain: [MINI],
			cooldownMinutes: 30,
		});
		driver.current();
		driver.report('rate-limit');
		driver.breakers.repository('/repo', null);
		driver.configure({ chains: [{ preferredModel: 'my-model', fallbackChain: [MINI] }] });
		expect(driver.chain('my-model')).toMatchObject({ state: 'open', resumeAt: START + 30 * MINUTE });
	});
});

describe('repositories', () => {
	const own = { provider: null, preferredModel: SONNET, fallbackChain: [MINI_5], cooldownMinutes: 5 };
	const asSettings = {
		provider: null,
		preferredModel: SONNET,
		fallbackChain: [MINI, MINI_5],
		cooldownMinutes: 10,
	};

	it('one whose file says what the settings say shares their chain', () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/a', asSettings);
		driver.breakers.repository('/b', null);
		expect(driver.chains).toHaveLength(1);
		expect(driver.chain().repositories).toEqual(['/a', '/b']);
		expect(driver.breakers.recordFor('/a')).toEqual(defaultStateRecord);
	});

	it('one whose file says something else has its own chain, which hears the same limits', () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/a', own);
		driver.breakers.repository('/b', own);
		expect(driver.chains.map(({ source }) => source)).toEqual(['settings', 'repository']);
		driver.turn(limited());
		expect(driver.breakers.recordFor('/a')).toMatchObject({
			state: 'open',
			fallbackChain: [MINI_5],
			openedAt: START,
			resumeAt: START + 5 * MINUTE,
		});
		expect(driver.current({ directory: '/a' })).toBe(MINI_5);
		expect(driver.current({ directory: '/c' })).toBe(MINI);
	});

	it('one test call for all of them, and all recover together', () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/a', own);
		driver.turn(limited());
		driver.wait(10 * MINUTE);
		expect(driver.current({ directory: '/a' })).toBe(SONNET);
		expect(driver.ticket().model).toBe(MINI);
		driver.report('success', { directory: '/a' });
		expect(driver.current({ directory: '/a' })).toBe(SONNET);
		driver.report('success', { directory: '/a' });
		expect(driver.chains.map(({ state }) => state)).toEqual(['closed', 'closed']);
	});

	it('one that comes while the model is limited does not begin closed', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(MINUTE).breakers.repository('/a', own);
		expect(driver.breakers.recordFor('/a')).toMatchObject({ state: 'open', openedAt: START });
	});

	it('one that comes while the model is tested waits for that test, and recovers with it', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		const probe = driver.wait(10 * MINUTE).ticket();
		driver.breakers.repository('/a', own);
		expect(driver.current({ directory: '/a' })).toBe(MINI_5);
		driver.breakers.settle(probe, ok);
		expect(driver.chains[1]).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
		driver.turn(ok);
		expect(driver.breakers.recordFor('/a').state).toBe('closed');
	});

	it('one whose file went away and came back goes on counting', () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/a', own);
		driver.report('rate-limit', { directory: '/a' });
		driver.breakers.adopt('/a', [{ kind: 'closed' }]);
		driver.breakers.repository('/a', null);
		driver.breakers.repository('/a', { ...own, cooldownMinutes: 6 });
		expect(driver.breakers.recordFor('/a')).toMatchObject({
			state: 'closed',
			metrics: { totalFallbacks: 1, totalRecoveries: 1 },
		});
	});

	it('one whose file went away and came back after another limit does not go on with the test of before', () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/a', own);
		driver.report('rate-limit', { directory: '/a' });
		driver.wait(10 * MINUTE).current({ directory: '/a', caller: 'tester' });
		const early = driver.ticket();
		driver.breakers.repository('/a', null);
		driver.wait(30 * MINUTE).turn(limited(), SONNET);
		driver.breakers.repository('/a', own);
		expect(driver.chains.map(({ state, openedAt }) => [state, openedAt])).toEqual([
			['open', driver.now],
			['open', driver.now],
		]);
		driver.breakers.settle(early, ok);
		driver.breakers.observe({ provider: 'anthropic', model: SONNET, holder: 'agent' }, ok);
		expect(driver.chains.map(({ state }) => state)).toEqual(['open', 'open']);
	});

	it('an edit keeps the circuit, and a chain that nobody uses is gone', () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/a', own);
		driver.current({ directory: '/a' });
		driver.report('rate-limit', { directory: '/a' });
		driver.breakers.repository('/a', { ...own, fallbackChain: [MINI, MINI_5] });
		expect(driver.chains).toHaveLength(2);
		expect(driver.breakers.recordFor('/a')).toMatchObject({ state: 'open', metrics: { totalFallbacks: 1 } });
		driver.breakers.repository('/a', null);
		expect(driver.chains).toHaveLength(1);
	});

	it('an edit keeps a hold', () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/a', own);
		driver.report('rate-limit', { directory: '/a' });
		driver.breakers.hold(driver.chains[1]?.id ?? '', true);
		driver.breakers.repository('/a', { ...own, cooldownMinutes: 6 });
		expect(driver.chains[1]).toMatchObject({ cooldownMinutes: 6, held: true, state: 'open' });
	});

	it('the file of a following repository follows the settings', () => {
		const driver = new BreakersDriver();
		driver.breakers.repository('/a', asSettings);
		driver.configure({ chains: [{ preferredModel: SONNET, fallbackChain: [MINI] }] });
		expect(driver.breakers.recordFor('/a').fallbackChain).toEqual([MINI]);
	});
});

describe('what scripts did to a state file', () => {
	it('opened it: so it is for everybody, since then', () => {
		const driver = new BreakersDriver();
		driver.wait(MINUTE).breakers.adopt('/repo', [{ kind: 'limited', model: SONNET, at: START }]);
		expect(driver.chain()).toMatchObject({ state: 'open', openedAt: START });
		expect(driver.ticket().model).toBe(MINI);
		driver.breakers.adopt('/repo', [{ kind: 'limited', model: MINI, at: driver.now }]);
		expect(driver.ticket().model).toBe(MINI_5);
	});

	it.each([null, START + 1e9, 0])('at %s, which cannot be: counts from now', (at) => {
		const driver = new BreakersDriver();
		driver.breakers.adopt('/repo', [{ kind: 'limited', model: SONNET, at }]);
		expect(driver.chain().openedAt).toBe(START);
	});

	it('began a test: nobody else does; two successes close it for all', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE).breakers.adopt('/repo', [{ kind: 'probe-begun' }]);
		expect(driver.chain()).toMatchObject({ state: 'half-open', probe: { holder: 'a script in /repo' } });
		expect(driver.ticket().model).toBe(MINI);
		driver.breakers.adopt('/repo', [{ kind: 'succeeded', count: 1 }]);
		expect(driver.chain().halfOpenSuccesses).toBe(1);
		driver.breakers.adopt('/repo', [{ kind: 'succeeded', count: 1 }]);
		expect(driver.chain().state).toBe('closed');
	});

	it('began a test before the time that the provider wished: that is one call of a script, and moves nothing', () => {
		const driver = new BreakersDriver();
		driver.turn(limited(240 * MINUTE));
		const before = driver.wait(10 * MINUTE).chain();
		driver.breakers.adopt('/repo', [{ kind: 'probe-begun' }, { kind: 'succeeded', count: 1 }]);
		expect(driver.chain()).toEqual(before);
		expect(driver.wait(229 * MINUTE).ticket().model).toBe(MINI);
		driver.breakers.probeNow(driver.chain().id);
		driver.breakers.adopt('/repo', [{ kind: 'probe-begun' }]);
		expect(driver.chain()).toMatchObject({ state: 'half-open', probe: { holder: 'a script in /repo' } });
	});

	it('closed it by hand: closed for all, unless you hold it', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.breakers.hold(driver.chain().id, true);
		driver.breakers.adopt('/repo', [{ kind: 'closed' }, { kind: 'probe-begun' }]);
		expect(driver.chain()).toMatchObject({ state: 'open', held: true });
		driver.breakers.hold(driver.chain().id, false);
		driver.breakers.adopt('/repo', [{ kind: 'closed' }]);
		expect(driver.chain()).toMatchObject({ state: 'closed', metrics: { totalRecoveries: 1 } });
	});

	it('configured it: holds for that repository', () => {
		const driver = new BreakersDriver();
		const chain = { provider: null, preferredModel: MINI, fallbackChain: [MINI_5], cooldownMinutes: 3 };
		driver.breakers.adopt('/repo', [{ kind: 'configured', chain }]);
		expect(driver.current()).toBe(MINI);
		expect(driver.current({ directory: '/other' })).toBe(SONNET);
	});
});

describe('what is shown', () => {
	it('is what the channel allows, in every state', () => {
		const driver = new BreakersDriver();
		const check = () => {
			const view = driver.breakers.view();
			expect(modelsViewSchema.parse(view)).toEqual(view);
		};
		check();
		driver.turn(limited(null, 'too\u0007 many \u202e tokens'));
		check();
		driver.wait(10 * MINUTE).ticket();
		check();
	});

	it('says why in one sentence without times, and nothing while closed', () => {
		const driver = new BreakersDriver();
		expect(driver.chain().why).toBe('');
		driver.turn(limited(null, 'Number of request tokens exceeded'));
		expect(driver.chain().why).toBe(
			'claude-sonnet-5 is rate-limited by anthropic (“Number of request tokens exceeded”): gpt-5.4-mini stands in.',
		);
		driver.wait(10 * MINUTE).turn(ok);
		expect(driver.chain().why).toBe(
			'claude-sonnet-5 was limited and is tested by the next call (1 of 2 successes): meanwhile gpt-5.4-mini stands in.',
		);
	});

	it('makes what a provider said harmless', () => {
		const driver = new BreakersDriver();
		const [control, override] = ['\u001b', '\u202e'];
		driver.turn(limited(null, `${control}[2J${override}evil`));
		for (const words of [driver.chain().why, driver.events[0]?.words ?? '']) {
			expect(words).toContain('evil');
			expect(words).not.toContain(control);
			expect(words).not.toContain(override);
		}
	});
});
