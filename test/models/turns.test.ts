/** What the gateway and the hooks get of the breakers. */
import { describe, expect, it } from 'vitest';
import { ChannelError } from '../../src/shared/channels.ts';
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

const OPUS = 'claude-opus-4.8';

describe('which chain a turn falls under', () => {
	it.each([
		'claude-sonnet-5',
		'claude-sonnet-5-20250929',
		'claude-sonnet-5-latest',
		'claude-sonnet-5[1m]',
		'claude-sonnet-5-20250929[1m]',
	])('%s is claude-sonnet-5, and goes as it was written', (model) => {
		const driver = new BreakersDriver();
		expect(driver.ticket(model)).toMatchObject({ model, isFallback: false });
		driver.breakers.settle(driver.ticket(model), limited());
		expect(driver.chain().state).toBe('open');
		expect(driver.ticket(model, [model]).model).toBe(MINI);
	});

	it('the chain of the called provider comes before the one for all', () => {
		const driver = new BreakersDriver({
			chains: [
				{ preferredModel: SONNET, fallbackChain: [MINI] },
				{ preferredModel: SONNET, fallbackChain: [MINI_5], provider: 'anthropic' },
			],
		});
		driver.turn(limited());
		expect(driver.ticket(SONNET, [], 'anthropic').model).toBe(MINI_5);
		expect(driver.ticket(SONNET, [], 'bedrock').model).toBe(SONNET);
	});

	it('a model that nobody knows goes as it came', () => {
		expect(new BreakersDriver().choose('some-model')).toBeNull();
	});
});

describe('a turn that goes on', () => {
	it('tries every model of the chain once, then is told when the first is free', () => {
		const driver = new BreakersDriver();
		const tried: string[] = [];
		for (let choice = driver.choose(); choice?.kind === 'use'; choice = driver.choose(SONNET, tried)) {
			driver.breakers.settle(choice.ticket, limited(tried.length === 1 ? 3 * MINUTE : null));
			tried.push(choice.ticket.model);
		}
		expect(tried).toEqual([SONNET, MINI, MINI_5]);
		expect(driver.choose(SONNET, tried)).toMatchObject({
			kind: 'wait',
			model: MINI_5,
			resumeAt: START + MINUTE,
			waitMs: MINUTE,
		});
		expect(driver.kinds).toEqual(['opened', 'advanced', 'exhausted']);
		expect(driver.chain()).toMatchObject({ modelInUse: null, waitUntil: START + MINUTE });
		driver.wait(MINUTE - 1);
		expect(driver.choose(SONNET, tried)).toMatchObject({ kind: 'wait', waitMs: 1_000 });
	});

	it('waits for the preferred model where the fallbacks refused it for a reason that time does not mend', () => {
		const driver = new BreakersDriver();
		driver.turn(limited(20 * MINUTE));
		for (const model of [MINI, MINI_5]) {
			driver.breakers.settle(driver.ticket(SONNET, model === MINI ? [] : [MINI]), other);
		}
		const preferred = { kind: 'wait', model: SONNET, resumeAt: START + 20 * MINUTE };
		expect(driver.choose(SONNET, [MINI, MINI_5])).toMatchObject(preferred);
		expect(driver.choose(SONNET, [SONNET, MINI, MINI_5])).toMatchObject(preferred);
		driver.breakers.settle(driver.ticket(SONNET, [MINI]), limited(3 * MINUTE));
		expect(driver.choose(SONNET, [MINI, MINI_5])).toMatchObject({
			kind: 'wait',
			model: MINI_5,
			waitMs: 3 * MINUTE,
		});
		driver.breakers.hold(driver.chain().id, true);
		driver.wait(3 * MINUTE);
		expect(driver.choose(SONNET, [MINI, MINI_5])).toMatchObject({ kind: 'wait', waitMs: 30_000 });
	});

	it('uses an earlier fallback again when its limit is over, and stays there', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.turn(limited());
		driver.wait(2 * MINUTE);
		expect(driver.turn(limited())).toBe(MINI_5);
		expect(driver.ticket().model).toBe(MINI);
		driver.wait(2 * MINUTE);
		expect(driver.ticket().model).toBe(MINI);
	});

	it('a fallback that is limited again rests twice as long, at most a cooldown', () => {
		const driver = new BreakersDriver({ chains: [{ preferredModel: SONNET, fallbackChain: [MINI] }] });
		driver.turn(limited(60 * MINUTE));
		const rests: number[] = [];
		for (let count = 0; count < 6; count += 1) {
			expect(driver.turn(limited())).toBe(MINI);
			const rest = (driver.chain().waitUntil ?? Number.NaN) - driver.now;
			rests.push(rest / MINUTE);
			driver.wait(rest);
		}
		expect(rests).toEqual([1, 2, 4, 8, 10, 10]);
		driver.turn(ok);
		driver.turn(limited());
		expect(driver.chain().waitUntil).toBe(driver.now + MINUTE);
	});

	it('a wish of a fallback is respected too', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.turn(limited(30 * MINUTE));
		driver.turn(limited());
		driver.wait(2 * MINUTE);
		expect(driver.ticket().model).toBe(MINI_5);
	});
});

