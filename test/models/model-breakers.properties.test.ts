/**
 * What holds for every trace of turns, loops, hooks, waits, restarts, damaged files, edits and holds. Named after the
 * public failures of breakers that each property rules out (P1 to P16). `PROPERTY_RUNS` runs more of them.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelOutcome, ModelTicket } from '../../src/main/models/model-desk.ts';
import { PROBE_LEASE_MS } from '../../src/main/models/probes.ts';
import { type ModelChainView, modelsViewSchema } from '../../src/shared/models-view.ts';
import { MAX_RETRY_AFTER_MS } from '../../src/shared/retry-after.ts';
import { BreakersDriver, limited, MINI, MINI_5, MINUTE, SONNET, START } from './breakers-driver.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);
const OPUS = 'claude-opus-4.8';
const UNKNOWN = 'my-model';

const settings = [
	{ chains: [{ preferredModel: SONNET, fallbackChain: [MINI, MINI_5] }] },
	{
		chains: [
			{ preferredModel: SONNET, fallbackChain: [MINI_5], cooldownMinutes: 3 },
			{ preferredModel: OPUS, fallbackChain: [SONNET, MINI] },
		],
	},
	{ chains: [{ preferredModel: SONNET }, { preferredModel: MINI, fallbackChain: [MINI_5] }] },
	{ chains: [{ preferredModel: SONNET, fallbackChain: [OPUS, MINI], provider: 'anthropic' }] },
	{ chains: [], cooldownResetBy: 'any' },
	{ gatewayFallback: false, allowCostlier: true },
] as const;

type Deed =
	| { readonly kind: 'turn'; readonly model: string; readonly provider: string; readonly tried: string[] }
	| { readonly kind: 'settle'; readonly which: number; readonly outcome: ModelOutcome }
	| { readonly kind: 'ask'; readonly caller: string; readonly model: string | null }
	| {
			readonly kind: 'report';
			readonly caller: string;
			readonly model: string | null;
			readonly outcome: 'success' | 'rate-limit' | 'spend-limit' | 'other';
	  }
	| { readonly kind: 'hook'; readonly model: string; readonly outcome: ModelOutcome }
	| { readonly kind: 'wait'; readonly ms: number }
	| { readonly kind: 'restart' }
	| { readonly kind: 'configure'; readonly which: number }
	| { readonly kind: 'repository'; readonly isOwn: boolean }
	| { readonly kind: 'hold' | 'release' | 'probe now'; readonly which: number }
	| { readonly kind: 'script'; readonly deed: 'probe-begun' | 'closed' };

const model = fc.constantFrom(SONNET, SONNET, `${SONNET}-20250929[1m]`, OPUS, MINI, MINI_5, UNKNOWN);
const wish = fc.constantFrom(null, null, 1, 30_000, 25 * MINUTE, 1e15, Number.NaN, -5);
const outcome: fc.Arbitrary<ModelOutcome> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant<ModelOutcome>({ kind: 'ok' }) },
	{ weight: 4, arbitrary: wish.map((ms) => limited(ms)) },
	fc.constant<ModelOutcome>({ kind: 'other' }),
	fc.constant<ModelOutcome>({ kind: 'spend-limit', said: 'no credit' }),
	fc.constant<ModelOutcome>({ kind: 'unserved', said: 'no such model' }),
);
const caller = fc.constantFrom('a', 'b', 'c');
const spans = [
	0,
	1,
	999,
	30_000,
	MINUTE,
	3 * MINUTE,
	10 * MINUTE,
	11 * MINUTE,
	600 * MINUTE,
	8 * 24 * 60 * MINUTE,
];
const deed = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record<Deed & { kind: 'turn' }>({
			kind: fc.constant('turn'),
			model,
			provider: fc.constantFrom('anthropic', 'anthropic', 'bedrock'),
			tried: fc.oneof(fc.constant<string[]>([]), fc.subarray([SONNET, MINI, MINI_5])),
		}),
	},
	{
		weight: 8,
		arbitrary: fc.record<Deed & { kind: 'settle' }>({
			kind: fc.constant('settle'),
			which: fc.nat(30),
			outcome,
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record<Deed & { kind: 'ask' }>({
			kind: fc.constant('ask'),
			caller,
			model: fc.option(model, { freq: 2 }),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record<Deed & { kind: 'report' }>({
			kind: fc.constant('report'),
			caller,
			model: fc.option(model, { freq: 2 }),
			outcome: fc.constantFrom('success', 'rate-limit', 'rate-limit', 'spend-limit', 'other'),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record<Deed & { kind: 'hook' }>({ kind: fc.constant('hook'), model, outcome }),
	},
	{
		weight: 6,
		arbitrary: fc.constantFrom(...spans).map<Deed>((ms) => ({ kind: 'wait', ms })),
	},
	{ weight: 1, arbitrary: fc.constant<Deed>({ kind: 'restart' }) },
	{
		weight: 1,
		arbitrary: fc.nat(settings.length - 1).map<Deed>((which) => ({ kind: 'configure', which })),
	},
	{ weight: 1, arbitrary: fc.boolean().map<Deed>((isOwn) => ({ kind: 'repository', isOwn })) },
	{
		weight: 2,
		arbitrary: fc.record<Deed & { kind: 'hold' | 'release' | 'probe now' }>({
			kind: fc.constantFrom('hold', 'release', 'probe now'),
			which: fc.nat(5),
		}),
	},
	{
		weight: 1,
		arbitrary: fc
			.constantFrom('probe-begun' as const, 'closed' as const)
			.map<Deed>((of) => ({ kind: 'script', deed: of })),
	},
);
const trace = fc.array(deed, { maxLength: 50, size: 'max' });

interface Held {
	readonly ticket: ModelTicket;
	readonly at: number;
	isSettled: boolean;
}

/** The machine with everybody who uses it. */
class World {
	driver = new BreakersDriver(settings[0]);
	held: Held[] = [];

