/** A floor without agents teaches: what this is, what the ladder does, how the first agent comes here. */
import { clientWords, levelMeanings } from '../../../shared/format.ts';
import { breakerLevelSchema, type HookClient, hookClientSchema } from '../../../shared/words.ts';
import { useFloorContext, useStatus } from '../../store/floor-context.tsx';
import { openPage } from '../../store/page-link.ts';
import { commandOf, HooksPanel } from '../../widgets/hooks-panel.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { useConnections } from '../connections/use-connections.ts';
import { SeenSessions } from '../seen/seen-sessions.tsx';
import { ConnectFound } from './connect-found.tsx';
import { PlayDemo } from './play-demo.tsx';
import './empty-floor.css';

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function EmptyFloor() {
	const { view } = useFloorContext();
	const hooks = useStatus()?.hooks;
	const connected = hookClientSchema.options.filter((client) => hooks?.[client] === 'installed');
	return (
		<div className="empty" data-testid="empty-floor">
			<section className="empty-lead">
				<h2>
					{connected.length > 0 ? 'Connected: waiting for the first session' : 'No agent is on the floor yet'}
				</h2>
				<p className="soft">
					Agent Floor shows every coding agent you run, notices when one goes in circles, and lets you steer,
					limit or stop it, with the evidence in view.
				</p>
			</section>
			<section className="empty-steps" aria-label="First steps">
				{connected.length > 0 && <WaitsFor connected={connected} />}
				<Connecting />
				<p className="soft" data-testid="empty-gateway">
					An agent that talks through the gateway goes on, on a model of this machine, when its provider is
					lost:{' '}
					<button
						type="button"
						className="button"
						onClick={() => openPage(view, 'connections', { section: 'gateway' })}
					>
						Connections → Gateway
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

/** What happens next, and what does not. */
function WaitsFor({ connected }: { connected: readonly HookClient[] }) {
	const names = anyOf.format(connected.map(clientWords));
	return (
		<p data-testid="waits-for">
			Waiting for a session of {names}. Start{' '}
			{connected.map((client, at) => (
				<span key={client}>
					{at > 0 && ' or '}
					<code className="mono">{commandOf[client]}</code>
				</span>
			))}{' '}
			in any directory: it appears here by itself. A session that was open before appears once it is
			restarted.
		</p>
	);
}

/** What was found on this machine, to be connected at one go. */
function Connecting() {
	const { view } = useFloorContext();
	const { connections, error, read } = useConnections();
	const found = connections?.clients.filter((client) => client.found) ?? [];
	const elsewhere = (
		<button type="button" className="button" onClick={() => openPage(view, 'connections')}>
			All programs
		</button>
	);
	if (error !== null && connections === null) {
		return (
			<>
				<p className="soft">
					What is installed here could not be looked up: <Untrusted text={error.message} limit={300} />{' '}
					{elsewhere}
				</p>
				<HooksPanel main />
			</>
		);
	}
	if (connections === null) return <p className="quiet">Looking for agent programs on this machine…</p>;
	if (found.length === 0) {
		return (
			<p>
				No agent program was found on this machine. The floor knows{' '}
				{anyOf.format(hookClientSchema.options.map(clientWords))}: install one, then look again.{' '}
				<button type="button" className="button" onClick={read}>
					Look again
				</button>{' '}
				{elsewhere}
			</p>
		);
	}
	return (
		<>
			<ConnectFound found={found} onChanged={read} />
			<p className="soft" data-testid="empty-programs">
				Each one can be taken out again, with the change shown first: {elsewhere}
			</p>
		</>
	);
}
