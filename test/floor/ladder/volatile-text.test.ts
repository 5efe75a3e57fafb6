import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutVolatileParts } from '../../../src/main/floor/ladder/volatile-text.ts';

describe('results that say the same', () => {
	it.each([
		['Tests 3 failed (1.23s)', 'Tests 3 failed (41ms)'],
		['done in 2m3.5s', 'done in 59s'],
		['took 3 minutes', 'took 10 seconds'],
		['at 2026-01-05T09:00:00.123Z', 'at 2026-01-05 21:30:59+01:00'],
		['[10:00:01] error', '[23:59:59.999] error'],
		['-rw-r--r-- Jan  5 09:00 a', '-rw-r--r-- Feb 15 10:01 a'],
		['see /tmp/abc123/log.txt', 'see /tmp/x9/log.txt'],
		['in /tmp/pytest-of-me/pytest-12/out.txt', 'in /tmp/pytest-of-me/pytest-907/out.txt'],
		['see /var/folders/zz/k1/T/abc/log', 'see /var/folders/yy/k2/T/def/log'],
		['in C:\\Users\\me\\AppData\\Local\\Temp\\ab1\\x', 'in C:\\Users\\me\\AppData\\Local\\Temp\\cd2\\x'],
		['run 8f14e45f-ceea-467f-a9f7-0123456789ab', 'run 11111111-2222-3333-4444-555555555555'],
		['at 0x7ffe1234', 'at 0x10'],
		['pid 4711 gone', 'pid 12 gone'],
		['Process Group PGID: 21056', 'Process Group PGID: 9'],
		["thread 'main' (4711) panicked", "thread 'main' (12) panicked"],
		['request id: req_011CXyz', 'request id: req_022DAbc'],
		['"next_page_token": "57cda46e48"', '"next_page_token": "f0ba5623ca"'],
		['since 1767603600', 'since 1767603999123'],
		['\u001b[31mred\u001b[0m', 'red'],
		['a\n  b\n', 'a b'],
	])('%j and %j', (one, other) => {
		expect(withoutVolatileParts(one)).toBe(withoutVolatileParts(other));
	});
});

describe('results that say something else', () => {
	it.each([
		['3 failed, 12 passed', '2 failed, 13 passed'],
		['src/a.ts:12:34: error', 'src/a.ts:15:02: error'],
		['  12:34  error  no-undef', '  15:02  error  no-undef'],
		['/tmp/x/a.ts is broken', '/tmp/x/b.ts is broken'],
		['effaced', 'defaced'],
		['port 3000', 'port 3001'],
		['exit code 1', 'exit code 2'],
		['size 12M', 'size 13M'],
		['HEAD is a1b2c3d', 'HEAD is 99aa88bb77'],
		['loaded partition 2024-05-07', 'loaded partition 2024-05-08'],
	])('%j and %j', (one, other) => {
		expect(withoutVolatileParts(one)).not.toBe(withoutVolatileParts(other));
	});

	it.each([1_000, 20_000, 200_000])('differ at the end and in the middle of a text of %i lines', (lines) => {
		const half = 'line\n'.repeat(lines / 2);
		const of = (middle: string, end: string) => withoutVolatileParts(`${half}${middle}\n${half}${end}`);
		expect(of('7 synced', '1 failed')).not.toBe(of('7 synced', '2 failed'));
		expect(of('7 synced', '1 failed')).not.toBe(of('8 synced', '1 failed'));
	});

	it('are the same when only a time in the middle of a long text differs', () => {
		const half = 'line\n'.repeat(20_000);
		const at = (time: string) => withoutVolatileParts(`${half}${time} synced\n${half}`);
		expect(at('10:00:01')).toBe(at('23:59:59'));
	});
});

it('is quick and total on any text', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
			expect(typeof withoutVolatileParts(text)).toBe('string');
		}),
	);
	for (const hard of ['f'.repeat(50_000), '1'.repeat(50_000), '/tmp/'.repeat(10_000), '1s'.repeat(20_000)]) {
		expect(withoutVolatileParts(hard).length).toBeLessThanOrEqual(hard.length);
	}
});