	do(step: Deed): void {
		const { driver } = this;
		const directory = '/repo';
		switch (step.kind) {
			case 'turn': {
				const choice = driver.choose(step.model, step.tried, step.provider);
				if (choice?.kind === 'wait') {
					expect(choice.waitMs).toBeGreaterThanOrEqual(1_000);
					expect(choice.resumeAt).toBe(driver.now + choice.waitMs);
				}
				if (choice?.kind === 'use') {
					if (choice.ticket.isFallback) expect(step.tried).not.toContain(choice.ticket.model);
					this.held.push({ ticket: choice.ticket, at: driver.now, isSettled: false });
				}
				break;
			}
			case 'settle': {
				const held = this.held[step.which % Math.max(1, this.held.length)];
				if (held === undefined) break;
				held.isSettled = true;
				driver.breakers.settle(held.ticket, step.outcome);
				break;
			}
			case 'ask':
			case 'report':
				this.#loop(step);
				break;
			case 'hook':
				driver.breakers.observe({ provider: 'anthropic', model: step.model, holder: 'hook' }, step.outcome);
				break;
			case 'wait':
				driver.wait(step.ms);
				break;
			case 'restart':
				this.restart(JSON.parse(JSON.stringify(driver.breakers.saved())));
				break;
			case 'configure':
				driver.configure(settings[step.which] ?? settings[0]);
				break;
			case 'repository': {
				const chain = { provider: null, preferredModel: SONNET, fallbackChain: [MINI], cooldownMinutes: 7 };
				driver.breakers.repository(directory, step.isOwn ? chain : null);
				break;
			}
			case 'script':
				driver.breakers.adopt(directory, [{ kind: step.deed }]);
				break;
			default:
				this.#control(step);
		}
	}

