import { costWords, exactNumber } from '../../../shared/format.ts';
import type { UsageView } from '../../../shared/usage-view.ts';
import { Ago } from '../../widgets/age.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

interface UsageTableProps {
	usage: UsageView | null;
	outputTokensPerMinute: number | null;
}

/** Every number apart: what was worked, what was only read back from the cache, what it cost and how old that is. */
export function UsageTable({ usage, outputTokensPerMinute }: UsageTableProps) {
	if (usage === null) return <p className="quiet">No usage read yet.</p>;
	const rows: readonly (readonly [string, number])[] = [
		['Input', usage.input],
		['Output', usage.output],
		['Cache written', usage.cacheCreation],
		['Work (the sum, what caps count)', usage.work],
		['Cache reads (not counted as work)', usage.cacheRead],
	];
	return (
		<table className="facts-table">
			<tbody>
				{rows.map(([words, tokens]) => (
					<tr key={words}>
						<th scope="row">{words}</th>
						<td>{exactNumber(tokens)} tokens</td>
					</tr>
				))}
				<tr>
					<th scope="row">Output now</th>
					<td>
						{outputTokensPerMinute === null
							? 'not known'
							: `${exactNumber(Math.round(outputTokensPerMinute))} tokens/min`}
					</td>
				</tr>
				<tr>
					<th scope="row">Cost</th>
					<td>
						{costWords(usage)}{' '}
						{usage.unpricedModels.length > 0 && (
							<span className="quiet">
								(no price known for <Untrusted text={usage.unpricedModels.join(', ')} />)
							</span>
						)}
					</td>
				</tr>
				<tr>
					<th scope="row">Read</th>
					<td>
						<Ago at={usage.asOf} />
					</td>
				</tr>
			</tbody>
		</table>
	);
}
