import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resetHintMs } from '../../src/shared/reset-time.ts';
import { MAX_RETRY_AFTER_MS } from '../../src/shared/retry-after.ts';

/** Wednesday 2 December 2026, 10:00:00 UTC; 11:00 in Berlin, 05:00 in New York. */
const NOW = Date.UTC(2026, 11, 2, 10);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const runs = Number(process.env.PROPERTY_RUNS ?? 300);

const hint = (text: string, now = NOW, timeZone = 'UTC') => resetHintMs(text, now, timeZone);

describe('the time at which a program says that its limit is over', () => {
	it.each([
		["You've hit your session limit · resets 3:40pm (Europe/Berlin)", 4 * HOUR + 40 * MINUTE],
		['resets at 15:40 UTC', 5 * HOUR + 40 * MINUTE],
		['resets at 15:40:30 UTC', 5 * HOUR + 40 * MINUTE + 30_000],
		['resets 3pm', 5 * HOUR],
		['Your limit will reset at 3 p.m.', 5 * HOUR],
		['resets 12am', 14 * HOUR],
		['resets 12:30pm', 2.5 * HOUR],
		['resets 9am', 23 * HOUR],
		['resets 9am (America/New_York)', 4 * HOUR],
		['resets 9:50pm (Asia/Saigon)', 4 * HOUR + 50 * MINUTE],
		['resets Dec 3, 9am', 23 * HOUR],
		['resets Dec 3 at 9am (UTC)', 23 * HOUR],
		['resets December 3rd, 2026, 9:00 AM', 23 * HOUR],
		['resets 3 Dec 09:00', 23 * HOUR],
		['resets Mon 9am', 4 * DAY + 23 * HOUR],
		['resets Wednesday at 11:00', HOUR],
		['resets Wednesday at 09:00', 6 * DAY + 23 * HOUR],
		['resets tomorrow at 9am', 23 * HOUR],
		['resets today at 18:00', 8 * HOUR],
		["You've hit your usage limit. Upgrade to Pro or try again at 8:30 PM.", 10.5 * HOUR],
		['try again at Dec 8th, 2026 10:12 PM.', 6 * DAY + 12 * HOUR + 12 * MINUTE],
		['Claude AI usage limit reached|1796209200', HOUR],
		['limit reached|1796209200000', HOUR],
		['"resets_at": 1796209200, "x": 1', HOUR],
		['resetsAt=1796209200', HOUR],
		['Limited until 2026-12-02T12:30:00Z', 2.5 * HOUR],
		['resets at 2026-12-02 13:30 +01:00', 2.5 * HOUR],
		['retry after 2026-12-02T10:00:05.250Z', 5_250],
		['retry-after: Wed, 02 Dec 2026 10:00:20 GMT', 20_000],
		['available again at 12:00 GMT+1', HOUR],
		['available at 16:30 +05:30', HOUR],
		['resets 3pm, or 5pm for others; resets 6pm', 8 * HOUR],
		['resets Jan 1, 2027, 00:00', MAX_RETRY_AFTER_MS],
	])('"%s"', (text, span) => {
		expect(hint(text)).toBe(span);
	});

	it.each([
		'',
		'resets',
		'resets soon',
		'resets 3',
		'resets Dec 3',
		'resets 25:00',
		'resets 13pm',
		'resets 0am',
		'resets 10:61',
		'resets Feb 30, 9am',
		'resets 3pm PST',
		'resets 3pm (Mars/Olympus)',
		'resets 3pm (see the status page)',
		'resets 3pm GMT+99',
		'resets Dec 1, 9am',
		'resets today at 9am',
		'resets at 2026-12-02T12:30:00',
		'resets at 2026-12-02T09:00:00Z',
		'limit reached|1796000000',
		'limit reached|17962092',
		'at 15:40 UTC the build broke',
		'the counter resets 3:2',
		'presets 3:40pm',
		`${'x'.repeat(3_000)} resets 3pm`,
	])('"%s" is no hint', (text) => {
		expect(hint(text)).toBeNull();
	});

	it('a time that was only just over is not taken for tomorrow’s', () => {
		const said = 'resets 10am (UTC)';
		expect(hint(said, NOW - 1)).toBe(1);
		expect(hint(said, NOW)).toBeNull();
		expect(hint(said, NOW + 5 * MINUTE)).toBeNull();
		expect(hint(said, NOW + 5 * MINUTE + 1)).toBe(DAY - 5 * MINUTE - 1);
	});

	it('a clock without a zone is read in the zone of the program’s user', () => {
		expect(hint('resets 15:00', NOW, 'Europe/Berlin')).toBe(4 * HOUR);
		expect(hint('resets 15:00', NOW, 'America/New_York')).toBe(10 * HOUR);
		expect(resetHintMs('resets 15:00', NOW)).not.toBeNull();
	});

	it('keeps to the wall clock over a change of the clocks', () => {
		// Berlin leaves summer time on 25 October 2026 at 3:00, and enters it on 29 March 2026 at 2:00.
		const evening = Date.UTC(2026, 9, 24, 18);
		expect(hint('resets 8am (Europe/Berlin)', evening)).toBe(13 * HOUR);
		const beforeSpring = Date.UTC(2026, 2, 28, 18);
		expect(hint('resets 8am (Europe/Berlin)', beforeSpring)).toBe(12 * HOUR);
		// 2:30 does not exist that night: it is an hour later, never before.
		expect(hint('resets 2:30am (Europe/Berlin)', beforeSpring)).toBe(7.5 * HOUR);
	});

	it('a date without a year is the nearest one', () => {
		const newYearsEve = Date.UTC(2026, 11, 31, 20);
		expect(hint('resets Jan 1, 9am', newYearsEve)).toBe(13 * HOUR);
		expect(hint('resets Dec 31, 9am', Date.UTC(2027, 0, 1, 10))).toBeNull();
	});
});

