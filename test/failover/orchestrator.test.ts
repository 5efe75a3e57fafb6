import { describe, expect, it } from 'vitest';
import { ChannelError } from '../../src/shared/channels.ts';
import { failoverPopupSchema, localRouteViewSchema } from '../../src/shared/failover-view.ts';
import {
	failureOf,
	fixture,
	modelFit,
	onlyPopup,
	outcomeOf,
	serverView,
	settled,
	turnFacts,
} from './orchestrator-fixture.ts';

const HOLD_MS = 120_000;

describe('a lost provider', () => {
	it('opens one popup in the same tick, with one sentence, a card and the turn that waits', () => {
		const floor = fixture();
		floor.lose();
		const popup = onlyPopup(floor);
		failoverPopupSchema.parse(popup);
		expect(popup).toMatchObject({
			cause: 'network-lost',
			sentence: "Network lost: Anthropic can't be reached.",
			recommendation:
				'Continue locally with qwen3-coder:30b: fits your GPU, handles planning tasks. Your conversation carries over.',
			refusal: '',
			turns: [{ agentName: 'shop', state: 'asking' }],
		});
		const [incident] = floor.book.all();
		expect(incident).toMatchObject({ id: popup.incidentId, kind: 'failover', severity: 'urgent', count: 1 });
		expect(floor.events.map(({ kind }) => kind)).toEqual(['provider-changed', 'popup-opened']);
		expect(floor.events[1]).toMatchObject({ popupId: popup.id, popupMs: 0 });
	});

	it.each([
		['error', "Anthropic can't answer: it reports an error (529 overloaded_error)."],
		['cut', 'Answer cut off: the connection to Anthropic broke.'],
		['timeout', 'Anthropic does not answer.'],
	] as const)('says in one sentence what happened on %s', (kind, sentence) => {
		const floor = fixture();
		floor.lose(turnFacts(), failureOf(kind));
		expect(onlyPopup(floor).sentence).toBe(sentence);
	});

	it('sends nothing while the breaker is open: a new turn is held with its reason', () => {
		const floor = fixture();
		floor.lose();
		const route = floor.desk.route(turnFacts({ sessionKey: 'other' }));
		expect(route).toMatchObject({
			to: 'hold',
			failure: { cause: 'network-lost', detail: expect.stringContaining('Anthropic refused the connection') },
		});
	});

	it('lets every turn join the one popup, and updates it in place', () => {
		const floor = fixture();
		floor.lose();
		const { id } = onlyPopup(floor);
		floor.lose(turnFacts({ sessionKey: 'b', agentId: 'agent-2', estimatedTokens: 300_000 }));
		const popup = onlyPopup(floor);
		expect(popup.id).toBe(id);
		expect(popup.turns).toHaveLength(2);
		expect(popup.candidates).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ count: 2, agentId: null }]);
	});

	it('keeps what is known of the loss when later turns only hear that calls are paused', () => {
		const floor = fixture();
		for (let call = 0; call < 4; call += 1) floor.call('error');
		floor.lose(turnFacts(), failureOf('error'));
		expect(floor.health.isDown('anthropic')).toBe(true);
		floor.lose(turnFacts({ sessionKey: 'b' }));
		expect(onlyPopup(floor)).toMatchObject({ cause: 'provider-error' });
	});

	it('asks for each provider in a popup of its own', () => {
		const floor = fixture();
		floor.lose();
		floor.lose(turnFacts({ providerId: 'openai', sessionKey: 'b' }));
		expect(floor.desk.popups().map(({ providerName }) => providerName)).toEqual(['Anthropic', 'OpenAI']);
		expect(floor.paused).toEqual([true]);
	});

	it('never answers by itself: the turn is given back when its hold is over, and the popup closes', async () => {
		const floor = fixture();
		const turn = floor.lose();
		await floor.time.advance(29_000);
		expect(turn.kind).toBe('waits');
		await floor.time.advance(4_000);
		expect(turn.kind).toBe('provider');
		turn.failAgain();
		await floor.time.advance(HOLD_MS);
		while (turn.kind === 'provider') {
			turn.failAgain();
			await floor.time.advance(HOLD_MS);
		}
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'hold-over' });
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.desk.localRoutes()).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ severity: 'attention', endedAt: null }]);
	});

	it('never holds a helper request of a client', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts({ isAuxiliary: true }));
		await settled();
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'hold-over' });
		expect(floor.desk.popups()).toEqual([]);
		turn.leave();
		turn.leave();
		expect(floor.events.filter(({ kind }) => kind === 'turn-ended')).toHaveLength(1);
	});

	it('holds nothing when the settings say so, and keeps the loss in view', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, holdSeconds: 0 };
		const turn = floor.lose();
		await settled();
		expect(turn.kind).toBe('give-up');
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ severity: 'attention', endedAt: null }]);
	});

	it('pauses probing while a popup waits, and only then', () => {
		const floor = fixture();
		const turn = floor.lose();
		expect(floor.paused).toEqual([true]);
		turn.leave();
		expect(floor.paused).toEqual([true, false]);
	});
});

