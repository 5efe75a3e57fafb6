import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyForModel } from '../../src/main/gateway/model-request.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
const renamed = (text: string, model = 'new "one"'): string =>
	bodyForModel(Buffer.from(text), model).toString();

describe('a body for another model', () => {
	it.each([
		['at the top only', '{"a":{"model":"x"},"model":"x","b":["model","x",{"model":1}]}'],
		[
			'as often as it stands there',
			'{"model":"x","a":{"model":"x"},"model":"y","b":["model","x",{"model":1}]}',
		],
		['with an escape in its key', '{"a":{"model":"x"},"m\\u006fdel":"x","b":["model","x",{"model":1}]}'],
		['whatever its value is', '{"a":{"model":"x"},"model":{"model":["}"]},"b":["model","x",{"model":1}]}'],
		['where it is missing', '{"a":{"model":"x"},"b":["model","x",{"model":1}]}'],
	])('changes the model %s', (_where, text) => {
		expect(JSON.parse(renamed(text))).toEqual({
			a: { model: 'x' },
			model: 'new "one"',
			b: ['model', 'x', { model: 1 }],
		});
	});

	it('also of an empty object', () => {
		expect(renamed(' { } ', 'y')).toBe(' {"model":"y" } ');
	});

	it('leaves every other byte as it came: numbers, escapes, spaces, a byte order mark, what is no UTF-8', () => {
		const text = '\ufeff{ "n": 12345678901234567890, "f": 1.0, "t": "\\u00e9\\\\", "model" : "x" }';
		expect(renamed(text, 'y')).toBe(text.replace('"x"', '"y"'));
		const raw = Buffer.concat([Buffer.from('{"t":"'), Buffer.of(0xff, 0xc3), Buffer.from('","model":"x"}')]);
		expect(bodyForModel(raw, 'y').toString('latin1')).toBe(raw.toString('latin1').replace('"x"', '"y"'));
	});

	it('of any nesting', () => {
		const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
		expect(renamed(`{"a":${deep},"model":"x","b":${deep}}`, 'y')).toBe(
			`{"a":${deep},"model":"y","b":${deep}}`,
		);
	});

	it('is read as the same object with another model, however it is written', () => {
		const text = fc.oneof(
			fc.string(),
			fc.constantFrom('model', '\\', '"', '{', '}', ',', ':', '\\"', '[1m]'),
		);
		// V8 of Node 24.21 takes a key `"` for the key `\\` that it saw in an earlier text: none with a backslash here.
		const key = text.map((name) => name.replaceAll('\\', '/'));
		const object = fc.object({
			key,
			values: [text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)],
		});
		const value = fc.oneof(object, text, fc.array(fc.oneof(text, object)));
		const members = fc.array(fc.tuple(fc.oneof(key, fc.constant('model')), value), { maxLength: 8 });
		fc.assert(
			fc.property(members, fc.constantFrom(undefined, 1, '\t'), text, (given, indent, model) => {
				const written = JSON.stringify(Object.fromEntries(given), null, indent);
				// As JSON reads it: a key "__proto__" is a member like any other.
				const expected = new Map<string, unknown>(Object.entries(JSON.parse(written))).set('model', model);
				const read: Record<string, unknown> = JSON.parse(renamed(written, model));
				expect(new Map(Object.entries(read))).toEqual(expected);
			}),
			{ numRuns: RUNS },
		);
	});
});
