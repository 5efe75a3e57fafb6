/** Where the keyboard is among the questions that wait for the operator. */

const DOCK = '.dock';
/** The control of each question that the keyboard comes to first. */
const STOP = '[data-decision-stop]';

/** Moves the focus to the first question, or on from the one it is in. False when there is none. */
export function focusDecision(): boolean {
	const stops = [...document.querySelectorAll<HTMLElement>(`${DOCK} ${STOP}`)];
	const here = document.activeElement?.closest('[data-decision]') ?? null;
	const at = stops.findIndex((stop) => here !== null && stop.closest('[data-decision]') === here);
	const target = stops[(at + 1) % Math.max(1, stops.length)];
	target?.focus();
	target?.scrollIntoView({ block: 'nearest' });
	return target !== undefined;
}

/** True while the focus is in a question. */
export function isAtDecision(): boolean {
	return document.activeElement?.closest(DOCK) != null;
}

/** Back to the floor: to the agent that Tab would come to. */
export function leaveDecisions(): void {
	document.querySelector<HTMLElement>('.agent-name[tabindex="0"]')?.focus();
}
