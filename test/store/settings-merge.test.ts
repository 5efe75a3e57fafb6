import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedValues } from '../../src/main/store/settings-fields.ts';
import { mergeSettings, readSettings, refusalOf } from '../../src/main/store/settings-merge.ts';
import { defaultSettings, settingsSchema } from '../../src/shared/settings.ts';

const anyObject = fc.dictionary(
	fc.constantFrom(
		'breaker',
		'port',
		'stop',
		'heartbeatSeconds',
		'agentTokenCaps',
		'costCapUsd',
		'__proto__',
		'x',
	),
	fc.jsonValue({ maxDepth: 3 }),
);

describe('merging settings', () => {
	it('merges objects, replaces the rest, and keeps what it does not know', () => {
		const base = {
			port: 1,
			future: { a: 1 },
			breaker: { enabled: false, agentTokenCaps: { app: 5, web: 6 } },
		};
		const patch = { port: 2, breaker: { hardStop: true, agentTokenCaps: { app: null, api: 7 } } };
		expect(mergeSettings(base, patch)).toEqual({
			port: 2,
			future: { a: 1 },
			breaker: { enabled: false, hardStop: true, agentTokenCaps: { web: 6, api: 7 } },
		});
	});

	it('changes nothing with an empty patch, and nothing more the second time', () => {
		fc.assert(
			fc.property(anyObject, anyObject, (base, patch) => {
				expect(mergeSettings(base, {})).toEqual(base);
				const once = mergeSettings(base, patch);
				expect(mergeSettings(once, patch)).toEqual(once);
			}),
		);
	});

	it('never reaches the prototype of objects', () => {
		const patch = JSON.parse('{"__proto__":{"hacked":1},"breaker":{"__proto__":{"hacked":1}}}');
		mergeSettings(mergeSettings({}, patch), patch);
		expect(Reflect.get({}, 'hacked')).toBeUndefined();
	});
});

describe('reading settings', () => {
	it('takes what is valid and says what is not, with what is allowed', () => {
		const { settings, problems } = readSettings(
			{ heartbeatSeconds: 5, breaker: { errorStormLimit: 'five', costCapUsd: 20 }, stop: [] },
			null,
		);
		expect(settings).toMatchObject({
			heartbeatSeconds: 5,
			breaker: { errorStormLimit: 5, costCapUsd: 20 },
			stop: defaultSettings.stop,
		});
		expect(problems).toEqual([
			'breaker.errorStormLimit is "five"; allowed: a whole number from 1 to 1000. The floor uses 5.',
			'stop is []; allowed: an object. The floor uses {"endProcess":false,"graceSeconds":5}.',
		]);
	});

	it('keeps the last good value of a field, rather than its default', () => {
		const lastGood = settingsSchema.parse({ breaker: { errorStormLimit: 3, agentTokenCaps: { app: 100 } } });
		const raw = { breaker: { errorStormLimit: 0, agentTokenCaps: { app: -1, web: -1 } } };
		const { settings, problems } = readSettings(raw, lastGood);
		expect(settings.breaker).toMatchObject({ errorStormLimit: 3, agentTokenCaps: { app: 100 } });
		expect(problems).toHaveLength(3);
		expect(problems[0]).toContain('The floor uses 3.');
		expect(problems[2]).toContain('The floor uses none.');
	});

	it('gives valid settings for any object', () => {
		fc.assert(
			fc.property(anyObject, fc.option(anyObject), (raw, before) => {
				const lastGood = before === null ? null : readSettings(before, null).settings;
				const { settings, problems } = readSettings(raw, lastGood);
				expect(settingsSchema.safeParse(settings).success).toBe(true);
				expect(problems.length === 0).toBe(settingsSchema.safeParse(raw).success);
			}),
		);
	});
});

