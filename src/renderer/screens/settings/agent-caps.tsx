/** Token caps for single agents, by id, session id, name or directory. */
import { type FormEvent, useId, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { exactNumber } from '../../../shared/format.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { meaningOf, numberOf } from './setting-fields.ts';

interface AgentCapsProps {
	caps: Readonly<Record<string, number>>;
	update: (patch: Record<string, unknown>) => Promise<void>;
}

export function AgentCaps({ caps, update }: AgentCapsProps) {
	const [agent, setAgent] = useState('');
	const [cap, setCap] = useState('');
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const agentId = useId();
	const capId = useId();
	const tokens = numberOf(cap);
	const ready = agent.trim() !== '' && typeof tokens === 'number' && tokens > 0;
	const put = async (name: string, value: number | null) => {
		setError(null);
		try {
			await update({ breaker: { agentTokenCaps: { [name]: value } } });
			return true;
		} catch (cause) {
			setError(channelErrorOf(cause));
			return false;
		}
	};
	const add = async (event: FormEvent) => {
		event.preventDefault();
		if (!ready || !(await put(agent.trim(), tokens))) return;
		setAgent('');
		setCap('');
	};
	return (
		<section className="setting-group" data-setting="breaker.agentTokenCaps">
			<h3>Caps for single agents</h3>
			<p className="soft">{meaningOf('breaker.agentTokenCaps')}.</p>
			<ul className="caps">
				{Object.entries(caps).map(([name, value]) => (
					<li key={name}>
						<Untrusted text={name} mono line />
						<span className="nowrap">{exactNumber(value)} work tokens</span>
						<button
							type="button"
							className="button"
							aria-label={`Remove the cap of ${visibleText(name, { limit: 80 })}`}
							onClick={() => void put(name, null)}
						>
							Remove
						</button>
					</li>
				))}
			</ul>
			<form className="caps-add" onSubmit={add}>
				<div>
					<label htmlFor={agentId} className="field-label">
						Agent
					</label>
					<input
						id={agentId}
						className="field"
						value={agent}
						onChange={(event) => setAgent(event.currentTarget.value)}
					/>
				</div>
				<div>
					<label htmlFor={capId} className="field-label">
						Cap, work tokens
					</label>
					<input
						id={capId}
						className="field"
						inputMode="numeric"
						value={cap}
						onChange={(event) => setCap(event.currentTarget.value)}
					/>
				</div>
				<button type="submit" className="button button-large" disabled={!ready}>
					Add cap
				</button>
			</form>
			{error && <Failure error={error} onDismiss={() => setError(null)} />}
		</section>
	);
}
