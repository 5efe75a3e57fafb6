/** Before the first picture: nothing for a moment, then what may be wrong. */
import { useFloor } from '../../store/floor-context.tsx';
import { useTimed } from '../../widgets/age.tsx';

/** A start takes about this long; sooner, a hint would only flash. */
const HINT_AFTER_MS = 5000;

export function Unreached() {
	const connection = useFloor((state) => state.connection);
	const late = useTimed((now) => now - connection.since > HINT_AFTER_MS);
	if (!late || connection.state === 'connected' || connection.state === 'refused') return null;
	return (
		<div className="unreached">
			<h2>The engine does not answer</h2>
			<p>
				Agents connected by hooks work on; this window only cannot see them. Agents that talk through the
				gateway cannot reach their provider until the floor is back.
			</p>
			<p>
				Start the floor with <code className="mono">npm start</code>, and open the address it prints: it
				carries the key that this window needs. This page tries again by itself.
			</p>
		</div>
	);
}
