/** Service levels of this machine, by day and provider. */
import type { SloDay } from '../../../shared/failover-view.ts';
import { exactNumber, spanWords } from '../../../shared/format.ts';
import { shareWords } from '../../store/failover-words.ts';
import { useFailover } from '../../store/floor-context.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { type Column, DataTable } from '../../widgets/table.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { askServiceLevels, useDaysReading } from '../insights/use-insights.ts';

/** Rows before all are asked for. */
const FIRST = 14;

/** `days`: 1 is today. */
export function ServiceLevels({ days }: { days: number }) {
	const { value, error } = useDaysReading(askServiceLevels, days);
	if (error !== null) return <Failure error={error} />;
	if (value === null) return <p className="quiet">Reading…</p>;
	return <SloTable rows={value} />;
}

/** The newest day first. A day on which nothing was asked has no row. */
export function SloTable({ rows }: { rows: readonly SloDay[] }) {
	const providers = useFailover((failover) => failover.providers);
	if (rows.length === 0) {
		return (
			<p className="quiet">
				No turn has passed the gateway in these days. Once agents talk through it, their service levels stand
				here.
			</p>
		);
	}
	const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id;
	const sorted = rows.toSorted(
		(a, b) => b.day.localeCompare(a.day) || a.providerId.localeCompare(b.providerId),
	);
	return (
		<DataTable
			label="Service levels by day and provider"
			columns={columnsOf(nameOf)}
			rows={sorted}
			rowKey={({ day, providerId }) => `${day} ${providerId}`}
			first={FIRST}
			testId="slo-table"
		/>
	);
}

function columnsOf(nameOf: (providerId: string) => string): readonly Column<SloDay>[] {
	return [
		{ key: 'day', head: 'Day', isText: true, value: ({ day }) => day, cell: ({ day }) => day },
		{
			key: 'provider',
			head: 'Provider',
			isText: true,
			value: ({ providerId }) => nameOf(providerId),
			cell: ({ providerId }) => <Untrusted text={nameOf(providerId)} limit={60} />,
		},
		{ key: 'turns', head: 'Turns', value: ({ turns }) => turns, cell: ({ turns }) => exactNumber(turns) },
		{
			key: 'fallback',
			head: 'Fallback',
			unit: '% of turns',
			value: ({ fallbackTurns, turns }) => (turns === 0 ? null : fallbackTurns / turns),
			cell: ({ fallbackTurns, turns }) => shareWords(fallbackTurns, turns),
		},
		{
			key: 'refused',
			head: 'Refused',
			value: ({ refusedTurns }) => refusedTurns,
			cell: ({ refusedTurns }) => exactNumber(refusedTurns),
		},
		{
			key: 'queued',
			head: 'Queued',
			value: ({ queuedTurns }) => queuedTurns,
			cell: ({ queuedTurns }) => exactNumber(queuedTurns),
		},
		{
			key: 'degraded',
			head: 'Degraded',
			unit: 'time',
			value: ({ degradedMs }) => degradedMs,
			cell: ({ degradedMs }) => spanWords(degradedMs),
		},
		{
			key: 'popup',
			head: 'Popup after',
			unit: 'p50 / p99 / max ms',
			value: ({ popupMs }) => popupMs?.p99 ?? null,
			cell: ({ popupMs }) => popupWords(popupMs),
		},
		{
			key: 'queue',
			head: 'Queue',
			unit: 'deepest',
			value: ({ queueDepthMax }) => queueDepthMax,
			cell: ({ queueDepthMax }) => exactNumber(queueDepthMax),
		},
	];
}

/** "84 / 190 / 240 ms (3)"; the number of popups in brackets. */
export function popupWords(popupMs: SloDay['popupMs']): string {
	if (popupMs === null) return 'no popup';
	const { p50, p99, max, count } = popupMs;
	const [median, late, worst] = [p50, p99, max].map((ms) => exactNumber(Math.round(ms)));
	return `${median} / ${late} / ${worst} ms (${exactNumber(count)})`;
}
