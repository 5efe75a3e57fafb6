/** The head of a turn: what was asked, how it went, how long, and who answered. */
import { modelWords, spanWords } from '../../../shared/format.ts';
import { isSameModel } from '../../../shared/model-names.ts';
import type { TurnModel } from '../../../shared/timeline.ts';
import type { TurnEntry } from '../../store/timeline-rows.ts';
import { ClockTime, Span } from '../../widgets/age.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';

interface TurnHeadProps {
	/** `null`: what happened before the first turn that is known. */
	turn: TurnEntry | null;
	/** Things that happened in it. */
	entries: number;
	open: boolean;
}

const outcomeWords: Record<TurnEntry['outcome'], string> = {
	running: 'goes on',
	done: 'done',
	failed: 'failed',
	interrupted: 'interrupted by a person',
	unknown: 'its end was not told',
};

export function TurnHead({ turn, entries, open }: TurnHeadProps) {
	const count = entries === 1 ? '1 entry' : `${entries} entries`;
	if (turn === null) return <p className="tl-turn-line soft">Before the first turn that is kept · {count}</p>;
	const { prompt, outcome, at, endedAt, reason, models } = turn;
	return (
		<div className="tl-turn-head">
			<p className="tl-turn-line">
				<span className="quiet">
					<ClockTime at={at} />
				</span>{' '}
				<strong className="tl-prompt">
					{prompt === '' ? 'No prompt was told' : <Untrusted text={prompt} limit={300} line />}
				</strong>
			</p>
			<p className="tl-turn-facts soft">
				<span className={`tl-turn-${outcome}`}>{outcomeWords[outcome]}</span>
				{reason !== '' && (
					<>
						{': '}
						<Untrusted text={reason} limit={300} />
					</>
				)}
				{endedAt !== null && <> · {spanWords(endedAt - at)}</>}
				{outcome === 'running' && (
					<>
						{' '}
						· for <Span since={at} />
					</>
				)}{' '}
				· {count}
				{models.map((model) => (
					<Badge key={`${model.at} ${model.model}`} model={model} />
				))}
			</p>
			{open && prompt !== '' && (
				<div className="tl-details">
					<p>
						<UntrustedBlock text={prompt} limit={8000} />
					</p>
					<CopyButton text={prompt} what="the prompt" />
				</div>
			)}
		</div>
	);
}

/** Who answered; local and stand-ins are labelled. */
function Badge({ model: { harness, place, model, asked } }: { model: TurnModel }) {
	const standsIn = !isSameModel(model, asked);
	return (
		<span className={`tl-badge ${harness === 'local' ? 'tl-badge-local' : ''}`}>
			<Untrusted text={`${harness} · ${modelWords(model)}`} limit={80} />
			<span className="unseen">
				{' '}
				of <Untrusted text={place} limit={60} />
			</span>
			{standsIn && (
				<>
					{' '}
					for <Untrusted text={modelWords(asked)} limit={80} />
				</>
			)}
		</span>
	);
}
