/** In a dialog that lies over the floor: something waits for an answer below it, and the way there. */
import { needsYou } from '../../shared/attention.ts';
import { useFailover, useLostSince } from '../store/floor-context.tsx';
import { QuestionGlyph } from './glyphs.tsx';
import { Untrusted } from './untrusted.tsx';

/** `onGo` closes what lies over the floor. */
export function DecisionNotice({ onGo }: { onGo: () => void }) {
	const failover = useFailover((whole) => whole);
	const { popups, consents } = needsYou({ agents: [], incidents: [], failover });
	const waiting = popups.length + consents.length;
	const lost = useLostSince() !== null;
	// What cannot be answered calls nobody away.
	if (waiting === 0 || lost) return null;
	const first = popups[0];
	return (
		<div className="dialog-notice" data-testid="decision-notice">
			<QuestionGlyph open />
			<p>
				{first && waiting === 1 ? (
					<Untrusted text={first.sentence} limit={160} />
				) : waiting === 1 ? (
					'A command waits for your consent.'
				) : (
					`${waiting} questions wait for your answer.`
				)}
			</p>
			<button type="button" className="button" onClick={onGo}>
				Close this and answer
			</button>
		</div>
	);
}
