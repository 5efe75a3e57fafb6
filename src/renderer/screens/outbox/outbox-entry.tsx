/** The way to the outbox, and how much waits to be sent. Quiet while nothing waits and nothing went wrong. */
import type { OutboxView } from '../../../shared/failover-view.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import { NavWords } from '../shell/nav-words.tsx';

export function OutboxEntry() {
	const { view } = useFloorContext();
	const outbox = useFailover((failover) => failover.outbox);
	const words = outboxWords(outbox);
	const check = toCheck(outbox);
	const tone = check > 0 ? 'nav-aware' : '';
	return (
		<button
			type="button"
			className={`nav-item ${tone}`}
			title={words || 'Nothing is queued'}
			data-testid="outbox-badge"
			data-queued={outbox.queued}
			onClick={() => view.setState({ dialog: { kind: 'outbox' } })}
		>
			<NavWords icon="outbox" count={words !== '' && <Count queued={outbox.queued} check={check} />}>
				Outbox
			</NavWords>
		</button>
	);
}

function Count({ queued, check }: { queued: number; check: number }) {
	return (
		<span className="nav-count">
			{queued}
			<span className="unseen"> queued</span>
			{check > 0 && (
				<>
					{', '}
					<b>{check} to check</b>
				</>
			)}
		</span>
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
