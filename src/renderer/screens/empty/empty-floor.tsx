/** A floor without agents teaches: what this is, what the ladder does, how the first agent comes here. */
import { useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { clientWords, levelMeanings } from '../../../shared/format.ts';
import { breakerLevelSchema, hookClientSchema } from '../../../shared/words.ts';
import { useFloorContext, useStatus } from '../../store/floor-context.tsx';
import { openPage } from '../../store/page-link.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import { HooksPanel } from '../../widgets/hooks-panel.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';
import { SeenSessions } from '../seen/seen-sessions.tsx';
import './empty-floor.css';

/** "Codex, Gemini CLI and Copilot CLI". */
const otherPrograms = new Intl.ListFormat('en-GB').format(
	hookClientSchema.options.filter((client) => client !== 'claude-code').map(clientWords),
);

export function EmptyFloor() {
	const { view } = useFloorContext();
	const connected = useStatus()?.hooks['claude-code'] === 'installed';
	// Whoever connects here sees the result here, also when the floor already knows of it.
	const [connecting] = useState(!connected);
	return (
		<div className="empty" data-testid="empty-floor">
			<section className="empty-lead">
				<h2>{connected ? 'Connected: waiting for the first session' : 'No agent is on the floor yet'}</h2>
				<p className="soft">
					Agent Floor shows every coding agent you run, notices when one goes in circles, and lets you steer,
					limit or stop it, with the evidence in view.
				</p>
			</section>
			<section className="empty-steps">
				{connected ? (
					<p>
						Start <code className="mono">claude</code> in any directory: it appears here by itself. A session
						that was open before the connection appears once it is restarted.
					</p>
				) : (
					<p>
						Connecting adds hooks to Claude Code’s settings. You see the exact change first, and{' '}
						<em>Disconnect</em> in the settings takes it out again.
					</p>
				)}
				{connecting && <HooksPanel main />}
				<p className="soft" data-testid="empty-programs">
					{otherPrograms} are connected in the same way:{' '}
					<button type="button" className="button" onClick={() => openPage(view, 'connections')}>
						Settings → Agent programs
					</button>
				</p>
				<p className="soft" data-testid="empty-gateway">
					An agent that talks through the gateway goes on, on a model of this machine, when its provider is
					lost:{' '}
					<button
						type="button"
						className="button"
						onClick={() => openPage(view, 'connections', { section: 'gateway' })}
					>
						Settings → Gateway
					</button>
				</p>
				<PlayDemo />
			</section>
			<div className="empty-seen">
				<SeenSessions />
			</div>
			<section className="empty-ladder" aria-label="The ladder">
				<h3>The ladder an agent climbs while it goes wrong, one rung a beat, and comes down by itself</h3>
				<dl>
					{breakerLevelSchema.options.toReversed().map((level) => (
						<div key={level}>
							<dt>
								<LevelMark level={level} />
							</dt>
							<dd>{levelMeanings[level]}</dd>
						</div>
					))}
				</dl>
			</section>
		</div>
	);
}

function PlayDemo() {
	const { transport } = useFloorContext();
	const [asking, setAsking] = useState(false);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const play = async () => {
		if (asking) return;
		setAsking(true);
		setError(null);
		try {
			await transport.request('demo:start', {});
		} catch (cause) {
			setError(channelErrorOf(cause));
		}
		setAsking(false);
	};
	return (
		<div className="empty-demo">
			<p className="soft">Or look first: a few played agents work, loop, fail, wait and compact.</p>
			<button
				type="button"
				className="button button-large"
				data-testid="play-demo"
				aria-busy={asking}
				onClick={() => void play()}
			>
				Play the demo
			</button>
			{error && <Failure error={error} onDismiss={() => setError(null)} />}
		</div>
	);
}
