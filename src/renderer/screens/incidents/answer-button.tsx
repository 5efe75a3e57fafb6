/** The way from an incident to where it is answered, or to the card that tells more. */
import { useFloorContext } from '../../store/floor-context.tsx';
import type { AnswerPlace } from '../../store/incident-list.ts';
import { setDecisionSize } from '../../store/view-store.ts';
import { focusDecision } from '../../widgets/decision-focus.ts';

interface AnswerButtonProps {
	answer: AnswerPlace;
	asks: boolean;
	/** Fit to be drawn. */
	title: string;
	tabIndex: number;
}

export function AnswerButton({ answer, asks, title, tabIndex }: AnswerButtonProps) {
	const { view } = useFloorContext();
	const words = answer.kind === 'chain' ? 'Rate limits' : asks ? 'Decide' : 'Show';
	const go = () => {
		if (answer.kind === 'chain') {
			const { chainId } = answer;
			view.setState({ dialog: { kind: 'models', ...(chainId === null ? {} : { chainId }) } });
			return;
		}
		if (answer.kind === 'popup') setDecisionSize(view, answer.id, 'large');
		// The plate may only be there after it is large.
		requestAnimationFrame(() => focusDecision(answer.id));
	};
	return (
		<button
			type="button"
			className={asks && answer.kind !== 'chain' ? 'button button-main' : 'button'}
			aria-label={`${words}: ${title}`}
			tabIndex={tabIndex}
			data-testid="incident-answer"
			onClick={go}
		>
			{words}
		</button>
	);
}
