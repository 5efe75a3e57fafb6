/** A count against its limit. The words beside it say the same, so it is not announced. */
import type { BreakerLevel } from '../../shared/words.ts';
import './meter.css';

const WIDTH = 72;

/** The tick is the limit; what lies right of it is too much. */
export function Meter({ count, limit, level }: { count: number; limit: number; level: BreakerLevel }) {
	const whole = Math.max(count, limit * 1.25, Number.EPSILON);
	const filled = Math.max(0, Math.min(WIDTH, (count / whole) * WIDTH));
	const tick = Math.round((limit / whole) * WIDTH);
	return (
		<svg
			className={`meter level-${level}`}
			width={WIDTH}
			height="10"
			viewBox={`0 0 ${WIDTH} 10`}
			aria-hidden="true"
		>
			<rect className="meter-rail" x="0" y="4" width={WIDTH} height="2" />
			<rect x="0" y="3" width={filled} height="4" />
			<rect className="meter-tick" x={tick - 1} y="0" width="2" height="10" />
		</svg>
	);
}
