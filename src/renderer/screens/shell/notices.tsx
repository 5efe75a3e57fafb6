/** What is true of the whole floor and must not be overlooked. None of them goes away by itself. */
import { useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { useFloor, useFloorContext, useStatus } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import './notices.css';

export function Notices() {
	const status = useStatus();
	const failure = useFloor((state) => state.failure);
	const connection = useFloor((state) => state.connection.state);
	return (
		<section className="notices" aria-label="Notices">
			{connection === 'disconnected' && (
				<p className="notice notice-grave">
					<strong>This window cannot reach the engine.</strong> If the engine is down, agents connected by
					hooks work on and nothing is refused. Agents that talk through the gateway cannot reach their
					provider until the floor is back. The window tries again by itself.
				</p>
			)}
			{connection === 'refused' && (
				<p className="notice notice-grave">
					<strong>This floor wants its window opened again.</strong> It was restarted with another key, or
					this browser lost its own. Run <code className="mono">agent-floor open</code> (in a clone:{' '}
					<code className="mono">npm run --silent agent-floor -- open</code>) and open the address it prints.
				</p>
			)}
			{failure && connection === 'connected' && <Failure error={failure} />}
			{status && !status.breakerEnabled && (
				<p className="notice notice-aware">
					<strong>The ladder is off.</strong> Agents are shown, none is judged. Your own orders still hold.
				</p>
			)}
			{status?.demo && <DemoNotice />}
		</section>
	);
}

function DemoNotice() {
	const { transport } = useFloorContext();
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const stop = () => {
		setError(null);
		transport.request('demo:stop', {}).catch((cause: unknown) => setError(channelErrorOf(cause)));
	};
	return (
		<>
			<div className="notice notice-demo" data-testid="demo-notice">
				<p>
					<strong>This is the demo.</strong> Agents marked “demo” are played, none of them is real.
				</p>
				<button type="button" className="button" onClick={stop}>
					Stop the demo
				</button>
			</div>
			{error && <Failure error={error} onDismiss={() => setError(null)} />}
		</>
	);
}