	#loop(step: Deed & { kind: 'ask' | 'report' }): void {
		const named = { directory: '/repo', caller: step.caller, preferredModel: step.model ?? SONNET };
		const choice =
			step.kind === 'ask'
				? this.driver.breakers.current(named)
				: this.driver.breakers.report({ ...named, outcome: step.outcome });
		if (choice.model === null) expect(choice.resumeAt).toBeGreaterThan(this.driver.now);
	}

	#control({ kind, which }: Deed & { kind: 'hold' | 'release' | 'probe now' }): void {
		const { breakers, chains } = this.driver;
		const chain = chains[which % Math.max(1, chains.length)];
		if (chain === undefined) return;
		const mayHold = chain.models.slice(1).some(({ state }) => state !== 'skipped');
		if (kind === 'probe now' && !chain.held) breakers.probeNow(chain.id);
		else if (kind === 'release') breakers.hold(chain.id, false);
		else if (kind === 'hold' && mayHold) breakers.hold(chain.id, true);
	}

	restart(saved: unknown): string[] {
		const { settings, now } = this.driver;
		this.driver = new BreakersDriver();
		this.driver.settings = settings;
		this.driver.now = now;
		this.held = [];
		return this.driver.breakers.restore(saved);
	}

	get circuits(): string {
		return JSON.stringify(this.driver.breakers.saved().chains);
	}
}

function follow(deeds: readonly Deed[], after: (world: World, step: Deed) => void = () => {}): World {
	const world = new World();
	for (const step of deeds) {
		world.do(step);
		after(world, step);
	}
	return world;
}

function holds<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void, numRuns = RUNS): void {
	fc.assert(fc.property(arbitrary, check), { numRuns });
}

function isConsistent(chain: ModelChainView, now: number): void {
	const { state, openedAt, fallbackChain, currentFallbackIndex, halfOpenSuccesses, models } = chain;
	expect(openedAt === null).toBe(state === 'closed');
	if (openedAt !== null) expect(openedAt).toBeLessThanOrEqual(now);
	expect(currentFallbackIndex).toBeGreaterThanOrEqual(0);
	expect(currentFallbackIndex).toBeLessThanOrEqual(Math.max(0, fallbackChain.length - 1));
	expect(halfOpenSuccesses).toBeLessThanOrEqual(state === 'half-open' ? 1 : 0);
	if (chain.held) expect(state).toBe('open');
	if (chain.resumeAt !== null) {
		expect(state).toBe('open');
		expect(chain.resumeAt - now).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS + MINUTE);
	}
	expect(models.filter((one) => one.state === 'in-use').length).toBeLessThanOrEqual(1);
	expect(models.find((one) => one.state === 'in-use')?.model ?? null).toBe(chain.modelInUse);
	expect(chain.why === '').toBe(state === 'closed');
}

