import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UsageIndex } from '../../src/main/usage/usage-index.ts';
import { type Home, newHome, ROWS_AT } from './index-files.ts';
import { assistantLine, userLine } from './transcript-files.ts';

const DAY_MS = 86_400_000;
const SESSIONS = ['s-1', 's-2', 's-3'];
const FILES = ['s-1.jsonl', 's-2.jsonl', 's-2/subagents/agent-a.jsonl', 's-3.jsonl'] as const;

/** Contents for each of the files, with responses of so many days ago. */
function contents(days: readonly number[]) {
	const row = fc.record({
		id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
		model: fc.constantFrom('claude-opus-4-8', 'claude-sonnet-4-5', 'claude-x', '<synthetic>'),
		isSidechain: fc.boolean(),
		text: fc.string({ unit: fc.constantFrom('x', ' ', 'é', '💥'), maxLength: 5 }),
		at: fc.constantFrom(...days).map((ago) => new Date(ROWS_AT - ago * DAY_MS).toISOString()),
		usage: fc.record({ input_tokens: fc.nat(300_000), output_tokens: fc.integer({ min: -1, max: 5000 }) }),
	});
	// The model of a response never changes between its rows.
	const response = row.map(({ id, at, ...rest }) =>
		assistantLine({ ...rest, id: `${id} ${rest.model}`, timestamp: at }),
	);
	const line = fc.oneof(
		{ weight: 6, arbitrary: response },
		fc.constantFrom(userLine('hi'), '{"torn', '\0\0\0', ''),
	);
	const content = fc
		.array(line, { maxLength: 10 })
		.map((lines) => Buffer.from(lines.map((each) => `${each}\n`).join('')));
	return fc.tuple(content, content, content, content);
}

/** Everything that people are shown. */
function figures(index: UsageIndex) {
	const { programs, today, week } = index.machineUsage();
	const sessions = SESSIONS.map((sessionId) => {
		const { earlierWork: _, ...usage } = index.usageOf('claude-code', [sessionId]);
		return usage;
	});
	return { today, week, programs: programs.map(({ bytes: _, ...program }) => program), sessions };
}

function create(home: Home, name: string): string {
	const path = home.path(name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, '');
	return path;
}

async function readAtOnce(home: Home): Promise<UsageIndex> {
	const index = home.index();
	await index.look();
	return index;
}

describe('any history of session files', () => {
	it('of any appends, looks and restarts gives the figures of one reading', async () => {
		const step = fc.record({
			file: fc.nat(FILES.length - 1),
			bytes: fc.nat(2_000),
			next: fc.constantFrom('look', 'follow', 'restart', 'nothing'),
		});
		await fc.assert(
			fc.asyncProperty(
				contents([0, 0, 1, 2, 6, 20]),
				fc.array(step, { maxLength: 10 }),
				async (whole, steps) => {
					const home = newHome();
					const paths = FILES.map((name) => create(home, name));
					const written = FILES.map(() => 0);
					let index = home.index({ store: home.store });
					const append = (file: number, bytes: number): void => {
						const from = written[file] ?? 0;
						const part = whole[file]?.subarray(from, from + bytes) ?? '';
						appendFileSync(paths[file] ?? '', part);
						written[file] = from + part.length;
					};
					for (const { file, bytes, next } of steps) {
						append(file, bytes);
						if (next === 'look') await index.look();
						if (next === 'follow') await index.follow(paths[file] ?? '', 'claude-code');
						if (next === 'restart') {
							await index.stop();
							index = home.index({ store: home.store });
						}
					}
					for (const file of paths.keys()) append(file, Number.POSITIVE_INFINITY);
					await index.look();
					const expected = figures(await readAtOnce(home));
					expect(figures(index)).toEqual(expected);
					await index.stop();
					const warm = home.index({ store: home.store });
					await warm.look();
					expect(figures(warm)).toEqual(expected);
					expect(warm.bytesRead).toBe(0);
				},
			),
			{ numRuns: 15 },
		);
	});

	it('read in any order, and again, gives the same figures, each response once', async () => {
		const order = fc.array(fc.nat(FILES.length - 1), { maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(contents([0, 0, 1, 6, 40]), order, async (whole, files) => {
				const home = newHome();
				const paths = FILES.map((name) => create(home, name));
				for (const [file, path] of paths.entries()) writeFileSync(path, whole[file] ?? '');
				const index = home.index();
				for (const file of files) {
					await index.follow(paths[file] ?? '', 'claude-code');
					// Written anew, with the same contents: it is read again.
					writeFileSync(paths[file] ?? '', whole[file] ?? '');
				}
				await index.look();
				expect(figures(index)).toEqual(figures(await readAtOnce(home)));
				const together = newHome();
				writeFileSync(create(together, 's-1.jsonl'), Buffer.concat(whole));
				const expected = (await readAtOnce(together)).usageOf('claude-code', SESSIONS).total;
				expect(index.usageOf('claude-code', SESSIONS).total).toEqual(expected);
			}),
			{ numRuns: 15 },
		);
	});
});
