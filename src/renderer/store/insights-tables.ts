/** Rows of a table in the order of one of its columns. Pure. */

export interface ColumnSort {
	readonly key: string;
	readonly descending: boolean;
}

/** What a row is sorted by; `null`: not known. */
export type SortValue = string | number | null;

/** The other way round for the same column; another one begins as it is mostly read: figures from the top, words from A. */
export function nextColumnSort(sort: ColumnSort | null, key: string, isFigure: boolean): ColumnSort {
	return sort?.key === key ? { key, descending: !sort.descending } : { key, descending: isFigure };
}

/** What is not known comes last, whichever way. Equal rows keep the order that they came in. */
export function sortedRows<Row>(
	rows: readonly Row[],
	value: (row: Row) => SortValue,
	descending: boolean,
): Row[] {
	return rows
		.map((row) => ({ row, value: value(row) }))
		.sort((a, b) => compare(a.value, b.value, descending))
		.map(({ row }) => row);
}

function compare(a: SortValue, b: SortValue, descending: boolean): number {
	if (a === b) return 0;
	if (a === null) return 1;
	if (b === null) return -1;
	const up = typeof a === 'string' && typeof b === 'string' ? a.localeCompare(b) : a < b ? -1 : 1;
	return descending ? -up : up;
}
