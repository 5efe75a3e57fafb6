/** Where the keyboard is among the agents. */
import { flushSync } from 'react-dom';
import type { ViewStore } from '../../store/view-store.ts';

/** Id of the agent whose row holds `element`; `null` elsewhere. */
export function agentIdAt(element: Element | null): string | null {
	return element?.closest<HTMLElement>('[data-agent-id]')?.dataset.agentId ?? null;
}

/** Focuses an agent's name and brings its row into view, also one that is far off and not drawn. False when it has none. */
export function focusAgent(view: ViewStore, agentId: string): boolean {
	// The row that Tab comes to is always drawn.
	if (rowOf(agentId) === null) flushSync(() => view.setState({ activeAgentId: agentId }));
	return focusDrawnAgent(agentId);
}

/** As `focusAgent`, of an agent that is drawn. */
export function focusDrawnAgent(agentId: string): boolean {
	const row = rowOf(agentId);
	const name = row?.querySelector<HTMLElement>('.agent-name');
	if (!row || !name) return false;
	name.focus({ preventScroll: true });
	row.scrollIntoView({ block: 'nearest' });
	// Off the screen the heights around it were guesses; now they are known.
	requestAnimationFrame(() => {
		if (row.contains(document.activeElement)) row.scrollIntoView({ block: 'nearest' });
	});
	return true;
}

function rowOf(agentId: string): Element | null {
	return document.querySelector(`.agents [data-agent-id="${CSS.escape(agentId)}"]`);
}
