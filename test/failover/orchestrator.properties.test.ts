/** What holds whatever fails, recovers, is clicked, leaves and runs out, in whatever order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallOutcomeKind, CallTicket } from '../../src/main/failover/call.ts';
import { gateFailures } from '../../src/main/failover/local-gates.ts';
import type { ProviderGate } from '../../src/main/failover/orchestrator-parts.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { failoverPopupSchema, improveOfferSchema } from '../../src/shared/failover-view.ts';
import {
	type Fixture,
	failureOf,
	fixture,
	modelFit,
	outcomeOf,
	serverView,
	settled,
	turnFacts,
	type Waiting,
} from './orchestrator-fixture.ts';

type LossKind = 'lost' | 'error' | 'cut' | 'timeout';

type Deed =
	| {
			readonly kind: 'turn';
			readonly provider: string;
			readonly model: string;
			readonly session: string;
			readonly loss: LossKind;
			readonly tokens: number;
			readonly retryAfterMs: number | null;
			readonly isAuxiliary: boolean;
	  }
	| { readonly kind: 'advance'; readonly ms: number }
	| { readonly kind: 'sleep'; readonly ms: number; readonly isTold: boolean }
	| { readonly kind: 'switch'; readonly popup: number; readonly model: string; readonly agent: string | null }
	| { readonly kind: 'wait' | 'queue'; readonly popup: number; readonly agent: string | null }
	/** A try ends. */
	| { readonly kind: 'end'; readonly turn: number; readonly well: boolean; readonly loss: LossKind }
	| { readonly kind: 'answering' | 'leave' | 'doubleNext'; readonly turn: number }
	| { readonly kind: 'call'; readonly provider: string; readonly outcome: CallOutcomeKind }
	| { readonly kind: 'models'; readonly names: readonly string[]; readonly isRunning: boolean }
	| { readonly kind: 'policy'; readonly policy: 'ask' | 'local' | 'wait'; readonly holdSeconds: number }
	| { readonly kind: 'providers'; readonly ids: readonly string[] }
	| { readonly kind: 'offer'; readonly offer: number; readonly deed: 'ask' | 'dismiss' };

const provider = fc.constantFrom('anthropic', 'openai');
const models = ['claude-opus-4-1', 'claude-sonnet-4-5'] as const;
const model = fc.constantFrom(...models);
const agent = fc.option(fc.constantFrom('a', 'b'), { freq: 3 });
const loss = fc.constantFrom('lost' as const, 'error' as const, 'cut' as const, 'timeout' as const);
const index = fc.nat(5);
const deed: fc.Arbitrary<Deed> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('turn' as const),
			provider,
			model,
			session: fc.constantFrom('a', 'b'),
			loss,
			tokens: fc.constantFrom(1000, 20_000, 100_000),
			retryAfterMs: fc.constantFrom(null, 0, 5_000, 400_000),
			isAuxiliary: fc.constantFrom(false, false, false, true),
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('advance' as const),
			ms: fc.constantFrom(0, 1, 500, 3_000, 35_000, 130_000),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('sleep' as const),
			ms: fc.constantFrom(1_000, 60_000, 3_600_000),
			isTold: fc.boolean(),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('switch' as const),
			popup: fc.nat(1),
			model: fc.constantFrom('small', 'large', 'gone'),
			agent,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constantFrom('wait' as const, 'queue' as const),
			popup: fc.nat(1),
			agent,
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({ kind: fc.constant('end' as const), turn: index, well: fc.boolean(), loss }),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constantFrom('answering' as const, 'leave' as const, 'doubleNext' as const),
			turn: index,
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('call' as const),
			provider,
			outcome: fc.constantFrom<CallOutcomeKind[]>(
				'ok',
				'ok',
				'error',
				'lost',
				'rate-limited',
				'unauthorised',
				'neutral',
			),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('models' as const),
			names: fc.subarray(['small', 'large']),
			isRunning: fc.constantFrom(true, true, false),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('policy' as const),
			policy: fc.constantFrom('ask' as const, 'local' as const, 'wait' as const),
			holdSeconds: fc.constantFrom(0, 5, 120, 3600),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('providers' as const),
			ids: fc.constantFrom(['anthropic', 'openai'], ['anthropic', 'openai'], ['anthropic'], ['openai']),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('offer' as const),
			offer: index,
			deed: fc.constantFrom('ask' as const, 'dismiss' as const),
		}),
	},
);

