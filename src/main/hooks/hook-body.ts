/** The bytes of a hook's body, bounded: what is too large is drained, not refused, so that no terminal shows an error. */
import type { Readable } from 'node:stream';

/** Largest body that is read, bytes. Seen in the wild: 680 KB (images in Read results). */
export const HOOK_BODY_LIMIT = 16 * 1024 * 1024;
/** A sender that goes on for longer than this is cut off, bytes. */
const DRAIN_LIMIT = 256 * 1024 * 1024;

export type HookBody =
	| { readonly kind: 'read'; readonly bytes: Uint8Array }
	| { readonly kind: 'too-large'; readonly limit: number };

/** Rejects only when the sender breaks off. */
export async function readHookBody(stream: Readable): Promise<HookBody> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length <= HOOK_BODY_LIMIT) chunks.push(chunk);
		else chunks.length = 0;
		if (length > DRAIN_LIMIT) break;
	}
	if (length > HOOK_BODY_LIMIT) return { kind: 'too-large', limit: HOOK_BODY_LIMIT };
	return { kind: 'read', bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) };
}
