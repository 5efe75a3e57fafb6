/** The way to what everybody took, with what today cost where that is known. */
import { costParts, costWords, exactNumber } from '../../../shared/format.ts';
import { useFloorContext, useFloorUsage } from '../../store/floor-context.tsx';
import { NavWords } from '../shell/nav-words.tsx';

export function UsageEntry() {
	const { view } = useFloorContext();
	const today = useFloorUsage()?.today ?? null;
	const title =
		today === null
			? 'Tokens and cost; today’s are not known yet'
			: `Today: ${exactNumber(today.work)} work tokens, ${costWords(today)}`;
	const cost = costParts(today).amount;
	return (
		<button
			type="button"
			className="nav-item"
			title={title}
			data-testid="usage-entry"
			onClick={() => view.setState({ dialog: { kind: 'usage' } })}
		>
			<NavWords
				icon="usage"
				count={
					today !== null &&
					today.costUsd !== null && (
						<span className="nav-figure">
							<b>{cost}</b>
							<span className="unseen"> today</span>
						</span>
					)
				}
			>
				Usage
			</NavWords>
		</button>
	);
}
