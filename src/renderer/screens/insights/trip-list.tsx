/** Each trip with what was counted, and the operator's verdict: one click, one key, and a way back. */
import { type KeyboardEvent, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { evidenceCountWords, exactNumber, sentenceWords } from '../../../shared/format.ts';
import type { Trip, TripVerdict } from '../../../shared/insights-view.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { type FloorContextValue, useFloorContext, useView } from '../../store/floor-context.tsx';
import { armName } from '../../store/insights-words.ts';
import { offerUndo } from '../../store/undo.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { ClockTime } from '../../widgets/age.tsx';
import { AgentName } from '../../widgets/agent-name.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { useRowFocus } from '../incidents/use-row-focus.ts';
import { Part } from './section-frame.tsx';

/** Trips drawn at first. */
const FIRST = 20;

const verdicts = [
	{ verdict: 'right', words: 'Right', key: 'y' },
	{ verdict: 'false-alarm', words: 'False alarm', key: 'n' },
] as const satisfies readonly { verdict: TripVerdict; words: string; key: string }[];

interface TripListProps {
	trips: readonly Trip[];
	/** Older ones that are not listed. */
	more: number;
	readAgain: () => void;
}

export function TripList({ trips, more, readAgain }: TripListProps) {
	const [all, setAll] = useState(false);
	const shown = all ? trips : trips.slice(0, FIRST);
	const { activeId, onActive, onKeyDown } = useRowFocus(
		shown.map(({ id }) => String(id)),
		'data-trip-row',
	);
	return (
		<Part title="Was it right?" wide>
			<p className="quiet insights-hint">
				Your verdict changes nothing for the agent; it tells how good a limit is. In a row: <kbd>y</kbd>{' '}
				right, <kbd>n</kbd> false alarm, arrow keys to the next.
			</p>
			<ul className="trips" aria-label="Trips, the newest first" onKeyDown={onKeyDown}>
				{shown.map((trip, index) => (
					<TripRow
						key={trip.id}
						trip={trip}
						active={String(trip.id) === activeId}
						position={index + 1}
						size={trips.length}
						onActive={onActive}
						readAgain={readAgain}
					/>
				))}
			</ul>
			{trips.length > FIRST && (
				<button type="button" className="button" aria-expanded={all} onClick={() => setAll(!all)}>
					{all ? `Show the newest ${FIRST}` : `Show all ${exactNumber(trips.length)}`}
					<span className="unseen"> trips</span>
				</button>
			)}
			{more > 0 && (
				<p className="quiet">
					{exactNumber(more)} older {more === 1 ? 'trip is' : 'trips are'} counted above and not listed; the
					export has {more === 1 ? 'it' : 'them'}.
				</p>
			)}
		</Part>
	);
}

interface TripRowProps {
	trip: Trip;
	active: boolean;
	/** From 1 on. */
	position: number;
	size: number;
	onActive: (id: string) => void;
	readAgain: () => void;
}

function TripRow({ trip, active, position, size, onActive, readAgain }: TripRowProps) {
	const context = useFloorContext();
	const singleKeys = useView(({ preferences }) => preferences.singleKeys);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const { id, at, agentId, agentName, arm, from, to, reason, evidence, verdict } = trip;
	const name = visibleText(agentName, { limit: 80 });
	const tabIndex = active ? 0 : -1;
	const judge = (chosen: TripVerdict) => {
		setError(null);
		judgeTrip(context, trip, verdict === chosen ? null : chosen, readAgain).catch((cause: unknown) =>
			setError(channelErrorOf(cause)),
		);
	};
	const onKey = (event: KeyboardEvent) => {
		if (!singleKeys || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
		const chosen = verdicts.find(({ key }) => key === event.key.toLowerCase());
		if (chosen === undefined) return;
		event.preventDefault();
		// A key says what is so; only the button takes it back.
		if (chosen.verdict !== verdict) judge(chosen.verdict);
	};
	return (
		// A row is no control: it is walked with the arrow keys, and its controls stand in it.
		<li
			className="trip"
			data-testid="trip"
			data-trip-row={id}
			data-verdict={verdict ?? ''}
			aria-posinset={position}
			aria-setsize={size}
			tabIndex={tabIndex}
			onFocus={() => onActive(String(id))}
			onKeyDown={onKey}
		>
			<span className="trip-time">
				<ClockTime at={at} />
			</span>
			<div className="trip-text">
				<p className="trip-head">
					<AgentName agentId={agentId} name={agentName} tabIndex={tabIndex} />
					<span className="trip-level">
						<span className="unseen">from {from} to </span>
						<LevelMark level={to} />
					</span>
					<span className="soft">{arm === null ? 'reason not recorded' : armName(arm)}</span>
				</p>
				<p className="soft">
					<Untrusted text={sentenceWords(reason)} limit={400} />
					{evidence !== null && (
						<span className="quiet">
							{' '}
							Counted: {evidenceCountWords(evidence)}, <Untrusted text={evidence.counted} limit={200} />.
						</span>
					)}
				</p>
				{error && <Failure error={error} onDismiss={() => setError(null)} />}
			</div>
			{/* biome-ignore lint/a11y/useSemanticElements: two buttons of one question; a fieldset is for forms */}
			<div className="trip-verdicts" role="group" aria-label={`Verdict on ${name}`}>
				{verdicts.map(({ verdict: own, words, key }) => (
					<button
						key={own}
						type="button"
						className="button trip-verdict"
						aria-pressed={verdict === own}
						aria-keyshortcuts={singleKeys ? key : undefined}
						tabIndex={tabIndex}
						onClick={() => judge(own)}
					>
						{words}
					</button>
				))}
			</div>
		</li>
	);
}

/** Rejects with the engine's error. */
async function judgeTrip(
	{ transport, view }: FloorContextValue,
	{ id: tripId, agentName, verdict: before }: Trip,
	verdict: TripVerdict | null,
	readAgain: () => void,
): Promise<void> {
	await transport.request('trip:judge', { tripId, verdict });
	readAgain();
	const said = verdicts.find((one) => one.verdict === verdict)?.words.toLowerCase();
	const name = visibleText(agentName, { limit: 60 });
	const words = said === undefined ? `Took back the verdict on ${name}` : `Judged ${name}: ${said}`;
	offerUndo(view, words, async () => {
		await transport.request('trip:judge', { tripId, verdict: before });
		readAgain();
	});
}
