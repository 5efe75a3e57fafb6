/** Which programs of this machine the floor hears, and what they can be pointed at. */
import { type ReactNode, useEffect, useState } from 'react';
import type { Connection, Connections } from '../../../shared/connection-view.ts';
import { hookClientSchema } from '../../../shared/words.ts';
import { count } from '../../store/failover-words.ts';
import { useFailover, useStatus, useView } from '../../store/floor-context.tsx';
import { useRequest } from '../../store/use-request.ts';
import { Failure } from '../../widgets/failure.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { PageFrame } from '../../widgets/page-frame.tsx';
import { LocalModelList, LocalServerList } from '../tier/local-lists.tsx';
import { CopyLine } from './copy-line.tsx';
import { GatewayGuides } from './gateway-guides.tsx';
import { ProgramRow } from './program-row.tsx';
import { PullModel } from './pull-model.tsx';
import { useConnections } from './use-connections.ts';
import './connections-page.css';

export function ConnectionsPage() {
	const { connections, error, reading, read } = useConnections();
	const status = useStatus();
	useSection();
	return (
		<PageFrame
			title="Connections"
			description="Which programs of this machine the floor hears, and what they can be pointed at."
			testId="connections-page"
			tools={
				<button type="button" className="button" aria-busy={reading} onClick={read}>
					{reading ? 'Looking…' : 'Look again'}
				</button>
			}
		>
			{error && <Failure error={error} />}
			<Programs
				connections={connections ?? (error === null ? null : known(status?.hooks))}
				onChanged={read}
			/>
			<Section id="gateway">
				<GatewayGuides address={connections?.gatewayAddress ?? status?.address ?? null} />
			</Section>
			<Section id="local">
				<LocalServers />
			</Section>
			{status && (
				<Section id="telemetry">
					<div className="connection-section">
						<h3>Telemetry</h3>
						<p className="soft">
							Claude Code can send its own figures here, over OTLP; they are counted beside its log.{' '}
							<code className="mono">agent-floor telemetry</code> prints the lines for its shell, with the
							token.
						</p>
						<CopyLine text={`${status.address}/otlp`} what="the address for telemetry" />
					</div>
				</Section>
			)}
		</PageFrame>
	);
}

/** What the floor's status says of every program, where nothing else could be read. */
function known(hooks: Readonly<Record<string, Connection['status']>> | undefined): Connections {
	const clients = hookClientSchema.options.map((client) => ({
		client,
		found: true,
		foundAt: '',
		status: hooks?.[client] ?? 'unknown',
		file: '',
		problem: '',
		lastHeardAt: null,
		agents: 0,
	}));
	return { clients, gatewayAddress: '' };
}

interface ProgramsProps {
	/** `null`: not read yet. */
	connections: Connections | null;
	/** Only whether they are connected is known. */
	bare?: boolean;
	onChanged: () => void;
}

/** Those that are here first; the rest is folded. */
export function Programs({ connections, bare = false, onChanged }: ProgramsProps) {
	const [all, setAll] = useState(false);
	const clients = connections?.clients ?? [];
	// One that was connected and is gone still shows, so that it can be disconnected.
	const here = clients.filter(({ found, status }) => found || status === 'installed' || status === 'partly');
	const rest = clients.filter((client) => !here.includes(client));
	const row = (connection: Connection) => (
		<ProgramRow key={connection.client} connection={connection} bare={bare} onChanged={onChanged} />
	);
	return (
		<section className="connection-section" data-section="programs" aria-labelledby="connections-programs">
			<h3 id="connections-programs" tabIndex={-1}>
				Agent programs
			</h3>
			<p className="soft">
				Connecting adds the floor’s hooks to a program’s own settings file: you see the exact change first,
				the file is backed up, and disconnecting takes them out again. From then on each new session shows on
				the floor, is judged by the ladder, and can be steered, held and stopped from here.
			</p>
			{connections === null && <p className="quiet">Looking at this machine…</p>}
			{connections !== null && here.length === 0 && <p>No agent program was found on this machine.</p>}
			<ul className="programs">{here.map(row)}</ul>
			{rest.length > 0 && (
				<>
					<button
						type="button"
						className="button button-bare programs-more"
						aria-expanded={all}
						data-testid="programs-not-found"
						onClick={() => setAll(!all)}
					>
						<Icon name="chevron" turned={all} /> {count(rest.length, 'program')} not found on this machine
					</button>
					{all && <ul className="programs">{rest.map(row)}</ul>}
				</>
			)}
		</section>
	);
}

function LocalServers() {
	const { capability, localServers } = useFailover((whole) => whole);
	const asking = useRequest();
	return (
		<div className="connection-section">
			<h3>Models on this machine</h3>
			<p className="soft">
				Where an agent goes on when its provider is lost. Servers are found by their usual ports, or those in
				the settings.
			</p>
			<LocalServerList servers={localServers} />
			<LocalModelList models={capability.localModels} local={capability.local} />
			{asking.error && <Failure error={asking.error} onDismiss={asking.forget} />}
			<p>
				<button
					type="button"
					className="button"
					aria-busy={asking.pending !== null}
					onClick={() => void asking.ask('refresh', 'failover:refresh', {})}
				>
					{asking.pending === null ? 'Look for servers and models' : 'Looking…'}
				</button>
			</p>
			<PullModel servers={localServers} />
		</div>
	);
}

function Section({ id, children }: { id: string; children: ReactNode }) {
	return (
		<div data-section={id} tabIndex={-1} className="connection-place">
			{children}
		</div>
	);
}

/** Goes to the section that the page was opened at. */
function useSection(): void {
	const section = useView(({ place }) => place?.section ?? null);
	useEffect(() => {
		if (section === null) return;
		const place = document.querySelector<HTMLElement>(`[data-section="${CSS.escape(section)}"]`);
		place?.scrollIntoView({ block: 'start' });
		place?.focus({ preventScroll: true });
	}, [section]);
}
