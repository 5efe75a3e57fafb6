/** Who decided about turns that were held, where no person did: kept at the incident of their provider. */
import { describe, expect, it } from 'vitest';
import { failureOf, fixture, modelFit, settled, turnFacts } from './orchestrator-fixture.ts';

const decisionsOf = (floor: ReturnType<typeof fixture>) =>
	floor.book.all().map(({ decisions }) => decisions.map(({ by, words }) => `${by}: ${words}`));

describe('turns that nobody decided about', () => {
	it('are one decision of time, which counts them', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, holdSeconds: 10 };
		floor.lose(turnFacts({ turnId: 'one', sessionKey: 'one' }));
		floor.lose(turnFacts({ turnId: 'two', sessionKey: 'two' }));
		await floor.time.advance(11_000);
		expect(decisionsOf(floor)).toEqual([['time: Gave 2 turns back: nobody decided in time']]);
	});

	it('are none where their provider came back in time', async () => {
		const floor = fixture();
		floor.lose();
		await floor.time.advance(40_000);
		floor.call('ok');
		await settled();
		expect(decisionsOf(floor)).toEqual([[]]);
	});
});

describe('turns that the settings decide about', () => {
	it('go to the best local model by a decision of the engine', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, policy: 'local' };
		floor.lose();
		await settled();
		expect(decisionsOf(floor)).toEqual([['engine: Switched 1 turn to qwen3-coder:30b, as the settings say']]);
	});

	it('go back when no local model is left', async () => {
		const floor = fixture();
		floor.settings = { ...floor.settings, policy: 'local' };
		floor.models = [modelFit('qwen3-coder:30b')];
		const turn = floor.lose();
		await settled();
		turn.held.localFailed('ollama/qwen3-coder:30b', 'it crashed');
		turn.next(failureOf());
		await settled();
		expect(decisionsOf(floor)).toEqual([
			[
				'engine: Switched 1 turn to qwen3-coder:30b, as the settings say',
				'engine: Gave 1 turn back: no local model could go on',
			],
		]);
	});
});
