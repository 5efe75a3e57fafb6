/** Where the keyboard is in the rows: one stop for Tab, arrow keys between rows, and a place to go when a row leaves. */
import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { moveTarget } from '../../store/floor-keys.ts';

const moves: Readonly<Record<string, 'next' | 'previous' | 'first' | 'last'>> = {
	ArrowDown: 'next',
	ArrowUp: 'previous',
	Home: 'first',
	End: 'last',
};

export interface RowFocus {
	readonly activeId: string | null;
	readonly onActive: (id: string) => void;
	/** Moves the focus there, also to a row that is not drawn yet. */
	readonly focusRow: (id: string) => void;
	readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** `order`: ids of all rows as they stand. `attribute`: by which a row's element is found, `data-…`. */
export function useRowFocus(order: readonly string[], attribute: string): RowFocus {
	const [chosen, setChosen] = useState<string | null>(null);
	const wanted = useRef<string | null>(null);
	/** The row that had the focus last, and its place: for when it goes away with the focus in it. */
	const held = useRef<{ readonly id: string; readonly index: number } | null>(null);
	const activeId = chosen !== null && order.includes(chosen) ? chosen : (order[0] ?? null);
	const onActive = useCallback((id: string) => setChosen(id), []);
	const focusRow = useCallback((id: string) => {
		wanted.current = id;
		setChosen(id);
	}, []);
	useLayoutEffect(() => {
		const element = (id: string) => document.querySelector<HTMLElement>(`[${attribute}="${CSS.escape(id)}"]`);
		const goal = wanted.current === null ? null : element(wanted.current);
		if (goal !== null) {
			wanted.current = null;
			goal.focus({ preventScroll: true });
			goal.scrollIntoView({ block: 'nearest' });
		}
		const row = document.activeElement?.closest(`[${attribute}]`);
		const id = row?.getAttribute(attribute) ?? null;
		if (id !== null) {
			held.current = { id, index: order.indexOf(id) };
			return;
		}
		const lost = held.current;
		held.current = null;
		if (lost === null || document.activeElement !== document.body) return;
		const next = order[Math.min(lost.index, order.length - 1)];
		if (next === undefined) return;
		setChosen(next);
		element(next)?.focus({ preventScroll: true });
	});
	const onKeyDown = (event: KeyboardEvent): void => {
		const to = moves[event.key];
		if (to === undefined || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
		const row = event.target instanceof Element ? event.target.closest(`[${attribute}]`) : null;
		if (row === null) return;
		const target = moveTarget(order, row.getAttribute(attribute), to);
		if (target === null) return;
		event.preventDefault();
		focusRow(target);
	};
	return { activeId, onActive, focusRow, onKeyDown };
}
