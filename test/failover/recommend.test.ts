import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	gateFailures,
	neededTokens,
	surelyInUse,
	type TurnNeeds,
} from '../../src/main/failover/local-gates.ts';
import { type Acceptance, recommend } from '../../src/main/failover/recommend.ts';
import { candidateSchema } from '../../src/shared/failover-view.ts';
import { modelFit, serverView, turnFacts } from './orchestrator-fixture.ts';

const unknownHistory = () => null;
const planning = turnFacts();
const names = (candidates: readonly { readonly model: string }[]) => candidates.map(({ model }) => model);

function pick(models: ReturnType<typeof modelFit>[], turns: TurnNeeds[] = [planning], rest = {}) {
	return recommend({ models, turns, acceptance: unknownHistory, ...rest });
}

describe('seed test 3: recommendation ranking', () => {
	it('orders three models of a fixture machine, and leaves out the one that is over, however popular', () => {
		const comfortable = modelFit('qwen3-coder:30b');
		const tight = modelFit('deepseek-r1:32b', {
			fit: 'TIGHT',
			fitReason: 'Barely fits your GPU: about 23 GB of 24 GB GPU memory.',
		});
		const over = modelFit('gpt-oss:120b', {
			fit: 'OVER',
			fitReason: 'Does not fit this machine: 65 GB of 32 GB.',
		});
		const popular: Acceptance = { accepted: 99, total: 99 };
		const result = recommend({
			models: [over, tight, comfortable],
			turns: [planning],
			acceptance: (_, modelId) => (modelId === over.id ? popular : null),
		});
		expect(names(result.candidates)).toEqual(['qwen3-coder:30b', 'deepseek-r1:32b']);
		expect(names(result.excluded)).toEqual(['gpt-oss:120b']);
		expect(result.excluded[0]).toMatchObject({
			score: 0,
			excluded: expect.stringContaining('65 GB of 32 GB'),
		});
		expect(result.recommendation).toBe(
			'Continue locally with qwen3-coder:30b: fits your GPU, handles planning tasks. Your conversation carries over.',
		);
		expect(result.refusal).toBe('');
	});

	it('prefers a reasoning model for planning and an instruction model for edits', () => {
		const models = [
			modelFit('thinker', { tags: ['reasoning'] }),
			modelFit('doer', { tags: ['instruction'] }),
		];
		expect(names(pick(models, [turnFacts({ activity: 'planning' })]).candidates)).toEqual([
			'thinker',
			'doer',
		]);
		expect(names(pick(models, [turnFacts({ activity: 'editing' })]).candidates)).toEqual(['doer', 'thinker']);
	});

	it('puts comfortable before tight before not known, and says when the fit is not known', () => {
		const models = (['UNKNOWN', 'TIGHT', 'COMFORTABLE'] as const).map((fit) =>
			modelFit(fit, { fit, fitReason: '' }),
		);
		const { candidates } = pick(models);
		expect(names(candidates)).toEqual(['COMFORTABLE', 'TIGHT', 'UNKNOWN']);
		expect(candidates[2]?.parts).toContainEqual(
			expect.objectContaining({ part: 'device', why: 'fit not known' }),
		);
	});

	it('counts what became of earlier answers in this workspace, and says so on the card', () => {
		const result = recommend({
			models: [modelFit('a'), modelFit('b')],
			turns: [planning],
			acceptance: (workspace, id) =>
				workspace === '/shop' && id === 'ollama/b' ? { accepted: 3, total: 4 } : null,
		});
		expect(names(result.candidates)).toEqual(['b', 'a']);
		expect(result.recommendation).toContain('3 of 4 answers were kept here');
	});

	it('does not let a single answer decide', () => {
		const one = recommend({
			models: [modelFit('a', { fit: 'TIGHT', fitReason: '' }), modelFit('b')],
			turns: [planning],
			acceptance: (_, id) => (id === 'ollama/a' ? { accepted: 1, total: 1 } : null),
		});
		expect(names(one.candidates)).toEqual(['b', 'a']);
	});

	it.each<[Parameters<typeof modelFit>[1], string]>([
		[{ tags: ['instruction'] }, 'fits your GPU, though it is not made for planning tasks'],
		[
			{ fit: 'TIGHT', fitReason: 'Barely fits your GPU: 23 GB of 24 GB.' },
			'handles planning tasks, though it barely fits your GPU',
		],
		[
			{ fit: 'UNKNOWN', fitReason: 'Fit not known: its size could not be read.', tools: null },
			'handles planning tasks, though how well it fits this machine is not known and whether it can call tools is not known',
		],
		[
			{ fit: 'TIGHT', fitReason: '', tags: [] },
			'holds this conversation, though it barely fits this machine and what it is good for is not known',
		],
	])('names what speaks against a model apart from what speaks for it: %j', (change, reasons) => {
		expect(pick([modelFit('m', change)]).recommendation).toBe(
			`Continue locally with m: ${reasons}. Your conversation carries over.`,
		);
	});

	it('says when most of its answers were not kept here', () => {
		const result = recommend({
			models: [modelFit('m')],
			turns: [planning],
			acceptance: () => ({ accepted: 1, total: 4 }),
		});
		expect(result.recommendation).toContain(
			': fits your GPU, handles planning tasks, though only 1 of 4 answers was kept here.',
		);
	});

	it('counts what a turn needs in one way: its prompt and room for the answer', () => {
		expect(pick([modelFit('m')]).candidates[0]?.parts[0]?.why).toBe(
			'holds this conversation: 24.1k (20k of prompt and 4.1k for the answer), of 65.5k tokens',
		);
	});

	it('lets the loaded one of two equals win, and says that a cold one is loaded first', () => {
		const models = [
			modelFit('cold', { loaded: false }),
			modelFit('maybe', { loaded: null }),
			modelFit('warm'),
		];
		const { candidates } = pick(models);
		expect(names(candidates)).toEqual(['warm', 'maybe', 'cold']);
		expect(candidates.map(({ cold }) => cold)).toEqual([false, false, true]);
		expect(pick([modelFit('cold', { loaded: false })]).recommendation).toContain('It is loaded first');
	});
});