describe('refusing a change', () => {
	it.each([
		[{ heartbeatSeconds: 0 }, 'heartbeatSeconds cannot be 0; allowed: a number from 0.2 to 3600.'],
		[{ port: 70_000 }, 'port cannot be 70000; allowed: a whole number from 0 to 65535.'],
		[{ breaker: { enabled: 'yes' } }, 'breaker.enabled cannot be "yes"; allowed: true or false.'],
		[{ breaker: { costCapUsd: -1 } }, 'breaker.costCapUsd cannot be -1; allowed: a number above 0 or null.'],
		[{ breaker: 5 }, 'breaker cannot be 5; allowed: an object.'],
		[
			{ breaker: { agentTokenCaps: { app: 0 } } },
			'breaker.agentTokenCaps.app cannot be 0; allowed: a number above 0.',
		],
		[{ breaker: { hardstop: true } }, 'There is no setting breaker.hardstop.'],
		[{ colour: 'red' }, 'There is no setting colour.'],
		[
			{ retention: { eventDays: 4000 } },
			'retention.eventDays cannot be 4000; allowed: a number above 0 up to 3650.',
		],
	])('%j', (patch, words) => {
		expect(refusalOf({}, patch)).toBe(words);
	});

	it('does not happen for a valid change, nor for what stood wrong in the file before', () => {
		expect(refusalOf({ port: 'wrong' }, { heartbeatSeconds: 10, breaker: { costCapUsd: null } })).toBeNull();
		expect(refusalOf({ port: 'wrong' }, { port: 47_200 })).toBeNull();
		expect(refusalOf({ breaker: 7 }, { breaker: { enabled: true } })).toBeNull();
	});

	it('takes or leaves a list as a whole, and says what stands in it', () => {
		const wrong = { localServers: [{ id: 'mine', kind: 'magic', baseUrl: 'http://127.0.0.1:1' }] };
		const { settings, problems } = readSettings(wrong, null);
		expect(settings.localServers).toEqual(defaultSettings.localServers);
		expect(problems).toEqual([
			expect.stringMatching(
				/^localServers\[0]\.kind is "magic"; allowed: one of "ollama".* The floor uses \[.*] for localServers\.$/,
			),
		]);
		expect(refusalOf({}, wrong)).toMatch(
			/^localServers\[0]\.kind cannot be "magic"; allowed: one of "ollama"/,
		);
	});

	const chain = (more: object) => ({
		models: { chains: [{ preferredModel: 'a', fallbackChain: ['b'], ...more }] },
	});
	it.each([
		[
			chain({ cooldownMinutes: -1 }),
			'models.chains[0].cooldownMinutes cannot be -1; allowed: a number above 0 up to 10080.',
		],
		[
			chain({ fallbackChain: 'b' }),
			'models.chains[0].fallbackChain cannot be "b"; allowed: a list, each text.',
		],
		[chain({ fallbackChain: ['b', ''] }), 'models.chains[0].fallbackChain[1] cannot be ""; allowed: text.'],
		[{ models: { chains: [{}] } }, /^models\.chains\[0]\.preferredModel is missing; allowed: text/],
		[chain({ cooldown: 5 }), 'models.chains[0] has no field "cooldown"; it is called cooldownMinutes.'],
		[
			chain({ cooldown_minutes: 5 }),
			'models.chains[0] has no field "cooldown_minutes"; it is called cooldownMinutes.',
		],
		[chain({ fallbacks: ['b'] }), 'models.chains[0] has no field "fallbacks"; it is called fallbackChain.'],
		[chain({ providerId: 'openai' }), 'models.chains[0] has no field "providerId"; it is called provider.'],
		[
			chain({ provider: 'antropic' }),
			'models.chains[0].provider is "antropic", which is none of the providers in the settings (anthropic, openai).',
		],
		[
			chain({ fallbackChain: ['b', 'a'] }),
			'models.chains[0] falls back to itself: "a" stands in its own fallbackChain.',
		],
		[
			{ models: { chains: [{ preferredModel: 'a' }, { preferredModel: 'b' }, { preferredModel: 'a' }] } },
			'models.chains[2] is a second chain of "a", beside models.chains[0].',
		],
	])('of a chain: %j', (patch, words) => {
		const refusal = refusalOf({}, patch) ?? '';
		if (words instanceof RegExp) expect(refusal).toMatch(words);
		else expect(refusal).toBe(words);
		// Written into the file by hand it is told as well, and a chain of the right shape is used.
		const { settings, problems } = readSettings(patch, null);
		const isShaped = settingsSchema.safeParse(patch).success;
		expect(problems[0]).toContain(isShaped ? words : 'for models.chains.');
		expect(settings.models).toEqual(isShaped ? settingsSchema.parse(patch).models : defaultSettings.models);
	});

	it('leaves chains alone that may be meant', () => {
		const chains = [
			{ preferredModel: 'a', fallbackChain: ['b'], provider: 'mine', note: 'x', id: 7 },
			{ preferredModel: 'a', provider: 'openai' },
			{ preferredModel: 'a' },
		];
		const mine = { id: 'mine', baseUrl: 'http://127.0.0.1:1', protocols: ['openai-chat'] };
		const raw = { providers: [mine, ...defaultSettings.providers], models: { chains } };
		expect(refusalOf({}, raw)).toBeNull();
		expect(readSettings(raw, null).problems).toEqual([]);
		// What stood there before is not the fault of another change.
		expect(refusalOf(chain({ cooldown: 5 }), { port: 47_200 })).toBeNull();
	});

	it('knows every field that the settings have', () => {
		const fields = (value: object, at: string[]): string[][] =>
			Object.entries(value).flatMap(([key, inner]) =>
				inner !== null && typeof inner === 'object' && !Array.isArray(inner) && Object.keys(inner).length > 0
					? fields(inner, [...at, key])
					: [[...at, key]],
			);
		for (const path of fields(defaultSettings, []))
			expect(allowedValues(path), path.join('.')).not.toBe('anything');
	});
});