const known: Readonly<Record<string, ReturnType<typeof modelFit>>> = {
	small: modelFit('small', { context: { inUse: 32_768, max: 32_768 }, tags: ['instruction'] }),
	large: modelFit('large', { fit: 'TIGHT', context: { inUse: 131_072, max: 131_072 } }),
};

const all = ['anthropic', 'openai'].map((id) => ({
	id,
	baseUrl: `https://${id}.example`,
	protocols: ['anthropic-messages' as const],
}));

class World {
	readonly floor: Fixture;
	/** Turns that their gateway has not released. */
	readonly turns: Waiting[] = [];
	/** How often `next` was asked, by turn. */
	readonly asked = new Map<Waiting, number>();
	/** Tickets that were given out and not settled. */
	readonly tickets = new Map<number, CallTicket>();
	readonly #judged = new WeakSet<object>();
	/** Those that a gateway got from a route or a decision. */
	readonly #delivered = new Set<number>();

	constructor() {
		let gate: ProviderGate | null = null;
		const real = (): ProviderGate => gate ?? this.floor.health;
		this.floor = fixture({
			gate: {
				admit: (id) => {
					const admission = real().admit(id);
					if (admission.ticket) this.tickets.set(admission.ticket.serial, admission.ticket);
					return admission;
				},
				settle: (ticket, outcome) => {
					this.tickets.delete(ticket.serial);
					real().settle(ticket, outcome);
				},
				isDown: (id) => real().isDown(id),
				retryInMs: (id) => real().retryInMs(id),
				reason: (id) => real().reason(id),
			},
		});
		gate = this.floor.health;
		this.floor.models = Object.values(known);
	}

	async do(deed: Deed): Promise<void> {
		try {
			await this.#do(deed);
		} catch (error) {
			// A click on what is gone is answered with an error for people; nothing else may be thrown.
			if (!(error instanceof ChannelError)) throw error;
			for (const text of [error.data.message, error.data.meaning, error.data.remedy])
				expect(text).toMatch(/\S/);
		}
		await settled();
		this.check();
	}

