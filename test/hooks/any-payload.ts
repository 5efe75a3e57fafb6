/** Payloads without sense, and what must hold of an event whatever it was made of. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import { LONGEST_RESULT } from '../../src/main/hooks/payload-fields.ts';

/** Anything at all, also what no JSON can bring. */
export const anything = fc.anything({
	withBigInt: true,
	withNullPrototype: true,
	withSparseArray: true,
	withMap: true,
});

/** Some of these fields; the last of equal ones wins. */
export function payloadOf(
	names: readonly string[],
	value: fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
	return fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 12 }).map((fields) => {
		const payload: Record<string, unknown> = {};
		for (const [name, given] of fields) {
			// Defined, not assigned: the name may be `__proto__`.
			Object.defineProperty(payload, name, {
				value: given,
				enumerable: true,
				configurable: true,
				writable: true,
			});
		}
		return payload;
	});
}

export function expectSound(event: FloorEvent): void {
	expect(event.sessionId).not.toBe('');
	expect(event.sessionId.length).toBeLessThanOrEqual(200);
	for (const text of [event.sessionId, event.subagentId, event.directory, event.dedupeKey]) {
		expect(text === null || (typeof text === 'string' && text.isWellFormed())).toBe(true);
	}
	if (event.kind === 'tool-result') expect(event.result?.length ?? 0).toBeLessThanOrEqual(LONGEST_RESULT);
	if (event.kind === 'tool-call' || event.kind === 'tool-result') expect(event.tool).not.toBe('');
	if (event.kind === 'turn-failed') expect(event.error.length).toBeLessThanOrEqual(200);
}
