/** One thing in a timeline: its time, its sign, what it was, how long; the rest on demand. */
import { callDurationWords, spanWords } from '../../../shared/format.ts';
import type { OtherEntry, Scale } from '../../store/timeline-rows.ts';
import { ClockTime } from '../../widgets/age.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { EvidenceView } from '../../widgets/evidence-view.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';

interface TimelineEntryLineProps {
	entry: OtherEntry;
	scale: Scale;
	open: boolean;
}

export function TimelineEntryLine({ entry, scale, open }: TimelineEntryLineProps) {
	return (
		<>
			<span className="tl-time quiet">
				<ClockTime at={entry.at} />
			</span>
			<div className={`tl-what tl-${entry.kind}`}>
				<Head entry={entry} open={open} />
				{open && <Details entry={entry} />}
			</div>
			<Duration entry={entry} scale={scale} />
		</>
	);
}

const outcomeWords = {
	running: 'running',
	ok: '',
	failed: 'failed',
	denied: 'refused',
	unknown: 'outcome not known',
} as const;

const orderWords = {
	hold: 'Held by you',
	constrain: 'Constrained by you',
	stop: 'Stopped by you',
	steer: 'Steered by you',
	resume: 'Resumed by you',
	'reset-evidence': 'Evidence reset by you',
	'allow-once': 'Allowed once by you',
	'deny-once': 'Denied by you',
} as const;

const markWords = { failover: 'Failover', 'rate-limit': 'Rate limit', trouble: 'Trouble' } as const;

function Head({ entry, open }: { entry: OtherEntry; open: boolean }) {
	switch (entry.kind) {
		case 'tool': {
			const outcome = outcomeWords[entry.outcome];
			return (
				<p className="tl-line">
					<strong>
						<Untrusted text={entry.tool} limit={60} />
					</strong>{' '}
					{!open && <Untrusted text={entry.target} limit={300} mono line />}{' '}
					{outcome !== '' && <span className={`tl-outcome tl-${entry.outcome}`}>{outcome}</span>}
					{entry.subagentId !== null && <span className="tag">subagent</span>}
				</p>
			);
		}
		case 'level':
			return (
				<p className="tl-line tl-level-line">
					<LevelMark level={entry.from} /> <span aria-hidden="true">→</span>
					<span className="unseen">to</span> <LevelMark level={entry.to} />{' '}
					<span className="soft">
						<Untrusted text={entry.reason} limit={open ? 1000 : 300} line={!open} />
					</span>
				</p>
			);
		case 'order':
			return (
				<p className="tl-line">
					<strong className="tl-yours">{orderWords[entry.action]}</strong>{' '}
					{entry.words !== '' && <Untrusted text={entry.words} limit={open ? 4000 : 300} line={!open} />}
				</p>
			);
		case 'note':
			return (
				<p className="tl-line">
					<strong>Note</strong>{' '}
					<span className="quiet">
						{noteSources[entry.source]}, {entry.deliveredAt === null ? 'not read yet' : 'delivered'}
					</span>{' '}
					{!open && <Untrusted text={entry.text} limit={300} line />}
				</p>
			);
		case 'wait':
			return (
				<p className="tl-line">
					<strong className="tl-yours">{entry.endedAt === null ? 'Waits for you' : 'Waited for you'}</strong>{' '}
					<Untrusted text={entry.reason} limit={open ? 2000 : 300} line={!open} />
				</p>
			);
		case 'mark':
			return (
				<p className="tl-line">
					<strong>{markWords[entry.mark]}</strong>{' '}
					<Untrusted text={entry.text} limit={open ? 2000 : 300} line={!open} />
				</p>
			);
		case 'session':
			return (
				<p className="tl-line soft">
					<Untrusted text={entry.text} limit={300} line={!open} />
				</p>
			);
	}
}

export const noteSources = {
	ladder: 'by the ladder',
	operator: 'by you',
	unknown: 'by whom is not kept',
} as const;

/** What has more to show than its line. */
export function hasDetails(entry: OtherEntry): boolean {
	if (entry.kind === 'tool') return entry.target !== '' || entry.reason !== '';
	return entry.kind === 'level' ? entry.evidence !== null || entry.reason !== '' : entry.kind !== 'session';
}

function Details({ entry }: { entry: OtherEntry }) {
	switch (entry.kind) {
		case 'tool':
			return (
				<div className="tl-details">
					{entry.target !== '' && (
						<p className="mono">
							<UntrustedBlock text={entry.target} limit={4000} />
						</p>
					)}
					{entry.reason !== '' && (
						<p>
							<strong>Refused:</strong> <UntrustedBlock text={entry.reason} limit={4000} />
						</p>
					)}
					{entry.target !== '' && <CopyButton text={entry.target} what="what it was about" />}
				</div>
			);
		case 'note':
			return (
				<div className="tl-details">
					<p>
						<UntrustedBlock text={entry.text} limit={4000} />
					</p>
					{entry.deliveredAt !== null && entry.source !== 'unknown' && (
						<p className="quiet">Delivered {spanWords(entry.deliveredAt - entry.at)} after it was queued.</p>
					)}
					<CopyButton text={entry.text} what="the note" />
				</div>
			);
		case 'level':
			return (
				<div className="tl-details">
					{entry.evidence && <EvidenceView evidence={entry.evidence} level={entry.to} />}
				</div>
			);
		default:
			return null;
	}
}

/** How long it took: a bar on the scale of its turn, and the words. */
function Duration({ entry, scale }: { entry: OtherEntry; scale: Scale }) {
	if (entry.kind === 'wait') {
		return (
			<span className="tl-duration">
				{entry.endedAt === null ? 'until now' : `for ${spanWords(entry.endedAt - entry.at)}`}
			</span>
		);
	}
	if (entry.kind !== 'tool') return <span />;
	const whole = scale.to - scale.from;
	const share = (time: number) => Math.min(1, Math.max(0, (time - scale.from) / whole));
	const end = entry.endedAt ?? (entry.outcome === 'running' ? scale.to : entry.at);
	const [left, right] = [share(entry.at), share(end)];
	const words =
		entry.outcome === 'denied'
			? ''
			: entry.endedAt === null
				? entry.outcome === 'running'
					? 'still running'
					: 'end not told'
				: callDurationWords(entry.endedAt - entry.at);
	return (
		<span className="tl-duration">
			<svg
				className={`tl-bar tl-bar-${entry.outcome}`}
				viewBox="0 0 100 6"
				preserveAspectRatio="none"
				aria-hidden="true"
			>
				<path d="M0 3h100" />
				<rect x={left * 100} y="0" width={Math.max(1, (right - left) * 100)} height="6" />
			</svg>
			<span className="tl-took">{words}</span>
		</span>
	);
}