describe('what may stand in', () => {
	it('never a costlier category, unless the settings say so', () => {
		const chains = [{ preferredModel: SONNET, fallbackChain: [OPUS, MINI] }];
		const driver = new BreakersDriver({ chains });
		driver.turn(limited());
		expect(driver.ticket().model).toBe(MINI);
		expect(driver.chain()).toMatchObject({
			currentFallbackIndex: 1,
			models: [{}, { model: OPUS, state: 'skipped' }, { model: MINI, state: 'in-use' }],
		});
		driver.configure({ chains, allowCostlier: true });
		expect(driver.ticket(SONNET, [MINI]).model).toBe(OPUS);
	});

	it.each([`${SONNET}-20250929`, `${SONNET}-latest`, `${SONNET}[1m]`, SONNET])(
		'never the model itself under another id: %s',
		(itself) => {
			const driver = new BreakersDriver({
				chains: [{ preferredModel: SONNET, fallbackChain: [itself, MINI] }],
			});
			driver.turn(limited());
			expect(driver.ticket().model).toBe(MINI);
			expect(driver.chain().models[1]).toMatchObject({
				state: 'skipped',
				why: 'It is the preferred model itself.',
			});
		},
	);

	it('what a provider does not serve is not tried there for an hour, and elsewhere at once', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.breakers.settle(driver.ticket(), { kind: 'unserved', said: 'model not found' });
		expect(driver.ticket().model).toBe(MINI_5);
		expect(driver.ticket(SONNET, [], 'bedrock').model).toBe(MINI);
		expect(driver.current()).toBe(MINI);
		expect(driver.chain().models[1]).toMatchObject({ state: 'skipped', why: 'model not found' });
		driver.wait(61 * MINUTE);
		driver.turn(limited());
		expect(driver.ticket().model).toBe(MINI);
	});

	it('where no fallback is served, turns go where they were meant to go', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		for (const model of [MINI, MINI_5]) {
			expect(driver.ticket().model).toBe(model);
			driver.breakers.settle(driver.ticket(), { kind: 'unserved', said: '' });
		}
		expect(driver.ticket()).toMatchObject({ model: SONNET, isProbe: false });
		expect(driver.choose(SONNET, [SONNET])).toMatchObject({ kind: 'wait', resumeAt: START + 10 * MINUTE });
	});

	it('a chain without fallbacks lets every call through, and tests when it is time', () => {
		const driver = new BreakersDriver({ chains: [{ preferredModel: SONNET }] });
		driver.turn(limited());
		expect(driver.ticket()).toMatchObject({ model: SONNET, isProbe: false });
		expect(driver.choose(SONNET, [SONNET])?.kind).toBe('wait');
		driver.wait(10 * MINUTE);
		const probe = driver.ticket();
		expect(probe.isProbe).toBe(true);
		expect(driver.ticket()).toMatchObject({ model: SONNET, isProbe: false });
		driver.breakers.settle(probe, ok);
		driver.turn(ok);
		expect(driver.chain().state).toBe('closed');
	});

	it('gatewayFallback false: turns keep their model, loops still move, outcomes still count', () => {
		const driver = new BreakersDriver({ gatewayFallback: false });
		driver.turn(limited());
		expect(driver.chain().state).toBe('open');
		expect(driver.ticket().model).toBe(SONNET);
		expect(driver.choose(SONNET, [SONNET])?.kind).toBe('wait');
		expect(driver.current()).toBe(MINI);
	});
});

