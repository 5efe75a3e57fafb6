import { describe, expect, it } from 'vitest';
import { ChannelError } from '../../src/shared/channels.ts';
import {
	type Fixture,
	failureOf,
	fixture,
	modelFit,
	onlyPopup,
	settled,
	turnFacts,
	type Waiting,
} from './orchestrator-fixture.ts';

const MODEL = 'ollama/qwen3-coder:30b';

/** A click on a local model that does not answer. */
async function switched(
	turns = [turnFacts()],
): Promise<{ floor: Fixture; turn: Waiting; others: Waiting[] }> {
	const floor = fixture();
	floor.models = [modelFit('qwen3-coder:30b'), modelFit('second', { fit: 'TIGHT' })];
	const [turn, ...others] = turns.map((facts) => floor.lose(facts));
	if (!turn) throw new Error('No turn.');
	floor.desk.switchTo(onlyPopup(floor).id, MODEL, turn.facts.agentId ?? undefined);
	await settled();
	return { floor, turn, others };
}

describe('a local model that was clicked and is silent', () => {
	it('keeps the turn on its card until it answers', async () => {
		const { floor, turn } = await switched();
		expect(onlyPopup(floor).turns).toMatchObject([{ state: 'switching' }]);
		await floor.time.advance(30_000);
		expect(onlyPopup(floor).turns).toMatchObject([{ state: 'switching' }]);
		turn.held.answering?.();
		expect(floor.desk.popups()).toEqual([]);
		expect(floor.events).toContainEqual(
			expect.objectContaining({ kind: 'popup-closed', reason: 'continued on qwen3-coder:30b' }),
		);
	});

	it('closes the card with its name, too, when its answer came whole', async () => {
		const { floor, turn } = await switched();
		turn.held.release({ kind: 'answered', harness: 'local', at: 'ollama', model: 'qwen3-coder:30b' });
		expect(floor.events).toContainEqual(
			expect.objectContaining({ kind: 'popup-closed', reason: 'continued on qwen3-coder:30b' }),
		);
	});

	it('goes on beyond the hold: it was chosen in time', async () => {
		const { floor, turn } = await switched();
		await floor.time.advance(300_000);
		expect(turn.isCalledOff).toBe(false);
		expect(onlyPopup(floor).turns).toHaveLength(1);
	});

	it('gives way to another one, which the session keeps and whose first answer is labelled', async () => {
		const { floor, turn } = await switched();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/second');
		expect(turn.isCalledOff).toBe(true);
		turn.breakOff();
		await settled();
		expect(turn.decision).toMatchObject({ kind: 'local', isFirst: true, model: { model: 'second' } });
		expect(floor.desk.localRoutes()).toMatchObject([{ modelId: 'ollama/second' }]);
		turn.answerLocally();
		expect(floor.verdicts).toEqual([]);
	});

	it('is not begun anew by a second click on the same model', async () => {
		const { floor, turn } = await switched();
		floor.desk.switchTo(onlyPopup(floor).id, MODEL);
		expect(turn.isCalledOff).toBe(false);
		expect(floor.desk.localRoutes()).toHaveLength(1);
	});

	it('gives way to the outbox', async () => {
		const { floor, turn } = await switched();
		floor.desk.queue(onlyPopup(floor).id);
		turn.breakOff();
		await settled();
		expect(turn.kind).toBe('queued');
		expect(floor.desk.localRoutes()).toEqual([]);
	});

	it.each(['ask', 'local'] as const)(
		'gives way to the network, which is then waited for (policy %s)',
		async (policy) => {
			const { floor, turn } = await switched();
			floor.settings = { ...floor.settings, policy };
			floor.desk.wait(onlyPopup(floor).id);
			turn.breakOff();
			floor.desk.refresh();
			await settled();
			expect(turn.kind).toBe('waits');
			expect(onlyPopup(floor)).toMatchObject({ waiting: true, turns: [{ state: 'waiting' }] });
			expect(floor.desk.localRoutes()).toEqual([]);
			await floor.time.advance(40_000);
			expect(turn.kind).toBe('provider');
		},
	);

	it('is left alone when others are told to wait', async () => {
		const { floor, turn } = await switched([turnFacts(), turnFacts({ sessionKey: 'b', agentId: 'agent-2' })]);
		floor.desk.wait(onlyPopup(floor).id);
		expect(turn.isCalledOff).toBe(false);
		expect(onlyPopup(floor).turns.map(({ state }) => state)).toEqual(['switching', 'waiting']);
	});

	it('is not blamed for what was called off, whatever its gateway says', async () => {
		const { floor, turn } = await switched();
		floor.desk.queue(onlyPopup(floor).id);
		turn.held.localFailed(MODEL, 'aborted');
		expect(floor.verdicts).toEqual([]);
		expect(onlyPopup(floor).candidates.map(({ modelId }) => modelId)).toContain(MODEL);
	});

	it('is called off when the floor is closed', async () => {
		const { floor, turn } = await switched();
		floor.desk.stop();
		expect(turn.isCalledOff).toBe(true);
		turn.breakOff();
		await settled();
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'shutting-down' });
	});

	it('cannot be overruled once it answers', async () => {
		const { floor, turn } = await switched();
		const { id } = onlyPopup(floor);
		turn.held.answering?.();
		expect(() => floor.desk.queue(id)).toThrow(ChannelError);
		expect(turn.isCalledOff).toBe(false);
	});
});

describe('a retry that was called off at the end of its hold', () => {
	it('goes local where the settings say so, and comes back although others were answered before', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, holdSeconds: 10 };
		const turn = floor.lose(turnFacts(), failureOf('error'));
		floor.answer();
		await floor.time.advance(10_000);
		expect(turn.isCalledOff).toBe(true);
		floor.settings = { ...floor.settings, policy: 'local' };
		turn.breakOff();
		await settled();
		turn.answerLocally();
		expect(floor.book.all().filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
		floor.answer();
		expect(floor.desk.localRoutes()).toEqual([]);
		expect(floor.book.all().filter(({ endedAt }) => endedAt === null)).toEqual([]);
	});
});

describe('a session that may be of several programs', () => {
	const facts = () => turnFacts({ isAttributed: false, agentId: null });

	it('keeps no choice: each of its turns asks for itself, and each local answer is labelled', async () => {
		const floor = fixture();
		for (let turn = 0; turn < 2; turn += 1) {
			const held = floor.lose(facts());
			floor.desk.switchTo(onlyPopup(floor).id, MODEL);
			await settled();
			expect(held.decision).toMatchObject({ kind: 'local', isFirst: true });
			held.answerLocally();
			expect(floor.desk.localRoutes()).toEqual([]);
		}
	});

	it('tells nothing of a model by what another program asks next', async () => {
		const floor = fixture();
		const held = floor.lose(facts());
		floor.desk.switchTo(onlyPopup(floor).id, MODEL);
		await settled();
		held.answerLocally();
		floor.desk.route({ ...facts(), estimatedTokens: 50_000 });
		expect(floor.verdicts).toEqual([]);
	});

	it('goes local each time where the settings say so', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, policy: 'local' };
		for (let turn = 0; turn < 2; turn += 1) {
			const held = floor.lose(facts(), failureOf('error'));
			await settled();
			expect(held.kind).toBe('local');
			held.answerLocally();
		}
	});
});
