/** The answers to a lost provider. When nothing local fits, queuing stands where switching would. */
import { DropdownMenu } from 'radix-ui';
import type { FailoverPopup } from '../../../shared/failover-view.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import type { Asking } from '../../store/use-request.ts';
import { setDecisionSize } from '../../store/view-store.ts';
import { Icon } from '../../widgets/icon.tsx';
import { heldAgents } from './held-turns.tsx';
import '../../widgets/menu.css';

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
	const { id, turns, candidates, excluded, waiting } = popup;
	if (turns.length === 0) return null;
	const best = candidates[0];
	const busy = asking.pending !== null;
	// Every turn is on its way already: the answers would have nothing to act on.
	const settled = turns.every(({ state }) => state === 'switching' || state === 'retrying');
	const wait = async () => {
		if ((await asking.ask('wait', 'failover:wait', { popupId: id })) !== null)
			setDecisionSize(view, id, null);
	};
	const queue = (agentId?: string) =>
		void asking.ask('queue', 'failover:queue', {
			popupId: id,
			...(agentId === undefined ? {} : { agentId }),
		});
	return (
		<div className="decision-buttons">
			{best ? (
				<button
					type="button"
					className="button button-large button-main"
					data-decision-stop
					data-testid="failover-switch"
					aria-disabled={busy || settled}
					aria-busy={asking.pending === `switch ${best.modelId} `}
					onClick={() => !settled && onSwitch(best.modelId)}
				>
					{settled ? 'Going on locally…' : 'Switch & continue'}
				</button>
			) : (
				<button
					type="button"
					className="button button-large button-main"
					data-decision-stop
					data-testid="failover-queue"
					title="Ends the held turns with a clear message and sends them when the provider is back"
					aria-disabled={busy}
					aria-busy={asking.pending === 'queue'}
					onClick={() => queue()}
				>
					Queue for retry
				</button>
			)}
			{(best || excluded.length > 0) && (
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
			)}
			<button
				type="button"
				className="button button-large"
				data-testid="failover-wait"
				aria-disabled={busy || waiting}
				aria-busy={asking.pending === 'wait'}
				onClick={() => !waiting && void wait()}
			>
				{waiting ? 'Waiting for network' : 'Wait for network'}
			</button>
			{(best || heldAgents(turns).length > 1) && (
				<QueueMenu popup={popup} all={best !== undefined} onQueue={queue} />
			)}
		</div>
	);
}

interface QueueMenuProps {
	popup: FailoverPopup;
	/** Whether it offers to queue every turn; a button beside it may do so already. */
	all: boolean;
	onQueue: (agentId?: string) => void;
}

function QueueMenu({ popup: { turns }, all, onQueue }: QueueMenuProps) {
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
				{all && (
					<DropdownMenu.Item className="menu-item menu-plain" onSelect={() => onQueue()}>
						Queue for retry
					</DropdownMenu.Item>
				)}
				{agents.length > 1 &&
					agents.map(({ agentId, name }) => (
						<DropdownMenu.Item
							key={agentId}
							className="menu-item menu-plain"
							onSelect={() => onQueue(agentId)}
						>
							Queue for retry: only {visibleText(name, { limit: 60 })}
						</DropdownMenu.Item>
					))}
			</DropdownMenu.Content>
		</DropdownMenu.Root>
	);
}
