import { renderToString } from 'react-dom/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { notesOf, playChime } from '../../src/renderer/notices/chime.ts';
import { followNotices, isOver, SEEN_WITHIN_MS } from '../../src/renderer/notices/follow-notices.ts';
import {
	type NoticeBrowser,
	type NoticePermission,
	openNoticeBrowser,
} from '../../src/renderer/notices/notice-browser.ts';
import { startNotices } from '../../src/renderer/notices/start-notices.ts';
import { createFloorStore } from '../../src/renderer/store/floor-store.ts';
import { createViewStore, type ViewState } from '../../src/renderer/store/view-store.ts';
import { NoticePermissionControl } from '../../src/renderer/widgets/notice-permission.tsx';
import type { Notice } from '../../src/shared/notice.ts';
import { pictureOf } from '../../src/shared/picture.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import {
	agent,
	consent,
	failover,
	floor,
	incident,
	NOON,
	needyAgent,
	noticeAbout,
	popup,
} from '../desktop/floor-fixture.ts';
import { FakeTransport } from './fake-transport.ts';

/** The browser that all tabs are of: one screen, where a newer notification of a tag takes the place of the older one. */
class FakeScreen {
	readonly standing = new Map<string, { readonly title: string; readonly onClick: () => void }>();
	readonly chimes: string[] = [];
	readonly tabs: ((key: string) => void)[] = [];
	permission: NoticePermission = 'granted';
	refuses = false;

	titles(): string[] {
		return [...this.standing.values()].map(({ title }) => title);
	}

	click(key: string): void {
		this.standing.get(key)?.onClick();
	}
}

function tab(screen: FakeScreen, snapshot: FloorSnapshot = floor()) {
	const transport = new FakeTransport();
	const store = createFloorStore(NOON, pictureOf(snapshot));
	const view = createViewStore();
	const timers = new Set<() => void>();
	const opened: (string | null)[] = [];
	const errors: unknown[] = [];
	let focused = false;
	let heard: (key: string) => void = () => {};
	const browser: NoticeBrowser = {
		permission: () => screen.permission,
		hasFocus: () => focused,
		show: ({ key, title }, { onClick, onClosed }) => {
			if (screen.refuses) throw new TypeError('Illegal constructor');
			const entry = { title, onClick };
			screen.standing.set(key, entry);
			return {
				close: () => {
					if (screen.standing.get(key) === entry) screen.standing.delete(key);
					onClosed();
				},
			};
		},
		focus: () => {
			focused = true;
		},
		chime: (kind) => screen.chimes.push(kind),
		tellSeen: (key) => {
			for (const hear of screen.tabs) if (hear !== heard) hear(key);
		},
		onSeenElsewhere: (listener) => {
			heard = listener;
			screen.tabs.push(listener);
		},
		after: (_ms, work) => {
			timers.add(work);
			return () => timers.delete(work);
		},
	};
	const following = followNotices({
		...{ transport, floor: store, view, browser },
		open: (agentId) => opened.push(agentId),
		onError: (error) => errors.push(error),
	});
	const pass = (): void => {
		for (const work of [...timers]) {
			timers.delete(work);
			work();
		}
	};
	return {
		...{ transport, store, opened, errors, following, pass },
		tell: (...show: Notice[]) => transport.push('floor:notices', { show, withdraw: [] }),
		withdraw: (...withdraw: string[]) => transport.push('floor:notices', { show: [], withdraw }),
		focus: (looking: Partial<ViewState> = {}) => {
			focused = true;
			view.setState(looking);
		},
		isFocused: () => focused,
	};
}

