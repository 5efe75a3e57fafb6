import { describe, expect, it } from 'vitest';
import {
	type Fixture,
	failureOf,
	fixture,
	modelFit,
	onlyPopup,
	outcomeOf,
	settled,
	turnFacts,
} from './orchestrator-fixture.ts';

const OPUS = 'claude-opus-4-1';
const opus = (change = {}) => turnFacts({ model: OPUS, ...change });
const overloaded = failureOf('error');

/** A helper request of some session is answered. */
function helper(floor: Fixture, change = {}): void {
	floor.answer(turnFacts({ isAuxiliary: true, sessionKey: 'session-1', ...change }));
}

describe('"recovered" is said of what recovered', () => {
	it.each([
		['a helper of a smaller model', { isAuxiliary: true, model: 'claude-haiku-4-5' }],
		['a token count for the same model', { isAuxiliary: true, model: OPUS }],
		['a turn of another model', { model: 'claude-sonnet-4-5', sessionKey: 'other' }],
		['a turn at another provider', { model: OPUS, providerId: 'openai', sessionKey: 'other' }],
	])('not by %s', async (_, change) => {
		const floor = fixture();
		const turn = floor.lose(opus(), overloaded);
		const { id } = onlyPopup(floor);
		for (let call = 0; call < 20; call += 1) floor.answer(turnFacts(change));
		await floor.time.advance(1_000);
		expect(turn.kind).toBe('waits');
		expect(onlyPopup(floor).id).toBe(id);
		expect(floor.book.all()).toMatchObject([{ severity: 'urgent', endedAt: null }]);
	});

	it('nor by the answer to something in the outbox', () => {
		const floor = fixture();
		floor.lose(opus(), overloaded);
		floor.call('ok');
		expect(onlyPopup(floor).turns).toHaveLength(1);
	});

	it('by the breaker that was open and is closed', async () => {
		const floor = fixture();
		const turn = floor.lose(opus());
		floor.desk.wait(onlyPopup(floor).id);
		expect(floor.health.isDown('anthropic')).toBe(true);
		await floor.time.advance(33_000);
		floor.desk.settle(turn.ticket, outcomeOf('ok'));
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ endReason: 'recovered' }]);
	});

	it('by its own retry, which sends the other turns of the same model and leaves those of another', async () => {
		const floor = fixture();
		const first = floor.lose(opus({ sessionKey: 'a' }), overloaded);
		await floor.time.advance(1_000);
		const second = floor.lose(opus({ sessionKey: 'b' }), overloaded);
		const other = floor.lose(turnFacts({ sessionKey: 'c' }), overloaded);
		await floor.time.advance(1_000);
		expect([first.kind, second.kind]).toEqual(['provider', 'waits']);
		first.succeed();
		await floor.time.advance(300);
		expect(second.kind).toBe('provider');
		expect(other.kind).toBe('waits');
		expect(onlyPopup(floor).turns).toMatchObject([{ turnId: other.facts.turnId }]);
	});

	it('by nobody while the breaker is open: an answer that began before it opened is late', () => {
		const floor = fixture();
		const late = opus({ sessionKey: 'late' });
		const route = floor.desk.route(late);
		floor.lose(opus());
		if (route.to !== 'provider') throw new Error('It was not sent.');
		floor.desk.settle(route.ticket, outcomeOf('ok'));
		floor.desk.ended(late, { kind: 'answered', harness: 'cloud', at: 'anthropic', model: OPUS });
		expect(onlyPopup(floor).turns).toHaveLength(1);
	});

	it('of a loss that nobody was asked about, once that model is answered', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, holdSeconds: 0 };
		floor.lose(opus(), overloaded).leave();
		floor.answer(turnFacts({ sessionKey: 'other' }));
		expect(floor.book.all()).toMatchObject([{ endedAt: null }]);
		floor.answer(opus());
		expect(floor.book.all()).toMatchObject([{ endReason: 'recovered' }]);
	});
});

