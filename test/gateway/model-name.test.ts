import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedModelName, LONGEST_MODEL_NAME, modelMark } from '../../src/main/gateway/model-name.ts';

describe('the header that names who answers', () => {
	it.each([
		['claude-sonnet-4-5[1m]', 'claude-sonnet-4-5[1m]'],
		['openai/gpt-5.4:free@eu', 'openai/gpt-5.4:free@eu'],
		['通义-72b', '%E9%80%9A%E4%B9%89-72b'],
		['a\nb', 'a%0Ab'],
		['100%', '100%25'],
		['two words', 'two%20words'],
	])('%j: %s', (model, value) => {
		expect(modelMark(model)).toEqual(['x-agent-floor-model', value]);
	});

	it.each([
		['', 'nothing to name'],
		['x'.repeat(LONGEST_MODEL_NAME + 1), 'too long'],
		['通'.repeat(LONGEST_MODEL_NAME / 9 + 1), 'too long when encoded'],
	])('is left out of %j: %s', (model) => {
		expect(modelMark(model)).toEqual([]);
	});

	it('can be sent, and read back, whatever the name is', () => {
		const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 300 }));
		fc.assert(
			fc.property(name, (model) => {
				const [header, value] = modelMark(model);
				if (header === undefined || value === undefined) return;
				validateHeaderValue(header, value);
				expect(decodeURIComponent(value)).toBe(model.toWellFormed());
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
		);
	});
});

it('a name without end is kept as its beginning, and is no model’s', () => {
	expect(boundedModelName('m')).toBe('m');
	const kept = boundedModelName('x'.repeat(1_000_000));
	expect(kept.length).toBe(LONGEST_MODEL_NAME + 1);
	expect(boundedModelName(kept)).toBe(kept);
});