	async #do(deed: Deed): Promise<void> {
		const { desk, time } = this.floor;
		const turn = 'turn' in deed ? this.turns[deed.turn % Math.max(1, this.turns.length)] : undefined;
		const popup = 'popup' in deed ? desk.popups()[deed.popup] : undefined;
		switch (deed.kind) {
			case 'turn':
				return this.#newTurn(deed);
			case 'advance':
				return time.advance(deed.ms);
			case 'sleep':
				time.now += deed.ms;
				if (deed.isTold) desk.noteWake();
				return time.advance(0);
			case 'switch':
				desk.switchTo(popup?.id ?? 'gone', `ollama/${deed.model}`, deed.agent ?? undefined);
				return;
			case 'wait':
				return desk.wait(popup?.id ?? 'gone');
			case 'queue':
				return desk.queue(popup?.id ?? 'gone', deed.agent ?? undefined);
			case 'end':
				if (turn) this.#endTry(turn, deed.well, deed.loss);
				return;
			case 'answering':
				if (turn?.kind === 'provider' || turn?.kind === 'local') turn.held.answering?.();
				return;
			case 'leave':
				if (turn) this.#over(turn, () => turn.leave());
				return;
			case 'doubleNext':
				if (turn?.kind === 'waits') this.#next(turn, failureOf('lost'));
				return;
			case 'call': {
				const admission = this.floor.health.admit(deed.provider);
				if (admission.ticket) desk.settle(admission.ticket, outcomeOf(deed.outcome));
				return;
			}
			case 'models':
				this.floor.models = deed.names.flatMap((name) => known[name] ?? []);
				this.floor.servers = [serverView('ollama', { state: deed.isRunning ? 'running' : 'absent' })];
				return desk.refresh();
			case 'policy':
				this.floor.settings = { ...this.floor.settings, policy: deed.policy, holdSeconds: deed.holdSeconds };
				return desk.refresh();
			case 'providers':
				this.floor.providers = all.filter(({ id }) => deed.ids.includes(id));
				return desk.refresh();
			case 'offer': {
				const id = desk.offers()[deed.offer]?.id ?? 'gone';
				return deed.deed === 'ask' ? desk.improveAsk(id) : desk.improveDismiss(id);
			}
		}
	}

	/** A turn of a session of its own, answered well wherever it goes. */
	answerOne(providerId: string, ofModel: string): void {
		const { desk } = this.floor;
		const facts = turnFacts({ providerId, model: ofModel, sessionKey: 'z', agentId: 'z' });
		const route = desk.route(facts);
		if (route.to === 'provider') desk.settle(route.ticket, outcomeOf('ok'));
		if (route.to === 'hold') desk.ended(facts, { kind: 'failed' });
		else if (route.to === 'provider') {
			desk.ended(facts, { kind: 'answered', harness: 'cloud', at: providerId, model: ofModel });
		} else throw new Error('A session that was never asked about went local.');
		this.check();
	}

	#newTurn(deed: Extract<Deed, { kind: 'turn' }>): void {
		const { desk } = this.floor;
		const facts = turnFacts({
			providerId: deed.provider,
			model: deed.model,
			sessionKey: deed.session,
			agentId: deed.session,
			estimatedTokens: deed.tokens,
			maxOutputTokens: 1000,
			isAuxiliary: deed.isAuxiliary,
		});
		const route = desk.route(facts);
		if (route.to === 'local') {
			this.#checkLocal(route.model.id, facts);
			desk.ended(facts, {
				kind: 'answered',
				harness: 'local',
				at: 'ollama',
				model: route.model.model,
			});
			return;
		}
		const failure =
			route.to === 'hold' ? route.failure : failureOf(deed.loss, { retryAfterMs: deed.retryAfterMs });
		if (route.to === 'provider') desk.settle(route.ticket, failure.outcome);
		const turn = this.floor.hold(facts, failure);
		this.turns.push(turn);
		this.asked.set(turn, 1);
	}

	#endTry(turn: Waiting, well: boolean, lossKind: LossKind): void {
		const { desk } = this.floor;
		const { decision } = turn;
		if (decision === null) return;
		switch (decision.kind) {
			case 'provider': {
				const failure = failureOf(lossKind);
				if (decision.abandon?.aborted) {
					desk.settle(decision.ticket, outcomeOf('neutral'));
					this.#next(turn, turn.failure);
				} else if (well) {
					this.#over(turn, () => turn.succeed());
				} else {
					desk.settle(decision.ticket, failure.outcome);
					this.#next(turn, failure);
				}
				break;
			}
			case 'local':
				if (decision.abandon?.aborted) {
					this.#next(turn, turn.failure);
				} else if (well) {
					this.#over(turn, () => turn.answerLocally());
				} else {
					turn.held.localFailed(decision.model.id, 'out of memory');
					this.#next(turn, failureOf('error', { code: 'local_model_failed' }));
				}
				break;
			case 'queued':
				this.#over(turn, () => turn.held.release({ kind: 'queued' }));
				break;
			case 'give-up':
				this.#over(turn, () => turn.held.release({ kind: 'failed' }));
				break;
		}
	}

	#next(turn: Waiting, failure: ReturnType<typeof failureOf>): void {
		this.asked.set(turn, (this.asked.get(turn) ?? 0) + 1);
		turn.next(failure);
	}

	#over(turn: Waiting, end: () => void): void {
		// What the gateway does with a retry that the client did not wait for.
		const ticket = turn.decision?.kind === 'provider' ? turn.decision.ticket : null;
		end();
		if (ticket && this.tickets.has(ticket.serial)) this.floor.desk.settle(ticket, outcomeOf('neutral'));
		this.turns.splice(this.turns.indexOf(turn), 1);
		const decided = turn.decisions.length;
		const waited = turn.kind === 'waits';
		turn.held.next(failureOf('lost')).then((decision) => expect(decision.kind).toBe('give-up'));
		if (!waited) expect(turn.decisions).toHaveLength(decided);
	}

	#checkLocal(modelId: string, facts: Waiting['facts']): void {
		const model = this.floor.models.find(({ id }) => id === modelId);
		if (!model) throw new Error('A model that is not there.');
		expect(this.floor.settings.policy).not.toBe('wait');
		expect(gateFailures(model, [facts], { servers: this.floor.servers, failed: new Map() })).toEqual([]);
	}

	check(): void {
		const { desk, book, paused } = this.floor;
		const popups = desk.popups();
		expect(new Set(popups.map(({ providerId }) => providerId)).size).toBe(popups.length);
		const onPopups: string[] = [];
		const ids = this.floor.providers.map(({ id }) => id);
		for (const { providerId } of [...popups, ...desk.localRoutes()]) expect(ids).toContain(providerId);
		for (const popup of popups) {
			failoverPopupSchema.parse(popup);
			expect(popup.turns.length).toBeGreaterThan(0);
			for (const view of popup.turns) {
				onPopups.push(view.turnId);
				const turn = this.turns.find(({ facts }) => facts.turnId === view.turnId);
				expect(turn?.facts.providerId).toBe(popup.providerId);
				expect(['waits', 'provider', 'local']).toContain(turn?.kind);
			}
			const incident = book.all().find(({ id }) => id === popup.incidentId);
			expect(incident).toMatchObject({ endedAt: null, severity: 'urgent' });
		}
		const urgent = book.all().filter(({ endedAt, severity }) => endedAt === null && severity === 'urgent');
		expect(urgent).toHaveLength(popups.length);
		expect(new Set(onPopups).size).toBe(onPopups.length);
		expect(paused.at(-1) ?? false).toBe(popups.length > 0);
		expect(paused.every((isPaused, at) => isPaused === (at % 2 === 0))).toBe(true);
		for (const offer of desk.offers()) improveOfferSchema.parse(offer);
		for (const turn of this.turns) {
			// Two asks of one wait are answered together.
			expect(turn.decisions.length).toBeLessThanOrEqual(this.asked.get(turn) ?? 0);
			const { decision } = turn;
			if (decision?.kind === 'local' && !this.#judged.has(decision)) {
				this.#judged.add(decision);
				this.#checkLocal(decision.model.id, turn.facts);
			}
			if (decision?.kind === 'provider') this.#delivered.add(decision.ticket.serial);
		}
		for (const serial of this.tickets.keys()) expect(this.#delivered.has(serial)).toBe(true);
	}

	/** Nothing gets better, and nobody comes. */
	async runOut(): Promise<void> {
		for (let round = 0; this.turns.length > 0; round += 1) {
			if (round > 500) throw new Error(`${this.turns.length} turns are held for ever.`);
			for (const turn of [...this.turns]) if (turn.kind !== 'waits') await this.do(this.#fail(turn));
			await this.do({ kind: 'advance', ms: 35_000 });
		}
	}

	#fail(turn: Waiting): Deed {
		return { kind: 'end', turn: this.turns.indexOf(turn), well: false, loss: 'lost' };
	}
}

