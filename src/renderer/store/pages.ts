/** The pages of the window, and how an address names them. Pure. */
/** In the order of the navigation; the key of each is its place in it. */
export const pages = ['floor', 'incidents', 'insights', 'connections', 'settings'] as const;
export type Page = (typeof pages)[number];

export const pageWords: Record<Page, string> = {
	floor: 'Floor',
	incidents: 'Incidents',
	insights: 'Insights',
	connections: 'Connections',
	settings: 'Settings',
};

/** A part of a page that another part of the window leads to. */
export interface Place {
	/** A setting, dotted as in the file. */
	readonly setting?: string;
	readonly section?: string;
	readonly incidentId?: string;
}

/** `null`: the hash names no page. */
export function pageIn(hash: string): Page | null {
	const name = hash.replace(/^#\/?/, '');
	return pages.find((page) => page === name) ?? null;
}

export function hashOf(page: Page): string {
	return page === 'floor' ? '' : `#/${page}`;
}
