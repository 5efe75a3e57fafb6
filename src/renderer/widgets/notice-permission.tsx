/** Asks, on a click, whether this browser may show notices. Nothing where there is nothing to ask. */
import { useState } from 'react';
import { type NoticePermission, noticePermission } from '../notices/notice-browser.ts';

export interface NoticePermissionProps {
	/** As it is now; the browser's own if not given. */
	readonly permission?: NoticePermission;
}

/** A quiet button while the browser has not been asked; a line when it was told no; nothing in the desktop app. */
export function NoticePermissionControl({ permission = noticePermission() }: NoticePermissionProps) {
	const [answer, setAnswer] = useState<NoticePermission>(permission);
	if (globalThis.window?.agentFloor) return null;
	if (answer === 'denied') {
		return (
			<p className="quiet">
				This browser shows no notices of the floor. Allow notifications for this address in its settings, then
				reload.
			</p>
		);
	}
	if (answer !== 'default') return null;
	const ask = () => {
		// A question that is closed unanswered leaves it as it was.
		Notification.requestPermission().then(setAnswer, () => setAnswer('unsupported'));
	};
	return (
		<button
			type="button"
			className="button button-bare"
			title="This browser tells you what needs you, and what is done, while you look elsewhere"
			onClick={ask}
		>
			Tell me here
		</button>
	);
}
