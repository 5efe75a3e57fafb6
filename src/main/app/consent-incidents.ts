/** What became of a question for consent, kept among the incidents once it is settled. While open it is shown by itself. */
import type { ConsentView } from '../../shared/failover-view.ts';
import type { IncidentDecision } from '../../shared/snapshot.ts';
import type { ConsentAnswer } from '../failover/consents.ts';
import type { IncidentBook } from '../floor/incidents.ts';

const decisions: Record<ConsentAnswer, Omit<IncidentDecision, 'at'>> = {
	allowed: { by: 'operator', words: 'Allowed once' },
	denied: { by: 'operator', words: 'Denied' },
	expired: { by: 'time', words: 'Expired: nobody answered' },
	gone: { by: 'engine', words: 'Withdrawn: who asked has left' },
};

export function settleConsent(
	incidents: Pick<IncidentBook, 'past'>,
	{ agentId, agentName, tool, target, why, askedAt }: ConsentView,
	answer: ConsentAnswer,
	at: number,
): void {
	incidents.past(
		{
			kind: 'consent',
			severity: 'info',
			title: `${agentName} asked whether it may run ${tool}`,
			detail: why === '' ? target : `${target} (${why})`,
			agentId: agentId === '' ? null : agentId,
		},
		askedAt,
		at,
		{ at, ...decisions[answer] },
	);
}
