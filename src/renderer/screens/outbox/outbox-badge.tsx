/** The way to the outbox, and how much waits to be sent. Quiet while nothing waits and nothing went wrong. */
import type { OutboxView } from '../../../shared/failover-view.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import './outbox-badge.css';

export function OutboxBadge() {
	const { view } = useFloorContext();
	const outbox = useFailover((failover) => failover.outbox);
	const words = outboxWords(outbox);
	const check = toCheck(outbox);
	return (
		<button
			type="button"
			className={`button outbox-badge ${words === '' ? 'button-bare' : ''} ${check > 0 ? 'outbox-aware' : ''}`}
			title={words || 'Nothing is queued'}
			data-testid="outbox-badge"
			data-queued={outbox.queued}
			onClick={() => view.setState({ dialog: { kind: 'outbox' } })}
		>
			<span>
				Outbox
				{words !== '' && (
					<>
						{' '}
						<b>{outbox.queued}</b>
						<span className="unseen"> queued</span>
					</>
				)}
				{check > 0 && (
					<>
						, <b>{check} to check</b>
					</>
				)}
			</span>
		</button>
	);
}

/** "3 queued, 1 uncertain"; empty when nothing waits and nothing went wrong. */
export function outboxWords({ queued, uncertain, entries, problem }: OutboxView): string {
	const failed = entries.filter(({ state }) => state === 'failed').length;
	const parts: string[] = [];
	if (queued > 0) parts.push(`${queued} queued`);
	if (uncertain > 0) parts.push(`${uncertain} uncertain`);
	if (failed > 0) parts.push(`${failed} failed`);
	if (problem !== '') parts.push('cannot be kept');
	return parts.join(', ');
}

/** What only a person can settle: uncertain or failed entries, and an outbox that cannot be kept. */
function toCheck({ uncertain, entries, problem }: OutboxView): number {
	const failed = entries.filter(({ state }) => state === 'failed').length;
	return uncertain + failed + (problem === '' ? 0 : 1);
}