describe('[Switch & continue]', () => {
	it('sends the same turn to the model, closes the popup and keeps the choice for the session', async () => {
		const floor = fixture();
		const turn = floor.lose();
		expect(floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b')).toEqual([]);
		await settled();
		expect(turn.decision).toMatchObject({
			kind: 'local',
			isFirst: true,
			model: { model: 'qwen3-coder:30b' },
		});
		turn.answerLocally();
		expect(floor.desk.popups()).toEqual([]);
		const next = floor.desk.route(turnFacts());
		expect(next).toMatchObject({ to: 'local', isFirst: false });
		floor.desk.ended(turnFacts(), {
			kind: 'answered',
			harness: 'local',
			at: 'ollama',
			model: 'qwen3-coder:30b',
		});
		const [route] = floor.desk.localRoutes();
		expect(localRouteViewSchema.parse(route)).toMatchObject({ turns: 2, providerId: 'anthropic' });
		expect(floor.book.all()).toMatchObject([
			{ severity: 'attention', endedAt: null, detail: expect.stringContaining('1 session goes on locally') },
		]);
	});

	it('labels the first answer of a session once, even when two of its turns run at a time', async () => {
		const floor = fixture();
		const turns = [floor.lose(), floor.lose()];
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		expect(turns.map(({ decision }) => decision)).toMatchObject([{ isFirst: true }, { isFirst: false }]);
	});

	it('labels the next answer when the first turn did not get one', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.held.release({ kind: 'failed' });
		expect(floor.desk.route(turnFacts())).toMatchObject({ to: 'local', isFirst: true });
	});

	it('switches only the turns of the agent that was clicked', async () => {
		const floor = fixture();
		const first = floor.lose();
		const second = floor.lose(turnFacts({ sessionKey: 'b', agentId: 'agent-2' }));
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b', 'agent-2');
		await settled();
		expect([first.kind, second.kind]).toEqual(['waits', 'local']);
		second.answerLocally();
		expect(onlyPopup(floor).turns).toHaveLength(1);
	});

	it('keeps the turns that the model cannot take, and says why', async () => {
		const floor = fixture();
		const small = floor.lose();
		const large = floor.lose(turnFacts({ sessionKey: 'b', agentName: 'big', estimatedTokens: 100_000 }));
		const kept = floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		expect([small.kind, large.kind]).toEqual(['local', 'waits']);
		expect(kept).toMatchObject([
			{ agentName: 'big', reason: expect.stringContaining('OLLAMA_CONTEXT_LENGTH') },
		]);
		expect(onlyPopup(floor).excluded[0]?.excluded).toContain('OLLAMA_CONTEXT_LENGTH');
	});

	it('says what is the matter when nothing can be switched', () => {
		const floor = fixture();
		const problem = (work: () => unknown) => {
			try {
				work();
			} catch (error) {
				if (error instanceof ChannelError) return error.data;
				throw error;
			}
			throw new Error('It was done.');
		};
		expect(problem(() => floor.desk.switchTo('popup-0', 'x'))).toMatchObject({ code: 'not-possible' });
		expect(problem(() => floor.desk.wait('popup-0')).remedy).toMatch(/\S/);
		expect(problem(() => floor.desk.queue('popup-0')).meaning).toMatch(/\S/);
		floor.lose(turnFacts({ estimatedTokens: 100_000 }));
		const { id } = onlyPopup(floor);
		expect(problem(() => floor.desk.switchTo(id, 'ollama/gone')).message).toContain('ollama/gone');
		expect(problem(() => floor.desk.switchTo(id, 'ollama/qwen3-coder:30b')).message).toContain(
			'OLLAMA_CONTEXT_LENGTH',
		);
		expect(problem(() => floor.desk.switchTo(id, 'ollama/qwen3-coder:30b', 'nobody')).message).toContain(
			'No turn of this agent',
		);
		expect(onlyPopup(floor).turns).toHaveLength(1);
	});

	it('overrules a retry that hangs: it is broken off and the click is done', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		await floor.time.advance(3_000);
		if (turn.decision?.kind !== 'provider') throw new Error('It was not retried.');
		const { abandon } = turn.decision;
		expect(abandon?.aborted).toBe(false);
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		expect(onlyPopup(floor).turns).toMatchObject([{ state: 'switching' }]);
		expect(abandon?.aborted).toBe(true);
		floor.desk.settle(turn.ticket, outcomeOf('neutral'));
		turn.next(failureOf('error'));
		await settled();
		expect(turn.kind).toBe('local');
	});

	it('leaves a retry alone whose answer reaches the agent already', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		await floor.time.advance(3_000);
		turn.held.answering?.();
		expect(floor.desk.popups()).toEqual([]);
		turn.succeed();
		expect(floor.book.all()).toMatchObject([{ endReason: 'the provider answers again' }]);
	});

	it('asks again when the model that was clicked is gone before the retry came back', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		await floor.time.advance(3_000);
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		floor.servers = [serverView('ollama', { state: 'absent' })];
		turn.failAgain(failureOf('error'));
		await settled();
		expect(turn.kind).toBe('waits');
		expect(onlyPopup(floor).turns).toMatchObject([{ state: 'asking' }]);
	});

	it('holds for the session although the breaker is closed: the provider is asked again after 30 s', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.answerLocally();
		expect(floor.book.all()).toMatchObject([{ severity: 'attention', endedAt: null }]);
		for (let round = 0; round < 2; round += 1) {
			await floor.time.advance(29_000);
			expect(floor.desk.route(turnFacts())).toMatchObject({ to: 'local' });
			await floor.time.advance(1_000);
			const trial = floor.lose(turnFacts(), failureOf('error'));
			await settled();
			expect(trial.decision).toMatchObject({ kind: 'local', isFirst: false });
		}
		floor.answer();
		expect(floor.book.all()).toMatchObject([{ endReason: 'recovered' }]);
		expect(floor.desk.offers()).toHaveLength(1);
	});

	it('takes helper requests of the session along, which neither use up its label nor tell about the model', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.held.release({ kind: 'failed' });
		const helper = turnFacts({ isAuxiliary: true, estimatedTokens: 100 });
		expect(floor.desk.route(helper)).toMatchObject({ to: 'local', isFirst: false });
		floor.desk.ended(helper, { kind: 'client-left' });
		expect(floor.verdicts).toEqual([]);
		expect(floor.desk.route(turnFacts())).toMatchObject({ to: 'local', isFirst: true });
	});

	it('asks again when the session outgrows the model instead of cutting the prompt off', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.answerLocally();
		floor.lose(turnFacts({ estimatedTokens: 70_000 }));
		expect(onlyPopup(floor).turns).toHaveLength(1);
	});
});

