/** Credentials that a provider or a server repeats in what it says: they are never shown, kept or logged. Pure. */
import { lowerCase } from './headers.ts';

/** Headers whose values let somebody in. */
const SECRETS: ReadonlySet<string> = new Set([
	'authorization',
	'api-key',
	'x-api-key',
	'x-goog-api-key',
	'cookie',
	'chatgpt-account-id',
]);
/** Shorter values are words that may stand in any sentence. */
const SHORTEST = 6;
/** What looks like a credential of anybody's: keys of the known vendors, bearer tokens, JSON web tokens. */
const lookalikes =
	/\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghu|ghs|github_pat)[-_][\w*.-]{6,}|\bAIza[\w-]{10,}|\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?|(?<=\b(?:bearer|basic)\s+)[\w.~+/*=-]{6,}/gi;
const MASK = '[credential]';

/** `headers`: flat, of the request that was answered. Their credentials, and what looks like one, are left out. */
export function masked(text: string, headers: readonly string[]): string {
	let shown = text;
	for (const secret of secretsOf(headers)) shown = shown.replaceAll(secret, MASK);
	return shown.replace(lookalikes, MASK);
}

/** The longest first: a shorter one may be a part of it. */
function secretsOf(headers: readonly string[]): string[] {
	const found = new Set<string>();
	for (let at = 0; at + 1 < headers.length; at += 2) {
		if (!SECRETS.has(lowerCase(headers[at] ?? ''))) continue;
		const value = (headers[at + 1] ?? '').trim();
		for (const secret of [value, value.replace(/^\S+\s+/, '')]) {
			if (secret.length >= SHORTEST) found.add(secret);
		}
	}
	return [...found].sort((a, b) => b.length - a.length);
}
