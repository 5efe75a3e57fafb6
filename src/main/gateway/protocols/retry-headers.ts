/** How a client is told not to try again, or when. Claude Code, Codex and the SDKs of both vendors obey it. */
import type { ProtocolError } from '../protocol.ts';

const final: ReadonlySet<ProtocolError['kind']> = new Set(['refused', 'not-found', 'invalid']);

export function retryHeaders(error: ProtocolError): Readonly<Record<string, string>> {
	const { kind, retryAfterSeconds } = error;
	if (final.has(kind)) return { 'x-should-retry': 'false' };
	return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
}