describe('[Wait for network]', () => {
	it('keeps the popup, small, and still sends the turn when the provider is back', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.wait(onlyPopup(floor).id);
		expect(onlyPopup(floor)).toMatchObject({ waiting: true, turns: [{ state: 'waiting' }] });
		await floor.time.advance(33_000);
		expect(onlyPopup(floor).turns).toMatchObject([{ state: 'retrying' }]);
		turn.succeed();
		expect(floor.desk.popups()).toEqual([]);
	});
});

describe('[Queue for retry]', () => {
	it('ends the turns with a message that says where they are and what comes next', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.queue(onlyPopup(floor).id);
		await settled();
		expect(turn.decision).toMatchObject({ kind: 'queued', message: expect.stringContaining('Anthropic') });
		if (turn.decision?.kind !== 'queued') return;
		expect(turn.decision.message).toContain('outbox');
		expect(turn.decision.message).toContain('Nothing was answered in its place');
		expect(floor.desk.popups()).toEqual([]);
	});
});

describe('recovery', () => {
	it('closes the popup as recovered and sends every held turn, a little apart', async () => {
		const floor = fixture();
		const turns = ['a', 'b', 'c'].map((sessionKey) => floor.lose(turnFacts({ sessionKey })));
		await floor.time.advance(33_000);
		const [trial, ...others] = turns.toSorted((left) => (left.kind === 'provider' ? -1 : 1));
		expect(others.map(({ kind }) => kind)).toEqual(['waits', 'waits']);
		trial?.succeed();
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ endReason: 'recovered' }]);
		expect(floor.events).toContainEqual(
			expect.objectContaining({ kind: 'popup-closed', reason: 'recovered' }),
		);
		const sentAt: number[] = [];
		for (let step = 0; step < 100; step += 1) {
			await floor.time.advance(10);
			if (others.filter(({ kind }) => kind === 'provider').length > sentAt.length) sentAt.push(step);
		}
		expect(sentAt).toHaveLength(2);
		expect(floor.time.timers).toBe(2);
	});

	it('is one trial: while the breaker is open the others wait for its result', async () => {
		const floor = fixture();
		const turns = ['a', 'b', 'c'].map((sessionKey) => floor.lose(turnFacts({ sessionKey })));
		const sent = () => turns.filter(({ kind }) => kind === 'provider');
		await floor.time.advance(40_000);
		expect(sent()).toHaveLength(1);
		const [trial] = sent();
		trial?.failAgain();
		await floor.time.advance(20_000);
		expect(sent()).toHaveLength(0);
		await floor.time.advance(15_000);
		expect(sent()).toHaveLength(1);
	});

	it('does not wait for a trial that its agent abandoned', async () => {
		const floor = fixture();
		const turns = ['a', 'b'].map((sessionKey) => floor.lose(turnFacts({ sessionKey })));
		await floor.time.advance(33_000);
		const [trial, other] = turns.toSorted((left) => (left.kind === 'provider' ? -1 : 1));
		if (!trial) throw new Error('There was no trial.');
		const { ticket } = trial;
		trial.leave();
		floor.desk.settle(ticket, outcomeOf('neutral'));
		await floor.time.advance(5_000);
		expect(other?.kind).toBe('provider');
	});

	it('takes an answer by the same model as news, also of a session that was never held', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		floor.answer();
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ endReason: 'recovered' }]);
		await floor.time.advance(500);
		expect(turn.kind).toBe('provider');
	});

	it('does not let a turn that only fails itself hammer a provider that answers others', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		let retries = 0;
		for (let second = 0; second < 60; second += 1) {
			for (let call = 0; call < 5; call += 1) floor.answer();
			await floor.time.advance(1_000);
			if (turn.kind !== 'provider') continue;
			retries += 1;
			turn.failAgain(failureOf('error'));
		}
		expect(retries).toBeGreaterThan(1);
		expect(retries).toBeLessThan(10);
	});

	it('opens the popup again when the provider goes before the held turns were sent', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		floor.answer();
		floor.call('lost');
		expect(floor.desk.popups()).toEqual([]);
		await floor.time.advance(1_000);
		expect(onlyPopup(floor).turns).toHaveLength(1);
		await floor.time.advance(33_000);
		floor.desk.settle(turn.ticket, outcomeOf('ok'));
		expect(floor.desk.popups()).toEqual([]);
	});

	it('ends the local choice: the next turn of the session goes to the cloud', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.answerLocally();
		await floor.time.advance(40_000);
		floor.call('ok');
		expect(floor.desk.localRoutes()).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ endReason: 'recovered' }]);
		expect(floor.desk.route(turnFacts())).toMatchObject({ to: 'provider' });
	});

	it('has a way back when all sessions are local: one of their turns is the trial, and goes on locally if it fails', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.answerLocally();
		expect(floor.desk.route(turnFacts())).toMatchObject({ to: 'local' });
		await floor.time.advance(40_000);
		const trial = floor.lose();
		await settled();
		expect(trial.decision).toMatchObject({ kind: 'local', isFirst: false });
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.desk.route(turnFacts())).toMatchObject({ to: 'local' });
	});

	it('hears of it from the health of the providers as well', async () => {
		const floor = fixture();
		floor.lose();
		await floor.time.advance(40_000);
		const kinds = () => floor.events.filter(({ kind }) => kind === 'provider-changed');
		expect(kinds()).toMatchObject([{ down: true, reason: expect.stringContaining('Anthropic') }]);
	});
});

