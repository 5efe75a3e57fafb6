/** Whether something has been the same for a while. */
import { useEffect, useState } from 'react';

/** False for `ms` after `value` changed; what was there at first is settled. */
export function useSettled(value: string, ms: number): boolean {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		if (settled === value) return;
		const timer = setTimeout(() => setSettled(value), ms);
		return () => clearTimeout(timer);
	}, [settled, value, ms]);
	return settled === value;
}
