/**
 * Headers on their way through. They are an open list: everything passes unchanged, except what belongs to one
 * connection, what is addressed to the floor, and what this side must set itself. Lists are flat: name, value, name …
 */

/** RFC 9110 §7.6.1, and `expect`: the body is here already when the request goes on. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
	'connection',
	'expect',
	'keep-alive',
	'proxy-authenticate',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
]);
const SET_BY_US: ReadonlySet<string> = new Set(['host', 'content-length', 'accept-encoding']);
const RETRY_AFTER: ReadonlySet<string> = new Set(['retry-after', 'retry-after-ms', 'x-ms-retry-after-ms']);
const OWN = 'x-agent-floor-';
/** Known to name who pays or who is asked for; whatever else passes is not kept. */
const CREDENTIALS: ReadonlySet<string> = new Set([
	'anthropic-beta',
	'anthropic-version',
	'api-key',
	'authorization',
	'chatgpt-account-id',
	'openai-beta',
	'openai-organization',
	'openai-project',
	'user-agent',
	'x-api-key',
]);

/** For the provider. `identity`, because a compressed stream could not be read. `isPlain`: a compressed body was read. */
export function requestHeaders(raw: readonly string[], isPlain = false): string[] {
	const kept = without(
		raw,
		(name) => SET_BY_US.has(name) || name.startsWith(OWN) || (isPlain && name === 'content-encoding'),
	);
	kept.push('accept-encoding', 'identity');
	return kept;
}

/** For the client. The length is given anew where the body is known, and stays away where it is a stream. */
export function responseHeaders(raw: readonly string[]): string[] {
	return without(raw, (name) => name === 'content-length');
}

/** For an answer that is given a waiting time of ours. */
export function withoutRetryAfter(raw: readonly string[]): string[] {
	return without(raw, (name) => RETRY_AFTER.has(name));
}

/** What a later request of the same session needs to be let in again. */
export function credentialHeaders(raw: readonly string[]): string[] {
	return without(raw, (name) => !CREDENTIALS.has(name));
}

/** First value of a header, by its name in lower case. */
export function headerOf(raw: readonly string[], wanted: string): string | null {
	for (let at = 0; at + 1 < raw.length; at += 2) {
		if (lowerCase(raw[at] ?? '') === wanted) return raw[at + 1] ?? null;
	}
	return null;
}

/** The same as an object, names in lower case, for readers that want that form. */
export function headerRecord(raw: readonly string[]): Record<string, string | string[]> {
	const record = new Map<string, string | string[]>();
	for (let at = 0; at + 1 < raw.length; at += 2) {
		const name = lowerCase(raw[at] ?? '');
		const value = raw[at + 1] ?? '';
		const known = record.get(name);
		record.set(name, known === undefined ? value : [known, value].flat());
	}
	return Object.fromEntries(record);
}

function without(raw: readonly string[], drops: (name: string) => boolean): string[] {
	const named = namedByConnection(raw);
	const kept: string[] = [];
	for (let at = 0; at + 1 < raw.length; at += 2) {
		const name = raw[at] ?? '';
		const lower = lowerCase(name);
		if (HOP_BY_HOP.has(lower) || named?.has(lower) || drops(lower)) continue;
		kept.push(name, raw[at + 1] ?? '');
	}
	return kept;
}

/** `Connection: close, x-foo` makes x-foo hop-by-hop as well. */
function namedByConnection(raw: readonly string[]): Set<string> | null {
	const value = headerOf(raw, 'connection');
	if (value === null || value === 'keep-alive' || value === 'close') return null;
	return new Set(value.split(',').map((name) => name.trim().toLowerCase()));
}

/** Names come again with every request: each spelling is turned into lower case once. */
const lowerNames = new Map<string, string>();
const MOST_NAMES = 1_000;

export function lowerCase(name: string): string {
	const known = lowerNames.get(name);
	if (known !== undefined) return known;
	const lower = name.toLowerCase();
	if (lowerNames.size >= MOST_NAMES) lowerNames.clear();
	lowerNames.set(name, lower);
	return lower;
}
