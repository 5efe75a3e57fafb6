/** Draws only what is near the screen of a list that the whole window scrolls. */
import {
	defaultRangeExtractor,
	type Range,
	useWindowVirtualizer,
	type Virtualizer,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { FloorItem } from '../../store/floor-items.ts';
import type { FloorLook } from '../../store/preferences.ts';

/** Items drawn beyond each edge of the screen: few, as a scroll draws what it shows before it is painted. */
const OVERSCAN = { list: 3, cards: 1 } as const;

/** What is drawn before the window's own size is known, px. */
const FIRST_SCREEN = { width: 1440, height: 900 };

/** Heights until an item was measured, px: each that is not what is measured costs a second drawing of the list. */
const guessed = { heading: 40, line: 53, plate: 100, card: 192, needyCard: 210 };

const plates: ReadonlySet<string> = new Set(['needs-you', 'stopped', 'constrained', 'steering']);

interface VirtualItemsOptions {
	readonly items: readonly FloorItem[];
	readonly look: FloorLook;
	/** Item that is drawn wherever it is: Tab comes to it, or it has the focus. -1: none. */
	readonly keptIndex: number;
	readonly list: RefObject<HTMLElement | null>;
}

export function useVirtualItems({ items, look, keptIndex, list }: VirtualItemsOptions) {
	const scrollMargin = useOffsetTop(list);
	const virtualizer = useWindowVirtualizer<HTMLElement>({
		count: items.length,
		getItemKey: useCallback((index: number) => items[index]?.key ?? index, [items]),
		estimateSize: (index) => guessedHeight(items[index], look),
		rangeExtractor: useCallback(
			(range: Range) => withKept(defaultRangeExtractor(range), keptIndex),
			[keptIndex],
		),
		overscan: OVERSCAN[look],
		// A wheel sends many events a frame: each of them is not drawn by itself.
		useFlushSync: false,
		scrollMargin,
		initialRect: FIRST_SCREEN,
	});
	useStillView(virtualizer, items, scrollMargin);
	return { virtualizer, scrollMargin };
}

function guessedHeight(item: FloorItem | undefined, look: FloorLook): number {
	if (item?.kind !== 'agents') return guessed.heading;
	const asks = plates.has(item.need);
	if (look === 'cards') return asks ? guessed.needyCard : guessed.card;
	return asks ? guessed.plate : guessed.line;
}

function withKept(indexes: number[], kept: number): number[] {
	if (kept < 0 || indexes.includes(kept)) return indexes;
	return [...indexes, kept].sort((a, b) => a - b);
}

/** Distance of the list from the top of the page, px: what lies above it comes and goes. */
function useOffsetTop(list: RefObject<HTMLElement | null>): number {
	const [offset, setOffset] = useState(0);
	useLayoutEffect(() => {
		const measure = () => {
			const top = list.current?.getBoundingClientRect().top ?? 0;
			setOffset(Math.round(top + window.scrollY));
		};
		measure();
		const observer = new ResizeObserver(measure);
		for (const above of list.current?.parentElement?.children ?? []) {
			if (above !== list.current) observer.observe(above);
		}
		observer.observe(document.body);
		return () => observer.disconnect();
	}, [list]);
	return offset;
}

/** What one looks at stays where it is when agents come and go above it. At the top of the list the newest is seen instead. */
function useStillView(
	virtualizer: Virtualizer<Window, HTMLElement>,
	items: readonly FloorItem[],
	scrollMargin: number,
): void {
	const seen = useRef<{ items: readonly FloorItem[]; key: unknown; start: number } | null>(null);
	useLayoutEffect(() => {
		const before = seen.current;
		if (before !== null && before.items !== items) {
			const index = items.findIndex(({ key }) => key === before.key);
			const start = virtualizer.measurementsCache[index]?.start ?? before.start;
			if (start !== before.start) window.scrollBy(0, start - before.start);
		}
		// Asking the window itself would lay out the page once more.
		const offset = virtualizer.scrollOffset ?? 0;
		const top = offset > scrollMargin ? virtualizer.getVirtualItemForOffset(offset) : undefined;
		seen.current = top === undefined ? null : { items, key: top.key, start: top.start };
	});
}
