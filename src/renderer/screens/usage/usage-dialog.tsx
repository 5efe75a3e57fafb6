/** What everybody took: this session, today, this week; by program and by agent. */
import type { FloorUsage } from '../../../shared/usage-view.ts';
import { useFloorContext, useFloorUsage, useLostSince } from '../../store/floor-context.tsx';
import { openPage } from '../../store/page-link.ts';
import { readingWords, sinceWords } from '../../store/usage-words.ts';
import { Ago, Span, useTimed } from '../../widgets/age.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { ShareBar } from '../../widgets/share-bar.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { UsageColumns } from '../../widgets/usage-columns.tsx';
import { AgentUsageTables } from './agent-usage-table.tsx';
import { ProgramUsageTable } from './program-usage-table.tsx';
import './usage-dialog.css';

export function UsageDialog() {
	const { view } = useFloorContext();
	const usage = useFloorUsage();
	const lostSince = useLostSince();
	return (
		<DialogFrame
			shape="broad"
			testId="usage-dialog"
			title="Usage"
			description={
				<>
					<UsageAge usage={usage} />{' '}
					{lostSince !== null && (
						<>
							Last known <Ago at={lostSince} />: the engine does not answer.{' '}
						</>
					)}
					Prices are those of the models that served; nothing leaves this machine.
				</>
			}
			onClose={() => view.setState({ dialog: null })}
		>
			<div className="dialog-body">{usage && <UsagePage usage={usage} />}</div>
		</DialogFrame>
	);
}

/** Of the agents on the floor; what the programs' files say of today and this week bears no time of its own. */
export function UsageAge({ usage }: { usage: FloorUsage | null }) {
	if (usage === null) return 'Nothing was counted yet.';
	if (usage.asOf > 0) {
		return (
			<>
				Counted <Ago at={usage.asOf} />.
			</>
		);
	}
	if (usage.today === null && usage.week === null) return 'Nothing was counted yet.';
	return 'No agent on the floor was counted yet; today and this week are read from the programs’ files.';
}

/** The inside of the dialog. */
export function UsagePage({ usage }: { usage: FloorUsage }) {
	const { view } = useFloorContext();
	const { session, today, week, asOf, dayStartedAt, weekStartedAt, programs } = usage;
	const sinceDay = useTimed((now) => sinceWords(dayStartedAt, now));
	const sinceWeek = useTimed((now) => sinceWords(weekStartedAt, now, 'weekday'));
	return (
		<>
			<Reading reading={usage.reading} />
			<Problems problems={usage.problems} />
			<section className="usage-section" aria-label="Everybody">
				<UsageColumns
					label="Tokens and cost of everybody"
					columns={[
						{ title: 'This session', scope: 'agents on the floor', amount: asOf === 0 ? null : session },
						{ title: 'Today', scope: `all sessions, ${sinceDay}`, amount: today },
						{ title: 'This week', scope: `all sessions, ${sinceWeek}`, amount: week },
					]}
				/>
			</section>
			<section className="usage-section">
				<h3>By agent</h3>
				<AgentUsageTables session={session} />
			</section>
			<section className="usage-section">
				<h3>By program</h3>
				<ProgramUsageTable programs={programs} />
			</section>
			<p className="usage-further">
				<button
					type="button"
					className="button"
					data-testid="usage-insights"
					onClick={() => openPage(view, 'insights', { section: 'usage' })}
				>
					By day, repository and model: Insights
				</button>
			</p>
		</>
	);
}

function Reading({ reading }: Pick<FloorUsage, 'reading'>) {
	if (reading === null) return null;
	return (
		<p className="usage-reading" data-testid="usage-reading">
			<ShareBar share={reading.totalBytes > 0 ? reading.bytes / reading.totalBytes : 0} />
			<span>
				Reading {readingWords(reading)} of session files, for <Span since={reading.since} />: figures still
				grow.
			</span>
		</p>
	);
}

function Problems({ problems }: Pick<FloorUsage, 'problems'>) {
	if (problems.length === 0) return null;
	return (
		<section className="failure usage-problems" aria-label="Problems with session files">
			<strong>Not everything could be read: the figures may be too low</strong>
			<ul>
				{problems.map((problem) => (
					<li key={problem} data-testid="usage-problem">
						<Untrusted text={problem} limit={400} />
					</li>
				))}
			</ul>
		</section>
	);
}
