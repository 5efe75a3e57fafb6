/** The rows of a timeline: only what is near the screen is drawn, and one of them can be walked from to the next. */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { rowAfter, type TimelineRow } from '../../store/timeline-rows.ts';
import { hasDetails, TimelineEntryLine } from './timeline-entry.tsx';
import { TurnHead } from './turn-head.tsx';

interface TimelineListProps {
	rows: readonly TimelineRow[];
	/** What came after this time is drawn as not yet happened; `null`: all has. */
	playedUntil: number | null;
}

export function TimelineList({ rows, playedUntil }: TimelineListProps) {
	const list = useRef<HTMLUListElement>(null);
	const [active, setActive] = useState<string | null>(null);
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
	const wanted = useRef<string | null>(null);
	const activeIndex = Math.max(
		0,
		rows.findIndex(({ key }) => key === active),
	);
	const margin = useOffsetIn(list);
	const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
		count: rows.length,
		getScrollElement: () => list.current?.closest<HTMLElement>('.dialog') ?? null,
		getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
		estimateSize: (index) => (rows[index]?.kind === 'turn' ? 56 : 26),
		overscan: 8,
		scrollMargin: margin,
		initialRect: { width: 800, height: 800 },
		rangeExtractor: useCallback(
			(range: Range) => {
				const shown = defaultRangeExtractor(range);
				// The row in focus is never dropped.
				return rows.length === 0 || shown.includes(activeIndex)
					? shown
					: [...shown, activeIndex].sort((a, b) => a - b);
			},
			[activeIndex, rows.length],
		),
	});
	useEffect(() => {
		const key = wanted.current;
		if (key === null) return;
		const row = list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
		if (!row) return;
		wanted.current = null;
		row.focus({ preventScroll: false });
	});
	const goTo = (index: number | undefined) => {
		const row = index === undefined ? undefined : rows[index];
		if (index === undefined || row === undefined) return;
		wanted.current = row.key;
		setActive(row.key);
		virtualizer.scrollToIndex(index, { align: 'auto' });
	};
	const toggle = (key: string) => {
		setOpen((before) => {
			const next = new Set(before);
			if (!next.delete(key)) next.add(key);
			return next;
		});
	};
	const onKeyDown = (event: KeyboardEvent) => {
		// Buttons inside a row have keys of their own.
		if (event.target instanceof HTMLElement && event.target.dataset.row === undefined) return;
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const row = rows[activeIndex];
		const next = rowAfter(event.key, rows, activeIndex);
		if (next !== undefined) goTo(next);
		else if (event.key === 'Enter' && row) toggle(row.key);
		else return;
		event.preventDefault();
	};
	return (
		<ul
			ref={list}
			className="tl-list"
			aria-label="Timeline, newest turn first, each in order of time"
			data-testid="timeline"
			style={{ height: virtualizer.getTotalSize() }}
			onKeyDown={onKeyDown}
		>
			{virtualizer.getVirtualItems().map(({ index, start, key }) => {
				const row = rows[index];
				if (row === undefined) return null;
				const at = row.kind === 'turn' ? row.at : row.entry.at;
				return (
					<li
						key={key}
						ref={virtualizer.measureElement}
						data-index={index}
						aria-setsize={rows.length}
						aria-posinset={index + 1}
						className="tl-item"
						style={{ transform: `translateY(${start - margin}px)` }}
					>
						{/* biome-ignore lint/a11y/noStaticElementInteractions: a click opens what Enter opens */}
						{/* biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys of all rows */}
						<div
							className={`tl-row tl-row-${row.kind} ${playedUntil !== null && at > playedUntil ? 'tl-later' : ''}`}
							data-row={row.key}
							data-testid={row.kind === 'turn' ? 'timeline-turn' : 'timeline-entry'}
							data-kind={row.kind === 'turn' ? 'turn' : row.entry.kind}
							tabIndex={index === activeIndex ? 0 : -1}
							onFocus={() => setActive(row.key)}
							onClick={(event) => {
								const onButton = (event.target as Element).closest('button, summary') !== null;
								const isSelecting = (getSelection()?.toString() ?? '') !== '';
								if (!onButton && !isSelecting) toggle(row.key);
							}}
						>
							{row.kind === 'turn' ? (
								<TurnHead turn={row.turn} entries={row.entries} open={open.has(row.key)} />
							) : (
								<TimelineEntryLine
									entry={row.entry}
									scale={row.scale}
									open={open.has(row.key) && hasDetails(row.entry)}
								/>
							)}
						</div>
					</li>
				);
			})}
		</ul>
	);
}

/** Distance of the list from the top of what scrolls it, px. */
function useOffsetIn(list: React.RefObject<HTMLElement | null>): number {
	const [offset, setOffset] = useState(0);
	useLayoutEffect(() => {
		const scroller = list.current?.closest<HTMLElement>('.dialog');
		if (!scroller) return;
		const measure = () => {
			const top = list.current?.getBoundingClientRect().top ?? 0;
			setOffset(Math.round(top - scroller.getBoundingClientRect().top + scroller.scrollTop));
		};
		measure();
		const observer = new ResizeObserver(measure);
		for (const above of list.current?.parentElement?.children ?? []) {
			if (above !== list.current) observer.observe(above);
		}
		observer.observe(scroller);
		return () => observer.disconnect();
	}, [list]);
	return offset;
}
