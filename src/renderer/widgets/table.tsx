/** A table of figures: sorted by any column, the first rows at once and all on demand. It scrolls sideways by itself. */
import { type ReactNode, useState } from 'react';
import { exactNumber } from '../../shared/format.ts';
import { type ColumnSort, nextColumnSort, type SortValue, sortedRows } from '../store/insights-tables.ts';
import { useSteadyOrder } from '../store/use-steady-order.ts';
import './table.css';

export interface Column<Row> {
	readonly key: string;
	readonly head: string;
	/** Under the head. */
	readonly unit?: string;
	/** Words: read from the left, and from A when it is chosen. */
	readonly isText?: boolean;
	/** What it is sorted by; absent: it cannot be. */
	readonly value?: (row: Row) => SortValue;
	readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
	label: string;
	/** The first one names the row. */
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	rowKey: (row: Row) => string;
	/** Rows drawn at first; the rest on demand. */
	first?: number;
	testId?: string;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
	const { label, columns, rows, rowKey, first = Number.POSITIVE_INFINITY, testId } = props;
	const [sort, setSort] = useState<ColumnSort | null>(null);
	const [all, setAll] = useState(false);
	const value = columns.find(({ key }) => key === sort?.key)?.value;
	const sorted = sort !== null && value !== undefined ? sortedRows(rows, value, sort.descending) : rows;
	return (
		<div className="table-part">
			{/* A scrolling region must be reachable by keyboard. */}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
			<section className="table-scroll" aria-label={label} tabIndex={0}>
				<table className="table" data-testid={testId}>
					<thead>
						<tr>
							{columns.map((column) => (
								<Head
									key={column.key}
									column={column}
									sort={sort}
									onSort={(isFigure) => setSort(nextColumnSort(sort, column.key, isFigure))}
								/>
							))}
						</tr>
					</thead>
					<Body
						key={`${sort?.key} ${sort?.descending}`}
						columns={columns}
						rows={sorted}
						rowKey={rowKey}
						first={all ? Number.POSITIVE_INFINITY : first}
					/>
				</table>
			</section>
			{rows.length > first && (
				<button type="button" className="button" aria-expanded={all} onClick={() => setAll(!all)}>
					{all ? `Show the first ${exactNumber(first)}` : `Show all ${exactNumber(rows.length)}`}
					<span className="unseen"> of {label}</span>
				</button>
			)}
		</div>
	);
}

/** Rows keep their places when their figures change; another column chosen is another order. */
function Body<Row>(props: Required<Pick<DataTableProps<Row>, 'columns' | 'rows' | 'rowKey' | 'first'>>) {
	const { columns, rows, rowKey, first } = props;
	const order = useSteadyOrder(rows.map(rowKey));
	const byKey = new Map(rows.map((row) => [rowKey(row), row]));
	const shown = order.flatMap((key) => byKey.get(key) ?? []).slice(0, first);
	return (
		<tbody>
			{shown.map((row) => (
				<tr key={rowKey(row)}>
					{columns.map(({ key, isText, cell }, at) =>
						at === 0 ? (
							<th key={key} scope="row" className="table-text">
								{cell(row)}
							</th>
						) : (
							<td key={key} className={isText ? 'table-text' : undefined}>
								{cell(row)}
							</td>
						),
					)}
				</tr>
			))}
		</tbody>
	);
}

interface HeadProps<Row> {
	column: Column<Row>;
	sort: ColumnSort | null;
	onSort: (isFigure: boolean) => void;
}

function Head<Row>({ column: { key, head, unit, isText = false, value }, sort, onSort }: HeadProps<Row>) {
	const className = isText ? 'table-text' : undefined;
	const words = (
		<>
			{head}
			{unit !== undefined && <small>{unit}</small>}
		</>
	);
	if (value === undefined) {
		return (
			<th scope="col" className={className}>
				{words}
			</th>
		);
	}
	const way = sort?.key !== key ? 'none' : sort.descending ? 'descending' : 'ascending';
	return (
		<th scope="col" className={className} aria-sort={way}>
			<button type="button" className="table-sort" onClick={() => onSort(!isText)}>
				<span>{words}</span>
				<span className="table-arrow" aria-hidden="true">
					{{ none: '', ascending: '↑', descending: '↓' }[way]}
				</span>
			</button>
		</th>
	);
}
