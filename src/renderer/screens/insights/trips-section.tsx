/** What the ladder did: by day, by arm, and whether it was right. */
import { exactNumber } from '../../../shared/format.ts';
import type { ArmRecord, Insights } from '../../../shared/insights-view.ts';
import { tripArmSchema } from '../../../shared/words.ts';
import { armWords } from '../../store/arm-words.ts';
import { count, shareWords } from '../../store/failover-words.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { armName, dayWords, type Period, precisionWords, weakArms } from '../../store/insights-words.ts';
import { openPage } from '../../store/page-link.ts';
import { Chart } from '../../widgets/chart.tsx';
import { ShareBar } from '../../widgets/share-bar.tsx';
import { type Column, DataTable } from '../../widgets/table.tsx';
import { Part, SectionFrame } from './section-frame.tsx';
import { TripList } from './trip-list.tsx';

type Trips = Insights['trips'];
type Day = Trips['days'][number];

interface TripsSectionProps {
	trips: Trips;
	period: Period;
	readAgain: () => void;
}

export function TripsSection({ trips, period, readAgain }: TripsSectionProps) {
	const { days, arms, total, list, more } = trips;
	if (total.trips === 0) {
		return (
			<SectionFrame title="Trips" section="trips">
				<p className="quiet" data-testid="trips-none">
					No agent went up the ladder {period.inWords}.
				</p>
			</SectionFrame>
		);
	}
	return (
		<SectionFrame title="Trips" section="trips">
			<p className="soft insights-lead">
				{count(total.trips, 'trip')} {period.inWords}: {precisionWords(total)}.
			</p>
			<WeakArms arms={arms} />
			<div className="insights-charts">
				{days.length > 1 && <TripChart days={days} arms={arms} />}
				<Part title="By reason">
					<DataTable
						label="Trips by reason"
						columns={armColumns(total.trips)}
						rows={arms}
						rowKey={({ arm }) => arm ?? ''}
						testId="trips-by-arm"
					/>
				</Part>
			</div>
			<TripList trips={list} more={more} readAgain={readAgain} />
		</SectionFrame>
	);
}

function armColumns(trips: number): readonly Column<ArmRecord>[] {
	return [
		{
			key: 'arm',
			head: 'Reason',
			isText: true,
			value: ({ arm }) => armName(arm),
			cell: ({ arm }) => <ArmCell arm={arm} />,
		},
		{ key: 'trips', head: 'Trips', value: (row) => row.trips, cell: (row) => exactNumber(row.trips) },
		{ key: 'right', head: 'Right', value: (row) => row.right, cell: (row) => exactNumber(row.right) },
		{
			key: 'false',
			head: 'False alarms',
			value: (row) => row.falseAlarms,
			cell: (row) => exactNumber(row.falseAlarms),
		},
		{
			key: 'precision',
			head: 'Precision',
			unit: 'of those judged',
			value: (row) => row.precision,
			cell: (row) =>
				row.precision === null ? (
					<span className="quiet">not judged</span>
				) : (
					<span title={precisionWords(row)}>{shareWords(row.right, row.right + row.falseAlarms)}</span>
				),
		},
		{
			key: 'share',
			head: 'Share',
			unit: 'of all trips',
			cell: (row) => (
				<span className="insights-share">
					{shareWords(row.trips, trips)}
					<ShareBar share={trips > 0 ? row.trips / trips : 0} />
				</span>
			),
		},
	];
}

function ArmCell({ arm }: Pick<ArmRecord, 'arm'>) {
	return arm === null ? (
		<span className="quiet" title="An older floor did not keep it">
			not recorded
		</span>
	) : (
		armName(arm)
	);
}

/** Arms whose limit should be looked at, each with the way to it. */
function WeakArms({ arms }: { arms: readonly ArmRecord[] }) {
	const { view } = useFloorContext();
	const weak = weakArms(arms);
	if (weak.length === 0) return null;
	return (
		<ul className="insights-weak" data-testid="weak-arms">
			{weak.map((record) => {
				const { name, setting } = armWords[record.arm];
				const judged = record.right + record.falseAlarms;
				return (
					<li key={record.arm}>
						<p>
							<strong>{name}</strong> was right in {exactNumber(record.right)} of {exactNumber(judged)} judged
							trips ({shareWords(record.right, judged)}): its limit may be too low for how your agents work.
						</p>
						{setting !== null && (
							<button
								type="button"
								className="button"
								onClick={() => openPage(view, 'settings', { setting })}
							>
								Look at its limit
								<span className="unseen">: {name}</span>
							</button>
						)}
					</li>
				);
			})}
		</ul>
	);
}

function TripChart({ days, arms }: { days: readonly Day[]; arms: readonly ArmRecord[] }) {
	const sumOf = ({ counts }: Day) => Object.values(counts).reduce((sum, one) => sum + one, 0);
	const dayFigures = (index: number) => {
		const at = days[index];
		if (at === undefined) return '';
		const parts = Object.entries(at.counts).map(([arm, trips]) => `${keyWords(arm)} ${exactNumber(trips)}`);
		const told = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
		return `${dayWords(at.day, 'long')}: ${count(sumOf(at), 'trip')}${told}`;
	};
	const columns: readonly Column<Day>[] = [
		{ key: 'day', head: 'Day', value: ({ day }) => day, cell: ({ day }) => dayWords(day, 'long') },
		{ key: 'all', head: 'All', unit: 'trips', value: sumOf, cell: (row) => exactNumber(sumOf(row)) },
		...arms.map(
			({ arm }): Column<Day> => ({
				key: arm ?? 'none',
				head: armName(arm),
				value: ({ counts }) => countOf(counts, arm),
				cell: ({ counts }) => exactNumber(countOf(counts, arm)),
			}),
		),
	];
	return (
		<Chart
			title="Trips by day"
			data={{
				days: days.map(({ day }) => dayWords(day)),
				series: [{ label: 'Trips', shape: 'bars', values: days.map(sumOf) }],
				scaleWords: wholeWords,
			}}
			dayWords={dayFigures}
		>
			<DataTable
				key={days[0]?.day}
				label="Trips by day"
				columns={columns}
				rows={days.toReversed()}
				rowKey={({ day }) => day}
			/>
		</Chart>
	);
}

/** Half a trip is none. */
function wholeWords(value: number): string {
	return Number.isInteger(value) ? exactNumber(value) : '';
}

/** Trips without an arm are counted under a key that is no arm. */
function countOf(counts: Day['counts'], arm: ArmRecord['arm']): number {
	if (arm !== null) return counts[arm] ?? 0;
	return Object.entries(counts).reduce((sum, [key, trips]) => sum + (isArm(key) ? 0 : trips), 0);
}

function isArm(key: string): boolean {
	return tripArmSchema.safeParse(key).success;
}

function keyWords(key: string): string {
	return armName(tripArmSchema.safeParse(key).data ?? null);
}
