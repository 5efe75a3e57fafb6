import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	ABSENT,
	fingerprint,
	RETIRED,
	ResponseTable,
	type TableResponse,
} from '../../src/main/usage/response-table.ts';
import { NO_TOKENS } from '../../src/main/usage/token-usage.ts';

function response(key: number, output: number): TableResponse {
	const nanoUsd = output % 2 === 0 ? output * 7 : null;
	const usage = { ...NO_TOKENS, output, webSearches: 1 };
	return { key, session: 1, model: 2, day: 3, at: 4, bornAt: 5, usage, nanoUsd };
}

describe('the table of responses', () => {
	it('holds what a map would hold', () => {
		const step = fc.record({
			// Keys that fall on the same slot too.
			key: fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(3)).map(([low, high]) => low + high * 2 ** 32),
			output: fc.nat(100),
			isRetired: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const table = new ResponseTable();
				const plain = new Map<number, TableResponse | null>();
				for (const { key, output, isRetired } of steps) {
					const row = table.find(key);
					expect(row === ABSENT).toBe(!plain.has(key));
					if (isRetired) {
						table.retire(key);
						plain.set(key, null);
					} else if (row === ABSENT) {
						table.add(response(key, output));
						plain.set(key, response(key, output));
					} else if (row !== RETIRED) {
						table.write(row, response(key, output));
						plain.set(key, response(key, output));
					}
				}
				for (const [key, expected] of plain) {
					const row = table.find(key);
					if (expected === null) expect(row).toBe(RETIRED);
					else expect(table.read(row)).toEqual(expected);
				}
				expect(table.size).toBe([...plain.values()].filter((each) => each !== null).length);
			}),
		);
	});

	it('keeps tens of thousands apart as it grows', () => {
		const table = new ResponseTable();
		const key = (number: number) => fingerprint(`msg_01ABCDEFGHIJK${number} req_011CABCDEF${number}`);
		for (let number = 0; number < 50_000; number += 1) {
			expect(table.find(key(number))).toBe(ABSENT);
			table.add(response(key(number), number));
		}
		for (let number = 0; number < 50_000; number += 997) {
			expect(table.read(table.find(key(number)))?.usage.output).toBe(number);
		}
	});
});

describe('a fingerprint', () => {
	it('is the same for the same text, a whole number that SQLite and JSON keep exactly', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (text, other) => {
				expect(Number.isSafeInteger(fingerprint(text))).toBe(true);
				expect(fingerprint(text)).toBeGreaterThan(0);
				expect(fingerprint(text) === fingerprint(other)).toBe(text === other);
			}),
		);
	});
});