describe('notices in a browser', () => {
	it('are shown, lead to their agent on a click, and are taken away when they are over', () => {
		const screen = new FakeScreen();
		const { tell, pass, withdraw, opened, isFocused } = tab(screen);
		tell(noticeAbout('a'), noticeAbout('b'), noticeAbout('p', { agentId: null }));
		pass();
		expect(screen.titles()).toEqual(['a needs you', 'b needs you', 'p needs you']);
		withdraw('b', 'never shown');
		screen.click('a');
		screen.click('p');
		expect([opened, isFocused(), screen.titles()]).toEqual([['a', null], true, []]);
	});

	it('are not shown before somebody allowed it', () => {
		for (const permission of ['default', 'denied', 'unsupported'] as const) {
			const screen = new FakeScreen();
			screen.permission = permission;
			const { tell, pass } = tab(screen);
			tell(noticeAbout('a', { sound: true }));
			pass();
			expect([screen.titles(), screen.chimes]).toEqual([[], []]);
		}
	});

	it('are one in several tabs, and none when one tab has it in view', () => {
		const screen = new FakeScreen();
		const [one, two] = [tab(screen), tab(screen)];
		for (const { tell } of [one, two]) tell(noticeAbout('a'));
		for (const { pass } of [one, two]) pass();
		expect(screen.titles()).toEqual(['a needs you']);
		one.focus();
		for (const { tell } of [two, one]) tell(noticeAbout('b'));
		for (const { pass } of [one, two]) pass();
		expect(screen.titles()).toEqual(['a needs you']);
	});

	it('are updated in place, also when the older one closes late', () => {
		const screen = new FakeScreen();
		const { tell, pass, withdraw } = tab(screen);
		for (const title of ['2 need you', '3 need you']) {
			tell(noticeAbout('several', { title }));
			pass();
		}
		expect(screen.titles()).toEqual(['3 need you']);
		withdraw('several');
		expect(screen.titles()).toEqual([]);
	});

	it('go when what is new of them is in view', () => {
		const screen = new FakeScreen();
		const { tell, pass, focus } = tab(screen);
		tell(noticeAbout('several', { title: '2 need you', about: [] }));
		pass();
		focus();
		tell(noticeAbout('several', { title: '3 need you', about: [] }));
		pass();
		expect(screen.titles()).toEqual([]);
	});

	it('that are over before they came up never come up', () => {
		const screen = new FakeScreen();
		const { tell, pass, withdraw, following } = tab(screen);
		tell(noticeAbout('a'));
		withdraw('a');
		tell(noticeAbout('b'));
		following.dispose();
		pass();
		expect(screen.titles()).toEqual([]);
	});

	it('sound only when they say so, each kind its own way', () => {
		const screen = new FakeScreen();
		const { tell, pass } = tab(screen);
		tell(
			noticeAbout('a'),
			noticeAbout('b', { sound: true }),
			noticeAbout('c', { kind: 'done', sound: true }),
		);
		pass();
		expect(screen.chimes).toEqual(['needs-you', 'done']);
	});

	it('that the browser refuses are reported, and do not count as shown', () => {
		const screen = new FakeScreen();
		screen.refuses = true;
		const { tell, pass, errors } = tab(screen);
		tell(noticeAbout('a', { sound: true }));
		pass();
		expect([errors.length, screen.chimes]).toEqual([1, []]);
	});

	const asking = floor({
		incidents: [incident('i')],
		failover: failover({ popups: [popup('p')], consents: [consent('c')] }),
	});
	it.each([
		['the floor', {}, ['a', 'i', 'several', 'p', 'c'], []],
		['the floor, filtered', { filter: 'x' }, ['p', 'c'], ['a', 'i', 'several']],
		['another page, where questions are docked', { page: 'settings' }, ['p', 'c'], ['a', 'i', 'several']],
		['the incidents', { page: 'incidents' }, ['p', 'c', 'i'], ['a', 'several']],
		["an agent's drawer", { page: 'insights', drawerAgentId: 'a' }, ['a', 'p', 'c'], ['i', 'several']],
	] satisfies [string, Partial<ViewState>, string[], string[]][])(
		'while the operator looks at %s, only what is not in view is shown',
		(_, looking, inView, shown) => {
			const screen = new FakeScreen();
			const { tell, pass, focus } = tab(screen, asking);
			const about = (key: string) => (key === 'several' ? [] : [key]);
			const notices = [...inView, ...shown].map((key) => noticeAbout(key, { about: about(key) }));
			focus(looking);
			tell(...notices);
			pass();
			expect([...screen.standing.keys()]).toEqual(shown);
			// The same, and nobody looks.
			const away = new FakeScreen();
			const other = tab(away, asking);
			other.tell(...notices);
			other.pass();
			expect(away.standing.size).toBe(notices.length);
		},
	);

	it('that were withdrawn while the engine was not heard go when it is heard again (U49)', () => {
		const screen = new FakeScreen();
		const before = floor({ agents: [needyAgent('a'), needyAgent('b')] });
		const { tell, pass, store } = tab(screen, before);
		tell(noticeAbout('a'), noticeAbout('b'));
		pass();
		store.setState({ lostSince: NOON });
		expect(screen.titles()).toHaveLength(2);
		const now = floor({ agents: [agent('a'), needyAgent('b')] });
		store.setState({ lostSince: null, picture: pictureOf(now) });
		expect(screen.titles()).toEqual(['b needs you']);
	});
});

describe('isOver', () => {
	const rests = agent('d', { state: { ...needyAgent('d').state, needsYou: false } });
	const now = pictureOf(floor({ agents: [needyAgent('a'), agent('b'), rests], incidents: [incident('i')] }));
	it.each([
		['needs-you', ['a'], false],
		['needs-you', ['b'], true],
		['needs-you', ['gone'], true],
		['needs-you', ['i', 'b'], false],
		['needs-you', [], false],
		['done', ['d'], false],
		['done', ['b'], true],
		['done', [], false],
	] as const)('%s about %j: %s', (kind, about, over) => {
		expect(isOver({ kind, about: [...about] }, now)).toBe(over);
		if (about.length === 0) expect(isOver({ kind, about: [] }, pictureOf(floor()))).toBe(true);
	});
});

