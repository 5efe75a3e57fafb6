import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText, digestOf } from '../../../src/main/floor/ladder/canonical-input.ts';

describe('canonicalText', () => {
	it('is equal for every order of keys, at every depth', () => {
		const one = { b: [{ y: 1, x: 2 }], a: { d: null, c: true } };
		const other = { a: { c: true, d: null }, b: [{ x: 2, y: 1 }] };
		expect(canonicalText(one)).toBe(canonicalText(other));
	});

	it('differs exactly where JSON differs (keys sorted)', () => {
		const sorted = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(sorted);
			if (typeof value !== 'object' || value === null) return value;
			return Object.fromEntries(
				Object.entries(value)
					.sort(([a], [b]) => (a < b ? -1 : 1))
					.map(([key, item]) => [key, sorted(item)]),
			);
		};
		const near = fc.constantFrom<unknown>(
			0,
			'0',
			'',
			null,
			false,
			[],
			{},
			[0],
			['0'],
			{ 0: 0 },
			[[]],
			'[]',
			'n0;',
		);
		const value = fc.oneof(
			near,
			fc.jsonValue({ maxDepth: 3 }),
			fc.array(near),
			fc.dictionary(fc.string(), near),
		);
		fc.assert(
			fc.property(value, value, (one, other) => {
				const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
				expect(canonicalText(one) === canonicalText(other)).toBe(isEqual);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('takes a key without a value for no key, as JSON does', () => {
		expect(canonicalText({ a: 1, b: undefined })).toBe(canonicalText({ a: 1 }));
	});

	it('survives depth, cycles and breadth', () => {
		let deep: unknown = 'end';
		for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
		expect(canonicalText(deep)).toContain('"3:end');
		const cyclic: Record<string, unknown> = { a: 1 };
		cyclic.self = cyclic;
		const twin: Record<string, unknown> = { a: 1 };
		twin.self = twin;
		expect(canonicalText(cyclic)).toBe(canonicalText(twin));
		const inner = { a: 1, self: null as unknown };
		inner.self = { a: 1, self: inner };
		expect(canonicalText(inner)).not.toBe(canonicalText(cyclic));
		const sparse: unknown[] = [];
		sparse[4_000_000_000] = 1;
		expect(canonicalText(sparse)).toBeNull();
		const shared = Array.from({ length: 60 }).reduce<unknown>(
			(tree) => ({ left: tree, right: tree }),
			'leaf',
		);
		expect(canonicalText(shared)).toBeNull();
	});

	it('reads large texts whole', () => {
		const text = 'x'.repeat(4_000_000);
		expect(canonicalText({ text: `${text}1` })).not.toBe(canonicalText({ text: `${text}2` }));
	});

	it('keeps big integers and lone surrogates apart', () => {
		const texts = [1n, 2n, 1, '\uD800', '\uDBFF', '\uFFFD', '\uD83D\uDE00'].map((value) =>
			canonicalText({ value }),
		);
		expect(new Set(texts.map((text) => digestOf(text ?? ''))).size).toBe(texts.length);
	});

	it.each([[new Map()], [new Set()], [() => 1], [Symbol('s')], [new Uint8Array(2)], [/a/], [new Date(0)]])(
		'does not know what JSON cannot carry: %o',
		(value) => {
			expect(canonicalText({ value })).toBeNull();
		},
	);
});
