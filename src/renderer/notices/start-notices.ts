/** Notices in this browser window, from its start to its end. */
import type { Disposable } from '../../shared/disposable.ts';
import { openPage } from '../store/page-link.ts';
import { followNotices, type NoticeWindow } from './follow-notices.ts';
import { openNoticeBrowser } from './notice-browser.ts';

export function startNotices(
	window: Window & typeof globalThis,
	parts: Pick<NoticeWindow, 'transport' | 'floor' | 'view'>,
): Disposable {
	return followNotices({
		...parts,
		browser: openNoticeBrowser(window),
		open: (agentId) => {
			if (agentId === null) openPage(parts.view, 'floor');
			else window.location.hash = `agent=${encodeURIComponent(agentId)}`;
		},
		onError: (error) => window.reportError(error),
	});
}
