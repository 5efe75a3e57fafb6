/** Settings: what each one means, its unit and default; and the connections of agent programs. */
import { useEffect, useRef, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { clientWords } from '../../../shared/format.ts';
import type { Settings } from '../../../shared/settings.ts';
import { hookClientSchema } from '../../../shared/words.ts';
import { useFloorContext, useStatus } from '../../store/floor-context.tsx';
import type { SettingsSection } from '../../store/view-store.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { HooksPanel } from '../../widgets/hooks-panel.tsx';
import { AgentCaps } from './agent-caps.tsx';
import { GatewayGuides } from './gateway-guides.tsx';
import { PullModel } from './pull-model.tsx';
import { SettingsForm } from './settings-form.tsx';
import './settings-dialog.css';

interface SettingsDialogProps {
	/** Where it opens; `null`: at its top. */
	section?: SettingsSection | null;
	/** The setting it opens at, dotted as in the file. */
	setting?: string | null;
}

export function SettingsDialog({ section = null, setting = null }: SettingsDialogProps) {
	const { transport, view } = useFloorContext();
	const status = useStatus();
	const [settings, setSettings] = useState<Settings | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	useEffect(() => {
		const end = transport.subscribe('settings:changed', setSettings);
		transport
			.request('settings:get', {})
			.then(setSettings, (cause: unknown) => setError(channelErrorOf(cause)));
		return end;
	}, [transport]);
	const gateway = useRef<HTMLDivElement>(null);
	const programs = useRef<HTMLDivElement>(null);
	const read = settings !== null;
	useEffect(() => {
		// Only then it has its place: the fields stand above it.
		if (!read || section === null) return;
		const place = section === 'gateway' ? gateway.current : programs.current;
		place?.scrollIntoView({ block: 'start' });
		place?.focus({ preventScroll: true });
	}, [read, section]);
	const body = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (!read || setting === null) return;
		const place = body.current?.querySelector(`[data-setting="${CSS.escape(setting)}"]`);
		place?.scrollIntoView({ block: 'center' });
		place?.querySelector<HTMLElement>('input:not(:disabled)')?.focus({ preventScroll: true });
	}, [read, setting]);
	const update = async (patch: Record<string, unknown>) => {
		setSettings(await transport.request('settings:update', patch));
	};
	return (
		<DialogFrame
			shape="wide"
			testId="settings-dialog"
			title="Settings"
			description="They take effect with the next beat, without a restart; the port alone with the next start."
			onClose={() => view.setState({ dialog: null })}
		>
			<div ref={body} className="dialog-body settings">
				{error && <Failure error={error} />}
				{settings && <SettingsForm settings={settings} update={update} />}
				{settings && <AgentCaps caps={settings.breaker.agentTokenCaps} update={update} />}
				<div ref={gateway} tabIndex={-1} className="settings-section">
					<GatewayGuides />
				</div>
				{settings && <PullModel servers={settings.localServers} />}
				<div ref={programs} tabIndex={-1} className="settings-section">
					<section className="setting-group">
						<h3>Agent programs</h3>
						<ul className="programs">
							{hookClientSchema.options.map((client) => (
								<li key={client} className="program">
									<h4>{clientWords(client)}</h4>
									<HooksPanel client={client} />
								</li>
							))}
						</ul>
					</section>
				</div>
				{status && (
					<section className="setting-group">
						<h3>This floor</h3>
						<dl className="settings-facts">
							<dt>Version</dt>
							<dd>{status.version}</dd>
							<dt>Address</dt>
							<dd className="mono">{status.address}</dd>
							<dt>Data</dt>
							<dd className="mono">{status.dataDirectory}</dd>
						</dl>
					</section>
				)}
			</div>
		</DialogFrame>
	);
}
