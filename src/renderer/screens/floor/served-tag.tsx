/**
 * Marks an agent whose answers come, or will come, from a model on this machine, or from another one than it asked for.
 * A cloud answer of the model it asked for needs no mark.
 */
import type { AgentView } from '../../../shared/agent-view.ts';
import { spanWords } from '../../../shared/format.ts';
import { cloudStandIn } from '../../../shared/model-words.ts';
import { count } from '../../store/failover-words.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import { ModelTag } from '../../widgets/model-tag.tsx';
import { StandInTag } from '../models/stand-in-tag.tsx';

/** `tabStop`: Tab comes to what of it can be pressed. */
export function ServedTag({ agent: { id, served }, tabStop }: { agent: AgentView; tabStop: boolean }) {
	const { clock } = useFloorContext();
	const route = useFailover(({ routes }) => routes.find(({ agentId }) => agentId === id));
	const local = served?.harness === 'local' ? served : null;
	const standIn = cloudStandIn(served);
	if (standIn && !route) return <StandInTag served={standIn} tabStop={tabStop} />;
	if (!local && !route) return null;
	const model = local?.model ?? modelOf(route?.modelId ?? '');
	const now = clock.now();
	const said: string[] = [];
	if (local) said.push(`A model on this machine answers it, since ${spanWords(now - local.since)}`);
	if (route) {
		const so = `${count(route.turns, 'turn')} so far`;
		said.push(`Its session runs locally until ${route.providerId} is back, ${so}`);
	}
	return (
		<span className="served" data-testid="served-badge" data-harness="local" title={said.join('. ')}>
			<ModelTag harness="local" model={model} />
		</span>
	);
}

/** The name in `<serverId>/<model>`. */
function modelOf(modelId: string): string {
	return modelId.slice(modelId.indexOf('/') + 1);
}