describe('retries while a turn is held', () => {
	it('backs off from 2 s to at most 30 s while the breaker is closed', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, holdSeconds: 3600 };
		const turn = floor.lose(turnFacts(), failureOf('timeout'));
		const gaps: number[] = [];
		let last = floor.time.now;
		while (gaps.length < 7) {
			await floor.time.advance(100);
			if (turn.kind !== 'provider') continue;
			gaps.push(floor.time.now - last);
			last = floor.time.now;
			// Neutral, so that the breaker stays closed and the turn's own backoff is seen.
			floor.desk.settle(turn.ticket, outcomeOf('neutral'));
			turn.next(failureOf('timeout'));
		}
		expect(gaps.map((gap) => Math.round(gap / 1000))).toEqual([2, 4, 8, 16, 30, 30, 30]);
	});

	it('takes Retry-After as a floor', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error', { retryAfterMs: 20_000 }));
		await floor.time.advance(19_900);
		expect(turn.kind).toBe('waits');
		await floor.time.advance(1_000);
		expect(turn.kind).toBe('provider');
	});

	it('counts a turn whose retries fail as one occurrence', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('timeout'));
		await floor.time.advance(3_000);
		turn.failAgain(failureOf('timeout'));
		expect(floor.book.all()).toMatchObject([{ count: 1 }]);
	});

	it('keeps the deadline of a turn whose retries fail', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('timeout'));
		const [before] = onlyPopup(floor).turns;
		await floor.time.advance(3_000);
		floor.desk.settle(turn.ticket, outcomeOf('neutral'));
		turn.next(failureOf('timeout'));
		const [after] = onlyPopup(floor).turns;
		expect(after?.heldUntil).toBe(before?.heldUntil);
		expect(after?.heldSince).toBe(before?.heldSince);
	});

	it('does not make the question blink while the provider is tried beside it', async () => {
		const floor = fixture();
		floor.lose(turnFacts(), failureOf('error'));
		await floor.time.advance(3_000);
		expect(onlyPopup(floor).turns).toMatchObject([{ state: 'asking' }]);
	});

	it('calls a retry off that is still silent at the end of the hold, and gives the turn back', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, holdSeconds: 10 };
		const turn = floor.lose(turnFacts(), failureOf('error'));
		await floor.time.advance(3_000);
		expect(turn.isCalledOff).toBe(false);
		await floor.time.advance(7_000);
		expect(turn.isCalledOff).toBe(true);
		turn.breakOff();
		await settled();
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'hold-over' });
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.time.timers).toBe(0);
	});

	it('lets a retry whose answer reaches the agent go on beyond the end of the hold', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, holdSeconds: 10 };
		const turn = floor.lose(turnFacts(), failureOf('error'));
		await floor.time.advance(3_000);
		turn.held.answering?.();
		await floor.time.advance(60_000);
		expect(turn.isCalledOff).toBe(false);
	});

	it('asks again after ten minutes at the latest, whatever Retry-After says', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, holdSeconds: 3600 };
		const turn = floor.lose(turnFacts(), failureOf('error', { retryAfterMs: 86_400_000 }));
		await floor.time.advance(599_000);
		expect(turn.kind).toBe('waits');
		await floor.time.advance(2_000);
		expect(turn.kind).toBe('provider');
	});
});

