import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseStateFile, printStateFile } from '../../src/main/models/state-file.ts';
import { defaultStateRecord, type StateRecord } from '../../src/main/models/state-record.ts';
import { samples } from './fixtures/written-by-others.ts';
import { powerShell5, powerShell7 } from './powershell-json.ts';
import { anyRecord, NOW } from './state-records.ts';

const zoneBefore = process.env.TZ;
afterAll(() => {
	if (zoneBefore === undefined) delete process.env.TZ;
	else process.env.TZ = zoneBefore;
});

/** West, east, half an hour off, summer time, none. */
const anyZone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia');

/** What a program that knows nothing of us may do to the bytes. */
const rewritings: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
	'Windows PowerShell 5.1': (bytes) => utf8(powerShell5.toJson(powerShell5.fromJson(textOf(bytes)))),
	'PowerShell 7': (bytes) => utf8(powerShell7.toJson(powerShell7.fromJson(textOf(bytes)))),
	'CRLF and a BOM': (bytes) => utf8(`\uFEFF${textOf(bytes).replace(/\r?\n/g, '\r\n')}`),
	'UTF-16': (bytes) => Buffer.from(`\uFEFF${textOf(bytes)}`, 'utf16le'),
	'sorted, on one line': (bytes) => {
		const object = JSON.parse(textOf(bytes)) as Record<string, unknown>;
		return utf8(JSON.stringify(Object.fromEntries(Object.entries(object).sort())));
	},
};

function utf8(text: string): Uint8Array {
	return Buffer.from(text);
}

function textOf(bytes: Uint8Array): string {
	const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
	return Buffer.from(bytes)
		.toString(isWide ? 'utf16le' : 'utf8')
		.replace(/^\uFEFF/, '');
}

function recordOf(bytes: Uint8Array): StateRecord {
	const parsed = parseStateFile(bytes, NOW);
	if (!parsed.ok) throw new Error(parsed.problem);
	return parsed.record;
}

describe('the state file, whatever the record', () => {
	it('is read as it was written', () => {
		fc.assert(
			fc.property(anyRecord, anyZone, (record, zone) => {
				process.env.TZ = zone;
				expect(recordOf(printStateFile(record, null))).toEqual(record);
			}),
		);
	});

	it('is read as it was written over anything that is there', () => {
		fc.assert(
			fc.property(anyRecord, fc.constantFrom(...samples), anyZone, (record, { bytes }, zone) => {
				process.env.TZ = zone;
				expect(recordOf(printStateFile(record, bytes))).toEqual(record);
			}),
		);
	});

	it('says the same after both PowerShells, editors and we wrote it by turns, and keeps what it does not know', () => {
		const turn = fc.constantFrom(...Object.keys(rewritings));
		fc.assert(
			fc.property(
				fc.array(fc.tuple(anyRecord, fc.array(turn, { maxLength: 3 })), { minLength: 1, maxLength: 4 }),
				anyZone,
				(steps, zone) => {
					process.env.TZ = zone;
					let bytes = utf8('{"state":"closed","mine":{"a":[1,"ä }"],"since":"2026-11-30"},"last":true}');
					for (const [record, turns] of steps) {
						bytes = Buffer.from(printStateFile(record, bytes));
						for (const name of turns) bytes = Buffer.from(rewritings[name]?.(bytes) ?? bytes);
						expect(recordOf(bytes)).toEqual(record);
						expect(printStateFile(record, bytes)).toEqual(Uint8Array.from(bytes));
						expect(JSON.parse(textOf(bytes))).toMatchObject({
							mine: { a: [1, 'ä }'], since: '2026-11-30' },
							last: true,
						});
					}
				},
			),
		);
	});

	it('gives the seed’s functions the time at which it was opened, to the second', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: Date.UTC(2020, 0, 1), max: NOW }),
				fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/Phoenix'),
				fc.constantFrom(powerShell5, powerShell7),
				fc.nat(3),
				(openedAt, zone, shell, rounds) => {
					process.env.TZ = zone;
					let text = textOf(printStateFile({ ...defaultStateRecord, state: 'open', openedAt }, null));
					for (let round = 0; round < rounds; round += 1) text = shell.toJson(shell.fromJson(text));
					const state = shell.fromJson(text) as { openedAt: unknown };
					expect(Math.abs(shell.parseDate(state.openedAt) - openedAt)).toBeLessThan(1_000);
				},
			),
		);
	});

	it('never says something else when it was cut off anywhere', () => {
		fc.assert(
			fc.property(anyRecord, fc.constantFrom(null, ...samples), fc.nat(), (record, sample, cut) => {
				const whole = printStateFile(record, sample?.bytes ?? null);
				const parsed = parseStateFile(whole.subarray(0, cut % whole.length), NOW);
				if (parsed.ok) expect(parsed.record).toEqual(record);
			}),
		);
	});

	it('never makes the reader fail', () => {
		const json = fc.json().map((text) => utf8(text));
		const fields = fc
			.dictionary(
				fc.constantFrom(...Object.keys(defaultStateRecord), ...Object.keys(defaultStateRecord.metrics)),
				fc.jsonValue(),
			)
			.map((object) => utf8(JSON.stringify({ state: 'open', ...object })));
		fc.assert(
			fc.property(fc.oneof(fc.uint8Array(), json, fields), anyRecord, (bytes, record) => {
				const parsed = parseStateFile(bytes, NOW);
				if (parsed.ok) expect(recordOf(printStateFile(parsed.record, bytes))).toEqual(parsed.record);
				expect(recordOf(printStateFile(record, bytes))).toEqual(record);
			}),
		);
	});
});