describe('hard gates', () => {
	it.each([
		['ollama', 'OLLAMA_CONTEXT_LENGTH=32768'],
		['lmstudio', 'a context length of 32768'],
		['llamacpp', '-c 32768'],
		['vllm', '--max-model-len 32768'],
		['openai', 'context of 32768 tokens'],
	] as const)('names the setting of %s that cures a context too small', (serverKind, cure) => {
		const model = modelFit('m', { serverKind, context: { inUse: 4096, max: 131_072 } });
		const { candidates, excluded } = pick([model]);
		expect(candidates).toEqual([]);
		expect(excluded[0]?.excluded).toContain(cure);
	});

	it('does not send an agent prompt to an Ollama default of 4k, which would cut it off silently', () => {
		const model = modelFit('coder:30b', { context: { inUse: 4096, max: 262_144 } });
		expect(pick([model]).excluded[0]?.excluded).toBe(
			'It runs with 4\u00a0096 tokens of context and this turn needs about 24.1k (20k of prompt and 4.1k for the answer): the rest would be cut off silently. Start Ollama with OLLAMA_CONTEXT_LENGTH=32768, or set "PARAMETER num_ctx 32768" in its model file.',
		);
	});

	it.each(['ollama', 'lmstudio', 'llamacpp'] as const)(
		'takes of a model of %s that is not loaded only what its documentation promises',
		(serverKind) => {
			const model = modelFit('m', { serverKind, loaded: false, context: { inUse: null, max: 131_072 } });
			expect(pick([model]).excluded[0]?.excluded).toContain('no more than 4\u00a0096 tokens');
			const small = turnFacts({ estimatedTokens: 3000, maxOutputTokens: 500 });
			expect(names(pick([model], [small]).candidates)).toEqual(['m']);
		},
	);

	it('knows that vLLM loads a model with all of its context', () => {
		const model = modelFit('m', { serverKind: 'vllm', context: { inUse: null, max: 131_072 } });
		expect(names(pick([model]).candidates)).toEqual(['m']);
	});

	it('does not trust a server that says nothing about its context', () => {
		const model = modelFit('m', { serverKind: 'openai', context: { inUse: null, max: null } });
		expect(pick([model]).excluded[0]?.excluded).toContain('not known');
	});

	it('offers no cure where the model itself is too small for the conversation', () => {
		const model = modelFit('m', { context: { inUse: 8192, max: 8192 } });
		expect(pick([model]).excluded[0]?.excluded).toMatch(/at most.*compact the conversation/);
	});

	it('keeps room for an answer, not for the longest that was asked for', () => {
		const context = { inUse: 32_768, max: 32_768 };
		const turn = turnFacts({ estimatedTokens: 20_000, maxOutputTokens: 32_000 });
		for (const serverKind of ['ollama', 'vllm'] as const) {
			expect(names(pick([modelFit('m', { context, serverKind })], [turn]).candidates)).toEqual(['m']);
		}
	});

	it('wants tools where tools are offered, takes not known with a lower score, and says so', () => {
		const models = [modelFit('no', { tools: false }), modelFit('maybe', { tools: null }), modelFit('yes')];
		const { candidates, excluded } = pick(models);
		expect(names(candidates)).toEqual(['yes', 'maybe']);
		expect(candidates[1]?.parts.map(({ why }) => why).join()).toContain(
			'whether it can call tools is not known',
		);
		expect(names(excluded)).toEqual(['no']);
		expect(names(pick(models, [turnFacts({ offersTools: false })]).candidates)).toContain('no');
	});

	it('leaves out the models of a server that does not run', () => {
		const servers = [serverView('ollama', { state: 'absent' })];
		expect(pick([modelFit('m')], [planning], { servers }).excluded[0]?.excluded).toContain('is not running');
	});

	it('leaves out a model that failed in this incident, with what happened', () => {
		const failed = new Map([['ollama/m', 'out of memory']]);
		expect(pick([modelFit('m')], [planning], { failed }).excluded[0]?.excluded).toContain('out of memory');
	});

	it('recommends only what can take every turn that is held', () => {
		const small = turnFacts({ estimatedTokens: 1000 });
		const large = turnFacts({ estimatedTokens: 100_000 });
		const models = [modelFit('m', { context: { inUse: 65_536, max: 262_144 } })];
		expect(pick(models, [small]).candidates).toHaveLength(1);
		const both = pick(models, [large, small]);
		expect(both.candidates).toEqual([]);
		expect(both.excluded[0]?.excluded).toContain('needs about 104k');
	});
});

