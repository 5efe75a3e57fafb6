import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	capMeaning,
	type PassedCap,
	passedCap,
	raisedCap,
	raiseWords,
	trippedCap,
} from '../../src/renderer/store/caps.ts';
import { putBackCap, raiseCap } from '../../src/renderer/store/raise-cap.ts';
import { createViewStore } from '../../src/renderer/store/view-store.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { defaultSettings, type Settings } from '../../src/shared/settings.ts';
import { aPassedCap } from './agents.ts';
import { FakeTransport } from './fake-transport.ts';

const own: PassedCap = { arm: 'agent-token-cap', spent: 512_300, cap: 500_000 };
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('a cap that was passed', () => {
	it('is the one that gives the reason, or one that an arm shows as passed', () => {
		expect(trippedCap({ evidence: null })).toBeNull();
		expect(trippedCap({ evidence: aPassedCap({ arm: 'cycle' }) })).toBeNull();
		expect(trippedCap({ evidence: aPassedCap({ arm: 'token-cap' }) })).toEqual({
			arm: 'token-cap',
			spent: 512_300,
			cap: 500_000,
		});
		const gauge = { arm: 'token-cap', counted: '', count: 9, limit: 8, unit: 'tokens', note: '' } as const;
		expect(passedCap(gauge, null)).toEqual({ arm: 'token-cap', spent: 9, cap: 8 });
		expect(passedCap(gauge, 'token-cap')).toBeNull();
		expect(passedCap({ ...gauge, count: 8 }, null)).toBeNull();
		expect(passedCap({ ...gauge, arm: 'polling' }, null)).toBeNull();
	});

	it.each([
		[own, 'Raise cap to 750 000 work tokens'],
		[{ ...own, spent: 2_000_000 }, 'Raise cap to 2 500 000 work tokens'],
		[
			{ arm: 'token-cap', spent: 1_000_001, cap: 1_000_000 },
			'Raise the floor’s cap to 1 500 000 work tokens',
		],
		[{ arm: 'cost-cap', spent: 12.4, cap: 10 }, 'Raise the floor’s cap to $15.00'],
		[{ arm: 'cost-cap', spent: 0.06, cap: 0.05 }, 'Raise the floor’s cap to $0.08'],
		[{ arm: 'token-cap', spent: 2, cap: 1 }, 'Raise the floor’s cap to 3 work tokens'],
	] as const)('%j can be raised by “%s”', (passed, words) => {
		expect(plain(raiseWords(passed))).toBe(words);
	});

	it('is raised by half at least, above what is spent, to a number of two digits that the button can show', () => {
		const amount = fc.double({ min: 0.01, max: 1e12, noNaN: true });
		fc.assert(
			fc.property(fc.constantFrom('cost-cap', 'token-cap'), amount, amount, (arm, spent, cap) => {
				const to = raisedCap({ arm, spent, cap });
				expect(to).toBeGreaterThanOrEqual(cap * 1.5);
				expect(to).toBeGreaterThan(spent);
				const least = Math.max(cap * 1.5, spent * 1.1);
				expect(to).toBeLessThanOrEqual(Math.max(least * 1.5, arm === 'cost-cap' ? least + 0.01 : least + 1));
				expect(Number(to.toPrecision(2))).toBe(to);
				const unit = arm === 'cost-cap' ? 100 : 1;
				expect(Math.abs(to * unit - Math.round(to * unit))).toBeLessThan(1e-6 * to * unit);
			}),
		);
	});

	it('says what resetting its count forgets, and what a stop still needs', () => {
		expect(plain(capMeaning(own, { level: 'constrained' }))).toBe(
			'A raised cap can be put back. Resetting forgets all that was counted of this agent (512 300 work tokens), for good.',
		);
		expect(capMeaning({ ...own, arm: 'cost-cap' }, { level: 'stopped' })).toMatch(
			/its part of what the floor spent.*stays stopped until you resume it\./,
		);
	});
});

