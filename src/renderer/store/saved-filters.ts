/** Filters with a name, kept in this window. Pure. */

export interface SavedFilter {
	readonly name: string;
	readonly filter: string;
}

/** As many as fit beside the box. */
export const MOST_SAVED = 12;
/** Longest name, characters. */
export const NAME_LIMIT = 40;
/** Longest filter, characters: what the box takes. */
export const FILTER_LIMIT = 200;

/** Always there, never stored. */
export const presetFilters: readonly SavedFilter[] = [
	{ name: 'Only needs me', filter: 'needs:you' },
	{ name: 'Half a cap or more', filter: 'cap:50' },
];

/** Why a filter cannot be kept under this name; `null`: it can. `except`: the name that it has now. */
export function nameProblem(
	saved: readonly SavedFilter[],
	name: string,
	except: string | null = null,
): string | null {
	const wanted = cleanName(name);
	if (wanted === '') return 'Give it a name.';
	const others = [...presetFilters, ...saved].filter((other) => other.name !== except);
	if (others.some((other) => isSame(other.name, wanted))) return `There is a filter “${wanted}” already.`;
	if (except === null && saved.length >= MOST_SAVED) {
		return `${MOST_SAVED} filters are kept already: remove one first.`;
	}
	return null;
}

/** With one more, last. The same list when `nameProblem` has something to say, or there is nothing to keep. */
export function withFilter(
	saved: readonly SavedFilter[],
	{ name, filter }: SavedFilter,
): readonly SavedFilter[] {
	const kept = filter.trim().slice(0, FILTER_LIMIT);
	if (kept === '' || nameProblem(saved, name) !== null) return saved;
	return [...saved, { name: cleanName(name), filter: kept }];
}

export function renamedFilter(
	saved: readonly SavedFilter[],
	from: string,
	to: string,
): readonly SavedFilter[] {
	if (nameProblem(saved, to, from) !== null) return saved;
	return saved.map((one) => (one.name === from ? { ...one, name: cleanName(to) } : one));
}

export function withoutFilter(saved: readonly SavedFilter[], name: string): readonly SavedFilter[] {
	return saved.filter((one) => one.name !== name);
}

/** Puts one back where it was. What was added meanwhile stays. */
export function restoredFilter(
	saved: readonly SavedFilter[],
	filter: SavedFilter,
	at: number,
): readonly SavedFilter[] {
	if (nameProblem(saved, filter.name) !== null) return saved;
	return saved.toSpliced(at, 0, filter);
}

/** What can be used of what was kept; anything else counts as never kept. */
export function readSavedFilters(kept: unknown): readonly SavedFilter[] {
	if (!Array.isArray(kept)) return [];
	return kept.reduce<readonly SavedFilter[]>((saved, one: unknown) => {
		if (typeof one !== 'object' || one === null) return saved;
		const { name, filter }: { name?: unknown; filter?: unknown } = one;
		return typeof name === 'string' && typeof filter === 'string'
			? withFilter(saved, { name, filter })
			: saved;
	}, []);
}

function cleanName(name: string): string {
	return name.replace(/\s+/g, ' ').trim().slice(0, NAME_LIMIT).trim();
}

function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
