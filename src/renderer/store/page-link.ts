/** Which page is shown. The address names it, so a reload shows the same, and "back" goes back. */
import { hashOf, type Page, type Place, pageIn } from './pages.ts';
import type { ViewStore } from './view-store.ts';

/** Shows a page, at a place of it. What lies over it is closed. */
export function openPage(view: ViewStore, page: Page, place: Place | null = null): void {
	view.setState({ page, place, dialog: null, drawerAgentId: null });
}

type PagedWindow = Pick<Window, 'location' | 'history' | 'addEventListener'>;

/** Keeps the address and the page true to each other. */
export function followPages(window: PagedWindow, view: ViewStore): void {
	const take = (): void => {
		const page = pageIn(window.location.hash) ?? (window.location.hash === '' ? 'floor' : null);
		if (page !== null && page !== view.getState().page) view.setState({ page, place: null });
	};
	window.addEventListener('popstate', take);
	window.addEventListener('hashchange', take);
	take();
	view.subscribe(({ page }, before) => {
		if (page === before.page || pageIn(window.location.hash) === page) return;
		if (page === 'floor' && window.location.hash === '') return;
		const { pathname, search } = window.location;
		window.history.pushState(null, '', `${pathname}${search}${hashOf(page)}`);
	});
}
