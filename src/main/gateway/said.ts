/** What came instead of an answer, in words: for the popup, the incident and the agent. Credentials are left out of it. */
import { visibleText } from '../../shared/untrusted-text.ts';
import { isRedirect } from './answer-form.ts';
import { decompressedNow, isCompressed } from './content-encoding.ts';
import { headerOf } from './headers.ts';
import { masked } from './masked.ts';
import type { Protocol } from './protocol.ts';
import type { UpstreamHead } from './upstream.ts';

export interface Asked {
	readonly protocol: Protocol;
	/** Who was asked, in words. */
	readonly name: string;
	/** Of the request, flat: what of them must not be repeated. */
	readonly headers: readonly string[];
}

export interface Said {
	readonly type: string;
	/** Of the provider. */
	readonly message: string;
	/** One or two sentences. */
	readonly detail: string;
}

const LONGEST = 300;
const nothing = new Uint8Array();

/** Of an answer with an error status. */
export function saidByStatus(head: UpstreamHead, body: Uint8Array, asked: Asked): Said {
	const { name, headers } = asked;
	const encoding = headerOf(head.headers, 'content-encoding');
	const plain = decompressedNow(body, encoding);
	const words = asked.protocol.readError(head.status, plain ?? nothing);
	const type = masked(words.type, headers);
	if (isRedirect(head.status)) {
		const detail = masked(redirected(head, name), headers);
		return { type, message: masked(words.message, headers), detail };
	}
	const message =
		plain === null && isCompressed(encoding)
			? `its explanation is compressed (${visibleText(encoding ?? '', { limit: 20 })}) and cannot be read`
			: masked(words.message, headers);
	const detail = `${name} answered with status ${head.status}${message ? `: ${clip(message)}` : '.'}`;
	return { type, message, detail };
}

/** Of an error where an answer should be. */
export function saidInAnswer(type: string, message: string, { name, headers }: Asked): string {
	if (type === 'empty_answer') return `${name} sent an empty answer.`;
	const words = masked([type, clip(message)].filter(Boolean).join(': '), headers);
	return `${name} sent an error instead of an answer (${words}).`;
}

/** Why a redirect is an error, and what to do. */
export function redirected({ status, headers }: UpstreamHead, name: string): string {
	const where = addressIn(headerOf(headers, 'location') ?? '');
	return `${name} answered with a redirect (${status}${where}). Agent Floor follows no redirects, because the agent's credentials would go along: set the right base URL for ${name} in the settings.`;
}

/** Without its query, which may hold anything. */
function addressIn(location: string): string {
	const path = location.split(/[?#]/)[0] ?? '';
	return path === '' ? '' : ` to ${visibleText(path, { limit: 200 })}`;
}

function clip(text: string): string {
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
