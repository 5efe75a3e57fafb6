/** What needed you, what happened to it, and who decided. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { exactNumber, timeWords } from '../../../shared/format.ts';
import { incidentsOf } from '../../../shared/picture.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import {
	useFailover,
	useFloor,
	useFloorContext,
	useLostSince,
	useModels,
	useStatus,
	useView,
} from '../../store/floor-context.tsx';
import {
	filteredRows,
	type IncidentRow,
	type IncidentRows,
	incidentKindWords,
	incidentRows,
	isFiltered,
	noFilter,
	quietSince,
} from '../../store/incident-list.ts';
import { Ago } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { PageFrame } from '../../widgets/page-frame.tsx';
import { IncidentFilters } from './incident-filters.tsx';
import { IncidentRowList } from './incident-rows.tsx';
import { type HistoryReading, useIncidentHistory } from './use-incident-history.ts';
import { useRowFocus } from './use-row-focus.ts';
import './incidents-page.css';

export function IncidentsPage() {
	const { floor } = useFloorContext();
	const status = useStatus();
	const lostSince = useLostSince();
	const connected = useFloor(({ connection }) => connection.state === 'connected');
	const reading = useIncidentHistory(connected);
	const rows = useIncidentRows(reading);
	const [filter, setFilter] = useState(noFilter);
	const nameOf = (agentId: string) => floor.getState().picture.agents.get(agentId)?.value?.name ?? agentId;
	const shown = filteredRows(rows, filter, nameOf);
	const order = [...shown.open, ...shown.ended].map(({ incident }) => incident.id);
	const { activeId, onActive, focusRow, onKeyDown } = useRowFocus(order, 'data-incident-row');
	const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
	const onUnfold = (id: string, open: boolean) => {
		const next = new Set(unfolded);
		if (open) next.add(id);
		else next.delete(id);
		setUnfolded(next);
	};
	const missing = useLinkedIncident(rows, (id) => {
		setFilter(noFilter);
		onUnfold(id, true);
		focusRow(id);
	});
	const all = [...rows.open, ...rows.ended];
	const row = { activeId, onActive, unfolded, onUnfold };
	const filtered = isFiltered(filter);
	return (
		<PageFrame
			title="Incidents"
			description="What needed you, what happened to it, and who decided."
			testId="incidents-page"
		>
			{lostSince !== null && (
				<p className="incidents-known">
					Last known <Ago at={lostSince} />: the engine does not answer. What is open may be over by now.
				</p>
			)}
			{all.length > 0 && (
				<IncidentFilters
					filter={filter}
					kinds={choices(
						all.map(({ incident }) => incident.kind),
						incidentKindWords,
					)}
					agents={choices(
						all.flatMap(({ incident }) => incident.agentId ?? []),
						nameOf,
					)}
					onChange={setFilter}
				/>
			)}
			{missing && reading.read && (
				<p className="quiet" data-testid="incident-missing">
					The incident you came for is not among these.{' '}
					{reading.history.more ? 'It may be older: show older ones below.' : 'It is no longer kept.'}
				</p>
			)}
			{/* biome-ignore lint/a11y/noStaticElementInteractions: the rows in it take the keys */}
			<div className="incident-lists" onKeyDown={onKeyDown}>
				{status !== null && filter.lifecycle !== 'ended' && (
					<Part title="Open" rows={shown.open}>
						{shown.open.length > 0 ? (
							<IncidentRowList label="Open incidents" rows={shown.open} {...row} />
						) : (
							<NothingOpen rows={rows} startedAt={status.startedAt} filtered={filtered} />
						)}
					</Part>
				)}
				{shown.ended.length > 0 && (
					<Part title="Ended" rows={shown.ended} more={reading.history.more && reading.read}>
						<IncidentRowList label="Ended incidents" rows={shown.ended} {...row} />
					</Part>
				)}
			</div>
			{filtered && order.length === 0 && (
				<p className="incidents-none">
					No incident matches, of {exactNumber(all.length)} that {all.length === 1 ? 'is' : 'are'} loaded.{' '}
					<button type="button" className="button" onClick={() => setFilter(noFilter)}>
						Show all
					</button>
				</p>
			)}
			<History reading={reading} />
		</PageFrame>
	);
}

