import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkTreeMemory } from '../../src/main/machine/work-tree-memory.ts';

const file = (modifiedAt: number, size = 10) => ({ modifiedAt, size });

describe('what is a change', () => {
	it('is the newest of all files at first', () => {
		const memory = new WorkTreeMemory();
		memory.replaceList(['a', 'b', 'c'], 1_000);
		memory.seen('a', file(300), null, 1_000);
		memory.seen('b', file(700), null, 1_000);
		memory.seen('c', file(500), null, 1_000);
		expect(memory.newest).toEqual({ changedAt: 700, path: 'b' });
	});

	it('is not in the future, whatever the file says', () => {
		const memory = new WorkTreeMemory();
		memory.seen('a', file(9_999_999), null, 1_000);
		expect(memory.newest?.changedAt).toBe(1_000);
	});

	it('is a new size, at the time of the file', () => {
		const memory = new WorkTreeMemory();
		memory.seen('a', file(300), 'h', 1_000);
		memory.seen('a', file(1_500, 11), null, 2_000);
		expect(memory.newest).toEqual({ changedAt: 1_500, path: 'a' });
	});

	it('is a new content, and not a new time alone', () => {
		const memory = new WorkTreeMemory();
		memory.seen('a', file(300), 'h1', 1_000);
		expect(memory.needsHash('a', file(1_500))).toBe(true);
		memory.seen('a', file(1_500), 'h1', 2_000);
		expect(memory.newest?.changedAt).toBe(300);
		memory.seen('a', file(2_500), 'h2', 3_000);
		expect(memory.newest?.changedAt).toBe(2_500);
	});

	it('is a new time when the content was never read', () => {
		const memory = new WorkTreeMemory();
		memory.seen('a', file(300), null, 1_000);
		memory.seen('a', file(1_500), 'h1', 2_000);
		expect(memory.newest?.changedAt).toBe(1_500);
		memory.seen('a', file(2_500), 'h1', 3_000);
		expect(memory.newest?.changedAt).toBe(1_500);
	});

	it('is a file with an old time that was moved over another one, now', () => {
		const memory = new WorkTreeMemory();
		memory.seen('a', file(900), null, 1_000);
		memory.seen('a', file(200, 44), null, 5_000);
		expect(memory.newest?.changedAt).toBe(5_000);
	});

	it('is a file with an old time that appeared since the last complete list', () => {
		const memory = new WorkTreeMemory();
		memory.replaceList(['a'], 1_000);
		memory.seen('a', file(300), null, 1_000);
		memory.replaceList(['a', 'moved-here'], 5_000);
		memory.seen('moved-here', file(100), null, 5_000);
		expect(memory.newest).toEqual({ changedAt: 1_000, path: 'moved-here' });
	});

	it('is not a file that an incomplete list only reached later', () => {
		const memory = new WorkTreeMemory();
		memory.addToList(['a']);
		memory.seen('a', file(300), null, 1_000);
		memory.addToList(['b']);
		memory.seen('b', file(100), null, 5_000);
		expect(memory.newest).toEqual({ changedAt: 300, path: 'a' });
	});

	it('is a deletion, once, also of a file that is still listed', () => {
		const memory = new WorkTreeMemory();
		memory.replaceList(['a', 'b'], 1_000);
		memory.seen('a', file(300), null, 1_000);
		memory.seen('b', file(300), null, 1_000);
		memory.missing('a', 2_000);
		memory.missing('a', 3_000);
		expect(memory.newest).toEqual({ changedAt: 2_000, path: 'a' });
		memory.replaceList(['a'], 4_000);
		expect(memory.newest).toEqual({ changedAt: 4_000, path: 'b' });
		memory.replaceList(['a'], 5_000);
		expect(memory.newest?.changedAt).toBe(4_000);
	});
});

describe('whatever happens to the files', () => {
	const path = fc.constantFrom('a', 'b', 'c', 'd');
	const step = fc.oneof(
		fc.record({
			kind: fc.constant('seen' as const),
			path,
			modifiedAt: fc.integer({ min: -10, max: 3_000 }),
			size: fc.nat(3),
			hash: fc.option(fc.constantFrom('x', 'y')),
		}),
		fc.record({ kind: fc.constant('missing' as const), path }),
		fc.record({ kind: fc.constant('replace' as const), paths: fc.uniqueArray(path) }),
		fc.record({ kind: fc.constant('add' as const), paths: fc.uniqueArray(path) }),
	);

	it('the newest change never goes back and never lies in the future', () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const memory = new WorkTreeMemory();
				let before = Number.NEGATIVE_INFINITY;
				steps.forEach((each, index) => {
					const now = 1_000 + index * 30;
					if (each.kind === 'seen') memory.seen(each.path, each, each.hash, now);
					else if (each.kind === 'missing') memory.missing(each.path, now);
					else if (each.kind === 'replace') memory.replaceList(each.paths, now);
					else memory.addToList(each.paths);
					const at = memory.newest?.changedAt ?? Number.NEGATIVE_INFINITY;
					expect(at).toBeGreaterThanOrEqual(before);
					expect(at).toBeLessThanOrEqual(now);
					before = at;
				});
			}),
		);
	});

	it('touching files whose content is known is never a change', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(path, fc.integer({ min: 2_000, max: 9_000 })), { maxLength: 40 }),
				(touches) => {
					const memory = new WorkTreeMemory();
					memory.replaceList(['a', 'b', 'c', 'd'], 1_000);
					for (const each of memory.paths) memory.seen(each, file(500), `content of ${each}`, 1_000);
					touches.forEach(([each, modifiedAt], index) => {
						memory.replaceList(['a', 'b', 'c', 'd'], 2_000 + index);
						memory.seen(each, file(modifiedAt), `content of ${each}`, 2_000 + index);
					});
					expect(memory.newest?.changedAt).toBe(500);
				},
			),
		);
	});
});
