import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseStateFile, printStateFile } from '../../src/main/models/state-file.ts';
import { defaultStateRecord, type StateRecord } from '../../src/main/models/state-record.ts';
import { samples } from './fixtures/written-by-others.ts';
import { NOW } from './state-records.ts';

const zoneBefore = process.env.TZ;
beforeAll(() => {
	process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
	if (zoneBefore === undefined) delete process.env.TZ;
	else process.env.TZ = zoneBefore;
});

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const print = (record: StateRecord, previous: string): string =>
	text(printStateFile(record, Buffer.from(previous)));

function recordOf(bytes: Uint8Array): StateRecord {
	const parsed = parseStateFile(bytes, NOW);
	if (!parsed.ok) throw new Error(parsed.problem);
	return parsed.record;
}

describe('reading what others wrote', () => {
	it.each(samples)('$name', ({ bytes, record, problems = [] }) => {
		const parsed = parseStateFile(bytes, NOW);
		expect(parsed).toMatchObject({ ok: true, record });
		if (!parsed.ok) return;
		expect(parsed.problems).toHaveLength(problems.length);
		for (const [at, pattern] of problems.entries()) expect(parsed.problems[at]).toMatch(pattern);
	});

	it.each(samples)('$name: what is written then says the same, whole and without a problem', (sample) => {
		const written = printStateFile({ ...sample.record, openedAt: 1_700_000_000_000 }, sample.bytes);
		expect(parseStateFile(written, NOW)).toEqual({
			ok: true,
			record: { ...sample.record, openedAt: 1_700_000_000_000 },
			problems: [],
		});
	});

	it.each(samples.filter(({ problems = [], name }) => problems.length === 0 && !/person|differs/.test(name)))(
		'$name: nothing is written where it says the same already',
		({ bytes, record }) => {
			expect(text(printStateFile(record, bytes))).toBe(text(bytes));
		},
	);

	it.each([
		['an empty file', '', 'is empty'],
		['blanks', ' \r\n', 'is empty'],
		['half a file', '{"state": "open", "preferred', 'no whole JSON'],
		['NUL bytes after a power cut', '\0\0\0\0', 'NUL bytes'],
		['a tail of NUL bytes', '{"state":"open"}\0\0', 'NUL bytes'],
		['a list', '[{"state":"open"}]', 'none of the fields'],
		['another program’s object', '{"name":"agent-floor","version":"1.0.0"}', 'none of the fields'],
		['nothing', 'null', 'none of the fields'],
		['comments', '{"state":"open" /* since noon */}', 'no whole JSON'],
		['something far too big', `{"state":"${'x'.repeat(300_000)}"}`, 'bytes'],
		['brackets without an end', '['.repeat(100_000), 'no whole JSON'],
	])('says that %s is no state file', (_what, content, problem) => {
		expect(parseStateFile(Buffer.from(content), NOW)).toEqual({
			ok: false,
			problem: expect.stringContaining(problem),
		});
	});

	it('shows nothing of the file that could hide words', () => {
		const parsed = parseStateFile(Buffer.from('{"state":"\\u202Eopen\\u001b[2J"}'), NOW);
		expect(parsed.ok && parsed.problems[0]).toContain('⟨U+202E⟩');
	});

	it('knows a date in the hour that comes twice by its offset', () => {
		const at = (offset: string) =>
			recordOf(Buffer.from(`{"state":"open","openedAt":"2026-10-25T02:30:00.0000000${offset}"}`)).openedAt;
		expect([at('+02:00'), at('+01:00')]).toEqual([
			Date.UTC(2026, 9, 25, 0, 30),
			Date.UTC(2026, 9, 25, 1, 30),
		]);
	});

	it('takes an openedAt in the future as meant where resumeAt is the end of its cooldown, and only there', () => {
		const at = (ms: number): string => new Date(NOW + ms).toISOString();
		const opened = (openedMs: number, resumeMs: number) => {
			const file = { state: 'open', cooldownMinutes: 10, openedAt: at(openedMs), resumeAt: at(resumeMs) };
			const parsed = parseStateFile(Buffer.from(JSON.stringify(file)), NOW);
			return parsed.ok && [parsed.record.openedAt, parsed.record.resumeAt, parsed.problems.length];
		};
		const hour = 3_600_000;
		expect(opened(3 * hour, 3 * hour + 600_000)).toEqual([NOW + 3 * hour, NOW + 3 * hour + 600_000, 0]);
		expect(opened(3 * hour, 2 * hour)).toEqual([null, NOW + 2 * hour, 1]);
		// No provider wishes that: a wrong clock wrote both.
		expect(opened(9_000 * hour, 9_001 * hour)).toEqual([null, null, 2]);
	});

	it.each([
		['an escape sequence', '\u001b[31mx'],
		['a line feed', 'one\ntwo'],
		['a carriage return', 'one\rtwo'],
		['a C1 control', 'x\u009b31m'],
		['a NUL', 'x\u0000'],
		['a direction override', 'x\u202egpj'],
		['a zero-width space', 'gpt\u200b-5'],
		['a line separator', 'x\u2028y'],
		['half a character', 'x\ud83d'],
		['too many characters', 'x'.repeat(201)],
		['the look of an option', '--dangerously'],
	])('keeps a model name out that has %s, and says so in one plain line', (_what, name) => {
		for (const field of [{ preferredModel: name }, { fallbackChain: ['gpt-5-mini', name] }]) {
			const parsed = parseStateFile(Buffer.from(JSON.stringify({ state: 'closed', ...field })), NOW);
			expect(parsed).toMatchObject({ ok: true, record: defaultStateRecord });
			if (!parsed.ok) return;
			expect(parsed.problems).toHaveLength(1);
			expect(parsed.problems[0]).toMatch(/^(preferredModel|fallbackChain) is [^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u);
		}
	});

	it.each(['x'.repeat(200), '通义千问-72b', 'anthropic/claude-sonnet-5', 'llama3.1:8b'])(
		'takes %s',
		(name) => {
			expect(recordOf(Buffer.from(JSON.stringify({ preferredModel: name }))).preferredModel).toBe(name);
		},
	);

	it('takes a date a little ahead for another clock, not for the future', () => {
		const file = Buffer.from('{"state":"open","openedAt":"2027-01-01T00:00:30Z"}');
		expect(parseStateFile(file, NOW)).toMatchObject({
			record: { openedAt: NOW + 30_000 },
			problems: [],
		});
	});
});

describe('writing', () => {
	const opened: StateRecord = {
		...defaultStateRecord,
		state: 'open',
		openedAt: Date.UTC(2026, 10, 30, 16, 32, 22, 123),
	};

	it('makes a new file as PowerShell 7 would, with every field of the seed', () => {
		expect(text(printStateFile(opened, null))).toBe(`{
  "state": "open",
  "preferredModel": "claude-sonnet-5",
  "fallbackChain": ["gpt-5.4-mini", "gpt-5-mini"],
  "currentFallbackIndex": 0,
  "cooldownMinutes": 10,
  "openedAt": "2026-11-30T17:32:22.1230000+01:00",
  "halfOpenSuccesses": 0,
  "consecutiveFailures": 0,
  "metrics": {
    "totalFallbacks": 0,
    "totalRecoveries": 0,
    "lastFallbackAt": null,
    "lastRecoveryAt": null
  }
}
`);
	});

	it('names the time to resume only where there is one', () => {
		expect(text(printStateFile({ ...opened, resumeAt: NOW }, null))).toContain(
			'"resumeAt": "2027-01-01T01:00:00.0000000+01:00"',
		);
		expect(
			print({ ...opened, resumeAt: null }, '{"state":"open","resumeAt":"2027-01-01T01:00:00Z"}'),
		).toContain('"resumeAt":null');
	});

	it('changes what is to be changed and nothing else', () => {
		const before =
			'{\r\n\t"note" : "mine, \\u00e9",\r\n\t"state" : "closed",\r\n\t"preferredModel":"m",\r\n\t"fallbackChain":[ "a" ],' +
			'\r\n\t"currentFallbackIndex":0, "cooldownMinutes": 5.0,\r\n\t"openedAt":null,"halfOpenSuccesses":0,' +
			'\r\n\t"consecutiveFailures":0,\r\n\t"metrics":{"lastRecoveryAt":null,"lastFallbackAt":null,' +
			'"totalRecoveries":0,"totalFallbacks":0, "owner": {"a": [1, "}"]}}\r\n}';
		const record: StateRecord = {
			...recordOf(Buffer.from(before)),
			state: 'open',
			metrics: { totalFallbacks: 1, totalRecoveries: 0, lastFallbackAt: null, lastRecoveryAt: null },
		};
		expect(print(record, before)).toBe(
			before.replace('"closed"', '"open"').replace('"totalFallbacks":0', '"totalFallbacks":1'),
		);
	});

	it('adds the fields that a script would miss, in the spacing that is there', () => {
		const before = '{\r\n    "state":  "closed",\r\n    "preferredModel":  "claude-sonnet-5"\r\n}\r\n';
		expect(print(defaultStateRecord, before)).toBe(
			[
				'{',
				'    "state":  "closed",',
				'    "preferredModel":  "claude-sonnet-5",',
				'    "fallbackChain":  ["gpt-5.4-mini", "gpt-5-mini"],',
				'    "currentFallbackIndex":  0,',
				'    "cooldownMinutes":  10,',
				'    "openedAt":  null,',
				'    "halfOpenSuccesses":  0,',
				'    "consecutiveFailures":  0,',
				'    "metrics":  {',
				'        "totalFallbacks":  0,',
				'        "totalRecoveries":  0,',
				'        "lastFallbackAt":  null,',
				'        "lastRecoveryAt":  null',
				'    }',
				'}',
				'',
			].join('\r\n'),
		);
	});

	it('keeps the bytes of a code page that it does not know', () => {
		const before = Buffer.from('{"state":"closed","note":"caf\xe9"}', 'latin1');
		const after = printStateFile({ ...defaultStateRecord, state: 'open' }, before);
		expect(text(after)).toContain('{"state":"open","note":"caf\xe9",');
	});

	it('writes ASCII only: Windows PowerShell reads the system’s code page', () => {
		const bytes = printStateFile({ ...defaultStateRecord, preferredModel: 'modèle 模型 🚀' }, null);
		expect(bytes.every((byte) => byte < 0x80)).toBe(true);
		expect(recordOf(bytes).preferredModel).toBe('modèle 模型 🚀');
	});

	it('begins anew where there is no state file', () => {
		expect(print(opened, '{"state": "op')).toBe(text(printStateFile(opened, null)));
	});
});