describe('one truth for the machine', () => {
	const two = {
		chains: [
			{ preferredModel: SONNET, fallbackChain: [MINI, MINI_5] },
			{ preferredModel: OPUS, fallbackChain: [SONNET, MINI] },
		],
	};

	it('a limit of a model opens its chain and moves those that stand on it', () => {
		const driver = new BreakersDriver(two);
		driver.turn(limited(), OPUS);
		expect(driver.ticket(OPUS).model).toBe(SONNET);
		driver.turn(limited());
		expect(driver.chain(SONNET).state).toBe('open');
		expect(driver.ticket(OPUS).model).toBe(MINI);
		expect(driver.chain(OPUS).currentFallbackIndex).toBe(1);
	});

	it('a model rests as a fallback for as long as its own chain rests', () => {
		const driver = new BreakersDriver(two);
		driver.turn(limited());
		driver.turn(limited(60 * MINUTE), OPUS);
		driver.wait(10 * MINUTE - 1);
		expect(driver.choose(OPUS, [MINI])?.kind).toBe('wait');
		driver.wait(1);
		expect(driver.ticket(OPUS, [MINI]).model).toBe(SONNET);
	});

	it('a limit heard through the chain for all moves the chains of the provider that was called, too', () => {
		const driver = new BreakersDriver({
			chains: [
				{ preferredModel: SONNET, fallbackChain: [MINI, MINI_5] },
				{ preferredModel: OPUS, fallbackChain: [MINI, MINI_5], provider: 'anthropic' },
			],
		});
		driver.turn(limited());
		driver.turn(limited(), OPUS);
		expect(driver.turn(limited())).toBe(MINI);
		expect(driver.ticket().model).toBe(MINI_5);
		expect(driver.ticket(OPUS).model).toBe(MINI_5);
	});

	it('a model that stands in before its own chain has tested it is tested by that: one call, whose successes close', () => {
		const driver = new BreakersDriver({
			chains: [
				{ preferredModel: 'm', fallbackChain: ['x'] },
				{ preferredModel: 'n', fallbackChain: ['m', 'y'], cooldownMinutes: 30 },
			],
		});
		driver.turn(limited(), 'm');
		driver.wait(11 * MINUTE).turn(limited(), 'n');
		const turns = Array.from({ length: 10 }, () => driver.ticket('n'));
		expect(turns.map(({ model }) => model)).toEqual(['m', ...Array(9).fill('y')]);
		expect(turns[0]).toMatchObject({ isFallback: true, isProbe: false });
		expect(driver.chain('m')).toMatchObject({ state: 'half-open', probe: { holder: 'agent' } });
		expect(driver.ticket('m').model).toBe('x');
		for (const ticket of turns) driver.breakers.settle(ticket, ok);
		expect(driver.chain('m')).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1, probe: null });
		const second = driver.ticket('n', ['y']);
		expect([second.model, driver.choose('n', ['y'])?.kind]).toEqual(['m', 'wait']);
		driver.breakers.settle(second, ok);
		expect(driver.chain('m').state).toBe('closed');
		expect([driver.ticket('n', ['y']).model, driver.ticket('n', ['y']).model]).toEqual(['m', 'm']);
	});

	it('one that is found limited by that is open again, and the chain that it stood in for goes on', () => {
		const driver = new BreakersDriver({
			chains: [
				{ preferredModel: 'm' },
				{ preferredModel: 'n', fallbackChain: ['m', 'y'], cooldownMinutes: 30 },
			],
		});
		driver.turn(limited(), 'm');
		driver.wait(11 * MINUTE).turn(limited(), 'n');
		expect(driver.turn(limited(), 'n')).toBe('m');
		expect(driver.chain('m')).toMatchObject({ state: 'open', openedAt: driver.now, probe: null });
		expect(driver.ticket('n').model).toBe('y');
		expect(driver.wait(5 * MINUTE).choose('n', ['y'])).toMatchObject({ kind: 'wait', model: 'm' });
	});

	it('one that is held back where it is preferred rests as a fallback all the same while it is limited', () => {
		const driver = new BreakersDriver(two);
		driver.turn(limited(60 * MINUTE));
		driver.breakers.hold(driver.chain().id, true);
		driver.turn(limited(90 * MINUTE), OPUS);
		expect(driver.wait(59 * MINUTE).choose(OPUS, [MINI])).toMatchObject({ kind: 'wait', model: SONNET });
	});

	it('while a model is tested nobody else calls it, as a fallback either', () => {
		const driver = new BreakersDriver(two);
		driver.turn(limited());
		driver.turn(limited(60 * MINUTE), OPUS);
		const probe = driver.wait(10 * MINUTE).ticket();
		expect(probe.isProbe).toBe(true);
		expect(driver.choose(OPUS, [MINI])?.kind).toBe('wait');
		driver.breakers.settle(probe, ok);
		expect(driver.ticket(OPUS, [MINI]).model).toBe(SONNET);
	});

	it('P13: a limit of one model never touches another of the same account', () => {
		const driver = new BreakersDriver(two);
		driver.turn(limited());
		expect(driver.ticket(OPUS)).toMatchObject({ model: OPUS, isProbe: false });
		expect(driver.chain(OPUS).state).toBe('closed');
	});

	it('what a hook sees opens the chain; a turn that ended well tests it once the cooldown is over, two close it', () => {
		const driver = new BreakersDriver();
		const seen = { provider: 'anthropic', model: 'claude-sonnet-5-20250929', holder: 'agent' };
		driver.breakers.observe(seen, limited(20 * MINUTE));
		expect(driver.chain()).toMatchObject({ state: 'open', resumeAt: START + 20 * MINUTE });
		driver.wait(20 * MINUTE - 1);
		const before = driver.chain();
		for (let turn = 0; turn < 5; turn += 1) driver.breakers.observe(seen, ok);
		expect(driver.chain()).toEqual(before);
		driver.wait(1).breakers.observe(seen, ok);
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
		driver.breakers.observe(seen, ok);
		expect(driver.chain()).toMatchObject({ state: 'closed', metrics: { totalRecoveries: 1 } });
		expect(driver.kinds).toEqual(['opened', 'half-open', 'recovered']);
	});

	it('a held chain is not moved by what a hook sees', () => {
		const driver = new BreakersDriver();
		driver.breakers.hold(driver.chain().id, true);
		const before = driver.wait(60 * MINUTE).chain();
		driver.breakers.observe({ provider: 'anthropic', model: SONNET, holder: 'agent' }, ok);
		expect(driver.chain()).toEqual(before);
	});

	it('a limited model that no chain names is shown, with its calls let through', () => {
		const driver = new BreakersDriver();
		driver.breakers.observe({ provider: 'anthropic', model: 'claude-x', holder: 'agent' }, limited());
		expect(driver.chain('claude-x')).toMatchObject({
			source: 'seen',
			state: 'open',
			provider: 'anthropic',
			fallbackChain: [],
			modelInUse: null,
		});
		expect(driver.ticket('claude-x').model).toBe('claude-x');
	});

	it('a name that no chain can have passes, and nothing of it is kept', () => {
		const driver = new BreakersDriver();
		const before = JSON.stringify(driver.breakers.saved());
		for (const model of ['x'.repeat(201), '['.repeat(1_000_000), `${SONNET}${' '.repeat(200)}`]) {
			expect(driver.choose(model)).toBeNull();
			for (const outcome of [limited(), ok, { kind: 'spend-limit', said: '' } as const]) {
				driver.breakers.observe({ provider: 'anthropic', model, holder: 'agent' }, outcome);
			}
		}
		expect(JSON.stringify(driver.breakers.saved())).toBe(before);
		driver.breakers.observe({ provider: 'p', model: 'x'.repeat(200), holder: 'agent' }, limited());
		expect(driver.chain('x'.repeat(200)).state).toBe('open');
	});

	it('keeps at most fifty of those, the ones that are over go first', () => {
		const driver = new BreakersDriver({ chains: [] });
		for (let count = 0; count < 200; count += 1) {
			driver.breakers.observe({ provider: 'x', model: `model ${count}`, holder: 'agent' }, limited());
		}
		expect(driver.chains).toHaveLength(50);
		expect(driver.chain('model 199').state).toBe('open');
	});
});

