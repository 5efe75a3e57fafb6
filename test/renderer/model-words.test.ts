import { describe, expect, it } from 'vitest';
import { countdownOf, deedsOf, heldOn, modelsSummary } from '../../src/renderer/store/model-words.ts';
import type { ChainModelView } from '../../src/shared/models-view.ts';
import { modelViews } from '../support/model-views.ts';
import { NOW } from './agents.ts';

const make = modelViews(NOW);

describe('all chains in one sentence', () => {
	it.each([
		[[], 'No model is limited, and no chain is set up.'],
		[[make.chain()], 'No model is limited.'],
		[[make.open()], 'The one chain is limited, tested or held.'],
		[[make.open({ id: 'a' }), make.chain({ id: 'b' })], '1 of 2 chains is limited, tested or held.'],
		[[make.open({ id: 'a' }), make.held({ id: 'b' })], '2 of 2 chains are limited, tested or held.'],
		[[make.spent()], 'A spending limit needs you. No model is rate-limited.'],
		[
			[make.spent({ id: 'a' }), make.open({ id: 'b' })],
			'A spending limit needs you. 1 of 2 chains is limited, tested or held.',
		],
	])('%#', (chains, words) => {
		expect(modelsSummary(make.models(chains))).toBe(words);
	});
});

describe('what a countdown runs to', () => {
	it('is the first free model of a chain that is limited whole, else the test call', () => {
		expect(countdownOf(make.exhausted())).toBe(NOW + 102_000);
		expect(countdownOf(make.open())).toBe(NOW + 432_000);
		expect(countdownOf(make.unaided())).toBe(NOW + 432_000);
	});

	it('is nothing where no time decides', () => {
		for (const chain of [make.chain(), make.halfOpen(), make.held(), make.spent()])
			expect(countdownOf(chain)).toBeNull();
	});
});

describe('what can be done to a chain', () => {
	const may = (chain: ReturnType<typeof make.chain>, lost = false) => {
		const { probeBarred, holdBarred } = deedsOf(chain, lost);
		return { probe: probeBarred === '', hold: holdBarred === '' };
	};

	it.each([
		['closed', make.chain(), { probe: false, hold: true }],
		['open', make.open(), { probe: true, hold: true }],
		['due: the next call tests it anyway', make.open({ resumeAt: null }), { probe: false, hold: true }],
		['half-open', make.halfOpen(), { probe: false, hold: true }],
		['held: let go, then test', make.held(), { probe: false, hold: true }],
		['limited whole', make.exhausted(), { probe: true, hold: true }],
		['without a fallback', make.unaided(), { probe: true, hold: false }],
	])('%s', (_name, chain, deeds) => {
		expect(may(chain)).toEqual(deeds);
	});

	it('is nothing without the engine', () => {
		expect(may(make.open(), true)).toEqual({ probe: false, hold: false });
	});
});

describe('the model on which a hold keeps a chain', () => {
	const able = (model: string, state: ChainModelView['state']) => make.chainModel(model, { state });

	it.each([
		['the one that stands in', make.open({ modelInUse: 'second' }), 'second'],
		[
			'the first that would stand in',
			make.chain({
				preferredModel: 'p',
				modelInUse: 'p',
				models: [able('p', 'in-use'), able('dear', 'skipped'), able('first', 'ready')],
			}),
			'first',
		],
		[
			'one that is not limited',
			make.chain({
				preferredModel: 'p',
				modelInUse: 'p',
				models: [able('p', 'in-use'), able('first', 'limited'), able('second', 'ready')],
			}),
			'second',
		],
	])('is %s', (_why, chain, model) => {
		expect(heldOn(chain)).toBe(model);
	});
});
