import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPayload } from '../../src/main/hooks/payload.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(body: Uint8Array) {
	const result = readPayload(body);
	if (!result.ok) throw new Error(`not read: ${result.reason}`);
	return result;
}

const refused = (body: Uint8Array): string => {
	const result = readPayload(body);
	return result.ok ? 'was read' : result.reason;
};

describe('a body that can be understood is read', () => {
	test.each([
		['plain', '{"a":1}'],
		['with a byte order mark', '\uFEFF{"a":1}'],
		['with two of them', '\uFEFF\uFEFF{"a":1}'],
		['with CRLF around and inside', '\r\n{\r\n"a":\r\n1}\r\n'],
		['with trailing NULs', '{"a":1}\0\0\0'],
		['with blanks, NULs and a mark mixed', ' \0\n{"a":1} \0 \uFEFF\t'],
		['quoted once more', JSON.stringify('{"a":1}')],
		['quoted once more, with padding inside the quotes', JSON.stringify('\uFEFF {"a":1}\r\n\0')],
	])('%s', (_, text) => {
		const result = read(bytes(text));
		expect(result.payload).toEqual({ a: 1 });
		expect(JSON.parse(result.text)).toEqual({ a: 1 });
	});

	test('UTF-16 with a byte order mark, as Windows shells write it', () => {
		const little = Buffer.from('\uFEFF{"a":"ä"}', 'utf16le');
		expect(read(little).payload).toEqual({ a: 'ä' });
		expect(read(Buffer.from(little).swap16()).payload).toEqual({ a: 'ä' });
	});

	test('invalid UTF-8 is replaced, the rest stays', () => {
		const body = Buffer.concat([bytes('{"a":"x'), Uint8Array.of(0xff, 0xed, 0xa0, 0xbd), bytes('y"}')]);
		const result = read(body);
		expect(result.payload.a).toMatch(/^x\uFFFD+y$/);
		expect(result.text.isWellFormed()).toBe(true);
	});

	test('a lone surrogate survives being stored and serialised again', () => {
		const result = read(bytes('{"text":"abc\\ud83d"}'));
		expect(result.payload.text).toBe('abc\ud83d');
		expect(result.text).toBe('{"text":"abc\\ud83d"}');
		expect(result.text.isWellFormed()).toBe(true);
		expect(JSON.parse(JSON.stringify(result.payload))).toEqual({ text: 'abc\ud83d' });
	});

	test('a quoted lone surrogate becomes well-formed text', () => {
		const result = read(bytes('"{\\"text\\":\\"abc\\ud83d\\"}"'));
		expect(result.text.isWellFormed()).toBe(true);
		expect(JSON.parse(result.text)).toEqual(result.payload);
	});

	test('sixteen megabytes', () => {
		const result = read(bytes(JSON.stringify({ big: 'x'.repeat(16_000_000), after: 1 })));
		expect(result.payload.after).toBe(1);
	});

	test('`__proto__` is a field like any other', () => {
		const { payload } = read(bytes('{"__proto__":{"session_id":"evil"},"a":1}'));
		expect(Object.getPrototypeOf(payload)).toBe(Object.prototype);
		expect(payload.session_id).toBeUndefined();
	});
});

describe('what cannot be read says why', () => {
	test.each([
		['nothing', '', 'it is empty'],
		['only padding', '\uFEFF \r\n\0', 'it is empty'],
		['an array', '[{"a":1}]', 'it is an array, not a JSON object'],
		['null', 'null', 'it is null, not a JSON object'],
		['a number', '7', 'it is a number, not a JSON object'],
		['a text quoted twice', JSON.stringify(JSON.stringify('{"a":1}')), 'it is a string, not a JSON object'],
	])('%s', (_, text, reason) => {
		expect(refused(bytes(text))).toBe(reason);
	});

	test.each([['{"a":'], ['{"a":1} {"b":2}'], ['<html>'], ['"not json inside"'], ['{"a":"line\nbreak"}']])(
		'%j is not JSON',
		(text) => {
			expect(refused(bytes(text))).toMatch(/^it is not JSON \(/);
		},
	);
});

describe('extreme nesting', () => {
	const nested = (depth: number): Uint8Array =>
		bytes(`{"tool_name":"Write","tool_input":${'['.repeat(depth)}1${']'.repeat(depth)}}`);

	test('is read, and everything that recurses over the payload is safe', () => {
		const { payload } = read(nested(200_000));
		expect(payload.tool_name).toBe('Write');
		expect(JSON.stringify(payload)).toContain('[nested too deeply]');
		expect(() => structuredClone(payload)).not.toThrow();
	});

	test('of objects under `__proto__` is cut as well', () => {
		const depth = 5_000;
		const { payload } = read(bytes(`${'{"__proto__":'.repeat(depth)}1${'}'.repeat(depth)}`));
		expect(JSON.stringify(payload)).toContain('[nested too deeply]');
	});

	test('that is ordinary stays whole', () => {
		const { payload, text } = read(nested(100));
		expect(JSON.stringify(payload)).toBe(text);
	});
});

describe('for every body', () => {
	test('nothing is thrown, and what is read can be serialised and read again', () => {
		const body = fc.oneof(
			fc.uint8Array({ maxLength: 200 }),
			fc.string({ unit: 'binary' }).map(bytes),
			fc.json().map(bytes),
			fc.object({ withNullPrototype: true }).map((value) => bytes(JSON.stringify(value) ?? '')),
		);
		fc.assert(
			fc.property(body, (given) => {
				const first = readPayload(given);
				if (!first.ok) {
					expect(first.reason).not.toBe('');
					return;
				}
				expect(first.text.isWellFormed()).toBe(true);
				const again = readPayload(bytes(first.text));
				expect(again).toEqual(first);
			}),
			{ numRuns: 500 },
		);
	});

	test('every JSON object comes through unchanged', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
				expect(read(bytes(JSON.stringify(given))).payload).toEqual(JSON.parse(JSON.stringify(given)));
			}),
		);
	});

	test('a long run of blanks inside is no reason to take long', () => {
		expect(refused(bytes(`{"a":${' '.repeat(4_000_000)}`))).toMatch(/not JSON/);
		expect(read(bytes(`{"a":${' '.repeat(4_000_000)}1}`)).payload).toEqual({ a: 1 });
	});
});
