import { describe, expect, it } from 'vitest';
import { allFields } from '../../src/renderer/screens/settings/setting-sections.ts';
import { armCountWords, armStanding, armsToRead, armWords } from '../../src/renderer/store/arm-words.ts';
import type { ArmGauge } from '../../src/shared/breaker-state.ts';
import { tripArmSchema } from '../../src/shared/words.ts';

const gauge = (change: Partial<ArmGauge> = {}): ArmGauge => ({
	arm: 'same-result',
	counted: 'equal calls with the same result',
	count: 3,
	limit: 40,
	unit: 'calls',
	note: '',
	...change,
});

describe('an arm', () => {
	it.each([
		['below its limit', gauge(), 'calm'],
		['at 80 % of it', gauge({ count: 32 }), 'near'],
		['at it', gauge({ count: 40 }), 'near'],
		['above it', gauge({ count: 41 }), 'over'],
		['above it, with a reason not to count', gauge({ count: 41, note: 'A long tool runs.' }), 'spared'],
		['of no progress at its limit', gauge({ arm: 'no-progress', count: 2, limit: 2 }), 'over'],
		['without a count', gauge({ count: null }), 'unknown'],
		['without a limit', gauge({ limit: null }), 'off'],
		['without either', gauge({ limit: null, count: null }), 'off'],
	] as const)('%s stands so', (_, given, standing) => {
		expect(armStanding(given, null)).toBe(standing);
	});

	it('that gives the reason has tripped, whatever it counts now', () => {
		expect(armStanding(gauge({ count: null }), 'same-result')).toBe('tripped');
		expect(armStanding(gauge(), 'cycle')).toBe('calm');
	});

	it.each([
		[gauge(), '3 calls, limit 40'],
		[gauge({ count: null }), 'not known, limit 40 calls'],
		[gauge({ limit: null }), '3 calls, switched off'],
		[gauge({ limit: null, count: null }), 'switched off'],
		[gauge({ arm: 'cost-cap', unit: 'USD', limit: null, count: 8.4 }), '$8.40, no cap is set'],
		[gauge({ arm: 'cost-cap', unit: 'USD', limit: 10, count: null }), 'not known, limit $10.00'],
		[
			gauge({ arm: 'agent-token-cap', unit: 'tokens', count: 12_400, limit: null }),
			'12.4k work tokens, no cap is set',
		],
	])('%j counts so', (given, words) => {
		expect(armCountWords(given)).toBe(words);
	});

	it('is read after the one that gives the reason and before those that are off', () => {
		const arms = tripArmSchema.options.map((arm) => gauge({ arm, limit: arm === 'error-storm' ? null : 40 }));
		const order = armsToRead(arms, 'cycle').map(({ arm }) => arm);
		expect(order[0]).toBe('cycle');
		expect(order.at(-1)).toBe('error-storm');
		const rest = tripArmSchema.options.filter((arm) => arm !== 'cycle' && arm !== 'error-storm');
		expect(order.slice(1, -1)).toEqual(rest);
	});

	it.each(tripArmSchema.options)('%s is named, and its limit is called the same in the settings', (arm) => {
		const { name, setting } = armWords[arm];
		expect(name).not.toBe('');
		const field = allFields.find(({ path }) => path === setting);
		if (field) expect(field.label).toBe(name);
		else expect(['breaker.agentTokenCaps', null]).toContain(setting);
	});
});
