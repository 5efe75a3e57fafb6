/**
 * What waits for the operator's answer, docked over a corner of the floor: commands that want consent, lost providers,
 * and quiet notes of what is over. Nothing here is modal, takes the focus, or answers itself.
 */
import { useEffect, useLayoutEffect } from 'react';
import { useFailover, useView } from '../../store/floor-context.tsx';
import { decisionInFocus, focusDecisionAgain, followDecisionFocus } from '../../widgets/decision-focus.ts';
import { ConsentPopup } from './consent-popup.tsx';
import { FailoverPopupView } from './failover-popup.tsx';
import { SettledNotes } from './settled-notes.tsx';
import './decisions-dock.css';

export function DecisionsDock() {
	const popups = useFailover((failover) => failover.popups);
	const consents = useFailover((failover) => failover.consents);
	const settled = useView((state) => state.settled.length);
	useKeptFocus();
	useEffect(followDecisionFocus, []);
	if (popups.length + consents.length + settled === 0) return null;
	return (
		<section className="dock" aria-label="Waiting for your decision" data-testid="decisions">
			{/* Above what asks: a note that comes or leaves moves no answer. */}
			<SettledNotes />
			{/* Consents first: they wait for seconds, lost providers for minutes. */}
			{consents.map((consent) => (
				<ConsentPopup key={consent.id} consent={consent} />
			))}
			{popups.map((popup) => (
				<FailoverPopupView key={popup.id} popup={popup} />
			))}
		</section>
	);
}

/** The focus stays in a question that changes its size, and goes back to where it was from one that goes away. */
function useKeptFocus(): void {
	// Both take elements away: drawn together with this, they are noticed here.
	useView((state) => state.decisionSizes);
	useView((state) => state.answeredConsents);
	// Read while drawing, that is just before the element with the focus goes away.
	const before = typeof document === 'undefined' ? null : decisionInFocus();
	useLayoutEffect(() => {
		if (before !== null && document.activeElement === document.body) focusDecisionAgain(before);
	});
}