describe('tickets', () => {
	it('P2: a success from before the limit changes nothing', () => {
		const driver = new BreakersDriver();
		const [early, late] = [driver.ticket(), driver.ticket()];
		driver.breakers.settle(late, limited());
		const before = driver.chain();
		driver.breakers.settle(early, ok);
		expect(driver.chain()).toEqual(before);
		driver.wait(10 * MINUTE).ticket();
		driver.breakers.settle(early, ok);
		driver.breakers.settle(early, ok);
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0 });
	});

	it('P2: a limit from before the recovery does not open it again', () => {
		const driver = new BreakersDriver();
		const early = driver.ticket();
		driver.turn(limited());
		driver.wait(10 * MINUTE);
		driver.turn(ok);
		driver.breakers.settle(early, limited());
		driver.turn(ok);
		driver.breakers.settle(early, limited());
		expect(driver.chain()).toMatchObject({ state: 'closed', metrics: { totalFallbacks: 1 } });
	});

	it("P2: what becomes of a fallback's call from before its limit neither ends nor repeats its rest", () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		const [first, second, third] = [driver.ticket(), driver.ticket(), driver.ticket()];
		expect(first.model).toBe(MINI);
		driver.breakers.settle(first, limited());
		driver.breakers.settle(second, ok);
		expect(driver.chain()).toMatchObject({ modelInUse: MINI_5, models: [{}, { state: 'limited' }, {}] });
		driver.wait(2 * MINUTE).turn(limited());
		expect(driver.ticket().model).toBe(MINI);
		const { kinds } = driver;
		driver.breakers.settle(third, limited());
		expect(driver.ticket().model).toBe(MINI);
		expect(driver.kinds).toEqual(kinds);
	});

	it('a limit that comes after the cooldown opens it anew, whoever tells it, unless its call is of before the first', () => {
		for (const tell of ['a hook', 'a loop', 'a call let through']) {
			const driver = new BreakersDriver({ chains: [{ preferredModel: SONNET }] });
			const early = driver.ticket();
			driver.turn(limited());
			const through = driver.wait(5 * MINUTE).ticket();
			driver.wait(25 * MINUTE).breakers.settle(early, limited(MINUTE));
			expect(driver.chain()).toMatchObject({ openedAt: START, resumeAt: driver.now + MINUTE });
			driver.wait(2 * MINUTE);
			if (tell === 'a hook') {
				driver.breakers.observe({ provider: 'anthropic', model: SONNET, holder: 'agent' }, limited());
			} else if (tell === 'a loop') driver.report('rate-limit', { model: SONNET });
			else driver.breakers.settle(through, limited());
			expect(driver.chain(), tell).toMatchObject({
				state: 'open',
				openedAt: driver.now,
				resumeAt: driver.now + 10 * MINUTE,
				metrics: { totalFallbacks: 2 },
			});
			expect(driver.kinds).toEqual(['opened', 'probe-failed']);
		}
	});

	it('P5: a hundred limits at once are one opening', () => {
		const driver = new BreakersDriver();
		const tickets = Array.from({ length: 100 }, () => driver.ticket());
		for (const ticket of tickets) driver.breakers.settle(ticket, limited());
		expect(driver.kinds).toEqual(['opened']);
		expect(driver.chain()).toMatchObject({ consecutiveFailures: 1, metrics: { totalFallbacks: 1 } });
	});

	it('one that is settled twice counts once', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE);
		const probe = driver.ticket();
		driver.breakers.settle(probe, ok);
		driver.breakers.settle(probe, ok);
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
	});

	it('P3: a test call that nobody settles is replaced after ten minutes', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE);
		expect(driver.ticket().isProbe).toBe(true);
		expect(driver.chain().probe).toMatchObject({ holder: 'agent', until: driver.now + 10 * MINUTE });
		driver.wait(10 * MINUTE - 1);
		expect(driver.ticket().isProbe).toBe(false);
		driver.wait(1);
		expect(driver.ticket().isProbe).toBe(true);
	});

	it('P14: a test call that is limited goes back to open, with the time that the provider gives', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE);
		driver.turn(limited(30 * MINUTE));
		expect(driver.chain()).toMatchObject({
			state: 'open',
			openedAt: driver.now,
			resumeAt: driver.now + 30 * MINUTE,
			metrics: { totalFallbacks: 2 },
		});
		expect(driver.kinds).toEqual(['opened', 'half-open', 'probe-failed']);
	});

	it('P12: after a night of sleep the first caller tests', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(8 * 60 * MINUTE);
		expect(driver.ticket().isProbe).toBe(true);
	});

	it('successes that change nothing are neither told nor kept', () => {
		const driver = new BreakersDriver();
		driver.turn(ok);
		const { changes } = driver;
		for (let count = 0; count < 100; count += 1) driver.turn(count % 2 === 0 ? ok : other);
		expect(driver.changes).toBe(changes);
		expect(driver.events).toEqual([]);
	});
});

