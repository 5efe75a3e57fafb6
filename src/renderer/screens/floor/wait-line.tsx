/** What keeps an agent from going on: its turn is held, or a command wants consent. */
import type { AgentWait } from '../../../shared/attention.ts';
import { waitWords } from '../../store/failover-words.ts';
import { useLostSince } from '../../store/floor-context.tsx';
import { useTimed } from '../../widgets/age.tsx';
import { focusDecision } from '../../widgets/decision-focus.ts';
import { QuestionGlyph } from '../../widgets/glyphs.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

/** `decidable`: the question can be reached from here. */
export function WaitLine({ wait, decidable = false }: { wait: AgentWait; decidable?: boolean }) {
	const lost = useLostSince() !== null;
	const words = useTimed((now) => waitWords(wait, now, lost));
	const asks = wait.asks && !lost;
	return (
		<p className={`agent-state ${asks ? 'agent-state-for-you' : ''}`} data-testid="agent-wait">
			<QuestionGlyph open={asks} />
			<span className="agent-state-words">
				<Untrusted text={words} limit={100} />
			</span>
			{asks && decidable && (
				<button
					type="button"
					className="button agent-answer"
					onClick={() => focusDecision(wait.kind === 'turn' ? wait.popup.id : wait.consent.id)}
				>
					Decide
				</button>
			)}
		</p>
	);
}
