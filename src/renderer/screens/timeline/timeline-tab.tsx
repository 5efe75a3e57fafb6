/** What an agent did and what was done to it: turns, the newest first, with a replay over them. */
import { useMemo, useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { type TimelineShown, timelineRows } from '../../store/timeline-rows.ts';
import { Failure } from '../../widgets/failure.tsx';
import { Segments } from '../../widgets/segments.tsx';
import { TimelineList } from './timeline-list.tsx';
import { TimelinePlayer } from './timeline-player.tsx';
import { useTimeline } from './use-timeline.ts';
import './timeline.css';

const kinds = [
	{ value: 'all', words: 'Everything' },
	{ value: 'tools', words: 'Tools' },
	{ value: 'levels', words: 'Levels & orders' },
	{ value: 'words', words: 'Notes & waits' },
] as const;

export function TimelineTab({ agent }: { agent: AgentView }) {
	const { clock } = useFloorContext();
	const timeline = useTimeline(agent);
	const [shown, setShown] = useState<TimelineShown>('all');
	const [text, setText] = useState('');
	const [at, setAt] = useState<number | null>(null);
	const { entries } = timeline;
	const rows = useMemo(
		() => timelineRows(entries ?? [], shown, text, clock.now()),
		[entries, shown, text, clock],
	);
	return (
		<div className="tl">
			{timeline.error && <Failure error={timeline.error} />}
			{entries === null && !timeline.error && <p className="quiet">Reading…</p>}
			{entries?.length === 0 && (
				<p className="soft">
					Nothing is kept of it yet. Turns, tools, levels, notes and refusals stand here as they happen.
				</p>
			)}
			{entries !== null && entries.length > 0 && (
				<>
					<TimelinePlayer entries={entries} at={at} onAt={setAt} />
					<div className="tl-filter">
						<Segments label="Shown" value={shown} options={kinds} onChange={setShown} />
						<input
							type="search"
							className="field"
							aria-label="Find in the timeline"
							placeholder="Find"
							value={text}
							onChange={({ target }) => setText(target.value)}
						/>
					</div>
					{rows.length === 0 && <p className="soft">Nothing of that is in what was read.</p>}
					<TimelineList rows={rows} playedUntil={at} />
				</>
			)}
			{timeline.olderBefore !== null && (
				<button
					type="button"
					className="button"
					aria-disabled={timeline.isReadingOlder}
					onClick={timeline.readOlder}
				>
					{timeline.isReadingOlder ? 'Reading…' : 'Read what is older'}
				</button>
			)}
			{timeline.missing !== '' && <p className="quiet">{timeline.missing}</p>}
		</div>
	);
}
