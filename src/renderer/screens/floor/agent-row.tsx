/**
 * One agent on the floor: a two-line row while it is quiet, a plate with its evidence open while it asks for
 * attention. It listens to its own agent only.
 */
import { memo, useId, useRef, useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { type AgentWait, groupOnFloor, isHeld } from '../../../shared/attention.ts';
import {
	clientWords,
	costParts,
	modelWords,
	orderWords,
	spanWords,
	stateWords,
} from '../../../shared/format.ts';
import { cloudStandIn } from '../../../shared/model-words.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { restingCap } from '../../store/caps.ts';
import { useAgent, useAgentWait, useFloorContext, useView } from '../../store/floor-context.tsx';
import { isGatewayOnly } from '../../store/gateway-only.ts';
import { localWords } from '../../store/usage-words.ts';
import { setAsked } from '../../store/view-store.ts';
import { Span, useTimed } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';
import { StateGlyph } from '../../widgets/state-glyph.tsx';
import { TokenCount } from '../../widgets/token-count.tsx';
import { ToolCall } from '../../widgets/tool-call.tsx';
import { Untrusted, UntrustedPath } from '../../widgets/untrusted.tsx';
import { AgentButtons } from './agent-buttons.tsx';
import { AgentFacts } from './agent-facts.tsx';
import { AgentWhy } from './agent-why.tsx';
import { CapButtons, RaisedCapNote } from './cap-remedy.tsx';
import { ServedTag } from './served-tag.tsx';
import { useNear } from './use-near.ts';
import { WaitLine } from './wait-line.tsx';
import './agent-row.css';
import './agent-row-narrow.css';

const plateGroups: ReadonlySet<string> = new Set(['needs-you', 'stopped', 'constrained', 'steering']);

interface AgentRowProps {
	agentId: string;
	/** Tab comes to this one; the arrows move on from it. */
	tabStop: boolean;
	/** Drawn whole at once, wherever it is. */
	eager: boolean;
}

export const AgentRow = memo(function AgentRow({ agentId, tabStop, eager }: AgentRowProps) {
	const { view } = useFloorContext();
	const agent = useAgent(agentId);
	const wait = useAgentWait(agentId);
	const nameId = useId();
	const row = useRef<HTMLElement>(null);
	const near = useNear(row, eager);
	if (agent === null) return null;
	const group = groupOnFloor(agent, wait);
	const plate = plateGroups.has(group);
	// Its mark says which models, and takes their place.
	const standsIn = cloudStandIn(agent.served) !== null;
	return (
		<article
			ref={row}
			className={`agent ${plate ? 'agent-plate' : 'agent-line'} agent-in-${group}`}
			aria-labelledby={nameId}
			data-testid="agent-card"
			data-agent-id={agent.id}
			data-level={agent.level}
			data-standing={agent.standing}
			data-state={agent.state.kind}
			data-group={group}
		>
			{near && <Standing agent={agent} />}
			<div className="agent-who">
				<h3>
					<button
						type="button"
						id={nameId}
						className="agent-name"
						tabIndex={tabStop ? 0 : -1}
						onClick={() => view.setState({ drawerAgentId: agent.id, activeAgentId: agent.id })}
					>
						<Untrusted text={agent.name} line />
					</button>
					{agent.demo && <span className="tag">demo</span>}
					{near && <ServedTag agent={agent} tabStop={tabStop} />}
					{!standsIn && (
						<span className="agent-kind">
							<AgentKind agent={agent} />
						</span>
					)}
				</h3>
				<p className="agent-place">
					{standsIn && <span className="nowrap">{clientName(agent.client)}</span>}
					{isGatewayOnly(agent) ? 'seen through the gateway only' : <UntrustedPath path={agent.directory} />}
				</p>
			</div>
			{near && <RowBody agent={agent} wait={wait} plate={plate} nameId={nameId} tabStop={tabStop} />}
		</article>
	);
});

interface RowBodyProps {
	agent: AgentView;
	wait: AgentWait | undefined;
	plate: boolean;
	nameId: string;
	tabStop: boolean;
}

function RowBody({ agent, wait, plate, nameId, tabStop }: RowBodyProps) {
	const { view } = useFloorContext();
	const asked = useView((state) => state.asked.get(agent.id));
	const resting = restingCap(agent);
	return (
		<>
			<div className="agent-now">
				{wait && agent.state.kind !== 'exited' ? (
					<WaitLine wait={wait} decidable />
				) : (
					<StateLine agent={agent} />
				)}
				{isAsking(agent) && !wait && <p className="agent-where">answer it in its own terminal</p>}
				<Doing agent={agent} />
			</div>
			<Spend agent={agent} />
			{plate && <AgentWhy agent={agent} labelledBy={nameId} tabStop={tabStop} />}
			<div className="agent-foot">
				<AgentFacts agent={agent} withOffers />
				<AgentButtons agent={agent} asked={asked} labelledBy={nameId} tabStop={tabStop} />
			</div>
			<div className="agent-failure">
				{resting && agent.state.kind !== 'exited' && (
					<CapButtons agent={agent} passed={resting} labelledBy={nameId} tabStop={tabStop} />
				)}
				<RaisedCapNote agentId={agent.id} tabStop={tabStop} />
				{asked?.error && <Failure error={asked.error} onDismiss={() => setAsked(view, agent.id, null)} />}
			</div>
		</>
	);
}

/**
 * "Claude Code, cloud · sonnet-4-5": who answers its calls where that is known, else the model it names itself. A
 * local one has its own mark, and "cloud" is only said where there is room.
 */
function AgentKind({ agent: { client, model, served } }: { agent: AgentView }) {
	const cloud = served?.harness === 'cloud';
	const own = served?.harness === 'local' && served.model === model ? null : model;
	const named = cloud ? served.model : own;
	const since = useTimed((now) =>
		cloud ? `The cloud answers it, since ${spanWords(now - served.since)}` : '',
	);
	const shown = named === null ? clientName(client) : `${clientName(client)}, `;
	return (
		<span className="untrusted-line" title={since || undefined}>
			{shown}
			{cloud && <span className="agent-cloud">cloud · </span>}
			{named !== null && <Untrusted text={modelWords(named)} limit={80} />}
		</span>
	);
}

function clientName(client: string): string {
	return visibleText(clientWords(client), { limit: 60 });
}

/** A permission or a question that only the client itself can take the answer to; a stop or a failed turn is none. */
function isAsking({ state, standing, providerTrouble, demo }: AgentView): boolean {
	const failed = providerTrouble !== null && providerTrouble.at >= state.since;
	return state.kind === 'waiting' && state.needsYou && standing !== 'stopped' && !failed && !demo;
}

/** The rung that is enforced, who put it there, and since when. A change glows once. */
function Standing({ agent }: { agent: AgentView }) {
	const { standing, order, level, levelSince, state } = agent;
	const [seen, setSeen] = useState({ standing, changes: 0 });
	if (seen.standing !== standing) setSeen({ standing, changes: seen.changes + 1 });
	// There is no rung to stand on any more.
	if (state.kind === 'exited' && standing === 'healthy') return null;
	return (
		<div className="agent-level">
			<span key={seen.changes} className={seen.changes > 0 ? 'settling' : ''}>
				<LevelMark level={standing} word={isHeld(agent) ? 'held' : standing} />
			</span>
			{order ? (
				<span className="agent-by">{isHeld(agent) ? 'by you' : orderWords[order.kind]}</span>
			) : (
				level !== 'healthy' && (
					<span className="quiet">
						{state.kind === 'exited' ? (
							'when it ended'
						) : (
							<>
								for <Span since={levelSince} />
							</>
						)}
					</span>
				)
			)}
		</div>
	);
}

function StateLine({ agent }: { agent: AgentView }) {
	const { state } = agent;
	const words = useTimed((now) => stateWords(state, now));
	return (
		<p className={`agent-state ${state.needsYou ? 'agent-state-for-you' : ''}`}>
			<StateGlyph state={state} />
			<span className="agent-state-words">
				<Untrusted text={words} />{' '}
				{(state.kind === 'waiting' || state.kind === 'exited') && (
					<span className="agent-state-age">
						<Span since={state.since} />
					</span>
				)}
			</span>
		</p>
	);
}

/** The call in flight, else the last one. */
function Doing({ agent }: { agent: AgentView }) {
	const call = agent.doing ?? agent.lastTools[0];
	if (agent.compacting) return <p className="agent-doing">compacting its context</p>;
	if (!call) return agent.state.kind === 'live' && <p className="agent-doing quiet">no tool call seen yet</p>;
	return (
		<p className="agent-doing">
			<ToolCall call={call} />
		</p>
	);
}

function Spend({ agent }: { agent: AgentView }) {
	const { usage, outputTokensPerMinute, state } = agent;
	const cost = costParts(usage);
	return (
		<div className="agent-spend">
			<p className="spend-cost">
				<span className="unseen">Cost </span>
				<b>{cost.amount}</b>
				<small>{cost.note}</small>
			</p>
			<p className="spend-tokens figures">
				{usage && (
					<>
						<span>
							<TokenCount tokens={usage.work} /> work tokens
						</span>
						<small title={localWords(usage) || undefined}>
							<TokenCount tokens={usage.cacheRead} /> cache reads
						</small>
					</>
				)}
			</p>
			<p className="spend-rate figures">
				{outputTokensPerMinute !== null && state.kind !== 'exited' && (
					<>
						<span>
							<TokenCount tokens={outputTokensPerMinute} />
							/min
						</span>
						<small>output</small>
					</>
				)}
			</p>
		</div>
	);
}
