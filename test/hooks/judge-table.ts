/** Tables of command lines for tests of the read-only judge. */
import { describe, expect, test } from 'vitest';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';

/** What only reads, and what does not: one command line a row. */
export type Rows = readonly [reads: string, refused: string];

const judge = await createReadOnlyJudge();

/** Registers a test for every row. */
export function judgeTable(title: string, [reads, refused]: Rows): void {
	describe(title, () => {
		test.each(rowsOf(reads))('reads: %s', (command) => {
			expect(judge('Bash', { command })).toEqual({ readOnly: true, why: 'every program in it only reads' });
		});

		test.each(rowsOf(refused))('refused: %s', (command) => {
			const judged = judge('Bash', { command });
			expect(judged.readOnly).toBe(false);
			// It stands in "Refused: ….": no period of its own, one line.
			expect(judged.why).toMatch(/^[^\n]+[^.\n]$/);
		});
	});
}

/** A line break within a command line is one that is not followed by the table's indentation. */
function rowsOf(commands: string): readonly string[] {
	return commands.split(/\n\t\t/);
}
