/** Where the keyboard is among the questions that wait for the operator. */

/** The control of each question that the keyboard comes to first. */
const STOPS = '.dock [data-decision-stop]';

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

/** Back to a question whose control went away; when it has gone itself, to the next one, else to the floor. */
export function focusDecisionAgain(id: string): void {
	const stops = decisionStops();
	const stop = stops.find((one) => questionOf(one) === id) ?? stops[0];
	if (stop) focusStop(stop);
	else leaveDecisions();
}

/** Back to the floor: to the agent that Tab would come to. */
export function leaveDecisions(): void {
	document.querySelector<HTMLElement>('.agent-name[tabindex="0"]')?.focus();
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
