/** What waits to be sent, what came of it, and what only a person can decide. */
import { useState } from 'react';
import type { OutboxEntryView } from '../../../shared/failover-view.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import {
	count,
	outboxKindWords,
	outboxStateWords,
	shareWords,
	uncertainWords,
} from '../../store/failover-words.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import { useRequest } from '../../store/use-request.ts';
import { Ago, Left, useTimed } from '../../widgets/age.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { ShareBar } from '../../widgets/share-bar.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { OutboxAnswerReader } from './outbox-answer.tsx';
import { outboxWords } from './outbox-entry.tsx';
import './outbox-dialog.css';

export function OutboxDialog() {
	const { view } = useFloorContext();
	const outbox = useFailover((failover) => failover.outbox);
	return (
		<DialogFrame
			shape="wide"
			testId="outbox-dialog"
			title="Outbox"
			description={`Work that waits to be sent. It outlives a restart, and nothing is sent twice. ${outboxWords(outbox)}`.trim()}
			onClose={() => view.setState({ dialog: null })}
		>
			<div className="dialog-body">
				<OutboxList />
			</div>
		</DialogFrame>
	);
}

/** The inside of the dialog. */
export function OutboxList() {
	const { entries, problem } = useFailover((failover) => failover.outbox);
	return (
		<>
			{problem !== '' && (
				<div className="failure" role="alert">
					<strong>
						<Untrusted text={problem} limit={600} />
					</strong>
					<p>What is queued now may not outlive a restart.</p>
				</div>
			)}
			{entries.length === 0 && <p className="soft">Nothing is queued.</p>}
			<ul className="outbox">
				{entries.map((entry) => (
					<OutboxEntry key={entry.idempotencyKey} entry={entry} />
				))}
			</ul>
		</>
	);
}

function OutboxEntry({ entry }: { entry: OutboxEntryView }) {
	const { idempotencyKey, createdAt, kind, state, title, detail, attempts, progress } = entry;
	return (
		<li data-testid="outbox-entry" data-outbox-state={state}>
			<p className={`outbox-state outbox-${state}`}>{outboxStateWords[state]}</p>
			<p className="outbox-title">
				<span className="soft">{outboxKindWords[kind]}:</span> <Untrusted text={title} limit={200} />
			</p>
			{state === 'uncertain' && <p>{uncertainWords}</p>}
			{detail !== '' && (
				<p className="soft">
					<Untrusted text={detail} limit={400} />
				</p>
			)}
			{progress !== null && (
				<p className="outbox-progress">
					<ShareBar share={progress} width={160} />
					<span className="figures">{shareWords(progress, 1)}</span>
				</p>
			)}
			<p className="soft">
				queued <Ago at={createdAt} />, {attempts === 0 ? 'not tried yet' : `tried ${count(attempts, 'time')}`}
				<NextAttempt entry={entry} />
			</p>
			{entry.hasAnswer && <OutboxAnswerReader idempotencyKey={idempotencyKey} title={title} />}
			<EntryButtons key={idempotencyKey} entry={entry} />
		</li>
	);
}

function NextAttempt({ entry: { state, nextAttemptAt } }: { entry: OutboxEntryView }) {
	const due = useTimed((now) => nextAttemptAt !== null && nextAttemptAt <= now);
	if (state !== 'pending' || nextAttemptAt === null) return null;
	return due ? (
		', due now'
	) : (
		<>
			, next in <Left until={nextAttemptAt} />
		</>
	);
}

function EntryButtons({ entry: { idempotencyKey, state, title } }: { entry: OutboxEntryView }) {
	const asking = useRequest();
	const [sure, setSure] = useState(false);
	const name = visibleText(title, { limit: 80 });
	const discard = async () => {
		await asking.ask('discard', 'outbox:discard', { idempotencyKey });
		setSure(false);
	};
	return (
		<>
			<div className="outbox-buttons">
				{!sure && (state === 'pending' || state === 'uncertain' || state === 'failed') && (
					<button
						type="button"
						className="button"
						aria-label={`Retry now: ${name}`}
						aria-disabled={asking.pending !== null}
						aria-busy={asking.pending === 'retry'}
						onClick={() => void asking.ask('retry', 'outbox:retry', { idempotencyKey })}
					>
						Retry now
					</button>
				)}
				{sure ? (
					<>
						<span className="soft">{discardWords[state]}</span>
						<button
							type="button"
							className="button button-grave"
							aria-label={`Discard for good: ${name}`}
							aria-busy={asking.pending === 'discard'}
							onClick={() => void discard()}
						>
							Discard
						</button>
						<button type="button" className="button" onClick={() => setSure(false)}>
							Keep
						</button>
					</>
				) : (
					state !== 'sending' && (
						<button
							type="button"
							className="button"
							aria-label={`Discard: ${name}`}
							onClick={() => setSure(true)}
						>
							Discard…
						</button>
					)
				)}
			</div>
			{asking.error && <Failure error={asking.error} onDismiss={asking.forget} />}
		</>
	);
}

/** What discarding means, asked once. */
const discardWords: Record<OutboxEntryView['state'], string> = {
	pending: 'It will never be sent.',
	sending: 'It is being sent.',
	uncertain: 'It will not be sent again; it may have been already.',
	reconciled: 'It was done; its answer goes from this list.',
	failed: 'It will not be tried again.',
};