describe('money', () => {
	const broke = { kind: 'spend-limit', said: 'credit balance is too low' } as const;

	it('does not open the circuit; it is shown until that model answers again', () => {
		const driver = new BreakersDriver();
		driver.turn(broke);
		driver.turn(broke);
		expect(driver.kinds).toEqual(['spend-limit']);
		expect(driver.chain()).toMatchObject({
			state: 'closed',
			modelInUse: SONNET,
			spendLimit: { model: SONNET, said: 'credit balance is too low', at: START },
		});
		driver.turn(ok);
		expect(driver.kinds).toEqual(['spend-limit', 'spend-cleared']);
		expect(driver.chain().spendLimit).toBeNull();
	});

	it('is forgotten when the operator has seen it, of every model of the chain, until it is told again', () => {
		const driver = new BreakersDriver();
		driver.turn(broke);
		driver.turn(limited());
		driver.turn(broke);
		driver.breakers.dismissSpendLimit(driver.chain().id);
		expect(driver.chain()).toMatchObject({ state: 'open', spendLimit: null });
		expect(driver.events.slice(3).map(({ kind, model, words }) => [kind, model, words])).toEqual(
			[SONNET, MINI].map((model) => [
				'spend-cleared',
				model,
				`The spending limit of ${model} is over: dismissed by you.`,
			]),
		);
		driver.breakers.dismissSpendLimit(driver.chain().id);
		expect(driver.events).toHaveLength(5);
		driver.turn(broke);
		expect(driver.chain().spendLimit?.model).toBe(MINI);
		expect(() => driver.breakers.dismissSpendLimit('no such chain')).toThrow(ChannelError);
	});

	it('of a test call gives the permit back', () => {
		const driver = new BreakersDriver();
		driver.turn(limited());
		driver.wait(10 * MINUTE);
		driver.turn(broke);
		expect(driver.chain()).toMatchObject({ state: 'half-open', probe: null });
		expect(driver.ticket().isProbe).toBe(true);
	});

	it('of a model that no chain names is shown too', () => {
		const driver = new BreakersDriver();
		driver.breakers.observe({ provider: 'anthropic', model: 'claude-x', holder: 'agent' }, broke);
		expect(driver.chain('claude-x')).toMatchObject({ state: 'closed', source: 'seen' });
		driver.configure({ chains: [] });
		expect(driver.chain('claude-x').spendLimit?.model).toBe('claude-x');
	});
});
