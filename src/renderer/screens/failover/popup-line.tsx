/** A popup as one line: it waits for the network, its turns have gone on, or it was made small. Still open. */

import { isAsking } from '../../../shared/attention.ts';
import type { FailoverPopup } from '../../../shared/failover-view.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { count, isHeldOpen } from '../../store/failover-words.ts';
import { useLostSince } from '../../store/floor-context.tsx';
import { Ago, Left } from '../../widgets/age.tsx';
import { QuestionGlyph } from '../../widgets/glyphs.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

export function PopupLine({ popup, onOpen }: { popup: FailoverPopup; onOpen: () => void }) {
	const { id, sentence, turns } = popup;
	const lostSince = useLostSince();
	const asks = isAsking(popup) && lostSince === null;
	const open = turns.filter(isHeldOpen);
	const first = Math.min(...open.map(({ heldUntil }) => heldUntil));
	return (
		<section
			className="decision-line"
			aria-label={visibleText(sentence, { limit: 200 })}
			data-testid="failover-line"
			data-decision={id}
		>
			<QuestionGlyph open={asks} />
			<div>
				<p className="decision-line-words">
					<Untrusted text={sentence} limit={200} />
				</p>
				<p className="soft">
					{lineWords(popup)}
					{lostSince !== null && (
						<>
							, last known <Ago at={lostSince} />
						</>
					)}
					{lostSince === null && open.length > 0 && (
						<>
							, <Left until={first} /> left
						</>
					)}
				</p>
			</div>
			<button
				type="button"
				className={asks ? 'button button-main' : 'button'}
				data-decision-stop
				onClick={onOpen}
			>
				{asks ? 'Answer' : 'Open'}
			</button>
		</section>
	);
}

/** "2 turns wait for the network". */
export function lineWords(popup: FailoverPopup): string {
	const { turns, waiting } = popup;
	if (turns.length === 0) return 'no turn is held';
	const turnWords = count(turns.length, 'turn');
	const one = turns.length === 1;
	if (isAsking(popup)) return `${turnWords} ${one ? 'waits' : 'wait'} for your answer`;
	if (waiting) return `${turnWords} ${one ? 'waits' : 'wait'} for the network`;
	return `${turnWords} ${one ? 'is' : 'are'} on the way`;
}
