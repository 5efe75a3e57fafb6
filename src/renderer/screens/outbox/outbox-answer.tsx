/** What the provider said to a queued turn, read when somebody wants it. */
import { useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { OutboxAnswer } from '../../../shared/failover-view.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Ago } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';

/** As long as the longest answer that is kept. */
const ANSWER_LIMIT = 200_000;

export function OutboxAnswerReader({ idempotencyKey, title }: { idempotencyKey: string; title: string }) {
	const { transport } = useFloorContext();
	const [isReading, setReading] = useState(false);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const [answer, setAnswer] = useState<OutboxAnswer | 'gone' | null>(null);
	const read = async () => {
		if (isReading) return;
		setReading(true);
		setError(null);
		try {
			setAnswer((await transport.request('outbox:answer', { idempotencyKey })) ?? 'gone');
		} catch (cause) {
			setError(channelErrorOf(cause));
		} finally {
			setReading(false);
		}
	};
	return (
		<>
			{answer === null && (
				<button
					type="button"
					className="button outbox-read"
					data-testid="outbox-read"
					aria-label={`Read the answer: ${visibleText(title, { limit: 80 })}`}
					aria-busy={isReading}
					onClick={() => void read()}
				>
					Read the answer
				</button>
			)}
			{error && <Failure error={error} />}
			{answer === 'gone' && <p className="soft">The answer is no longer kept.</p>}
			{answer !== null && answer !== 'gone' && (
				<section className="outbox-answer" data-testid="outbox-answer" aria-label="The answer">
					<p className="soft">
						<Untrusted text={answer.model} limit={80} />, <Ago at={answer.at} />
					</p>
					<UntrustedBlock text={answer.text} limit={ANSWER_LIMIT} />
				</section>
			)}
		</>
	);
}
