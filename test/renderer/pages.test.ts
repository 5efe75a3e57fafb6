import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followAgentLinks } from '../../src/renderer/store/agent-link.ts';
import { followPages, openPage } from '../../src/renderer/store/page-link.ts';
import { hashOf, pageIn, pages } from '../../src/renderer/store/pages.ts';
import { createViewStore } from '../../src/renderer/store/view-store.ts';

/** An address bar with its history, as far as pages and links touch it. */
function addressBar(hash = '') {
	const listeners: Record<string, (() => void)[]> = {};
	const visited = [hash];
	let at = 0;
	const hear = (name: string) => {
		for (const listener of listeners[name] ?? []) listener();
	};
	const hashFrom = (url: string | URL | null | undefined) => {
		const text = String(url ?? '');
		return text.includes('#') ? text.slice(text.indexOf('#')) : '';
	};
	const window = {
		location: {
			pathname: '/',
			search: '',
			get hash() {
				return visited[at] ?? '';
			},
		},
		history: {
			pushState: (_: unknown, __: string, url?: string | URL | null) => {
				visited.splice(at + 1, Number.POSITIVE_INFINITY, hashFrom(url));
				at += 1;
			},
			replaceState: (_: unknown, __: string, url?: string | URL | null) => {
				visited[at] = hashFrom(url);
			},
		},
		addEventListener: (name: string, listener: () => void) => {
			listeners[name] = [...(listeners[name] ?? []), listener];
		},
	} as unknown as Window;
	return {
		window,
		visited,
		back: () => {
			at = Math.max(0, at - 1);
			hear('popstate');
		},
		/** Somebody typed or followed an address. */
		goTo: (next: string) => {
			visited.splice(at + 1, Number.POSITIVE_INFINITY, next);
			at += 1;
			hear('hashchange');
		},
	};
}

describe('the page in the address', () => {
	it.each(pages)('%s is found again in its own hash', (page) => {
		expect(pageIn(hashOf(page)) ?? 'floor').toBe(page);
	});

	it('is none for whatever else stands there', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				const page = pageIn(`#${text}`);
				expect(page === null || text.endsWith(page)).toBe(true);
			}),
		);
		expect(pageIn('#agent=claude-code:s')).toBeNull();
	});

	it('shows the page that the window is opened at', () => {
		const view = createViewStore();
		followPages(addressBar('#/insights').window, view);
		expect(view.getState().page).toBe('insights');
	});

	it('follows the page, and the page follows "back"', () => {
		const bar = addressBar();
		const view = createViewStore();
		followPages(bar.window, view);
		openPage(view, 'incidents');
		openPage(view, 'settings', { setting: 'breaker.repeatedToolLimit' });
		expect(bar.window.location.hash).toBe('#/settings');
		bar.back();
		expect(view.getState()).toMatchObject({ page: 'incidents', place: null });
		bar.back();
		expect(view.getState().page).toBe('floor');
		bar.goTo('#/connections');
		expect(view.getState().page).toBe('connections');
	});

	it('goes nowhere for an address that names no page', () => {
		const bar = addressBar('#/incidents');
		const view = createViewStore();
		followPages(bar.window, view);
		bar.goTo('#nonsense');
		expect(view.getState().page).toBe('incidents');
	});

	it('keeps one entry of history for each page that was left, and none for the same page again', () => {
		const bar = addressBar();
		const view = createViewStore();
		followPages(bar.window, view);
		openPage(view, 'insights');
		openPage(view, 'insights', { section: 'trips' });
		openPage(view, 'floor');
		expect(bar.visited).toEqual(['', '#/insights', '']);
	});

	it('opens an agent from a link and stays on its page', () => {
		const bar = addressBar('#/insights');
		const view = createViewStore();
		followPages(bar.window, view);
		followAgentLinks(bar.window, view);
		bar.goTo('#agent=claude-code%3As');
		expect(view.getState()).toMatchObject({ page: 'insights', drawerAgentId: 'claude-code:s' });
		expect(bar.window.location.hash).toBe('#/insights');
	});
});

describe('opening a page', () => {
	it('closes what lies over the window', () => {
		const view = createViewStore();
		view.setState({ dialog: { kind: 'keys' }, drawerAgentId: 'a' });
		openPage(view, 'connections', { section: 'gateway' });
		expect(view.getState()).toMatchObject({
			page: 'connections',
			place: { section: 'gateway' },
			dialog: null,
			drawerAgentId: null,
		});
	});
});
