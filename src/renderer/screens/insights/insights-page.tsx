/** What was spent, what tripped, and how well the floor held. */
import { useEffect, useState } from 'react';
import { timeWords } from '../../../shared/format.ts';
import type { Insights } from '../../../shared/insights-view.ts';
import { useFloorContext, useLostSince, useView } from '../../store/floor-context.tsx';
import { isIdle, type Period, periods, totalOf } from '../../store/insights-words.ts';
import { Ago } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { PageFrame } from '../../widgets/page-frame.tsx';
import { Segments } from '../../widgets/segments.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { ExportMenu } from './export-menu.tsx';
import { ReliabilitySection } from './reliability-section.tsx';
import { TopFigures } from './top-figures.tsx';
import { TripsSection } from './trips-section.tsx';
import { UsageSection } from './usage-section.tsx';
import { askInsights, useDaysReading } from './use-insights.ts';
import './insights-page.css';

export function InsightsPage() {
	const [period, setPeriod] = useState<Period>(periods[1]);
	const lostSince = useLostSince();
	const { value, error, readAgain } = useDaysReading(askInsights, period.days);
	useLinkedSection(value !== null);
	return (
		<PageFrame
			testId="insights-page"
			title="Insights"
			description={
				<>
					{value === null ? (
						'What was spent, what tripped, and how well the floor held.'
					) : (
						<Times insights={value} />
					)}{' '}
					Counted on this machine; nothing leaves it.
				</>
			}
			tools={
				<>
					<Segments
						label="Period"
						value={period.value}
						options={periods}
						onChange={(chosen) => setPeriod(periods.find(({ value }) => value === chosen) ?? periods[1])}
						testId="insights-period"
					/>
					<ExportMenu period={period} />
				</>
			}
		>
			{error && (
				<div className="insights-failure">
					<Failure error={error} />
					<button type="button" className="button" onClick={readAgain}>
						Read again
					</button>
				</div>
			)}
			{lostSince !== null && (
				<p className="soft insights-known">
					Last known <Ago at={lostSince} />: the engine does not answer.
				</p>
			)}
			{value === null && error === null && <p className="quiet">Reading…</p>}
			{value !== null && <InsightsView insights={value} period={period} readAgain={readAgain} />}
		</PageFrame>
	);
}

interface InsightsViewProps {
	insights: Insights;
	period: Period;
	/** A verdict was given. */
	readAgain: () => void;
}

/** The inside of the page. */
export function InsightsView({ insights, period, readAgain }: InsightsViewProps) {
	const { usage, trips, reliability } = insights;
	const total = totalOf(usage.days.map(({ amount }) => amount));
	const turns = reliability.days.reduce((sum, day) => sum + day.turns, 0);
	const isEmpty = isIdle(total) && trips.total.trips === 0 && turns === 0;
	return (
		// Another period is another set of tables: each begins with its own order.
		<div className="insights" key={period.value}>
			{isEmpty ? <NothingYet period={period} /> : <TopFigures insights={insights} total={total} />}
			<Notes notes={usage.notes} />
			{!isEmpty && <UsageSection usage={usage} total={total} period={period} />}
			{!isEmpty && <TripsSection trips={trips} period={period} readAgain={readAgain} />}
			<ReliabilitySection reliability={reliability} period={period} />
		</div>
	);
}

function Times({ insights: { from, to } }: { insights: Insights }) {
	const { clock } = useFloorContext();
	return (
		<>
			From {timeWords(from, clock.now())} to <Ago at={to} />.
		</>
	);
}

/** The first day, or a day off. */
function NothingYet({ period }: { period: Period }) {
	return (
		<div className="insights-empty" data-testid="insights-empty">
			<p>
				<strong>Nothing was worked {period.inWords}, as far as this floor knows.</strong>
			</p>
			<p className="soft">
				As soon as an agent works, its tokens and cost stand here by day, agent, repository and model; what
				the ladder did and whether it was right; how often a turn had to go elsewhere. Session files from
				before the floor was installed count too, once they are read.
			</p>
		</div>
	);
}

/** What the figures do not hold. */
function Notes({ notes }: { notes: readonly string[] }) {
	if (notes.length === 0) return null;
	return (
		<ul className="insights-notes" aria-label="What these figures do not hold" data-testid="insights-notes">
			{notes.map((note) => (
				<li key={note}>
					<Untrusted text={note} limit={400} />
				</li>
			))}
		</ul>
	);
}

/** Goes to the section that the page was opened at, once it is there. */
function useLinkedSection(read: boolean): void {
	const section = useView(({ place }) => place?.section ?? null);
	useEffect(() => {
		if (!read || section === null) return;
		const heading = document.querySelector<HTMLElement>(`[data-section="${CSS.escape(section)}"]`);
		heading?.focus({ preventScroll: true });
		heading?.scrollIntoView({ block: 'start' });
	}, [read, section]);
}
