import { describe, expect, it } from 'vitest';
import { failureOf, fixture, modelFit, onlyPopup, settled, turnFacts } from './orchestrator-fixture.ts';

describe('seed test 6: refuse', () => {
	it('no local model and an unreachable cloud: an explicit message, the queue, and no fabricated answer', async () => {
		const floor = fixture();
		floor.models = [];
		const turn = floor.lose();
		const popup = onlyPopup(floor);
		expect(popup).toMatchObject({ candidates: [], recommendation: '' });
		expect(popup.refusal).toMatch(/^No local model can take this turn: none was found.*queue it for retry/);
		await floor.time.advance(20_000);
		expect(turn.kind).toBe('waits');
		floor.desk.queue(popup.id);
		await settled();
		expect(turn.decision).toMatchObject({ kind: 'queued' });
		expect(turn.decisions).toHaveLength(1);
	});

	it('says why the nearest one cannot, and what would cure it', () => {
		const floor = fixture();
		floor.models = [modelFit('coder:30b', { context: { inUse: 4096, max: 262_144 } })];
		floor.lose();
		expect(onlyPopup(floor).refusal).toContain('OLLAMA_CONTEXT_LENGTH=32768');
		expect(floor.book.all()[0]?.detail).toContain('OLLAMA_CONTEXT_LENGTH=32768');
	});

	it('gives the turn back as not to be answered locally when nobody queued it in time', async () => {
		const floor = fixture();
		floor.models = [];
		floor.settings = { ...floor.settings, holdSeconds: 20 };
		const turn = floor.lose();
		await floor.time.advance(21_000);
		expect(turn.decision).toEqual({ kind: 'give-up', why: 'no-local-fit' });
	});

	it('is of this request only: a turn that fits is recommended at the same time', () => {
		const floor = fixture();
		floor.lose(turnFacts({ estimatedTokens: 500_000 }));
		expect(onlyPopup(floor).refusal).not.toBe('');
		floor.lose(turnFacts({ providerId: 'openai', sessionKey: 'b' }), failureOf('error'));
		expect(floor.desk.popups().map(({ refusal }) => refusal === '')).toEqual([false, true]);
	});

	it('takes the refusal back as soon as a model is there', () => {
		const floor = fixture();
		floor.models = [];
		floor.lose();
		floor.models = [modelFit('qwen3-coder:30b')];
		floor.desk.refresh();
		expect(onlyPopup(floor)).toMatchObject({ refusal: '', candidates: [{ model: 'qwen3-coder:30b' }] });
	});
});
