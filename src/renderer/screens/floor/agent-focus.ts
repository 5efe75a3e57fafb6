/** Where the keyboard is among the agents. */

/** Id of the agent whose row holds `element`; `null` elsewhere. */
export function agentIdAt(element: Element | null): string | null {
	return element?.closest<HTMLElement>('[data-agent-id]')?.dataset.agentId ?? null;
}

/** Focuses an agent's name and brings its row into view. False when it has no row. */
export function focusAgent(agentId: string): boolean {
	const row = document.querySelector(`[data-agent-id="${CSS.escape(agentId)}"]`);
	const name = row?.querySelector<HTMLElement>('.agent-name');
	if (!row || !name) return false;
	name.focus({ preventScroll: true });
	row.scrollIntoView({ block: 'nearest' });
	// Off the screen its height was a guess; now it is known.
	requestAnimationFrame(() => row.scrollIntoView({ block: 'nearest' }));
	return true;
}