describe('a local model that fails as well', () => {
	it('is left out for this incident, and the person is asked again about the original loss', async () => {
		const floor = fixture();
		floor.models = [modelFit('qwen3-coder:30b'), modelFit('second', { fit: 'TIGHT' })];
		const turn = floor.lose();
		const first = onlyPopup(floor);
		floor.desk.switchTo(first.id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.held.localFailed('ollama/qwen3-coder:30b', 'out of memory');
		turn.next(failureOf('error', { code: 'local_model_failed' }));
		const popup = onlyPopup(floor);
		expect(popup).toMatchObject({
			cause: 'network-lost',
			detail: first.detail,
			incidentId: first.incidentId,
		});
		expect(popup.candidates.map(({ model }) => model)).toEqual(['second']);
		expect(popup.excluded).toMatchObject([{ excluded: expect.stringContaining('out of memory') }]);
		expect(floor.desk.localRoutes()).toEqual([]);
	});

	it('is not taken from a session in which it works, and may be chosen again by a person', async () => {
		const floor = fixture();
		const works = floor.lose();
		const fails = floor.lose(turnFacts({ sessionKey: 'b' }));
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		works.answerLocally();
		fails.held.localFailed('ollama/qwen3-coder:30b', 'HTTP 400');
		fails.next(fails.failure);
		expect(floor.desk.route(turnFacts())).toMatchObject({ to: 'local' });
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		expect(fails.kind).toBe('local');
	});

	it('ends the waiting of the others: there is something to decide again', async () => {
		const floor = fixture();
		const fails = floor.lose(turnFacts({ agentId: 'agent-2', sessionKey: 'b' }));
		floor.lose();
		const { id } = onlyPopup(floor);
		floor.desk.switchTo(id, 'ollama/qwen3-coder:30b', 'agent-2');
		floor.desk.wait(id);
		await settled();
		fails.held.localFailed('ollama/qwen3-coder:30b', 'out of memory');
		expect(onlyPopup(floor)).toMatchObject({ id, waiting: false });
	});

	it('is excluded no longer once the provider was back', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.held.localFailed('ollama/qwen3-coder:30b', 'out of memory');
		turn.leave();
		floor.answer();
		floor.lose(turnFacts(), failureOf('error'));
		expect(onlyPopup(floor).candidates).toHaveLength(1);
	});

	it('asks about the provider when it fails on a turn that was never sent there', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.answerLocally();
		const facts = turnFacts();
		expect(floor.desk.route(facts)).toMatchObject({ to: 'local' });
		const held = floor.desk.hold(facts);
		held.localFailed('ollama/qwen3-coder:30b', 'out of memory');
		held.next(failureOf('error', { code: 'local_model_failed' }));
		expect(onlyPopup(floor).sentence).toBe("Network lost: Anthropic can't be reached.");
	});
});

