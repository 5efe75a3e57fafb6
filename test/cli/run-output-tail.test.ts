import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OutputTail } from '../../src/main/cli/output-tail.ts';

it('keeps exactly the end, however the output was cut into pieces', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.string({ maxLength: 30 })), (limit, pieces) => {
			const tail = new OutputTail(limit);
			const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
			for (const piece of pieces) tail.add(Buffer.from(piece));
			expect(tail.text()).toBe(whole.subarray(Math.max(0, whole.length - limit)).toString());
			expect([tail.isCut, tail.seen]).toEqual([whole.length > limit, whole.length]);
		}),
		{ numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
	);
});
