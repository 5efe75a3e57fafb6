/** Settings: what each one means, its unit and default; and the connections of agent programs. */
import { useEffect, useRef, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { clientWords } from '../../../shared/format.ts';
import type { Settings } from '../../../shared/settings.ts';
import { hookClientSchema } from '../../../shared/words.ts';
import { useFloorContext, useStatus, useView } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import { HooksPanel } from '../../widgets/hooks-panel.tsx';
import { PageFrame } from '../../widgets/page-frame.tsx';
import { AgentCaps } from './agent-caps.tsx';
import { GatewayGuides } from './gateway-guides.tsx';
import { PullModel } from './pull-model.tsx';
import { SettingsForm } from './settings-form.tsx';
import './settings-page.css';

export function SettingsPage() {
	const { transport } = useFloorContext();
	const setting = useView(({ place }) => place?.setting ?? null);
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
	const read = settings !== null;
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
		<PageFrame
			testId="settings-page"
			title="Settings"
			description="They take effect with the next beat, without a restart; the port alone with the next start."
		>
			<div ref={body} className="settings">
				{error && <Failure error={error} />}
				{settings && <SettingsForm settings={settings} update={update} />}
				{settings && <AgentCaps caps={settings.breaker.agentTokenCaps} update={update} />}
				<div className="settings-section">
					<GatewayGuides />
				</div>
				{settings && <PullModel servers={settings.localServers} />}
				<div className="settings-section">
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
		</PageFrame>
	);
}