describe('failover.policy', () => {
	it('local: takes the best model at once, and stays listed until the provider is back', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, policy: 'local' };
		floor.models = [modelFit('second', { fit: 'TIGHT' }), modelFit('qwen3-coder:30b')];
		const turn = floor.lose();
		await settled();
		expect(turn.decision).toMatchObject({
			kind: 'local',
			model: { model: 'qwen3-coder:30b' },
			isFirst: true,
		});
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.book.all()).toMatchObject([
			{
				endedAt: null,
				detail: expect.stringContaining('Switched to qwen3-coder:30b at once, as the settings say'),
			},
		]);
		turn.answerLocally();
		await floor.time.advance(40_000);
		floor.call('ok');
		expect(floor.book.all()).toMatchObject([{ endReason: 'recovered' }]);
	});

	it('local: takes the next best when one fails, and gives the original error back when none is left', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, policy: 'local' };
		floor.models = [modelFit('second', { fit: 'TIGHT' }), modelFit('qwen3-coder:30b')];
		const turn = floor.lose();
		await settled();
		for (const name of ['qwen3-coder:30b', 'second']) {
			expect(turn.decision).toMatchObject({ kind: 'local', model: { model: name } });
			turn.held.localFailed(`ollama/${name}`, 'out of memory');
			turn.next(turn.failure);
			await settled();
		}
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'no-local-fit' });
		expect(floor.desk.popups()).toEqual([]);
	});

	it('local: asks when nothing fits, and goes local as soon as something does', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, policy: 'local' };
		const [model] = floor.models;
		floor.models = [];
		const turn = floor.lose();
		expect(onlyPopup(floor).refusal).not.toBe('');
		floor.models = model ? [model] : [];
		floor.desk.refresh();
		await settled();
		expect(turn.kind).toBe('local');
		turn.answerLocally();
		expect(floor.desk.popups()).toEqual([]);
	});

	it('wait: recommends nothing local, takes nothing local, and sends the turn when the provider is back', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, policy: 'wait' };
		const turn = floor.lose();
		const popup = onlyPopup(floor);
		expect(popup).toMatchObject({ waiting: true, candidates: [], recommendation: '', refusal: '' });
		expect(() => floor.desk.switchTo(popup.id, 'ollama/qwen3-coder:30b')).toThrow(ChannelError);
		await floor.time.advance(33_000);
		expect(turn.kind).toBe('provider');
	});

	it('wait: ends a click that was not carried out yet', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		await floor.time.advance(3_000);
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		floor.settings = { ...floor.settings, policy: 'wait' };
		turn.breakOff();
		await settled();
		expect(turn.kind).toBe('waits');
	});

	it('wait: ends what was chosen before', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.answerLocally();
		floor.settings = { ...floor.settings, policy: 'wait' };
		expect(floor.desk.route(turnFacts())).toMatchObject({ to: 'hold' });
	});
});

