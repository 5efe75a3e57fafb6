import { describe, expect, it } from 'vitest';
import {
	defaultPreferences,
	keepPreferences,
	readPreferences,
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
		keepPreferences(place, { theme: 'dark', singleKeys: false });
		expect(readPreferences(place)).toEqual({ theme: 'dark', singleKeys: false });
	});

	it.each([undefined, '', 'null', '[]', '{"theme":"neon","singleKeys":"x"}', '{'])(
		'are the usual ones when %j was kept',
		(kept) => {
			expect(readPreferences(storage(kept))).toEqual(defaultPreferences);
		},
	);

	it('are the usual ones where nothing can be kept', () => {
		keepPreferences(null, { theme: 'dark', singleKeys: false });
		expect(readPreferences(null)).toEqual(defaultPreferences);
	});
});
