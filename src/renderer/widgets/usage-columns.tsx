/** Amounts of tokens and their cost side by side, by period. What is not known says so; it is never 0. */
import type { ReactNode } from 'react';
import { costParts, exactNumber } from '../../shared/format.ts';
import type { UsageAmount } from '../../shared/usage-view.ts';
import { unpricedIn } from '../store/usage-words.ts';
import { Untrusted } from './untrusted.tsx';
import './usage-columns.css';

export interface UsageColumn {
	readonly title: string;
	/** What is counted in it; short. */
	readonly scope: ReactNode;
	/** `null`: not known. */
	readonly amount: UsageAmount | null;
}

const parts = [
	['Input', 'input'],
	['Output', 'output'],
	['Cache written', 'cacheCreation'],
	['Work: the sum, what caps count', 'work'],
	['of them served on this machine, free', 'localWork'],
	['Cache reads, not counted as work', 'cacheRead'],
] as const satisfies readonly (readonly [string, keyof UsageAmount])[];

export function UsageColumns({ columns, label }: { columns: readonly UsageColumn[]; label: string }) {
	const amounts = columns.map(({ amount }) => amount);
	const local = amounts.some((amount) => amount !== null && amount.localWork > 0);
	const shown = parts.filter(([, part]) => part !== 'localWork' || local);
	return (
		<>
			{/* A scrolling region must be reachable by keyboard. */}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
			<section className="usage-columns-scroll" aria-label={label} tabIndex={0}>
				<table className="usage-columns">
					<thead>
						<tr>
							<th scope="col">Tokens</th>
							{columns.map(({ title, scope }) => (
								<th key={title} scope="col">
									{title} <small>{scope}</small>
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{shown.map(([words, part], row) => (
							<tr key={part} className={`usage-${part}`}>
								<th scope="row">{words}</th>
								{columns.map(({ title, amount }) =>
									amount === null ? (
										row === 0 && (
											<td key={title} className="quiet" rowSpan={shown.length + 1}>
												not known yet
											</td>
										)
									) : (
										<td key={title}>{exactNumber(amount[part])}</td>
									),
								)}
							</tr>
						))}
						<tr className="usage-cost">
							<th scope="row">Cost, US dollars</th>
							{columns.map(
								({ title, amount }) =>
									amount !== null && (
										<td key={title}>
											<Cost amount={amount} />
										</td>
									),
							)}
						</tr>
					</tbody>
				</table>
			</section>
			<Unpriced models={unpricedIn(amounts)} />
		</>
	);
}

function Cost({ amount }: { amount: UsageAmount }) {
	const { amount: shown, note } = costParts(amount);
	const bound = /^≥ (.*)$/.exec(shown)?.[1];
	return (
		<>
			{bound === undefined ? shown : `at least ${bound}`}
			{note === 'served on this machine' && <small>{note}</small>}
		</>
	);
}

/** Which models make a sum a lower bound. */
function Unpriced({ models }: { models: readonly string[] }) {
	if (models.length === 0) return null;
	return (
		<p className="soft" data-testid="unpriced">
			No price is known for <Untrusted text={models.join(', ')} limit={400} />: what they cost is not in these
			sums.
		</p>
	);
}