describe('for every trace', () => {
	it('what is shown is whole, and agrees with itself', () => {
		holds(trace, (deeds) => {
			follow(deeds, ({ driver }) => {
				const view = driver.breakers.view();
				expect(modelsViewSchema.parse(view)).toEqual(view);
				for (const chain of view.chains) isConsistent(chain, driver.now);
			});
		});
	});

	it('looking changes nothing', () => {
		holds(trace, (deeds) => {
			const { driver } = follow(deeds);
			const before = JSON.stringify(driver.breakers.saved());
			const { changes } = driver;
			driver.breakers.view();
			driver.breakers.recordFor('/repo');
			expect([JSON.stringify(driver.breakers.saved()), driver.changes]).toEqual([before, changes]);
		});
	});

	it('P1: one test call of a model at a time on the whole machine', () => {
		holds(trace, (deeds) => {
			let turns: { readonly held: Held; readonly model: string }[] = [];
			const known = new Set<Held>();
			follow(deeds, (world, { kind }) => {
				// The operator takes it away from whoever has it.
				if (kind === 'probe now') turns = [];
				const newest = world.held.at(-1);
				const probes = world.driver.breakers.saved().probes;
				if (newest?.ticket.isProbe && !known.has(newest)) {
					known.add(newest);
					const of = probes.find(({ serial }) => serial === newest.ticket.serial)?.model ?? '';
					turns.push({ held: newest, model: of });
				}
				// Out, and not yet given up by the machine: those must be one for each model.
				turns = turns.filter(
					({ held }) =>
						world.held.includes(held) &&
						!held.isSettled &&
						world.driver.now - held.at < PROBE_LEASE_MS &&
						!isOver(world, held.ticket),
				);
				const models = turns.map(({ model: of, held }) => `${held.ticket.chainId} ${of}`);
				expect(new Set(models).size).toBe(models.length);
				const shown = probes.filter(({ until }) => until > world.driver.now);
				for (const { held } of turns) {
					expect(shown.map(({ serial }) => serial)).toContain(held.ticket.serial);
				}
			});
		});
	});

	it('P1: a model that has not recovered in its own chain stands in for others as its test, by one call', () => {
		const begin: readonly Deed[] = [
			{ kind: 'configure', which: 1 },
			{ kind: 'hook', model: SONNET, outcome: limited() },
			{ kind: 'wait', ms: 3 * MINUTE },
			{ kind: 'hook', model: OPUS, outcome: limited(25 * MINUTE) },
		];
		holds(trace, (deeds) => {
			let handed = 0;
			follow(
				[...begin, ...deeds, { kind: 'turn', model: OPUS, provider: 'anthropic', tried: [] }],
				({ driver, held }, { kind }) => {
					const ticket = held.at(-1)?.ticket;
					const isNew = held.length !== handed;
					handed = held.length;
					if (kind !== 'turn' || !isNew || ticket === undefined || !ticket.isFallback) return;
					const { chains, probes } = driver.breakers.saved();
					const account = chains.find(({ id }) => id === ticket.chainId)?.chain.provider ?? null;
					const own = chains.filter(
						({ chain, circuit }) =>
							chain.provider === account &&
							chain.preferredModel === ticket.model &&
							circuit.state !== 'closed' &&
							circuit.hold === null,
					);
					if (own.length === 0) return;
					expect(own.map(({ circuit }) => circuit.state)).not.toContain('open');
					const test = probes.find((probe) => probe.account === account && probe.model === ticket.model);
					expect(test?.serial).toBe(ticket.serial);
				},
			);
		});
	});

	it('P2 and P4: a success of an older era moves no circuit; a success while open closes none', () => {
		holds(trace, (deeds) => {
			const world = follow(deeds);
			for (const { ticket } of world.held) {
				const chain = world.driver.breakers.saved().chains.find(({ id }) => id === ticket.chainId);
				if (chain === undefined || ticket.era === chain.era || ticket.isFallback) continue;
				const before = chain.circuit;
				world.driver.breakers.settle(ticket, { kind: 'ok' });
				const after = world.driver.breakers.saved().chains.find(({ id }) => id === ticket.chainId);
				expect(after?.circuit).toEqual(before);
			}
		});
	});

	it('P4 and P5: a limit that is told again while the cooldown runs opens nothing again and moves no openedAt', () => {
		holds(trace, (deeds) => {
			const world = follow(deeds);
			const { driver } = world;
			// With "any" the limit of a model does move openedAt where it is the fallback in use.
			driver.settings = { ...driver.settings, cooldownResetBy: 'preferred' };
			const open = driver.chains.filter(({ resumeAt }) => resumeAt !== null);
			const events = driver.events.length;
			for (const { provider, preferredModel } of open) {
				driver.breakers.observe(
					{ provider: provider ?? 'other', model: preferredModel, holder: 'hook' },
					limited(),
				);
			}
			for (const before of open) {
				const after = driver.chains.find(({ id }) => id === before.id);
				expect(after).toMatchObject({ openedAt: before.openedAt, state: 'open', metrics: before.metrics });
			}
			// Another chain of the same model may just be tested, or be due for it: that one does open.
			const told = driver.events.slice(events).filter(({ chainId }) => open.some(({ id }) => id === chainId));
			expect(told.map(({ kind }) => kind)).not.toContain('opened');
			expect(told.map(({ kind }) => kind)).not.toContain('probe-failed');
		});
	});

	it('P7: an outcome that says nothing of limits gives back the permit, and nothing else', () => {
		holds(trace, (deeds) => {
			const world = follow(deeds);
			const before = world.circuits;
			const { limits, spends, unserved } = world.driver.breakers.saved();
			for (const { ticket } of world.held) world.driver.breakers.settle(ticket, { kind: 'other' });
			for (const one of ['a', 'b', 'c'])
				world.driver.report('other', { caller: one, preferredModel: SONNET });
			expect(world.circuits).toBe(before);
			expect(world.driver.breakers.saved()).toMatchObject({ limits, spends, unserved });
			expect(world.driver.breakers.saved().probes.filter(({ caller: by }) => by === null)).toEqual([]);
		});
	});

	it('P3 and P15: a chain that nobody holds is tested some day, and two successes close it', () => {
		holds(trace, (deeds) => {
			const { driver } = follow(deeds);
			driver.wait(MAX_RETRY_AFTER_MS + PROBE_LEASE_MS + 2 * MINUTE);
			for (const { id, provider, preferredModel, source, held } of driver.chains) {
				if (held || source === 'repository') continue;
				for (let call = 0; call < 2; call += 1) {
					const ticket = driver.ticket(preferredModel, [], provider ?? 'other');
					if (driver.chains.find((chain) => chain.id === id)?.state !== 'closed') {
						expect(ticket.isProbe).toBe(true);
					}
					driver.breakers.settle(ticket, { kind: 'ok' });
				}
				expect(driver.chains.find((chain) => chain.id === id)?.state ?? 'closed').toBe('closed');
			}
		});
	});

	it('P11: kept and taken back is the same, but for test calls of turns, which are gone', () => {
		holds(trace, (deeds) => {
			const world = follow(deeds);
			for (const { ticket } of world.held) world.driver.breakers.settle(ticket, { kind: 'other' });
			// The first restart forgets what is over anyway; from there on nothing is lost.
			world.restart(JSON.parse(JSON.stringify(world.driver.breakers.saved())));
			const saved = world.driver.breakers.saved();
			const { chains } = world.driver;
			expect(world.restart(JSON.parse(JSON.stringify(saved)))).toEqual([]);
			expect(world.driver.breakers.saved()).toEqual(saved);
			expect(world.driver.chains).toEqual(chains);
		});
	});

	it('P11: half-open is kept, or open and due now where its test call died with the program', () => {
		holds(trace, (deeds) => {
			const world = follow(deeds);
			const before = new Map(world.driver.chains.map((chain) => [chain.id, chain]));
			world.restart(JSON.parse(JSON.stringify(world.driver.breakers.saved())));
			for (const chain of world.driver.chains) {
				const was = before.get(chain.id);
				if (was === undefined || was.state === chain.state) continue;
				expect([was.state, chain.state, chain.resumeAt]).toEqual(['half-open', 'open', null]);
			}
		});
	});

	it('P11: a damaged file never throws, and never leaves what cannot be', () => {
		const damage = fc.tuple(
			fc.nat(10_000),
			fc.constantFrom<unknown>(null, -1, 1e15, 1e300, 'x', [], {}, true, START + 1e12),
		);
		holds(fc.tuple(trace, fc.array(damage, { minLength: 1, maxLength: 4 })), ([deeds, damages]) => {
			const world = follow(deeds);
			const saved: unknown = JSON.parse(JSON.stringify(world.driver.breakers.saved()));
			for (const [at, value] of damages) replaceNode(saved, at, value);
			for (const problem of world.restart(saved)) expect(problem).toMatch(/^[A-Z].*\.$/);
			const view = world.driver.breakers.view();
			expect(modelsViewSchema.parse(view)).toEqual(view);
			for (const chain of view.chains) {
				expect(chain.openedAt === null).toBe(chain.state === 'closed');
				const longest = Math.max(chain.cooldownMinutes * MINUTE, MAX_RETRY_AFTER_MS) + MINUTE;
				expect((chain.resumeAt ?? 0) - world.driver.now).toBeLessThanOrEqual(longest);
			}
			world.do({ kind: 'ask', caller: 'a', model: SONNET });
		});
	});

	it('P16: a loop that waits as it is told never asks often', () => {
		holds(trace, (deeds) => {
			const { driver } = follow(deeds);
			const end = driver.now + 60 * MINUTE;
			let waits = 0;
			while (driver.now < end) {
				const loop = { directory: '/repo', caller: 'a', preferredModel: SONNET };
				const { model: given, resumeAt } = driver.breakers.current(loop);
				if (given !== null) {
					driver.breakers.report({ ...loop, outcome: 'rate-limit' });
				} else {
					waits += 1;
					driver.now = resumeAt ?? Number.NaN;
				}
			}
			// At most every half minute, where nobody knows when a test call of somebody else ends.
			expect(waits).toBeLessThanOrEqual(121);
		});
	});
});

