import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/renderer/store/agent-filter.ts';
import {
	MOST_SAVED,
	nameProblem,
	presetFilters,
	readSavedFilters,
	renamedFilter,
	restoredFilter,
	type SavedFilter,
	withFilter,
	withoutFilter,
} from '../../src/renderer/store/saved-filters.ts';

const mine: SavedFilter = { name: 'Mine', filter: 'repo:shop' };
const other: SavedFilter = { name: 'Other', filter: 'codex' };

describe('saved filters', () => {
	it('are added last, with a clean name, and never twice under one', () => {
		expect(withFilter([mine], { name: '  Night \n shift ', filter: ' state:waiting ' })).toEqual([
			mine,
			{ name: 'Night shift', filter: 'state:waiting' },
		]);
		expect(withFilter([mine], { name: 'MINE', filter: 'x' })).toEqual([mine]);
		expect(withFilter([mine], { name: 'Empty', filter: '  ' })).toEqual([mine]);
	});

	it('say why a name will not do', () => {
		expect(nameProblem([mine], ' ')).toBe('Give it a name.');
		expect(nameProblem([mine], 'mine')).toBe('There is a filter “mine” already.');
		expect(nameProblem([mine], presetFilters[0]?.name ?? '')).toMatch('already');
		expect(nameProblem([mine], 'MINE', 'Mine')).toBeNull();
		const full = Array.from({ length: MOST_SAVED }, (_, at) => ({ name: `f${at}`, filter: 'x' }));
		expect(nameProblem(full, 'One more')).toBe('12 filters are kept already: remove one first.');
		expect(nameProblem(full, 'Another name', 'f3')).toBeNull();
	});

	it('are renamed and removed, and come back where they were', () => {
		const all = [mine, other];
		expect(renamedFilter(all, 'Mine', 'Ours')).toEqual([{ ...mine, name: 'Ours' }, other]);
		expect(renamedFilter(all, 'Mine', 'other')).toEqual(all);
		expect(withoutFilter(all, 'Mine')).toEqual([other]);
		expect(restoredFilter(withoutFilter(all, 'Mine'), mine, 0)).toEqual(all);
		expect(restoredFilter(all, mine, 0)).toEqual(all);
	});

	it('are never more than fit, and all that is kept reads the same again', () => {
		const anything = fc.array(
			fc.oneof(fc.anything(), fc.record({ name: fc.string(), filter: fc.string() })),
			{ maxLength: 30 },
		);
		fc.assert(
			fc.property(anything, (kept) => {
				const saved = readSavedFilters(kept);
				expect(saved.length).toBeLessThanOrEqual(MOST_SAVED);
				expect(new Set(saved.map(({ name }) => name.toLowerCase())).size).toBe(saved.length);
				expect(readSavedFilters(JSON.parse(JSON.stringify(saved)))).toEqual(saved);
			}),
		);
	});
});

it.each(presetFilters)('the preset “$name” is a filter of fields that there are', ({ filter }) => {
	expect(parseFilter(filter).map(({ field }) => field)).not.toContain(null);
});
