/** Rows far off the screen are drawn as their name only; the rest follows once they come near. */
import { type RefObject, useEffect, useState } from 'react';

/** Distance from the screen at which a row is drawn whole. */
const NEAR = '1000px 0px';

/** One observer for all rows. */
let observer: IntersectionObserver | undefined;
const arrivals = new WeakMap<Element, () => void>();

function watch(element: Element, onNear: () => void): () => void {
	observer ??= new IntersectionObserver(
		(entries) => {
			for (const { isIntersecting, target } of entries) if (isIntersecting) arrivals.get(target)?.();
		},
		{ rootMargin: NEAR },
	);
	arrivals.set(element, onNear);
	observer.observe(element);
	return () => {
		arrivals.delete(element);
		observer?.unobserve(element);
	};
}

/** True from the start if `eager`, else once the element has come near the screen; it stays true. */
export function useNear(element: RefObject<Element | null>, eager: boolean): boolean {
	const [arrived, setArrived] = useState(eager);
	const near = arrived || eager;
	useEffect(() => {
		if (near || element.current === null) return;
		return watch(element.current, () => setArrived(true));
	}, [element, near]);
	return near;
}