/** Whether an event since then has made the test call worthless. */
function isOver({ driver }: World, ticket: ModelTicket): boolean {
	const chain = driver.breakers.saved().chains.find(({ id }) => id === ticket.chainId);
	return chain === undefined || chain.era !== ticket.era;
}

/** Replaces the node with that number, counted through the whole tree. */
function replaceNode(root: unknown, at: number, value: unknown): void {
	const places: (() => void)[] = [];
	const visit = (node: unknown): void => {
		if (typeof node !== 'object' || node === null) return;
		for (const key of Object.keys(node)) {
			places.push(() => Reflect.set(node, key, value));
			visit(Reflect.get(node, key));
		}
	};
	visit(root);
	places[at % places.length]?.();
}

describe('numbers', () => {
	it('P9: a wish is a floor, cut to a week; what is no wish is none', () => {
		const cases = fc.oneof(
			fc.double(),
			fc.constantFrom(Number.NaN, -1, 0, Number.POSITIVE_INFINITY, 1.5, 1e300),
			fc.integer({ min: 0, max: 2 * MAX_RETRY_AFTER_MS }),
		);
		holds(cases, (ms) => {
			const driver = new BreakersDriver();
			driver.turn(limited(ms));
			const wished = ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0;
			expect(driver.chain().resumeAt).toBe(START + Math.max(10 * MINUTE, wished));
		});
	});

	it('P10: jitter is 0 to 10 % of the cooldown, at most 60 s, for 10 000 draws', () => {
		for (let draw = 0; draw < 10_000; draw += 1) {
			const driver = new BreakersDriver({ chains: [{ preferredModel: SONNET, cooldownMinutes: 5 }] });
			driver.random = draw / 10_000;
			driver.turn(limited());
			const jitter = (driver.chain().resumeAt ?? Number.NaN) - START - 5 * MINUTE;
			expect(jitter).toBeCloseTo((draw / 10_000) * 30_000, 3);
		}
	});

	it('P10: two chains that open together are not tested together', () => {
		const driver = new BreakersDriver({ chains: [{ preferredModel: SONNET }, { preferredModel: OPUS }] });
		driver.random = 0.2;
		driver.turn(limited());
		driver.random = 0.7;
		driver.turn(limited(), OPUS);
		expect(driver.chain(OPUS).resumeAt).toBe((driver.chain().resumeAt ?? Number.NaN) + 30_000);
	});
});
