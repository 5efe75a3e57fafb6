import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RETRY_AFTER_MS, retryAfterMs, retryHintMs } from '../../src/shared/retry-after.ts';

/** Wed, 02 Dec 2026 10:00:00 GMT */
const NOW = Date.UTC(2026, 11, 2, 10);
const DAY = 86_400_000;

describe('Retry-After in every form', () => {
	it('keeps a weekly limit whole', () => {
		expect(MAX_RETRY_AFTER_MS).toBe(7 * DAY);
		expect(retryAfterMs({ 'retry-after': '604800' }, NOW)).toBe(7 * DAY);
		expect(retryAfterMs({ 'retry-after': '604801' }, NOW)).toBe(7 * DAY);
	});

	it.each([
		['30', 30_000],
		['1.5', 1_500],
		['.5', 500],
		[' 7 ', 7_000],
		['Wed, 02 Dec 2026 10:00:20 GMT', 20_000],
		['Wednesday, 02-Dec-26 10:00:20 GMT', 20_000],
		['Wed Dec  2 10:00:20 2026', 20_000],
		['2026-12-02T10:00:20Z', 20_000],
		['2026-12-02T12:00:20.500+02:00', 20_500],
		['30, 90, 60', 90_000],
		['30, Wed, 02 Dec 2026 10:01:00 GMT', 60_000],
		['Wed, 02 Dec 2026 10:01:00 GMT, Wed, 02 Dec 2026 10:02:00 GMT', 120_000],
		['rubbish, 5', 5_000],
		['-1, 5', 5_000],
		['1,', 1_000],
	])('"%s" is %d ms', (value, ms) => {
		expect(retryAfterMs({ 'retry-after': value }, NOW)).toBe(ms);
	});

	it.each([
		'',
		' ',
		'0',
		'-5',
		'NaN',
		'Infinity',
		'soon',
		'1e3',
		'0x10',
		'5 apples',
		'foo 5',
		'Wed, 02 Dec 2026 09:59:59 GMT',
		'Wed, 02 Dec 2026 10:00:00 GMT',
		'Wed, 99 Foo 2026 10:00:00 GMT',
		'2026-12-03',
		',',
	])('"%s" is no wish', (value) => {
		expect(retryAfterMs({ 'retry-after': value }, NOW)).toBeNull();
	});

	it.each(['Fri, 01 Jan 2099 00:00:00 GMT', '4102444800', `1${'0'.repeat(400)}`])(
		'"%s" is cut at 7 days',
		(value) => {
			expect(retryAfterMs({ 'retry-after': value }, NOW)).toBe(MAX_RETRY_AFTER_MS);
		},
	);

	it('the forms in ms win, the first of them that can be read', () => {
		const headers = { 'retry-after-ms': '250', 'x-ms-retry-after-ms': '900', 'retry-after': '1' };
		expect(retryAfterMs(headers, NOW)).toBe(250);
		expect(retryAfterMs({ ...headers, 'retry-after-ms': 'x' }, NOW)).toBe(900);
		expect(retryAfterMs({ 'retry-after-ms': '-1', 'retry-after': '1' }, NOW)).toBe(1_000);
	});

	it('takes the longest of a header that came several times', () => {
		expect(retryAfterMs({ 'retry-after': ['5', '9', '7'] }, NOW)).toBe(9_000);
		expect(retryAfterMs({ 'retry-after': [] }, NOW)).toBeNull();
		expect(retryAfterMs({}, NOW)).toBeNull();
	});

	it("measures a date against the provider's own clock, however wrong this machine's is", () => {
		const headers = {
			date: 'Wed, 02 Dec 2026 10:00:00 GMT',
			'retry-after': 'Wed, 02 Dec 2026 10:00:30 GMT',
		};
		for (const wrong of [0, NOW - DAY, NOW + DAY]) expect(retryAfterMs(headers, wrong)).toBe(30_000);
		expect(retryAfterMs({ ...headers, date: 'rubbish' }, NOW)).toBe(30_000);
	});

	it('is null or a span of up to 7 days, for anything', () => {
		const value = fc.oneof(
			fc.string(),
			fc.string({ unit: fc.constantFrom(...'0123456789.,- :GMTWedDec') }),
			fc.double().map(String),
			fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
		);
		fc.assert(
			fc.property(fc.constantFrom('retry-after', 'retry-after-ms'), fc.array(value), (name, values) => {
				const span = retryAfterMs({ [name]: values }, NOW);
				expect(span === null || (span > 0 && span <= MAX_RETRY_AFTER_MS)).toBe(true);
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
		);
	});

	it('reads every date that it writes itself, and no past one', () => {
		fc.assert(
			fc.property(fc.integer({ min: -DAY, max: DAY - 1_000 }), (offset) => {
				const at = Math.floor((NOW + offset) / 1000) * 1000;
				const span = retryAfterMs({ 'retry-after': new Date(at).toUTCString() }, NOW);
				expect(span).toBe(at > NOW ? at - NOW : null);
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
		);
	});
});

describe("hints in a provider's error text", () => {
	it.each([
		['Rate limited, try again in 4 hours', 4 * 3_600_000],
		['Please try again in 20.5s.', 20_500],
		['Rate limit reached. Please try again in 1m30s. Visit …', 90_000],
		['Please try again in 6m0s', 360_000],
		['… try again in 15 hours 23 minutes', (15 * 60 + 23) * 60_000],
		['Please retry after 2733 seconds. (user_global_rate_limited:pro)', 2_733_000],
		['Please try again in 120ms', 120],
		['try again in an hour', 3_600_000],
		['Try again in about 2 minutes and 5 seconds', 125_000],
		['Please wait 30 seconds', 30_000],
		['Your quota resets in 2 days', 2 * DAY],
		['try again in 58 hours', 58 * 3_600_000],
		['Your quota resets in 31 days', MAX_RETRY_AFTER_MS],
		['try again in 5s; or retry in 10s', 10_000],
	])('"%s" is %d ms', (text, ms) => {
		expect(retryHintMs(text)).toBe(ms);
	});

	it.each([
		'',
		'Try again later',
		'try again at 3:40pm (Europe/Berlin)',
		'try again in 0 seconds',
		'try again in a different region',
		'Please wait and try again later',
		'retry and wait',
		'issue 429: 30 seconds of silence',
		'resets 3:40pm',
		`${'x'.repeat(3_000)} try again in 5s`,
	])('"%s" is no hint', (text) => {
		expect(retryHintMs(text)).toBeNull();
	});

	it('is null or a span of up to 7 days, for any text', () => {
		const words = fc.constantFrom(
			'try again in ',
			'retry ',
			'after ',
			'wait ',
			'5',
			'1.5',
			'a',
			's',
			'm',
			' hours',
			', and ',
		);
		fc.assert(
			fc.property(fc.array(fc.oneof(words, fc.string({ maxLength: 3 }))), (parts) => {
				const span = retryHintMs(parts.join(''));
				expect(span === null || (span > 0 && span <= MAX_RETRY_AFTER_MS)).toBe(true);
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
		);
	});
});
