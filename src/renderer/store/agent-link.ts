/** Links to an agent: tray, notifications and people open the window at `#agent=<id>`. */
import { hashOf } from './pages.ts';
import type { ViewStore } from './view-store.ts';

/** The agent that a location's hash names; `null` for any other hash. Pure. */
export function linkedAgent(hash: string): string | null {
	const agentId = new URLSearchParams(hash.replace(/^#/, '')).get('agent');
	return agentId === null || agentId === '' ? null : agentId;
}

/** Opens the agent that the address names, now and whenever it names one again. */
export function followAgentLinks(window: Window, view: ViewStore): void {
	const open = (): void => {
		const agentId = linkedAgent(window.location.hash);
		if (agentId === null) return;
		view.setState({ drawerAgentId: agentId, activeAgentId: agentId });
		// Cleared, so that the same agent can be chosen again and a reload does not open it once more.
		const { pathname, search } = window.location;
		window.history.replaceState(null, '', `${pathname}${search}${hashOf(view.getState().page)}`);
	};
	window.addEventListener('hashchange', open);
	open();
}
