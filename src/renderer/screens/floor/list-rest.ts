/**
 * What a row of the list draws only when the page rests. Four buttons that nobody sees before the pointer or the focus
 * is on their row were a third of what a scroll cost.
 */
import { createContext, startTransition, useContext, useEffect, useState } from 'react';

/** Without a scroll for this long the page rests, ms. */
const REST_MS = 150;

/** Elsewhere the buttons are always seen, and a row without them is lower (agent-row-narrow.css). */
const SEEN_ON_HOVER = '(min-width: 40.01rem) and (hover: hover)';

export interface ListRest {
	/** True: what is drawn now may come without what is seen at rest only. */
	isMoving(): boolean;
	/** Calls once when the page rests. Returns the function that takes it back. */
	onRest(listener: () => void): () => void;
}

const atRest: ListRest = { isMoving: () => false, onRest: () => () => {} };

export const ListRestContext = createContext<ListRest>(atRest);

/** Follows the scrolling of the page for as long as the list is there. */
export function useListRest(): ListRest {
	const [rest] = useState(createListRest);
	useEffect(() => rest.follow(window), [rest]);
	return rest;
}

/** False while the page moves under a row that is new; once true it stays. */
export function useSeenAtRest(): boolean {
	const rest = useContext(ListRestContext);
	const [seen, setSeen] = useState(() => !rest.isMoving());
	useEffect(() => (seen ? undefined : rest.onRest(() => startTransition(() => setSeen(true)))), [rest, seen]);
	return seen;
}

export function createListRest(): ListRest & { follow(page: Window): () => void } {
	const waiting = new Set<() => void>();
	let moving: ReturnType<typeof setTimeout> | undefined;
	const end = (): void => {
		clearTimeout(moving);
		moving = undefined;
		const told = [...waiting];
		waiting.clear();
		for (const listener of told) listener();
	};
	return {
		isMoving: () => moving !== undefined,
		onRest: (listener) => {
			// It may have come to rest since the row was drawn.
			if (moving === undefined) listener();
			else waiting.add(listener);
			return () => waiting.delete(listener);
		},
		follow: (page) => {
			const onScroll = (): void => {
				if (!page.matchMedia(SEEN_ON_HOVER).matches) return;
				clearTimeout(moving);
				moving = setTimeout(end, REST_MS);
			};
			// Before the list itself hears of the scroll and draws.
			const options = { capture: true, passive: true };
			page.addEventListener('scroll', onScroll, options);
			return () => {
				page.removeEventListener('scroll', onScroll, options);
				end();
			};
		},
	};
}
