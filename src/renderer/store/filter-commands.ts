/** Commands that narrow the floor: to those in one group, and to the filters that have a name. Pure. */
import { visibleText } from '../../shared/untrusted-text.ts';
import type { Command } from './command.ts';
import { groupWords } from './floor-layout.ts';
import { openPage } from './page-link.ts';
import type { Preferences } from './preferences.ts';
import { NAME_LIMIT, presetFilters } from './saved-filters.ts';

const groupFilters = {
	'needs-you': 'needs:you',
	stopped: 'level:stopped',
	constrained: 'level:constrained',
	steering: 'level:steering',
} as const;

export const groupFilterCommands: readonly Command[] = Object.entries(groupFilters).map(([group, filter]) =>
	filterCommand(
		`filter.${group}`,
		`Show only: ${groupWords[group as keyof typeof groupFilters].toLowerCase()}`,
		filter,
	),
);

/** Of the filters that the operator named in this window, and of those that are always there. */
export function savedFilterCommands({ savedFilters }: Pick<Preferences, 'savedFilters'>): Command[] {
	return [...presetFilters, ...savedFilters].map(({ name, filter }) =>
		filterCommand(`filter.named.${name}`, `Filter: ${visibleText(name, { limit: NAME_LIMIT })}`, filter),
	);
}

function filterCommand(id: string, words: string, filter: string): Command {
	return {
		id,
		words,
		also: `filter agents ${filter}`,
		keys: [],
		group: 'floor',
		asksEngine: false,
		available: () => true,
		run: ({ view }) => {
			openPage(view, 'floor');
			view.setState({ filter });
		},
	};
}
