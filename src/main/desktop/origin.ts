/** What counts as ours, and where a click may lead: decided here for IPC, navigation and links alike. */

/** Scheme of the window's pages; `file:` would make every file of the disk same-origin. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'floor';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/** Hosts the operating system's browser may be sent to from the window. */
const linkHosts = new Set(['github.com', 'docs.claude.com', 'code.claude.com', 'docs.anthropic.com']);

/** True for pages that came with the app. */
export function isOwnUrl(url: string): boolean {
	const parsed = parseUrl(url);
	return (
		parsed !== null &&
		parsed.protocol === `${APP_SCHEME}:` &&
		parsed.host === APP_HOST &&
		parsed.username === '' &&
		parsed.password === ''
	);
}

/** The address to hand to the system's browser, or `null`: https only, listed hosts only, no credentials, no port. */
export function externalLink(url: string): string | null {
	const parsed = parseUrl(url);
	if (parsed === null || parsed.protocol !== 'https:' || !linkHosts.has(parsed.host)) return null;
	return parsed.username === '' && parsed.password === '' ? parsed.href : null;
}

/** The address of a floor on this machine, for the one dialog that offers to open it; `null` for any other. */
export function loopbackLink(url: string): string | null {
	const parsed = parseUrl(url);
	if (parsed === null || parsed.protocol !== 'http:') return null;
	return ['127.0.0.1', '[::1]', 'localhost'].includes(parsed.hostname) ? parsed.href : null;
}

function parseUrl(url: string): URL | null {
	return URL.canParse(url) ? new URL(url) : null;
}
