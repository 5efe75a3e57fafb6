/** Token caps for single agents, by id, session id, name or directory. Changes wait for the save bar like all others. */
import { type FormEvent, useId, useState } from 'react';
import { exactNumber } from '../../../shared/format.ts';
import { agentsOf } from '../../../shared/picture.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { count } from '../../store/failover-words.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { useTimed } from '../../widgets/age.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { type CapStanding, capStanding, editedCaps } from './cap-standing.ts';
import { numberOf } from './setting-draft.ts';
import { meaningOf } from './setting-fields.ts';

interface AgentCapsProps {
	caps: Readonly<Record<string, number>>;
	/** Not saved yet; `null` takes one away. */
	edits: Readonly<Record<string, number | null>>;
	onEdit: (caps: Readonly<Record<string, number | null>>) => void;
}

const standingWords: Readonly<Record<CapStanding, string>> = {
	agent: '',
	rule: 'meets no agent on the floor now',
	gone: 'its agent is gone',
};

export function AgentCaps({ caps, edits, onEdit }: AgentCapsProps) {
	const { floor } = useFloorContext();
	// Agents come and go; once a second is often enough for this.
	const standings = useTimed(() => {
		const agents = agentsOf(floor.getState().picture);
		return Object.keys({ ...caps, ...edits })
			.map((key) => capStanding(key, agents))
			.join(' ');
	}).split(' ');
	const keys = Object.keys({ ...caps, ...edits });
	const shown = editedCaps(caps, edits);
	const gone = keys.filter((key, at) => standings[at] === 'gone' && Object.hasOwn(shown, key));
	return (
		<div className="agent-caps" data-setting="breaker.agentTokenCaps">
			<h4>Caps for single agents</h4>
			<p className="soft">{meaningOf('breaker.agentTokenCaps')}. The most specific one wins.</p>
			<ul className="caps">
				{keys.map((key, at) => (
					<CapLine
						key={key}
						name={key}
						was={Object.hasOwn(caps, key) ? caps[key] : undefined}
						cap={Object.hasOwn(shown, key) ? shown[key] : undefined}
						standing={standings[at] as CapStanding}
						onEdit={onEdit}
					/>
				))}
			</ul>
			{gone.length > 0 && (
				<p>
					<button
						type="button"
						className="button"
						data-testid="clear-gone-caps"
						onClick={() => onEdit(Object.fromEntries(gone.map((key) => [key, null])))}
					>
						Clear {count(gone.length, 'cap')} of agents that are gone
					</button>
				</p>
			)}
			<AddCap onAdd={(name, tokens) => onEdit({ [name]: tokens })} />
		</div>
	);
}

interface CapLineProps {
	name: string;
	/** As saved; `undefined`: not saved yet. */
	was: number | undefined;
	/** As it would be; `undefined`: to be taken away. */
	cap: number | undefined;
	standing: CapStanding;
	onEdit: AgentCapsProps['onEdit'];
}

function CapLine({ name, was, cap, standing, onEdit }: CapLineProps) {
	const whose = visibleText(name, { limit: 80 });
	return (
		<li className={cap === undefined ? 'cap-cleared' : ''} data-cap-standing={standing}>
			<span className="cap-name">
				<Untrusted text={name} mono line />
				{standingWords[standing] !== '' && <span className="quiet">{standingWords[standing]}</span>}
			</span>
			<span className="nowrap">
				{exactNumber(cap ?? was ?? 0)} work tokens
				{cap !== was && (
					<span className="quiet">
						{cap === undefined ? ', to be cleared' : was === undefined ? ', new' : ', changed'}
					</span>
				)}
			</span>
			{cap === undefined && was !== undefined ? (
				<button
					type="button"
					className="button"
					aria-label={`Keep the cap of ${whose}`}
					onClick={() => onEdit({ [name]: was })}
				>
					Keep
				</button>
			) : (
				<button
					type="button"
					className="button"
					aria-label={`Remove the cap of ${whose}`}
					onClick={() => onEdit({ [name]: null })}
				>
					Remove
				</button>
			)}
		</li>
	);
}

function AddCap({ onAdd }: { onAdd: (name: string, tokens: number) => void }) {
	const [agent, setAgent] = useState('');
	const [cap, setCap] = useState('');
	const agentId = useId();
	const capId = useId();
	const tokens = numberOf(cap);
	const ready = agent.trim() !== '' && typeof tokens === 'number' && tokens > 0;
	const add = (event: FormEvent) => {
		event.preventDefault();
		if (!ready) return;
		onAdd(agent.trim(), tokens);
		setAgent('');
		setCap('');
	};
	return (
		<form className="caps-add" onSubmit={add}>
			<div>
				<label htmlFor={agentId} className="field-label">
					Agent
				</label>
				<input
					id={agentId}
					className="field"
					autoComplete="off"
					spellCheck={false}
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
					autoComplete="off"
					value={cap}
					onChange={(event) => setCap(event.currentTarget.value)}
				/>
			</div>
			<button type="submit" className="button button-large" disabled={!ready}>
				Add cap
			</button>
		</form>
	);
}