function useIncidentRows({ history }: HistoryReading): IncidentRows {
	const { floor } = useFloorContext();
	const incidents = useFloor(({ picture }) => picture.incidents);
	const popups = useFailover((failover) => failover.popups);
	const consents = useFailover((failover) => failover.consents);
	const chains = useModels((models) => models.chains);
	// Of the picture, the incidents alone matter here.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above
	return useMemo(
		() =>
			incidentRows({
				known: incidentsOf(floor.getState().picture),
				history: history.incidents,
				failover: { popups, consents },
				chains,
			}),
		[incidents, history, popups, consents, chains],
	);
}

/** Goes once to the incident that the page was opened at. Whether it is not among the rows. */
function useLinkedIncident(rows: IncidentRows, show: (id: string) => void): boolean {
	const place = useView((state) => state.place);
	const served = useRef<object | null>(null);
	const id = place?.incidentId ?? null;
	const found = id !== null && [...rows.open, ...rows.ended].some(({ incident }) => incident.id === id);
	useEffect(() => {
		if (id === null || !found || served.current === place) return;
		served.current = place;
		show(id);
	});
	return id !== null && !found;
}

interface PartProps {
	title: string;
	rows: readonly IncidentRow[];
	/** There are more than are loaded. */
	more?: boolean;
	children: ReactNode;
}

function Part({ title, rows, more = false, children }: PartProps) {
	return (
		<section className="incident-part" aria-label={title} data-testid={`incidents-${title.toLowerCase()}`}>
			<h3>
				{title}{' '}
				<span className="incident-part-count figures">
					{exactNumber(rows.length)}
					{more && ' loaded'}
				</span>
			</h3>
			{children}
		</section>
	);
}

/** What an empty list has to say: since when it is quiet, and what would stand here. */
function NothingOpen({
	rows,
	startedAt,
	filtered,
}: {
	rows: IncidentRows;
	startedAt: number;
	filtered: boolean;
}) {
	const { clock } = useFloorContext();
	if (filtered) return <p className="quiet">None that is open matches.</p>;
	const since = quietSince(rows, startedAt);
	const fromStart = since === startedAt;
	return (
		<div className="incidents-calm" data-testid="incidents-calm">
			<p>
				<strong>
					Nothing has needed you since {timeWords(since, clock.now())}
					{fromStart ? ', when this floor was started' : ''}
				</strong>{' '}
				<span className="quiet">
					(<Ago at={since} />)
				</span>
			</p>
			<p className="soft">
				A lost provider, a command that wants your consent, a stopped agent, a limit or money that ran out
				stands here while it lasts, the oldest that needs you first. Afterwards it stays below: how long it
				lasted, and who decided what.
			</p>
		</div>
	);
}

function History({ reading }: { reading: HistoryReading }) {
	const { history, read, pending, error, readOlder } = reading;
	return (
		<div className="incident-history">
			{error && (
				<>
					<Failure error={error} />
					<button type="button" className="button" onClick={readOlder}>
						Try again
					</button>
				</>
			)}
			{!read && pending && <p className="quiet">Reading the history…</p>}
			{error === null && read && history.more && (
				<button
					type="button"
					className="button"
					aria-busy={pending}
					data-testid="incidents-older"
					onClick={readOlder}
				>
					{pending ? 'Reading…' : 'Show older'}
				</button>
			)}
			{read && !history.more && history.incidents.length > 0 && (
				<p className="quiet">That is all that is kept.</p>
			)}
		</div>
	);
}

/** Each once, by its words. */
function choices(values: readonly string[], wordsOf: (value: string) => string) {
	return [...new Set(values)]
		.map((value) => ({ value, words: visibleText(wordsOf(value), { limit: 60 }) }))
		.sort((a, b) => a.words.localeCompare(b.words));
}
