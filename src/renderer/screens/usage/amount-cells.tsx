import { costParts } from '../../../shared/format.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import type { UsageAmount } from '../../../shared/usage-view.ts';
import { TokenCount } from '../../widgets/token-count.tsx';

/** Two cells of a table: work tokens and what they cost. `null`: not known. */
export function AmountCells({ amount }: { amount: UsageAmount | null }) {
	if (amount === null) {
		return (
			<td colSpan={2} className="quiet">
				not known yet
			</td>
		);
	}
	const { amount: cost, note } = costParts(amount);
	const unpriced = amount.unpricedModels.join(', ');
	return (
		<>
			<td>
				<TokenCount tokens={amount.work} />
			</td>
			<td
				className="nowrap"
				title={unpriced === '' ? note || undefined : `No price is known for ${visibleText(unpriced)}`}
			>
				{cost}
			</td>
		</>
	);
}
