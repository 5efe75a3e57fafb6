/** Every note for the model and every refusal, as they are kept, newest first. */
import type { AgentView } from '../../../shared/agent-view.ts';
import type { TimelineEntry } from '../../../shared/timeline.ts';
import { ClockTime } from '../../widgets/age.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';
import { noteSources } from '../timeline/timeline-entry.tsx';
import { useTimeline } from '../timeline/use-timeline.ts';

type Note = Extract<TimelineEntry, { kind: 'note' }>;
type Tool = Extract<TimelineEntry, { kind: 'tool' }>;

export function NotesTab({ agent }: { agent: AgentView }) {
	const { entries, error, olderBefore, readOlder, isReadingOlder, missing } = useTimeline(agent);
	const newest = (entries ?? []).toReversed();
	const notes = newest.filter((entry): entry is Note => entry.kind === 'note');
	const refused = newest.filter(
		(entry): entry is Tool => entry.kind === 'tool' && entry.outcome === 'denied',
	);
	return (
		<div className="drawer-parts">
			{error && <Failure error={error} />}
			{entries === null && !error && <p className="quiet">Reading…</p>}
			<section className="drawer-section">
				<h3>Notes to the model</h3>
				{entries !== null && notes.length === 0 && (
					<p className="soft">
						None. The ladder says what it saw before it limits; you can steer in your own words.
					</p>
				)}
				<ul className="drawer-list">
					{notes.map((note) => (
						<li key={note.id} data-testid="kept-note">
							<p>
								<UntrustedBlock text={note.text} limit={4000} />
							</p>
							<p className="quiet">
								{noteSources[note.source]}, queued <ClockTime at={note.at} />
								{' → '}
								{note.deliveredAt === null ? (
									'not read yet'
								) : (
									<>
										delivered <ClockTime at={note.deliveredAt} />
									</>
								)}
							</p>
							<CopyButton text={note.text} what="the note" />
						</li>
					))}
				</ul>
			</section>
			<section className="drawer-section">
				<h3>Refused calls</h3>
				{entries !== null && refused.length === 0 && <p className="soft">None.</p>}
				<ul className="drawer-list">
					{refused.map(({ id, at, tool, target, reason }) => (
						<li key={id} data-testid="kept-refusal">
							<p>
								<span className="quiet">
									<ClockTime at={at} />
								</span>{' '}
								<strong>
									<Untrusted text={tool} limit={60} />
								</strong>{' '}
								<Untrusted text={target} limit={400} mono />
							</p>
							<p>
								<UntrustedBlock text={reason} limit={4000} />
							</p>
						</li>
					))}
				</ul>
			</section>
			{olderBefore !== null && (
				<button type="button" className="button" aria-disabled={isReadingOlder} onClick={readOlder}>
					{isReadingOlder ? 'Reading…' : 'Read what is older'}
				</button>
			)}
			{missing !== '' && <p className="quiet">{missing}</p>}
		</div>
	);
}