describe('a session that went on locally', () => {
	async function local() {
		const floor = fixture();
		const turn = floor.lose(opus(), overloaded);
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.answerLocally();
		return floor;
	}

	it('is not sent back by its own helper, nor by another model of its provider', async () => {
		const floor = await local();
		await floor.time.advance(31_000);
		helper(floor);
		floor.answer(turnFacts({ sessionKey: 'other' }));
		expect(floor.desk.localRoutes()).toHaveLength(1);
		expect(floor.desk.offers()).toEqual([]);
	});

	it('goes back when its model is answered, or it itself by another model', async () => {
		for (const facts of [opus({ sessionKey: 'other' }), turnFacts()]) {
			const floor = await local();
			await floor.time.advance(31_000);
			floor.answer(facts);
			expect(floor.desk.localRoutes()).toEqual([]);
		}
	});

	it('is not sent back by its subagent on another model', async () => {
		const floor = await local();
		await floor.time.advance(31_000);
		floor.answer(turnFacts({ subagentId: 'explorer' }));
		expect(floor.desk.localRoutes()).toHaveLength(1);
	});

	it('and asks nothing more is over, once others are answered, and holds up no tier', async () => {
		const floor = await local();
		await floor.time.advance(599_000);
		floor.answer(turnFacts({ sessionKey: 'other' }));
		expect(floor.desk.localRoutes()).toHaveLength(1);
		await floor.time.advance(1_000);
		floor.answer(turnFacts({ sessionKey: 'other' }));
		expect(floor.desk.localRoutes()).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ endReason: 'recovered' }]);
	});
});

describe('a provider that leaves the settings', () => {
	it('gives the held turns back with that reason, closes their popup and ends the local choices', async () => {
		const floor = fixture();
		const local = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		local.answerLocally();
		floor.models = [modelFit('tiny', { context: { inUse: 4096, max: 4096 } })];
		const held = floor.lose(turnFacts({ sessionKey: 'b' }));
		floor.providers = floor.providers.filter(({ id }) => id !== 'anthropic');
		floor.desk.refresh();
		await settled();
		expect(held.decision).toEqual({ kind: 'give-up', why: 'provider-gone' });
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.desk.localRoutes()).toEqual([]);
		const why = 'the provider was taken out of the settings';
		expect(floor.events).toContainEqual(expect.objectContaining({ kind: 'popup-closed', reason: why }));
		expect(floor.book.all()).toMatchObject([{ endReason: why }]);
		expect(floor.events.filter(({ kind }) => kind === 'provider-changed')).toMatchObject([
			{ down: true },
			{ down: false },
		]);
		expect(floor.time.timers).toBe(1);
	});

	it('calls off a retry that is silent', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), overloaded);
		await floor.time.advance(3_000);
		floor.providers = [];
		floor.desk.refresh();
		expect(turn.isCalledOff).toBe(true);
		turn.breakOff();
		await settled();
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'provider-gone' });
	});

	it('holds no turn that was lost after it', async () => {
		const floor = fixture();
		floor.providers = [];
		const turn = floor.hold(turnFacts(), failureOf());
		await settled();
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'provider-gone' });
		expect(floor.desk.popups()).toEqual([]);
	});

	it('comes back without a past when it comes back elsewhere', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.providers = floor.providers.map((provider) => ({ ...provider, baseUrl: 'https://new.example' }));
		floor.desk.refresh();
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ endReason: 'the address of the provider was changed' }]);
		await floor.time.advance(500);
		expect(turn.kind).toBe('provider');
	});

	it('leaves the turns of others alone', async () => {
		const floor = fixture();
		floor.lose();
		const other = floor.lose(turnFacts({ providerId: 'openai', sessionKey: 'b' }));
		floor.providers = floor.providers.filter(({ id }) => id === 'openai');
		floor.desk.refresh();
		await settled();
		expect(other.kind).toBe('waits');
		expect(onlyPopup(floor).providerId).toBe('openai');
	});
});

describe('a provider that is down from an earlier run', () => {
	it('is told once, so that its time counts', () => {
		const before = fixture();
		before.lose();
		const floor = fixture();
		floor.health.restore(before.health.saved());
		for (const { id } of floor.health.down()) floor.desk.providerChanged(id);
		for (const { id } of floor.health.down()) floor.desk.providerChanged(id);
		expect(floor.events).toMatchObject([{ kind: 'provider-changed', providerId: 'anthropic', down: true }]);
	});
});
