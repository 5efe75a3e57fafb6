/** How well the floor held: turns that had to go elsewhere, degraded time, the queue; then provider by provider. */
import { exactNumber, spanWords } from '../../../shared/format.ts';
import type { Insights } from '../../../shared/insights-view.ts';
import { shareWords } from '../../store/failover-words.ts';
import { dayWords, type Period } from '../../store/insights-words.ts';
import { Chart } from '../../widgets/chart.tsx';
import { type Column, DataTable } from '../../widgets/table.tsx';
import { ServiceLevels } from '../slo/service-levels.tsx';
import { SectionFrame } from './section-frame.tsx';

type Reliability = Insights['reliability'];
type Day = Reliability['days'][number];

export function ReliabilitySection({ reliability, period }: { reliability: Reliability; period: Period }) {
	const { days } = reliability;
	const nothing = days.every((day) => day.turns + day.degradedMs + day.queueDepthMax === 0);
	return (
		<>
			<SectionFrame title="Reliability" section="reliability">
				{nothing ? (
					<p className="quiet" data-testid="reliability-none">
						No turn passed the gateway {period.inWords}, and nothing was queued: there is nothing to tell of
						how well it held. Agents that are connected by hooks alone do not pass it.
					</p>
				) : (
					days.length > 1 && <ReliabilityCharts days={days} />
				)}
			</SectionFrame>
			<SectionFrame title="Service levels by provider" section="service-levels">
				<ServiceLevels days={period.days} />
			</SectionFrame>
		</>
	);
}

const dayColumns: readonly Column<Day>[] = [
	{ key: 'day', head: 'Day', value: ({ day }) => day, cell: ({ day }) => dayWords(day, 'long') },
	{ key: 'turns', head: 'Turns', value: ({ turns }) => turns, cell: ({ turns }) => exactNumber(turns) },
	{
		key: 'fallback',
		head: 'Elsewhere',
		unit: '% of turns',
		value: fallbackShare,
		cell: ({ fallbackTurns, turns }) => shareWords(fallbackTurns, turns),
	},
	{
		key: 'refused',
		head: 'Refused',
		unit: 'turns',
		value: ({ refusedTurns }) => refusedTurns,
		cell: ({ refusedTurns }) => exactNumber(refusedTurns),
	},
	{
		key: 'queued',
		head: 'Queued',
		unit: 'turns',
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
		key: 'queue',
		head: 'Queue',
		unit: 'deepest',
		value: ({ queueDepthMax }) => queueDepthMax,
		cell: ({ queueDepthMax }) => exactNumber(queueDepthMax),
	},
];

const charts = [
	{
		title: 'Turns answered elsewhere, % of turns',
		shape: 'line',
		value: (day: Day) => {
			const share = fallbackShare(day);
			return share === null ? null : share * 100;
		},
		scaleWords: (value: number) => `${exactNumber(value)} %`,
	},
	{
		title: 'Degraded time, minutes',
		shape: 'bars',
		value: ({ degradedMs }: Day) => degradedMs / 60_000,
		scaleWords: (value: number) => `${exactNumber(value)} m`,
	},
	{
		title: 'Deepest queue, entries',
		shape: 'bars',
		value: ({ queueDepthMax }: Day) => queueDepthMax,
		scaleWords: (value: number) => (Number.isInteger(value) ? exactNumber(value) : ''),
	},
] as const;

function ReliabilityCharts({ days }: { days: readonly Day[] }) {
	const names = days.map(({ day }) => dayWords(day));
	const newest = days.toReversed();
	const figures = (index: number) => {
		const day = days[index];
		return day === undefined ? '' : dayFigures(day);
	};
	return (
		<div className="insights-charts insights-charts-three">
			{charts.map(({ title, shape, value, scaleWords }) => (
				<Chart
					key={title}
					title={title}
					data={{ days: names, series: [{ label: title, shape, values: days.map(value) }], scaleWords }}
					dayWords={figures}
				>
					<DataTable
						key={days[0]?.day}
						label={title}
						columns={dayColumns}
						rows={newest}
						rowKey={({ day }) => day}
					/>
				</Chart>
			))}
		</div>
	);
}

function dayFigures(day: Day): string {
	const { turns, fallbackTurns, degradedMs, queueDepthMax } = day;
	const elsewhere =
		turns === 0 ? 'no turns' : `${shareWords(fallbackTurns, turns)} of ${exactNumber(turns)} turns elsewhere`;
	return `${dayWords(day.day, 'long')}: ${elsewhere}, degraded ${spanWords(degradedMs)}, queue ${exactNumber(queueDepthMax)}`;
}

/** `null`: of no turn there is no share. */
function fallbackShare({ turns, fallbackTurns }: Day): number | null {
	return turns === 0 ? null : fallbackTurns / turns;
}
