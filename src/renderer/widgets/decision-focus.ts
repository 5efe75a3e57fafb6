/** Where the keyboard is among the questions that wait for the operator, and where it goes back to. */

/** The control of each question that the keyboard comes to first. */
const STOPS = '.dock [data-decision-stop]';

/** What had the focus before a question took it; `null` when nothing had. */
let before: Element | null = null;

/** Notes where the focus comes from when it enters the dock. Returns the end of it. */
export function followDecisionFocus(): () => void {
	const onFocusIn = ({ target, relatedTarget }: FocusEvent) => {
		if (!isInDock(target) || isInDock(relatedTarget)) return;
		before = relatedTarget instanceof Element ? relatedTarget : null;
	};
	document.addEventListener('focusin', onFocusIn);
	return () => document.removeEventListener('focusin', onFocusIn);
}

/** Id of the question that holds the focus; `null` elsewhere. */
export function decisionInFocus(): string | null {
	return questionOf(document.activeElement);
}

/** Moves the focus to the first question, or on from the one it is in. */
export function focusNextDecision(): void {
	const stops = decisionStops();
	const here = decisionInFocus();
	const at = here === null ? -1 : stops.findIndex((stop) => questionOf(stop) === here);
	focusStop(stops[(at + 1) % Math.max(1, stops.length)]);
}

/** Moves the focus to one question. */
export function focusDecision(id: string): void {
	focusStop(decisionStops().find((stop) => questionOf(stop) === id));
}

/**
 * Back to a question whose control went away: to its heading, or to its one line, never to an answer that a second
 * press would give. When the question has gone itself, away from the dock, and not on to the answer of another.
 */
export function focusDecisionAgain(id: string): void {
	const kept = before;
	const question = document.querySelector(`.dock [data-decision="${CSS.escape(id)}"]`);
	if (question === null) leaveDecision();
	else if (question.matches('dialog')) focusHeadingOf(question);
	else focusDecision(id);
	// It comes from a control that is gone, not from the floor.
	before = kept;
}

/** The heading of the question around `element`, when the focus is in that question. */
export function focusHeadingOf(element: Element | null): void {
	const question = element?.closest('[data-decision]');
	const lost = document.activeElement === document.body;
	if (!question || !(lost || question.contains(document.activeElement))) return;
	question.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
}

/** Back to where the focus was before a question took it; else to a place where no key does anything. */
export function leaveDecision(): void {
	if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
	else focusNeutral();
}

/** Off a question that was answered, unless the operator has gone elsewhere meanwhile. */
export function leaveAnswered(id: string): void {
	if (decisionInFocus() === id) leaveDecision();
}

/** The floor itself: from there the keys move and nothing acts. */
export function focusNeutral(): void {
	document.querySelector<HTMLElement>('.floor-main')?.focus({ preventScroll: true });
}

function isInDock(target: EventTarget | null): boolean {
	return target instanceof Element && target.closest('.dock') !== null;
}

function decisionStops(): HTMLElement[] {
	return [...document.querySelectorAll<HTMLElement>(STOPS)];
}

function questionOf(element: Element | null): string | null {
	return element?.closest<HTMLElement>('[data-decision]')?.dataset.decision ?? null;
}

function focusStop(stop: HTMLElement | undefined): void {
	stop?.focus();
	stop?.scrollIntoView({ block: 'nearest' });
}