/** An engine that keeps settings as the real one merges them. */
function withSettings(breaker: Partial<Settings['breaker']>) {
	const transport = new FakeTransport();
	let settings: Settings = { ...defaultSettings, breaker: { ...defaultSettings.breaker, ...breaker } };
	transport.answer('settings:get', () => settings);
	transport.answer('settings:update', (patch) => {
		const { agentTokenCaps, ...rest } = patch.breaker as {
			agentTokenCaps?: Record<string, number | null>;
			[name: string]: unknown;
		};
		const caps = Object.entries({ ...settings.breaker.agentTokenCaps, ...(agentTokenCaps ?? {}) });
		const kept = Object.fromEntries(caps.flatMap(([id, cap]) => (cap === null ? [] : [[id, cap]])));
		settings = { ...settings, breaker: { ...settings.breaker, ...rest, agentTokenCaps: kept } };
		return settings;
	});
	const set = (change: Partial<Settings['breaker']>) => {
		settings = { ...settings, breaker: { ...settings.breaker, ...change } };
	};
	return { transport, breaker: () => settings.breaker, set, view: createViewStore() };
}

describe('raising a cap', () => {
	it('sets it for the agent’s id, and puts back what stood there', async () => {
		const { transport, breaker, view } = withSettings({ agentTokenCaps: { shop: 500_000 } });
		await raiseCap(transport, view, 'claude-code:1', own);
		expect(breaker().agentTokenCaps).toEqual({ shop: 500_000, 'claude-code:1': 750_000 });
		const raised = view.getState().raised.get('claude-code:1');
		expect(raised).toEqual({ arm: 'agent-token-cap', was: 500_000, to: 750_000, before: null });
		if (raised) await putBackCap(transport, view, 'claude-code:1', raised);
		expect(breaker().agentTokenCaps).toEqual({ shop: 500_000 });
		expect(view.getState().raised.size).toBe(0);
	});

	it.each([
		['cost-cap', 'costCapUsd'],
		['token-cap', 'costCapTokens'],
	] as const)('of the floor (%s) sets %s', async (arm, name) => {
		const { transport, breaker, view } = withSettings({ [name]: 10 });
		await raiseCap(transport, view, 'a', { arm, spent: 12, cap: 10 });
		expect(breaker()[name]).toBe(15);
		const raised = view.getState().raised.get('a');
		if (raised) await putBackCap(transport, view, 'a', raised);
		expect(breaker()[name]).toBe(10);
	});

	it('puts nothing back over what somebody has set since', async () => {
		const { transport, breaker, set, view } = withSettings({ costCapUsd: 10 });
		await raiseCap(transport, view, 'a', { arm: 'cost-cap', spent: 12, cap: 10 });
		set({ costCapUsd: 40 });
		const raised = view.getState().raised.get('a');
		if (raised) await putBackCap(transport, view, 'a', raised);
		expect(breaker().costCapUsd).toBe(40);
		expect(view.getState().asked.get('a')?.error?.message).toContain('changed since');
	});

	it('keeps a refusal at the agent, and a cap that could not be put back can be tried again', async () => {
		const { transport, view } = withSettings({ costCapUsd: 10 });
		await raiseCap(transport, view, 'a', { arm: 'cost-cap', spent: 12, cap: 10 });
		const raised = view.getState().raised.get('a');
		const error = { code: 'refused-file', message: 'Read-only.', meaning: '', remedy: '' } as const;
		transport.answer('settings:update', () => {
			throw new ChannelError(error);
		});
		if (raised) await putBackCap(transport, view, 'a', raised);
		expect(view.getState().asked.get('a')).toEqual({ action: 'raise-cap', error });
		expect(view.getState().raised.get('a')).toEqual(raised);
		await raiseCap(transport, view, 'b', own);
		expect(view.getState().raised.has('b')).toBe(false);
	});

	it('asks once, also when the button is pressed twice', async () => {
		const { transport, view } = withSettings({});
		await Promise.all([raiseCap(transport, view, 'a', own), raiseCap(transport, view, 'a', own)]);
		expect(transport.count('settings:update')).toBe(1);
	});
});
