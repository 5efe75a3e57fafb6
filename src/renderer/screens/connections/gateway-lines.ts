/** The lines that point a client at the gateway, and the token in them. Pure. */

/** The agent token stands in the path of the gateway's address. */
const tokenInPath = /\/gateway\/([^\s/"'`]+)/g;
const HIDDEN = '••••••••';

/** The lines with the token, wherever it stands, replaced by dots. */
export function withoutToken(lines: string): string {
	const tokens = new Set([...lines.matchAll(tokenInPath)].map(([, token = '']) => token));
	let shown = lines;
	for (const token of tokens) shown = shown.replaceAll(token, HIDDEN);
	return shown;
}