describe('the browser itself', () => {
	class FakeNotification extends EventTarget {
		static made: FakeNotification[] = [];
		readonly title: string;
		readonly options: NotificationOptions | undefined;
		closed = false;
		constructor(title: string, options?: NotificationOptions) {
			super();
			this.title = title;
			this.options = options;
			FakeNotification.made.push(this);
		}
		close(): void {
			this.closed = true;
			this.dispatchEvent(new Event('close'));
		}
	}

	function fakeWindow() {
		FakeNotification.made = [];
		const location = { hash: '' };
		const fake = {
			...{ Notification: FakeNotification, BroadcastChannel: QuietChannel, location },
			document: { hasFocus: () => false },
			focus: () => {},
			navigator: { locks: { request: async () => {} } },
			setTimeout: globalThis.setTimeout,
			clearTimeout: globalThis.clearTimeout,
		};
		vi.stubGlobal('Notification', Object.assign(FakeNotification, { permission: 'granted' }));
		onTestFinished(() => {
			vi.unstubAllGlobals();
		});
		// Only what is used of a window.
		return { window: fake as unknown as Window & typeof globalThis, location };
	}

	class QuietChannel extends EventTarget {
		postMessage(): void {}
	}

	it('gets the key as its tag, no markup and no sound of its own', () => {
		const { window } = fakeWindow();
		const clicks: string[] = [];
		const browser = openNoticeBrowser(window);
		const notice = noticeAbout('a', { body: '<b>make</b>' });
		browser
			.show(notice, { onClick: () => clicks.push('click'), onClosed: () => clicks.push('closed') })
			.close();
		const [made] = FakeNotification.made;
		expect(made).toMatchObject({
			title: 'a needs you',
			options: { body: '<b>make</b>', tag: 'a', silent: true },
		});
		made?.dispatchEvent(new Event('click'));
		expect(clicks).toEqual(['closed', 'click']);
	});

	it('is led to the agent by the link that everything else uses', () => {
		vi.useFakeTimers();
		onTestFinished(() => {
			vi.useRealTimers();
		});
		const { location } = startedIn(fakeWindow());
		vi.advanceTimersByTime(SEEN_WITHIN_MS);
		FakeNotification.made[0]?.dispatchEvent(new Event('click'));
		expect(location.hash).toBe('agent=claude-code%3As%201');
	});

	function startedIn({ window, location }: ReturnType<typeof fakeWindow>) {
		const transport = new FakeTransport();
		const view = createViewStore();
		const store = createFloorStore(NOON, pictureOf(floor()));
		// Its timers are the test's.
		Object.assign(window, { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout });
		const following = startNotices(window, { transport, floor: store, view });
		onTestFinished(() => following.dispose());
		const notice = noticeAbout('k', { agentId: 'claude-code:s 1' });
		transport.push('floor:notices', { show: [notice], withdraw: [] });
		return { location };
	}
});

describe('the chime', () => {
	it('is another one for each kind, and short', () => {
		expect(notesOf('needs-you')).not.toEqual(notesOf('done'));
		for (const kind of ['needs-you', 'done'] as const) {
			const ends: number[] = [];
			const pitches: number[] = [];
			const param = {
				value: 0,
				setValueAtTime() {},
				linearRampToValueAtTime() {},
				exponentialRampToValueAtTime() {},
			};
			const audio = {
				currentTime: 10,
				destination: {},
				createGain: () => ({ gain: param, connect: () => {} }),
				createOscillator: () => {
					const frequency = { value: 0 };
					return {
						type: 'square',
						frequency,
						connect: (node: unknown) => node,
						start: () => pitches.push(frequency.value),
						stop: (at: number) => ends.push(at),
					};
				},
			};
			// Only what is used of an audio context.
			playChime(audio as unknown as AudioContext, kind);
			expect(pitches).toEqual(notesOf(kind).map(({ hz }) => hz));
			expect(Math.max(...ends) - audio.currentTime).toBeLessThan(1);
		}
	});
});

describe('the permission', () => {
	const drawnAs = (permission: NoticePermission) =>
		renderToString(<NoticePermissionControl permission={permission} />);

	it('is asked for by a quiet button, and only while it was not answered', () => {
		expect(drawnAs('default')).toMatch(
			/^<button type="button" class="button button-bare"[^>]*>Tell me here<\/button>$/,
		);
		expect(drawnAs('granted')).toBe('');
		expect(drawnAs('unsupported')).toBe('');
		expect(drawnAs('denied')).toContain('Allow notifications for this address in its settings');
	});
});
