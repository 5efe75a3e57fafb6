/** An order that is chosen once: nothing changes places while one looks at it. What is new comes last. */
import { useState } from 'react';

/** `ids`: all there are now, in the order in which they would stand if they were drawn for the first time. */
export function useSteadyOrder(ids: readonly string[]): readonly string[] {
	const [known, setKnown] = useState(ids);
	const fresh = ids.filter((id) => !known.includes(id));
	const order = fresh.length === 0 ? known : [...known, ...fresh];
	if (order !== known) setKnown(order);
	return order.filter((id) => ids.includes(id));
}
