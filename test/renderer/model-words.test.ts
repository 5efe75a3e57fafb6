import { describe, expect, it } from 'vitest';
import {
	countdownOf,
	deedsOf,
	dueWords,
	holdMeaning,
	modelsSummary,
	moneyCallsWords,
	switchWords,
} from '../../src/renderer/store/model-words.ts';
import { minuteWords, timeWords } from '../../src/shared/format.ts';
import type { ChainModelView, ModelChainView } from '../../src/shared/models-view.ts';
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
		[[make.unaided()], '1 model that no chain names is limited, tested or held.'],
		[
			[make.open({ id: 'a' }), make.unaided({ id: 'b' })],
			'The one chain and 1 model that no chain names are limited, tested or held.',
		],
		[
			[make.open({ id: 'a' }), make.chain({ id: 'b' }), make.unaided({ id: 'c' }), make.unaided({ id: 'd' })],
			'1 of 2 chains and 2 models that no chain names are limited, tested or held.',
		],
		[[make.spent({ source: 'seen' })], 'A spending limit needs you. No model is rate-limited.'],
	])('%#', (chains, words) => {
		expect(modelsSummary(make.models(chains))).toBe(words);
	});
});

describe('what the switch says', () => {
	it('is of a hold also where every fallback is limited', () => {
		expect(switchWords(make.exhausted())).toBe('every model is limited');
		expect(switchWords(make.exhausted({ held: true }))).toBe('held by you, every fallback is limited');
	});

	it('is of the test where nothing else can be used', () => {
		expect(switchWords(make.halfOpen({ modelInUse: null }))).toBe('testing recovery');
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

describe('what a hold would do', () => {
	const able = (model: string, state: ChainModelView['state'], until: number | null = null) =>
		make.chainModel(model, { state, until });
	const meaning = (chain: ModelChainView) => holdMeaning(chain, NOW);
	const chainOf = (...models: ChainModelView[]) =>
		make.chain({ preferredModel: 'p', modelInUse: 'p', models: [able('p', 'in-use'), ...models] });

	it.each([
		['stays on the one that stands in', make.open({ modelInUse: 'second' }), 'second'],
		['stays on the first that would', chainOf(able('dear', 'skipped'), able('first', 'ready')), 'first'],
		['stays on one that is not limited', chainOf(able('a', 'limited', NOW), able('b', 'ready')), 'b'],
	])('%s', (_what, chain, model) => {
		expect(meaning(chain)).toBe(`Stays on ${model} and tests nothing until you let it recover.`);
	});

	it('does not promise to stay on what cannot be used: it says when the first can', () => {
		expect(meaning(make.exhausted())).toBe(
			`Callers wait for gpt-5-mini, limited until ${timeWords(NOW + 102_000, NOW)}; nothing is tested until you let it recover.`,
		);
		expect(meaning(chainOf(able('a', 'limited')))).toMatch(/^Callers wait for a, limited; nothing/);
		const unserved = chainOf(able('dear', 'skipped'), able('a', 'skipped', NOW + 60_000));
		expect(meaning(unserved)).toMatch(/^Callers wait for a, passed over until /);
	});
});

describe('a time beside a countdown', () => {
	it.each([
		['to the second within an hour', 59_000, 'second'],
		['never earlier than it is', 58_001, 'second'],
		['to the minute before', 4 * 3_600_000, 'minute'],
	] as const)('is %s', (_what, ms, unit) => {
		const second = Math.ceil((NOW + ms) / 1000) * 1000;
		const words = unit === 'second' ? timeWords(second, NOW) : minuteWords(NOW + ms, NOW);
		expect(dueWords(NOW + ms, NOW)).toBe(words);
	});
});

describe('where calls go while a model is out of money', () => {
	const at = { said: '', at: NOW };
	const preferred = { model: 'claude-sonnet-5-20250929', ...at };
	const fallback = { model: 'gpt-5.4-mini', ...at };
	const still = 'Calls still go to it, and no other model is taken for it.';
	const nobody = { modelInUse: null, probe: null };

	it.each([
		['preferred, in use', make.spent({ spendLimit: preferred }), still],
		['preferred, without a fallback', make.unaided({ spendLimit: preferred }), still],
		[
			'preferred, limited',
			make.open({ spendLimit: preferred }),
			'It is rate-limited as well: calls go to gpt-5.4-mini.',
		],
		[
			'preferred, due',
			make.open({ spendLimit: preferred, resumeAt: null }),
			'It was rate-limited as well: the next call goes to it, to test that.',
		],
		[
			'preferred, in test',
			make.halfOpen({ spendLimit: preferred }),
			'It was rate-limited as well: calls go to gpt-5.4-mini, but for the test call under way.',
		],
		[
			'preferred, to be tested',
			make.halfOpen({ spendLimit: preferred, ...nobody }),
			'It was rate-limited as well: the next call goes to it, to test that.',
		],
		[
			'preferred, held',
			make.held({ spendLimit: preferred }),
			'You hold it back as well: calls go to gpt-5.4-mini.',
		],
		[
			'preferred, limited whole',
			make.exhausted({ spendLimit: preferred }),
			'It is rate-limited as well: no call goes to it.',
		],
		['fallback, in use', make.open({ spendLimit: fallback }), still],
		[
			'fallback, not in use',
			make.chain({ spendLimit: fallback }),
			'No call goes to it now: claude-sonnet-5 is used.',
		],
		['fallback, limited whole', make.exhausted({ spendLimit: fallback }), 'No call goes to it now.'],
	])('%s', (_name, chain, words) => {
		const said = moneyCallsWords(chain);
		expect(said.startsWith(`${words} `)).toBe(true);
		expect(said).toMatch(/The first (call of [\w.-]+ )?that succeeds clears this\.$/);
		// Where calls still go to it nothing else is said to be used, and the other way round.
		expect(said.includes('still go to it')).toBe(words === still);
	});

	it('is nothing to tell while there is money', () => {
		expect(moneyCallsWords(make.open())).toBe('');
	});
});