const zones = [
	'UTC',
	'Europe/Berlin',
	'America/New_York',
	'Asia/Kolkata',
	'Australia/Lord_Howe',
	'Asia/Tokyo',
];
const moment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });

describe('for any text and any moment', () => {
	it('what a zone’s own clock says of a moment within a day is that moment', () => {
		fc.assert(
			fc.property(
				moment,
				fc.integer({ min: 1, max: 24 * 60 - 120 }),
				fc.constantFrom(...zones),
				fc.boolean(),
				(now, minutesAhead, timeZone, isHalfDay) => {
					const at = Math.floor(now / MINUTE) * MINUTE + minutesAhead * MINUTE;
					const clock = new Intl.DateTimeFormat('en-US', {
						timeZone,
						hour: 'numeric',
						minute: '2-digit',
						...(isHalfDay ? { hour12: true } : { hourCycle: 'h23' as const }),
					}).format(at);
					const span = resetHintMs(`resets ${clock} (${timeZone})`, now);
					// The hour that clocks show twice is one of two moments.
					const said = [at - now, at - now - HOUR, at - now + HOUR, at - now - HOUR / 2, at - now + HOUR / 2];
					if (changesClock(now, timeZone)) expect(span === null || said.includes(span)).toBe(true);
					else expect(span).toBe(at > now ? at - now : null);
				},
			),
			{ numRuns: runs },
		);
	});

	it('an instant with its zone is that instant, at most 7 days away, and no past one', () => {
		fc.assert(
			fc.property(moment, fc.integer({ min: -DAY, max: 30 * DAY }), (now, ahead) => {
				const span = resetHintMs(`resets at ${new Date(now + ahead).toISOString()}`, now);
				expect(span).toBe(ahead > 0 ? Math.min(ahead, MAX_RETRY_AFTER_MS) : null);
			}),
			{ numRuns: runs },
		);
	});

	it('is null or a span of up to 7 days, whatever the text', () => {
		const words = fc.constantFrom(
			...['resets ', 'until ', 'try again at ', 'limit reached|', 'Dec ', 'Mon ', 'tomorrow at ', '3', ':40'],
			...[
				'pm',
				' UTC',
				' (Europe/Berlin)',
				' (',
				')',
				'+02:00',
				'2026-12-03',
				'T',
				'1796209200',
				', ',
				'Z',
				'/',
			],
		);
		fc.assert(
			fc.property(
				fc.array(fc.oneof(words, fc.string({ maxLength: 3 })), { maxLength: 12 }),
				fc.oneof(moment, fc.integer()),
				(parts, now) => {
					const span = resetHintMs(parts.join(''), now);
					expect(span === null || (span > 0 && span <= MAX_RETRY_AFTER_MS)).toBe(true);
				},
			),
			{ numRuns: runs },
		);
	});
});

/** Within the two days around it the zone's distance to UTC is not the same. */
function changesClock(at: number, timeZone: string): boolean {
	const name = (moment: number): string =>
		new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
			.formatToParts(moment)
			.find(({ type }) => type === 'timeZoneName')?.value ?? '';
	return name(at - 2 * DAY) !== name(at + 2 * DAY);
}
