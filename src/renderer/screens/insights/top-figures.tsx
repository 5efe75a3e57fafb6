/** Four figures of the period, each with what must be said with it. */
import type { ReactNode } from 'react';
import { compactNumber, costParts, exactNumber, spanWords } from '../../../shared/format.ts';
import type { Insights } from '../../../shared/insights-view.ts';
import type { UsageAmount } from '../../../shared/usage-view.ts';
import { count, shareWords } from '../../store/failover-words.ts';
import { precisionWords } from '../../store/insights-words.ts';
import { localWords } from '../../store/usage-words.ts';
import { Untrusted } from '../../widgets/untrusted.tsx';

interface TopFiguresProps {
	insights: Insights;
	/** Of all days. */
	total: UsageAmount;
}

export function TopFigures({ insights: { trips, reliability }, total }: TopFiguresProps) {
	const cost = costParts(total);
	const turns = reliability.days.reduce((sum, day) => sum + day.turns, 0);
	const fallback = reliability.days.reduce((sum, day) => sum + day.fallbackTurns, 0);
	const degraded = reliability.days.reduce((sum, day) => sum + day.degradedMs, 0);
	return (
		<dl className="figures-row" data-testid="insights-figures">
			<Figure title="Cost" value={cost.amount}>
				{total.unpricedModels.length > 0 ? (
					<>
						no price is known for <Untrusted text={total.unpricedModels.join(', ')} limit={120} />
					</>
				) : (
					cost.note || 'US dollars, by the prices of the models that served'
				)}
			</Figure>
			<Figure title="Work tokens" value={compactNumber(total.work)}>
				{exactNumber(total.work)} in all{total.localWork > 0 && `; ${localWords(total)}`}.{' '}
				{exactNumber(total.cacheRead)} read from the cache, not counted as work
			</Figure>
			<Figure title="Trips of the ladder" value={exactNumber(trips.total.trips)}>
				{precisionWords(trips.total)}
			</Figure>
			<Figure
				title="Turns answered elsewhere"
				value={reliability.fallbackRate === null ? '–' : shareWords(fallback, turns)}
			>
				{reliability.fallbackRate === null
					? 'no turn passed the gateway'
					: `${exactNumber(fallback)} of ${count(turns, 'turn')}; degraded for ${spanWords(degraded)}`}
			</Figure>
		</dl>
	);
}

function Figure({ title, value, children }: { title: string; value: string; children: ReactNode }) {
	return (
		<div className="figure">
			<dt>{title}</dt>
			<dd>
				<b className="figure-value">{value}</b>
				<span className="figure-note">{children}</span>
			</dd>
		</div>
	);
}
