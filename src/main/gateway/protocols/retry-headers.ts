/** How a client is told not to try again. Claude Code, Codex and the SDKs of both vendors obey it. */
import type { ProtocolError } from '../protocol.ts';

const final: ReadonlySet<ProtocolError['kind']> = new Set(['refused', 'not-found', 'invalid']);

export function retryHeaders(error: ProtocolError): Readonly<Record<string, string>> {
	return final.has(error.kind) ? { 'x-should-retry': 'false' } : {};
}