describe('whatever happens in whatever order', () => {
	it('every held turn is decided once for each time it asks, every popup closes, and nothing is left behind', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(deed, { maxLength: 40 }), fc.boolean(), async (deeds, isStopped) => {
				const world = new World();
				const { desk, time } = world.floor;
				for (const one of deeds) await world.do(one);
				if (isStopped) desk.stop();
				await settled();
				if (isStopped) {
					for (const turn of world.turns) expect(turn.kind).not.toBe('waits');
					expect(desk.popups()).toEqual([]);
				}
				await world.runOut();
				expect(desk.popups()).toEqual([]);
				for (const [turn, asked] of world.asked) expect(turn.decisions).toHaveLength(asked);
				expect(world.tickets.size).toBe(0);
				desk.stop();
				expect(time.timers).toBe(0);
			}),
			{ numRuns: 200 },
		);
	});

	it('once the provider answers again, every turn that still waits is sent to it within seconds', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(deed, { maxLength: 30 }), async (deeds) => {
				const world = new World();
				for (const one of deeds) await world.do(one);
				await world.do({ kind: 'providers', ids: ['anthropic', 'openai'] });
				await world.do({ kind: 'advance', ms: 35_000 });
				// A trial may be on its way already; it is answered well, and so is everything after it.
				for (let round = 0; round < 20; round += 1) {
					for (const turn of [...world.turns]) {
						if (turn.kind === 'waits') continue;
						await world.do({ kind: 'end', turn: world.turns.indexOf(turn), well: true, loss: 'lost' });
					}
					for (const id of ['anthropic', 'openai']) for (const name of models) world.answerOne(id, name);
					await world.do({ kind: 'advance', ms: 35_000 });
				}
				expect(world.turns).toEqual([]);
				expect(world.floor.desk.popups()).toEqual([]);
				expect(world.floor.desk.localRoutes()).toEqual([]);
				expect(world.floor.book.all().filter(({ endedAt }) => endedAt === null)).toEqual([]);
			}),
			{ numRuns: 100 },
		);
	});
});
