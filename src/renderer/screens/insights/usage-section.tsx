/** Cost and tokens: by day, by agent, by repository, by model. */
import type { ReactNode } from 'react';
import {
	clientWords,
	compactNumber,
	costParts,
	exactNumber,
	modelWords,
	usd,
} from '../../../shared/format.ts';
import type { Insights } from '../../../shared/insights-view.ts';
import type { UsageAmount } from '../../../shared/usage-view.ts';
import { shareWords } from '../../store/failover-words.ts';
import { dayWords, isIdle, type Period } from '../../store/insights-words.ts';
import { AgentName } from '../../widgets/agent-name.tsx';
import { Chart } from '../../widgets/chart.tsx';
import { ShareBar } from '../../widgets/share-bar.tsx';
import { type Column, DataTable } from '../../widgets/table.tsx';
import { TokenCount } from '../../widgets/token-count.tsx';
import { Untrusted, UntrustedPath } from '../../widgets/untrusted.tsx';
import { Part, SectionFrame } from './section-frame.tsx';

/** Rows of a table before all are asked for. */
const FIRST = 10;

type Usage = Insights['usage'];
type Day = Usage['days'][number];
interface Counted {
	readonly amount: UsageAmount;
}

interface UsageSectionProps {
	usage: Usage;
	/** Of all days. */
	total: UsageAmount;
	period: Period;
}

export function UsageSection({ usage, total, period }: UsageSectionProps) {
	const { days, agents, repositories, models } = usage;
	return (
		<SectionFrame title="Cost and tokens" section="usage">
			{isIdle(total) && <p className="quiet">No tokens were counted {period.inWords}.</p>}
			{!isIdle(total) && days.length > 1 && <UsageCharts days={days} />}
			{!isIdle(total) && (
				<>
					<UsageTable
						title="By agent"
						rows={agents}
						rowKey={({ key }) => key}
						total={total}
						name={(row) => <AgentName agentId={row.key} name={row.name} />}
						nameValue={(row) => row.name.toLowerCase()}
						more={[
							{
								key: 'client',
								head: 'Program',
								isText: true,
								value: (row) => clientWords(row.client).toLowerCase(),
								cell: (row) => <Untrusted text={clientWords(row.client)} limit={60} />,
							},
						]}
					/>
					<UsageTable
						title="By repository"
						rows={repositories}
						rowKey={({ path }) => path}
						total={total}
						name={({ path, name }) =>
							path === '' ? (
								<span className="quiet">where it worked is not known</span>
							) : (
								<span className="insights-path">
									<Untrusted text={name} limit={80} line />
									<small>
										<UntrustedPath path={path} />
									</small>
								</span>
							)
						}
						nameValue={({ path, name }) => (path === '' ? null : name.toLowerCase())}
					/>
					<UsageTable
						title="By model"
						rows={models}
						rowKey={({ model, local }) => `${local} ${model}`}
						total={total}
						name={({ model, local }) => (
							<>
								<span className="mono">
									<Untrusted text={modelWords(model)} limit={80} line />
								</span>{' '}
								{local && <span className="tag">local</span>}
							</>
						)}
						nameValue={({ model }) => model.toLowerCase()}
					/>
				</>
			)}
		</SectionFrame>
	);
}

function UsageCharts({ days }: { days: readonly Day[] }) {
	const names = days.map(({ day }) => dayWords(day));
	const dayFigures = (index: number) => {
		const at = days[index];
		if (at === undefined) return '';
		const { cost, local, work } = figuresOf(at.amount);
		const tokens = local === '' ? work : `${work}, ${local} of them local`;
		return `${dayWords(at.day, 'long')}: ${cost}, ${tokens} work tokens`;
	};
	const table = (label: string) => (
		// A new day begins the order anew: it stands first.
		<DataTable
			key={days[0]?.day}
			label={label}
			columns={dayColumns}
			rows={days.toReversed()}
			rowKey={({ day }) => day}
		/>
	);
	return (
		<div className="insights-charts">
			<Chart
				title="Cost by day, US dollars"
				data={{
					days: names,
					series: [{ label: 'Cost', shape: 'bars', values: days.map(({ amount }) => drawnCost(amount)) }],
					scaleWords: usd,
					marks: days.map(({ amount }) => costMark(amount)),
				}}
				dayWords={dayFigures}
			>
				{table('Cost by day')}
			</Chart>
			<Chart
				title="Work tokens by day"
				data={{
					days: names,
					series: [
						{ label: 'all', shape: 'bars', values: days.map(({ amount }) => amount.work) },
						...(days.some(({ amount }) => amount.localWork > 0)
							? [
									{
										label: 'served on this machine, free',
										shape: 'hatched' as const,
										// None of it is no hatching, not a line at zero.
										values: days.map(({ amount }) => amount.localWork || null),
									},
								]
							: []),
					],
					scaleWords: compactNumber,
				}}
				dayWords={dayFigures}
			>
				{table('Work tokens by day')}
			</Chart>
		</div>
	);
}

