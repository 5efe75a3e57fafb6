import { describe, expect, it } from 'vitest';
import {
	defaultPreferences,
	keepPreferences,
	type Preferences,
	readPreferences,
	withFold,
} from '../../src/renderer/store/preferences.ts';

function storage(kept?: string) {
	const items = new Map(kept === undefined ? [] : [['agent-floor.window', kept]]);
	return {
		getItem: (key: string) => items.get(key) ?? null,
		setItem: (key: string, value: string) => void items.set(key, value),
	};
}

describe('preferences of the window', () => {
	it('come back as they were kept', () => {
		const place = storage();
		const chosen: Preferences = {
			theme: 'dark',
			singleKeys: false,
			look: 'cards',
			grouping: 'repository',
			folds: { 'need exited': false, 'repository /r': true },
			savedFilters: [{ name: 'Mine', filter: 'repo:shop -state:exited' }],
		};
		keepPreferences(place, chosen);
		expect(readPreferences(place)).toEqual(chosen);
	});

	it.each([
		undefined,
		'',
		'null',
		'[]',
		'{"theme":"neon","singleKeys":"x"}',
		'{',
		'{"look":1,"grouping":"x","folds":[true],"savedFilters":{}}',
		'{"folds":{"a":1},"savedFilters":[1,null,{"name":"x"},{"name":"","filter":"y"}]}',
	])('are the usual ones when %j was kept', (kept) => {
		expect(readPreferences(storage(kept))).toEqual(defaultPreferences);
	});

	it('are the usual ones where nothing can be kept', () => {
		keepPreferences(null, { ...defaultPreferences, theme: 'dark' });
		expect(readPreferences(null)).toEqual(defaultPreferences);
	});
});

it('remembers the newest folds, and each once', () => {
	expect(withFold({ a: true, b: true }, 'a', false)).toEqual({ b: true, a: false });
	let folds: Preferences['folds'] = {};
	for (let at = 0; at < 500; at += 1) folds = withFold(folds, `repository ${at}`, true);
	expect(Object.keys(folds)).toHaveLength(200);
	expect(Object.keys(folds).at(-1)).toBe('repository 499');
});