describe('the end of a turn', () => {
	it('blames nobody when the agent leaves, and closes the popup with the last turn', async () => {
		const floor = fixture();
		const turn = floor.lose(turnFacts(), failureOf('error'));
		turn.leave();
		await settled();
		expect(turn.kind).toBe('give-up');
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.verdicts).toEqual([]);
		expect(floor.book.all()).toMatchObject([{ endReason: 'the agent left' }]);
		expect(floor.time.timers).toBe(0);
		turn.leave();
		expect(floor.events.filter(({ kind }) => kind === 'turn-ended')).toHaveLength(1);
	});

	it('gives everything back when the floor is closed', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.stop();
		await settled();
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'shutting-down' });
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.paused).toEqual([true, false]);
		expect(floor.time.timers).toBe(0);
		const late = floor.lose(turnFacts({ sessionKey: 'late' }));
		await settled();
		expect(late.decision).toEqual({ kind: 'give-up', why: 'shutting-down' });
		expect(floor.desk.popups()).toEqual([]);
	});
});

describe('a machine that was asleep', () => {
	it('shows what waits for ten seconds before any hold ends, whoever notices first', async () => {
		for (const isTold of [true, false]) {
			const floor = fixture();
			const turn = floor.lose();
			floor.settings = { ...floor.settings, policy: 'wait' };
			floor.time.now += 3_600_000;
			if (isTold) floor.desk.noteWake();
			await floor.time.advance(0);
			if (turn.kind === 'provider') turn.failAgain();
			await floor.time.advance(9_000);
			expect(turn.kind).toBe('waits');
			expect(onlyPopup(floor).turns[0]?.heldUntil).toBe(floor.time.clock.wall() + 1_000);
			await floor.time.advance(2_000);
			expect(turn.kind).toBe('give-up');
		}
	});

	it('shortens no hold', () => {
		const floor = fixture();
		floor.lose();
		const before = onlyPopup(floor).turns[0]?.heldUntil;
		floor.desk.noteWake();
		expect(onlyPopup(floor).turns[0]?.heldUntil).toBe(before);
	});
});

describe('what became of a local answer', () => {
	async function local() {
		const floor = fixture();
		const turn = floor.lose(turnFacts({ estimatedTokens: 1000 }));
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		return { floor, turn };
	}

	it('is accepted when the session builds on it', async () => {
		const { floor, turn } = await local();
		turn.answerLocally();
		floor.desk.route(turnFacts({ estimatedTokens: 1500 }));
		expect(floor.verdicts).toEqual([
			{ workspace: '/shop', modelId: 'ollama/qwen3-coder:30b', accepted: true, turnId: turn.facts.turnId },
		]);
	});

	it.each([
		['the same request again', (turnId: string) => ({ turnId, estimatedTokens: 1500, inputHash: 'same' })],
		['a shorter conversation', () => ({ estimatedTokens: 500 })],
		['another session', () => ({ estimatedTokens: 1500, sessionKey: 'other' })],
		['a helper request', () => ({ estimatedTokens: 1500, isAuxiliary: true })],
	])('is not judged by %s', async (_, change) => {
		const { floor, turn } = await local();
		turn.answerLocally();
		floor.desk.route(turnFacts(change(turn.facts.turnId)));
		expect(floor.verdicts).toEqual([]);
	});

	it('is rejected when the model failed, when the agent left in its middle, or when a person wants a better one', async () => {
		const failed = await local();
		failed.turn.held.localFailed('ollama/qwen3-coder:30b', 'out of memory');
		const left = await local();
		left.turn.leave();
		const improved = await local();
		improved.turn.answerLocally();
		await improved.floor.time.advance(40_000);
		improved.floor.call('ok');
		const [offer] = improved.floor.desk.offers();
		improved.floor.desk.improveAsk(offer?.id ?? '');
		for (const { floor } of [failed, left, improved]) {
			expect(floor.verdicts).toMatchObject([{ accepted: false, modelId: 'ollama/qwen3-coder:30b' }]);
		}
	});

	it('is not judged when the turn ended otherwise', async () => {
		const { floor, turn } = await local();
		turn.held.release({ kind: 'failed' });
		expect(floor.verdicts).toEqual([]);
	});
});