const amountColumns: readonly Column<Counted>[] = [
	{
		key: 'cost',
		head: 'Cost',
		unit: 'US dollars',
		value: ({ amount }) => amount.costUsd,
		cell: ({ amount }) => <CostCell amount={amount} />,
	},
	{
		key: 'work',
		head: 'Work',
		unit: 'tokens',
		value: ({ amount }) => amount.work,
		cell: ({ amount }) => <TokenCount tokens={amount.work} />,
	},
	{
		key: 'local',
		head: 'of it local',
		unit: 'tokens',
		value: ({ amount }) => amount.localWork,
		cell: ({ amount }) => <TokenCount tokens={amount.localWork} />,
	},
	{
		key: 'cache',
		head: 'Cache reads',
		unit: 'tokens',
		value: ({ amount }) => amount.cacheRead,
		cell: ({ amount }) => <TokenCount tokens={amount.cacheRead} />,
	},
];

const dayColumns: readonly Column<Day>[] = [
	{ key: 'day', head: 'Day', value: ({ day }) => day, cell: ({ day }) => dayWords(day, 'long') },
	...amountColumns,
];

interface UsageTableProps<Row extends Counted> {
	title: string;
	rows: readonly Row[];
	rowKey: (row: Row) => string;
	total: UsageAmount;
	name: (row: Row) => ReactNode;
	nameValue: (row: Row) => string | null;
	/** Columns beside the name. */
	more?: readonly Column<Row>[];
}

function UsageTable<Row extends Counted>(props: UsageTableProps<Row>) {
	const { title, rows, rowKey, total, name, nameValue, more = [] } = props;
	const columns: readonly Column<Row>[] = [
		{
			key: 'name',
			head: title.replace('By ', '').replace(/^./, upper),
			isText: true,
			value: nameValue,
			cell: name,
		},
		...more,
		...amountColumns,
		{
			key: 'share',
			head: 'Share',
			unit: 'of work tokens',
			cell: ({ amount }) => (
				<span className="insights-share">
					{shareWords(amount.work, total.work)}
					<ShareBar share={total.work > 0 ? amount.work / total.work : 0} />
				</span>
			),
		},
	];
	return (
		<Part title={title} wide>
			<DataTable
				label={title}
				columns={columns}
				rows={rows}
				rowKey={rowKey}
				first={FIRST}
				testId={`usage-${title.replaceAll(' ', '-').toLowerCase()}`}
			/>
		</Part>
	);
}

function upper(letter: string): string {
	return letter.toUpperCase();
}

function CostCell({ amount }: { amount: UsageAmount }) {
	const { amount: cost, note } = costParts(amount);
	const why = amount.unpricedModels.length > 0 ? `No price: ${amount.unpricedModels.join(', ')}` : note;
	return <span title={why === '' ? undefined : why}>{cost}</span>;
}

function figuresOf(amount: UsageAmount) {
	return {
		cost: isIdle(amount) ? 'nothing spent' : costParts(amount).amount,
		work: exactNumber(amount.work),
		local: amount.localWork > 0 ? exactNumber(amount.localWork) : '',
	};
}

/** Nothing, or what was free, is a bar of no height; what is not known is a gap. */
function drawnCost(amount: UsageAmount): number | null {
	return costParts(amount).amount === 'unpriced' ? null : (amount.costUsd ?? 0);
}

function costMark(amount: UsageAmount): string {
	if (costParts(amount).amount === 'unpriced') return '?';
	return amount.unpricedModels.length > 0 ? '≥' : '';
}
