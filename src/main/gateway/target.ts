/** Where a request goes: base URL and path put together, and addresses that would lead back here refused. Pure. */

export interface Target {
	/** "https://api.anthropic.com" */
	readonly origin: string;
	/** With its query. */
	readonly path: string;
}

/** `/v1` is not repeated when the base URL already ends in it. `path` begins with a slash and may carry a query. */
export function targetOf(baseUrl: string, path: string): Target {
	const url = parsed(baseUrl);
	const base = url.pathname.replace(/\/+$/, '');
	const rest = /\/v1$/.test(base) && /^\/v1(?=\/|\?|$)/.test(path) ? path.slice(3) : path;
	return { origin: url.origin, path: `${base}${rest}` };
}

/** The address is this very listener: a request would go round for ever. */
export function isOwnAddress(baseUrl: string, ownPort: number): boolean {
	const { hostname, port, protocol } = parsed(baseUrl);
	const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
	return number === ownPort && isThisMachine(hostname);
}

function isThisMachine(hostname: string): boolean {
	const name = hostname.replace(/\.$/, '');
	if (name === 'localhost' || name.endsWith('.localhost') || name === '0.0.0.0') return true;
	if (name === '[::1]' || name === '[::]' || /^\[::ffff:7f[0-9a-f]{2}:/.test(name)) return true;
	// URL normalises every other spelling of IPv4 (127.1, 2130706433, 0x7f.1).
	return /^127\.\d+\.\d+\.\d+$/.test(name);
}

/** The few base URLs of the settings, read once. */
const known = new Map<string, URL>();
const MOST_KNOWN = 200;

function parsed(baseUrl: string): URL {
	const before = known.get(baseUrl);
	if (before) return before;
	const url = new URL(baseUrl);
	if (known.size >= MOST_KNOWN) known.clear();
	known.set(baseUrl, url);
	return url;
}
