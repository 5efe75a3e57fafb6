import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryWords } from '../../src/main/local-servers/device-memory.ts';
import {
	bytesWords,
	callsWords,
	contextWords,
	lastLookAt,
	leftWords,
	scoreWords,
	shareWords,
	turnSizeWords,
	waitWords,
} from '../../src/renderer/store/failover-words.ts';
import { waitsOf } from '../../src/shared/attention.ts';
import { exactNumber } from '../../src/shared/format.ts';
import { failoverViews } from '../support/failover-views.ts';
import { NOW } from './agents.ts';

const make = failoverViews(NOW);

describe('what an agent waits for', () => {
	const waitFor = (failover: Parameters<typeof make.failover>[0]) =>
		waitsOf(make.failover(failover)).get('shop');
	const asking = waitFor({ popups: [make.popup('p')] });
	const waiting = waitFor({ popups: [make.popup('p', { waiting: true })] });
	const consent = waitFor({ consents: [make.consent('c')] });

	it.each([
		[asking, NOW, false, 'turn held: Anthropic is lost, 1\u00a0m\u00a048\u00a0s\u00a0left'],
		[waiting, NOW, false, 'turn held until Anthropic is back, 1\u00a0m\u00a048\u00a0s\u00a0left'],
		[asking, NOW + 108_000, false, 'turn held: Anthropic is lost, time is over'],
		[asking, NOW, true, 'turn held: Anthropic is lost, last known'],
		[consent, NOW, false, 'wants your consent: git push --force origin main'],
		[consent, NOW, true, 'wants your consent: git push --force origin main, last known'],
	] as const)('case %#', (wait, now, lost, words) => {
		expect(wait && waitWords(wait, now, lost)).toBe(words);
	});
});

describe('a countdown', () => {
	it.each([
		[0, '0 s'],
		[-5000, '0 s'],
		[1, '1 s'],
		[48_000, '48 s'],
		[59_001, '1 m'],
		[60_000, '1 m'],
		[107_200, '1 m 48 s'],
		[3_599_999, '1 h'],
		[3_600_000, '1 h'],
		[Number.NaN, '0 s'],
	])('%d ms is “%s”', (left, words) => {
		expect(leftWords(NOW + left, NOW)).toBe(words);
	});

	it('never says that more is left than is, by more than the second that runs', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 3_540_000 }), (left) => {
				const [, minutes = '0'] = /(\d+) m/.exec(leftWords(left, 0)) ?? [];
				const [, seconds = '0'] = /(\d+) s/.exec(leftWords(left, 0)) ?? [];
				const said = (Number(minutes) * 60 + Number(seconds)) * 1000;
				expect(said).toBeGreaterThanOrEqual(left);
				expect(said - left).toBeLessThan(1000);
				expect(Number(seconds)).toBeLessThan(60);
			}),
		);
	});
});

describe('a share', () => {
	it.each([
		[0, 0, '–'],
		[0, 10, '0 %'],
		[1, 12, '8.3 %'],
		[10, 10, '100 %'],
		[1, 100_000, '< 0.1 %'],
		[9_999_999, 10_000_000, '> 99.9 %'],
		[377, 1000, '38 %'],
	])('%d of %d is “%s”', (part, whole, words) => {
		expect(shareWords(part, whole)).toBe(words);
	});

	it('says none only of none, and all only of all', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 1e9 }), (whole, some) => {
				const part = Math.min(some, whole);
				expect(shareWords(part, whole) === '0 %').toBe(part === 0);
				expect(shareWords(part, whole) === '100 %').toBe(part === whole);
			}),
		);
	});
});

describe('numbers of models and providers', () => {
	it.each([
		[18_556_700_000, '17 GB'],
		[4_000_000_000, '3.7 GB'],
		[2 * 1024 ** 3, '2 GB'],
		[1024 ** 3, '1 GB'],
		[800 * 1024 ** 2, '800 MB'],
		[0, '0 MB'],
	])('%d bytes are “%s”', (bytes, words) => {
		expect(bytesWords(bytes)).toBe(words);
	});

	it.each([
		[{ inUse: 4096, max: 131_072 }, '4.1k tokens of context in use, 131k possible'],
		[{ inUse: 4096, max: 4096 }, '4.1k tokens of context in use'],
		[{ inUse: 4096, max: null }, '4.1k tokens of context in use'],
		[{ inUse: null, max: 8192 }, 'context in use not known, 8.2k tokens possible'],
		[{ inUse: null, max: null }, 'context not known'],
	])('%j is “%s”', (context, words) => {
		expect(contextWords(context)).toBe(words);
	});

	it('sizes are in the unit of the sentence beside them, whatever their size', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 2 ** 42 }), (bytes) => {
				expect(bytesWords(bytes)).toBe(memoryWords(bytes));
			}),
		);
	});

	it('a context can be written to the last token', () => {
		expect(contextWords({ inUse: 65_536, max: null }, exactNumber)).toBe(
			'65\u00a0536 tokens of context in use',
		);
	});

	it('the last look is the latest of all servers, and none when there was none', () => {
		const at = (checkedAt: number | null) => make.localServer('s', { checkedAt });
		expect(lastLookAt([at(3), at(null), at(7)])).toBe(7);
		expect(lastLookAt([at(null)])).toBeNull();
	});

	it('scores are whole numbers of 0 to 100, whatever comes', () => {
		expect([0, 0.914, 1, 7, -1].map(scoreWords)).toEqual(['0', '91', '100', '100', '0']);
	});

	it('calls are counted with their span, one and none in good grammar', () => {
		const words = (calls: number, errors: number, rateLimited: number) =>
			callsWords(make.provider('p', { calls, errors, rateLimited }));
		expect(words(0, 0, 0)).toBe('no call in the last 60 s');
		expect(words(1, 1, 0)).toBe('1 call, 1 error in the last 60 s');
		expect(words(0, 0, 2)).toBe('0 calls, 0 errors, 2 rate-limited in the last 60 s');
	});

	it('turns have their activity only where it says something', () => {
		expect(turnSizeWords(make.heldTurn('t'))).toBe('planning, about 41.2k tokens');
		expect(turnSizeWords(make.heldTurn('t', { activity: 'other' }))).toBe('about 41.2k tokens');
	});
});
