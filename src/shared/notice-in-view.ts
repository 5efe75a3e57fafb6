/** Whether what a notice is about is before the operator's eyes. One rule for the desktop and for windows in a browser. */
import type { FailoverView } from './failover-view.ts';
import type { Notice } from './notice.ts';

/** What a window shows while it has the focus. */
export interface Sight {
	/** Name of the page, as its address says; `floor` has everything that asks. `null`: not known. */
	readonly page: string | null;
	/** Whose drawer is open; `null`: none, or not known. */
	readonly drawerAgentId: string | null;
	/** Their questions are docked on every page. */
	readonly questions: Pick<FailoverView, 'popups' | 'consents'>;
	readonly incidents: readonly { readonly id: string }[];
}

/** What is not known to be in view is not. */
export function isInView({ about }: Pick<Notice, 'about'>, sight: Sight): boolean {
	if (sight.page === 'floor') return true;
	const ids = new Set(about);
	if (sight.drawerAgentId !== null && ids.has(sight.drawerAgentId)) return true;
	const { popups, consents } = sight.questions;
	if (popups.some(({ id }) => ids.has(id)) || consents.some(({ id }) => ids.has(id))) return true;
	return sight.page === 'incidents' && sight.incidents.some(({ id }) => ids.has(id));
}