describe('the text of a refusal', () => {
	it('says that nothing was found', () => {
		expect(pick([]).refusal).toContain('none was found on this machine');
	});

	it('names the nearest miss with its cure, blames nobody, and offers the ways on', () => {
		const over = modelFit('huge', { fit: 'OVER' });
		const curable = modelFit('near', { context: { inUse: 4096, max: 131_072 } });
		const { refusal } = pick([over, curable]);
		expect(refusal).toContain('The nearest is near: ');
		expect(refusal).toContain('OLLAMA_CONTEXT_LENGTH=32768');
		expect(refusal).toContain('queue it for retry');
	});

	it('shows a name from a server as text', () => {
		expect(pick([modelFit('a\u202eb\nc')]).recommendation).not.toMatch(/[\u202e\n]/);
	});
});

const anyModel = fc
	.record({
		name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
		serverKind: fc.constantFrom(...(['ollama', 'lmstudio', 'llamacpp', 'vllm', 'openai'] as const)),
		inUse: fc.option(fc.constantFrom(0, 2048, 4096, 32_768, 131_072)),
		max: fc.option(fc.constantFrom(2048, 4096, 32_768, 262_144)),
		loaded: fc.option(fc.boolean()),
		tools: fc.option(fc.boolean()),
		tags: fc.subarray(['reasoning', 'instruction'] as const),
		fit: fc.constantFrom(...(['COMFORTABLE', 'TIGHT', 'OVER', 'UNKNOWN'] as const)),
		fitReason: fc.constantFrom('', 'Fits your GPU: 1 of 2 GB.', 'No numbers'),
	})
	.map(({ name, inUse, max, tags, ...rest }) =>
		modelFit(name, { ...rest, tags: [...tags], context: { inUse, max } }),
	);
const anyModels = fc.uniqueArray(anyModel, { selector: ({ id }) => id });
const anyTurn = fc
	.record({
		estimatedTokens: fc.constantFrom(0, 100, 3000, 30_000, 200_000),
		maxOutputTokens: fc.option(fc.constantFrom(1, 1000, 64_000)),
		offersTools: fc.boolean(),
		activity: fc.constantFrom(...(['planning', 'editing', 'other'] as const)),
		workspace: fc.constantFrom('/shop', '/app'),
	})
	.map((change) => turnFacts(change));
const anyTurns = fc.array(anyTurn, { maxLength: 3 });
const history = (workspace: string, id: string): Acceptance | null =>
	id.endsWith('a') ? null : { accepted: workspace.length % 4, total: 5 };

describe('whatever the models and turns', () => {
	it('gives the same order whatever order they come in', () => {
		fc.assert(
			fc.property(anyModels, anyTurns, fc.nat(), (models, turns, turn) => {
				const shuffled = models.toSorted(
					(left, right) => ((left.id.charCodeAt(7) * turn) % 7) - ((right.id.charCodeAt(7) * turn) % 7),
				);
				const one = recommend({ models, turns, acceptance: history });
				const other = recommend({ models: shuffled, turns: turns.toReversed(), acceptance: history });
				expect(other.candidates.map(({ modelId }) => modelId)).toEqual(
					one.candidates.map(({ modelId }) => modelId),
				);
				expect(other.excluded).toEqual(one.excluded);
			}),
		);
	});

	it('never makes a candidate of what fails a hard gate, loses no model and gives either a card or a refusal', () => {
		fc.assert(
			fc.property(anyModels, anyTurns, (models, turns) => {
				const result = recommend({ models, turns, acceptance: history });
				expect(result.candidates.length + result.excluded.length).toBe(models.length);
				expect(result.recommendation === '').toBe(result.refusal !== '');
				const options = { servers: [], failed: new Map<string, string>() };
				for (const candidate of [...result.candidates, ...result.excluded]) {
					candidateSchema.parse(candidate);
					expect(candidate.score).toBeGreaterThanOrEqual(0);
					expect(candidate.score).toBeLessThanOrEqual(1);
				}
				for (const candidate of result.candidates) {
					const model = models.find(({ id }) => id === candidate.modelId);
					if (!model) throw new Error('A candidate that was never given.');
					expect(candidate.excluded).toBeNull();
					expect(model.fit).not.toBe('OVER');
					expect(gateFailures(model, turns, options)).toEqual([]);
					for (const turn of turns) {
						expect(neededTokens(turn)).toBeLessThanOrEqual(surelyInUse(model).tokens ?? Number.NaN);
						if (turn.offersTools) expect(model.tools).not.toBe(false);
					}
				}
				for (const { excluded, score } of result.excluded) {
					expect(excluded).toMatch(/\S/);
					expect(score).toBe(0);
				}
			}),
		);
	});
});
