/** A look at the floor before anything is connected. */
import { useRequest } from '../../store/use-request.ts';
import { Failure } from '../../widgets/failure.tsx';

export function PlayDemo() {
	const asking = useRequest();
	return (
		<div className="empty-demo">
			<p className="soft">Or look first: a few played agents work, loop, fail, wait and compact.</p>
			<button
				type="button"
				className="button button-large"
				data-testid="play-demo"
				aria-busy={asking.pending !== null}
				onClick={() => void asking.ask('demo', 'demo:start', {})}
			>
				Play the demo
			</button>
			{asking.error && <Failure error={asking.error} onDismiss={asking.forget} />}
		</div>
	);
}
