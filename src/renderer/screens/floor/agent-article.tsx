/** What a row and a card have in common: the article with what tests and keys hold on to, and the agent's name and place. */
import type { ReactNode } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import type { AgentGroup } from '../../../shared/attention.ts';
import { clientWords, modelWords, spanWords } from '../../../shared/format.ts';
import { cloudStandIn } from '../../../shared/model-words.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { isGatewayOnly } from '../../store/gateway-only.ts';
import { useTimed } from '../../widgets/age.tsx';
import { Untrusted, UntrustedPath } from '../../widgets/untrusted.tsx';

/** Where an agent stands among all that are not folded away, drawn or not. */
export interface Place {
	/** From 1. */
	readonly position: number;
	readonly of: number;
}

/** What the list says to each of its agents. */
export interface AgentProps {
	agentId: string;
	/** Tab comes to this one; the arrows move on from it. */
	tabStop: boolean;
	position: number;
	of: number;
}

interface AgentArticleProps extends Place {
	agent: AgentView;
	group: AgentGroup;
	className: string;
	/** Id of the element with its name. */
	nameId: string;
	children: ReactNode;
}

export function AgentArticle({ agent, group, className, nameId, position, of, children }: AgentArticleProps) {
	return (
		<article
			className={`agent ${className} agent-in-${group}`}
			aria-labelledby={nameId}
			aria-posinset={position}
			aria-setsize={of}
			data-testid="agent-card"
			data-agent-id={agent.id}
			data-level={agent.level}
			data-standing={agent.standing}
			data-state={agent.state.kind}
			data-group={group}
		>
			{children}
		</article>
	);
}

/** The name is the button that opens the agent; the whole row or card answers to it. */
export function AgentName({
	agent,
	nameId,
	tabStop,
}: {
	agent: AgentView;
	nameId: string;
	tabStop: boolean;
}) {
	const { view } = useFloorContext();
	return (
		<button
			type="button"
			id={nameId}
			className="agent-name"
			tabIndex={tabStop ? 0 : -1}
			onClick={() => view.setState({ drawerAgentId: agent.id, activeAgentId: agent.id })}
		>
			<Untrusted text={agent.name} line />
		</button>
	);
}

export function AgentPlace({ agent }: { agent: AgentView }) {
	return (
		<p className="agent-place">
			{cloudStandIn(agent.served) !== null && <span className="nowrap">{clientName(agent.client)}</span>}
			{isGatewayOnly(agent) ? 'seen through the gateway only' : <UntrustedPath path={agent.directory} />}
		</p>
	);
}

/**
 * "Claude Code, cloud · sonnet-4-5": who answers its calls where that is known, else the model it names itself. A
 * local one has its own mark, and "cloud" is only said where there is room.
 */
export function AgentKind({ agent: { client, model, served } }: { agent: AgentView }) {
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
