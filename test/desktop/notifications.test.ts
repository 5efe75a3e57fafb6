import { describe, expect, it } from 'vitest';
import {
	type NotificationFactory,
	NotificationService,
} from '../../src/main/desktop/notifications/notification-service.ts';
import type { Notice } from '../../src/shared/notice.ts';
import { noticeAbout } from './floor-fixture.ts';

interface Shown {
	readonly notice: Notice;
	readonly events: Parameters<NotificationFactory['show']>[1];
	closed: boolean;
}

function service(changes: Partial<NotificationFactory> = {}) {
	const shown: Shown[] = [];
	const opened: (string | null)[] = [];
	const reported: string[] = [];
	const failed: string[] = [];
	const inView = new Set<string>();
	const notifications = new NotificationService({
		factory: {
			isSupported: () => true,
			show: (notice, events) => {
				const one: Shown = { notice, events, closed: false };
				shown.push(one);
				return {
					close: () => {
						one.closed = true;
					},
				};
			},
			...changes,
		},
		isInView: ({ key }) => inView.has(key),
		openAgent: (agentId) => opened.push(agentId),
		failed: (key) => failed.push(key),
		report: (doing) => reported.push(doing),
	});
	return {
		notifications,
		tell: (...show: Notice[]) => notifications.take({ show, withdraw: [] }),
		withdraw: (...withdraw: string[]) => notifications.take({ show: [], withdraw }),
		standing: () => shown.filter(({ closed }) => !closed).map(({ notice }) => notice.title),
		...{ shown, opened, reported, failed, inView },
	};
}

describe('NotificationService', () => {
	it('shows a notice, opens its agent on a click, and closes it when it is over', () => {
		const { tell, withdraw, shown, opened, standing } = service();
		tell(noticeAbout('a'), noticeAbout('p', { agentId: null }));
		for (const { events } of shown) events.onClick();
		expect(opened).toEqual(['a', null]);
		withdraw('a', 'never shown');
		expect(standing()).toEqual(['p needs you']);
	});

	it('puts the newer one of a key in the place of the older one, which may close late', () => {
		const { tell, withdraw, shown, standing } = service();
		tell(noticeAbout('a', { title: '2 need you' }));
		tell(noticeAbout('a', { title: '3 need you' }));
		shown[0]?.events.onClosed();
		expect(standing()).toEqual(['3 need you']);
		withdraw('a');
		expect(standing()).toEqual([]);
	});

	it('does not close what the operator closed already', () => {
		const { tell, withdraw, shown } = service();
		tell(noticeAbout('a'));
		shown[0]?.events.onClosed();
		withdraw('a');
		expect(shown[0]?.closed).toBe(false);
	});

	it('shows nothing where the system has no notifications, nor what is in view', () => {
		const without = service({ isSupported: () => false });
		without.tell(noticeAbout('a'));
		const looking = service();
		looking.inView.add('a');
		looking.tell(noticeAbout('a'), noticeAbout('b'));
		expect([without.standing(), looking.standing()]).toEqual([[], ['b needs you']]);
		expect([...without.failed, ...looking.failed]).toEqual([]);
	});

	it('takes an older notice away when the newer one of its key is in view', () => {
		const { tell, inView, standing } = service();
		tell(noticeAbout('a'));
		inView.add('a');
		tell(noticeAbout('a'));
		expect(standing()).toEqual([]);
	});

	it('reports what the system refused, at once or later, and tells the engine', () => {
		const refusing = service({
			show: () => {
				throw new Error('not allowed');
			},
		});
		refusing.tell(noticeAbout('a'));
		const late = service();
		late.tell(noticeAbout('a'));
		late.shown[0]?.events.onFailed(new Error('not allowed'));
		for (const { reported, failed } of [refusing, late]) {
			expect({ reported, failed }).toEqual({ reported: ['showing a notification'], failed: ['a'] });
		}
	});

	it('takes everything away when disposed', () => {
		const { notifications, tell, standing } = service();
		tell(noticeAbout('a'), noticeAbout('b'));
		notifications.dispose();
		expect(standing()).toEqual([]);
	});
});
