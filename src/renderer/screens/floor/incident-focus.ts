/** The way from a count to the incident that it counts. */

/** Focuses an incident as a whole: no key there does anything to it. */
export function focusIncident(incidentId: string): void {
	const line = document.querySelector<HTMLElement>(`[data-incident-id="${CSS.escape(incidentId)}"]`);
	line?.focus({ preventScroll: true });
	line?.scrollIntoView({ block: 'nearest' });
}
