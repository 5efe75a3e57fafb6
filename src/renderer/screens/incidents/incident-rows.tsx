/** Rows of incidents. A long list draws only what is near the screen, and never drops the row that has the focus. */
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { IncidentRow } from '../../store/incident-list.ts';
import { IncidentLine, isRowPress } from './incident-line.tsx';

/** From this many rows on, only those near the screen are drawn. */
const VIRTUAL_FROM = 60;
/** Height of a row that was not measured yet, px. */
const ROW_PX = 76;

export interface RowState {
	/** The row that Tab comes to. */
	readonly activeId: string | null;
	readonly unfolded: ReadonlySet<string>;
	readonly onActive: (id: string) => void;
	readonly onUnfold: (id: string, unfolded: boolean) => void;
}

interface IncidentRowsProps extends RowState {
	label: string;
	rows: readonly IncidentRow[];
}

export function IncidentRowList(props: IncidentRowsProps) {
	if (props.rows.length >= VIRTUAL_FROM) return <LongList {...props} />;
	const { label, rows } = props;
	return (
		<ul className="incident-rows" aria-label={label}>
			{rows.map((row, index) => (
				<Row key={row.incident.id} {...props} row={row} index={index} />
			))}
		</ul>
	);
}

function LongList(props: IncidentRowsProps) {
	const { label, rows, activeId } = props;
	const list = useRef<HTMLUListElement>(null);
	const [offset, setOffset] = useState(0);
	const activeIndex = rows.findIndex(({ incident }) => incident.id === activeId);
	const rangeExtractor = useCallback(
		(range: Range) => {
			const near = defaultRangeExtractor(range);
			if (activeIndex < 0 || near.includes(activeIndex)) return near;
			return [...near, activeIndex].sort((a, b) => a - b);
		},
		[activeIndex],
	);
	const virtual = useWindowVirtualizer({
		count: rows.length,
		estimateSize: () => ROW_PX,
		overscan: 8,
		scrollMargin: offset,
		getItemKey: (index) => rows[index]?.incident.id ?? index,
		rangeExtractor,
	});
	// What stands above the list may have grown.
	useLayoutEffect(() => {
		const top = list.current?.getBoundingClientRect().top ?? 0;
		setOffset(Math.round(top + window.scrollY));
	});
	return (
		<ul
			ref={list}
			className="incident-rows incident-rows-long"
			aria-label={label}
			style={{ height: virtual.getTotalSize() }}
		>
			{virtual.getVirtualItems().map(({ key, index, start }) => {
				const row = rows[index];
				if (row === undefined) return null;
				return (
					<Row
						key={key}
						{...props}
						row={row}
						index={index}
						place={{ top: start - offset, measure: virtual.measureElement }}
					/>
				);
			})}
		</ul>
	);
}

interface RowProps extends IncidentRowsProps {
	row: IncidentRow;
	index: number;
	place?: { readonly top: number; readonly measure: (element: Element | null) => void };
}

function Row({ row, index, rows, activeId, unfolded, onActive, onUnfold, place }: RowProps): ReactNode {
	const { id, endedAt } = row.incident;
	const isOpen = unfolded.has(id);
	return (
		// A row is no control: it is walked with the arrow keys, and its controls stand in it.
		<li
			ref={place?.measure}
			className={`incident-row ${row.asks ? (row.isQuestion ? 'incident-row-for-you' : 'incident-row-grave') : ''}`}
			style={place && { transform: `translateY(${place.top}px)` }}
			data-testid="incident-row"
			data-index={index}
			data-incident-row={id}
			data-lifecycle={endedAt === null ? 'open' : 'ended'}
			aria-setsize={rows.length}
			aria-posinset={index + 1}
			tabIndex={id === activeId ? 0 : -1}
			onFocus={() => onActive(id)}
			onKeyDown={(event) => {
				if (!isRowPress(event)) return;
				event.preventDefault();
				onUnfold(id, !isOpen);
			}}
		>
			<IncidentLine
				row={row}
				active={id === activeId}
				unfolded={isOpen}
				onUnfold={(next) => onUnfold(id, next)}
			/>
		</li>
	);
}
