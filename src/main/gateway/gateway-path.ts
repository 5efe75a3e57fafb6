/** Addresses under `/gateway/`: what an agent gets as its base URL, taken apart. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ProtocolId } from '../../shared/failover-settings.ts';

export interface GatewayAddress {
	/** As given; compared elsewhere, in constant time. */
	readonly token: string;
	/** `/as/<label>`: the name of an agent that sends no session header. */
	readonly label: string | null;
	/** `/to/<providerId>` */
	readonly providerId: string | null;
	/** Of the service behind: "/v1/messages". */
	readonly path: string;
	/** With its question mark; empty without one. */
	readonly query: string;
}

/** What stands behind a method and a path. */
export type Door =
	| { readonly kind: 'turn'; readonly protocol: ProtocolId }
	| { readonly kind: 'count-tokens'; readonly protocol: ProtocolId }
	/** Answered by the gateway itself: "is anybody there?" */
	| { readonly kind: 'hello'; readonly protocol: ProtocolId }
	/** Passed through; `protocol` is the form of our own errors. */
	| { readonly kind: 'pass'; readonly protocol: ProtocolId }
	| { readonly kind: 'unknown'; readonly protocol: ProtocolId };

const COUNT_TOKENS = '/v1/messages/count_tokens';
const LABEL_LIMIT = 120;
const turns: Readonly<Record<string, ProtocolId>> = {
	'/v1/messages': 'anthropic-messages',
	'/v1/chat/completions': 'openai-chat',
	'/v1/responses': 'openai-responses',
};

/** `null`: not an address of the gateway. */
export function readAddress(url: string): GatewayAddress | null {
	const mark = url.indexOf('?');
	const query = mark < 0 ? '' : url.slice(mark);
	const parts = (mark < 0 ? url : url.slice(0, mark)).split('/');
	if (parts[1] !== 'gateway') return null;
	const token = parts[2] ?? '';
	let next = 3;
	const take = (word: string): string | null => {
		if (parts[next] !== word || !parts[next + 1]) return null;
		next += 2;
		return decode(parts[next - 1] ?? '');
	};
	const label = take('as');
	const providerId = take('to');
	const path = withVersion(plainDoor(`/${parts.slice(next).join('/')}`));
	return { token, label: label?.slice(0, LABEL_LIMIT) ?? null, providerId, path, query };
}

/** A door is one however it is spelled ("/v1/%6dessages"); other paths keep their escapes, which are part of a name. */
function plainDoor(path: string): string {
	if (!path.includes('%')) return path;
	const plain = withVersion(decode(path));
	return turns[plain] !== undefined || plain === COUNT_TOKENS ? plain : path;
}

/** Some clients put `/v1` behind a base URL that has it already, others leave it out: both mean the same door. */
function withVersion(path: string): string {
	const rest = path.replace(/^(?:\/v1)+(?=\/|$)/, '');
	return rest !== path || turns[`/v1${rest}`] !== undefined ? `/v1${rest}` : path;
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		// A stray percent sign is part of the name.
		return part;
	}
}

export function doorOf(method: string, path: string, headers: IncomingHttpHeaders): Door {
	const protocol = protocolOf(path, headers);
	const turn = turns[path];
	if (turn !== undefined && method === 'POST') return { kind: 'turn', protocol: turn };
	if (path === COUNT_TOKENS && method === 'POST') return { kind: 'count-tokens', protocol };
	const asks = method === 'HEAD' || method === 'GET';
	if (asks && (path === '/' || path === '/api/hello')) return { kind: 'hello', protocol };
	return { kind: path.startsWith('/v1/') ? 'pass' : 'unknown', protocol };
}

/** By path; paths that several services share, like `/v1/models`, by the headers that only Anthropic's clients send. */
function protocolOf(path: string, headers: IncomingHttpHeaders): ProtocolId {
	if (path.startsWith('/v1/messages')) return 'anthropic-messages';
	if (path.startsWith('/v1/responses')) return 'openai-responses';
	if (path.startsWith('/v1/chat/')) return 'openai-chat';
	const isAnthropic = headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined;
	const isOpenAi = path.startsWith('/v1/') && !isAnthropic;
	return isOpenAi ? 'openai-chat' : 'anthropic-messages';
}
