/** The name of an agent: a button that opens it while it is on the floor, plain text afterwards. */
import { useAgent, useFloorContext } from '../store/floor-context.tsx';
import { Untrusted } from './untrusted.tsx';
import './agent-name.css';

/** Longest name, characters. */
const LIMIT = 80;

interface AgentNameProps {
	agentId: string;
	/** As it was called, for when it is not on the floor any more. */
	name: string;
	/** Of the button: a list that is walked with the arrow keys has one stop only. */
	tabIndex?: number;
}

export function AgentName({ agentId, name, tabIndex }: AgentNameProps) {
	const { view } = useFloorContext();
	const agent = useAgent(agentId);
	if (agent === null) {
		return (
			<span title="No longer on the floor">
				<Untrusted text={name} limit={LIMIT} line />
			</span>
		);
	}
	return (
		<button
			type="button"
			className="agent-name-button"
			data-testid="agent-name"
			tabIndex={tabIndex}
			onClick={() => view.setState({ drawerAgentId: agentId, activeAgentId: agentId })}
		>
			<Untrusted text={agent.name || name} limit={LIMIT} line />
		</button>
	);
}
