import { describe, expect, it } from 'vitest';
import { createDestructiveJudge } from '../../src/main/hooks/destructive/judge.ts';

const judge = await createDestructiveJudge();

/** Each kind in both directions: what needs the operator's consent, and what looks like it and needs none. */
export function kind(name: string, consent: readonly string[], none: readonly string[]): void {
	describe(name, () => {
		it.each(consent)('needs consent: %s', (command) => {
			expect(judge('Bash', { command })).not.toBeNull();
		});
		it.each(none)('needs none: %s', (command) => {
			expect(judge('Bash', { command })).toBeNull();
		});
	});
}
