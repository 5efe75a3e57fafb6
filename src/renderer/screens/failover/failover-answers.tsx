/** The answers to a lost provider. Each keeps its place and its words: what cannot be pressed now is only barred. */
import { DropdownMenu } from 'radix-ui';
import type { FailoverPopup } from '../../../shared/failover-view.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useFloorContext, useLostSince } from '../../store/floor-context.tsx';
import type { Asking } from '../../store/use-request.ts';
import { useSettled } from '../../store/use-settled.ts';
import { setDecisionSize } from '../../store/view-store.ts';
import { leaveAnswered } from '../../widgets/decision-focus.ts';
import { Icon } from '../../widgets/icon.tsx';
import { heldAgents } from './held-turns.tsx';
import '../../widgets/menu.css';

/** A recommendation that has just changed was not read yet: for so long [Switch & continue] does nothing, ms. */
const READ_MS = 800;

interface FailoverAnswersProps {
	popup: FailoverPopup;
	asking: Asking;
	/** Id of the list of models that `choosing` shows. */
	choiceId: string;
	choosing: boolean;
	/** Every held turn. */
	onSwitch: (modelId: string) => void;
	onToggleChoice: () => void;
}

export function FailoverAnswers(props: FailoverAnswersProps) {
	const { popup, asking, choiceId, choosing, onSwitch, onToggleChoice } = props;
	const { view } = useFloorContext();
	const lost = useLostSince() !== null;
	const { id, turns, candidates, waiting } = popup;
	const best = candidates[0] ?? null;
	const read = useSettled(best?.modelId ?? '', READ_MS);
	if (turns.length === 0) return null;
	const barred = lost || asking.pending !== null;
	// A local model that stays silent can be overruled: only the same answer again has nothing to act on.
	const going = turns.every(({ state }) => state === 'switching');
	const canSwitch = best !== null && read && !going && !barred;
	const canWait = !waiting && !barred;
	const wait = async () => {
		if ((await asking.ask('wait', 'failover:wait', { popupId: id })) === null) return;
		leaveAnswered(id);
		setDecisionSize(view, id, null);
	};
	const queue = async (agentId?: string) => {
		const input = { popupId: id, ...(agentId === undefined ? {} : { agentId }) };
		if ((await asking.ask('queue', 'failover:queue', input)) !== null) leaveAnswered(id);
	};
	return (
		<div className="decision-buttons">
			<button
				type="button"
				className="button button-large button-main"
				data-decision-stop
				data-testid="failover-switch"
				title={best ? undefined : 'No local model can take what is held'}
				aria-disabled={!canSwitch}
				aria-busy={best !== null && asking.pending === `switch ${best.modelId} `}
				onClick={() => canSwitch && onSwitch(best.modelId)}
			>
				{going ? 'Going on locally…' : 'Switch & continue'}
			</button>
			<button
				type="button"
				className="button button-large"
				data-testid="failover-choose"
				aria-expanded={choosing}
				aria-controls={choosing ? choiceId : undefined}
				onClick={onToggleChoice}
			>
				{best ? 'Choose another…' : 'Why none fits…'}
			</button>
			<button
				type="button"
				className="button button-large"
				data-testid="failover-wait"
				aria-disabled={!canWait}
				aria-busy={asking.pending === 'wait'}
				onClick={() => canWait && void wait()}
			>
				{waiting ? 'Waiting for network' : 'Wait for network'}
			</button>
			<button
				type="button"
				className="button button-large"
				data-testid="failover-queue"
				title="Ends the held turns with a clear message and sends them when the provider is back"
				aria-disabled={barred}
				aria-busy={asking.pending === 'queue'}
				onClick={() => !barred && void queue()}
			>
				Queue for retry
			</button>
			{heldAgents(turns).length > 1 && !lost && (
				<QueueMenu popup={popup} onQueue={(agentId) => void queue(agentId)} />
			)}
		</div>
	);
}

interface QueueMenuProps {
	popup: FailoverPopup;
	onQueue: (agentId: string) => void;
}

/** One agent's turn by itself; every turn has its own button. */

function QueueMenu({ popup: { turns }, onQueue }: QueueMenuProps) {
	const agents = heldAgents(turns);
	return (
		<DropdownMenu.Root modal={false}>
			<DropdownMenu.Trigger
				className="button button-large"
				aria-label="More answers"
				title="More answers"
				data-testid="failover-more"
			>
				<Icon name="more" />
			</DropdownMenu.Trigger>
			<DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
				{agents.map(({ agentId, name }) => (
					<DropdownMenu.Item key={agentId} className="menu-item menu-plain" onSelect={() => onQueue(agentId)}>
						Queue for retry: only {visibleText(name, { limit: 60 })}
					</DropdownMenu.Item>
				))}
			</DropdownMenu.Content>
		</DropdownMenu.Root>
	);
}
