/** Calls that ended without an answer: what a code of Node or undici says about the provider, and in words. */
import { visibleText } from '../../shared/untrusted-text.ts';
import type { CallOutcome, CallOutcomeKind } from './call.ts';
import { sentence } from './sentence.ts';

interface Loss {
	readonly kind: CallOutcomeKind;
	/** What happened, after the provider's name was put in; without the code and the full stop. */
	readonly words: (provider: string) => string;
}

const lost = (words: Loss['words']): Loss => ({ kind: 'lost', words });

const unnamed = lost((it) => `The name of ${it}'s server could not be resolved; this machine may be offline`);
const unreachable = lost((it) => `There is no network route to ${it}; this machine may be offline`);
const reset = lost((it) => `The connection to ${it} was reset`);
const unconnected = lost((it) => `${it} did not accept a connection in time`);
const insecure = lost((it) => `No secure connection to ${it} could be made: its TLS handshake failed`);
const untrusted = lost(
	(it) => `${it}'s certificate is not trusted; a proxy or a network login page may be answering in its place`,
);
const proxied = lost((it) => `The proxy on the way to ${it} did not let the connection through`);
const notHttp: Loss = { kind: 'error', words: (it) => `What answered as ${it} did not speak proper HTTP` };
const tooLarge: Loss = { kind: 'error', words: (it) => `${it}'s answer was larger than can be taken` };
const silent: Loss = { kind: 'timeout', words: (it) => `${it} took the request and did not answer in time` };
const stalled: Loss = { kind: 'timeout', words: (it) => `${it} fell silent in the middle of its answer` };
const short: Loss = { kind: 'cut', words: (it) => `${it}'s answer ended before its announced length` };
/** The fault is on this side: nothing of it says anything about the provider. */
const left: Loss = { kind: 'neutral', words: (it) => `The call to ${it} was called off on this side` };
const ownFault: Loss = {
	kind: 'neutral',
	words: (it) => `This machine could not send the call to ${it}`,
};

const losses: Readonly<Record<string, Loss>> = {
	ECONNREFUSED: lost((it) => `${it} refused the connection`),
	ENOTFOUND: unnamed,
	EAI_AGAIN: unnamed,
	EAI_FAIL: unnamed,
	EAI_NODATA: unnamed,
	EAI_NONAME: unnamed,
	ENODATA: unnamed,
	ESERVFAIL: unnamed,
	ECONNRESET: reset,
	ECONNABORTED: reset,
	EPIPE: reset,
	ENOTCONN: reset,
	UND_ERR_SOCKET: lost((it) => `${it} closed the connection without an answer`),
	EHOSTUNREACH: unreachable,
	EHOSTDOWN: unreachable,
	ENETUNREACH: unreachable,
	ENETDOWN: unreachable,
	ENETRESET: unreachable,
	ENONET: unreachable,
	EADDRNOTAVAIL: unreachable,
	EACCES: lost((it) => `This machine forbids connections to ${it}; a firewall may be set`),
	EPERM: lost((it) => `This machine forbids connections to ${it}; a firewall may be set`),
	ETIMEDOUT: unconnected,
	UND_ERR_CONNECT_TIMEOUT: unconnected,
	UND_ERR_HEADERS_TIMEOUT: silent,
	UND_ERR_BODY_TIMEOUT: stalled,
	EPROTO: insecure,
	UND_ERR_PRX_TLS: insecure,
	UND_ERR_PRX_CONN: proxied,
	DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
	SELF_SIGNED_CERT_IN_CHAIN: untrusted,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
	UNABLE_TO_GET_ISSUER_CERT: untrusted,
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
	HOSTNAME_MISMATCH: untrusted,
	INVALID_CA: untrusted,
	INVALID_PURPOSE: untrusted,
	ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: short,
	UND_ERR_HEADERS_OVERFLOW: tooLarge,
	UND_ERR_RES_EXCEEDED_MAX_SIZE: tooLarge,
	UND_ERR_RESPONSE: notHttp,
	UND_ERR_ABORT: left,
	UND_ERR_ABORTED: left,
	UND_ERR_DESTROYED: left,
	UND_ERR_CLOSED: left,
	ABORT_ERR: left,
	TIMEOUT_ERR: silent,
	UND_ERR_INVALID_ARG: ownFault,
	UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: ownFault,
	UND_ERR_NOT_SUPPORTED: ownFault,
	EMFILE: ownFault,
	ENFILE: ownFault,
	ENOBUFS: ownFault,
	ENOMEM: ownFault,
};

/** Not known by name: counts against the provider, but is no plain evidence that nothing answers. */
const unknown: Loss = { kind: 'error', words: (it) => `The call to ${it} failed` };

function lossOf(code: string): Loss {
	return knownLoss(code) ?? unknown;
}

/** True for a code of Node or undici that is known by name; false for a provider's own error types. */
export function isLossCode(code: string): boolean {
	return knownLoss(code) !== null;
}

function knownLoss(code: string): Loss | null {
	if (Object.hasOwn(losses, code)) return losses[code] ?? null;
	if (/^(?:CERT_|CRL_|UNABLE_TO_|ERROR_IN_CERT_)/.test(code)) return untrusted;
	if (/^ERR_(?:TLS|SSL|OSSL)_/.test(code)) return insecure;
	if (code.startsWith('HPE_')) return notHttp;
	return null;
}

/**
 * What a call without an answer says about its provider. `answerBegan`: its headers had come, so a broken connection
 * is a cut answer and not a provider that cannot be reached.
 */
export function classifyLoss(
	code: string,
	{
		answerBegan = false,
		status = null,
		latencyMs = null,
	}: {
		readonly answerBegan?: boolean;
		readonly status?: number | null;
		readonly latencyMs?: number | null;
	} = {},
): CallOutcome {
	const { kind } = lossOf(code);
	return {
		kind: answerBegan && kind === 'lost' ? 'cut' : kind,
		status: answerBegan ? status : null,
		code,
		latencyMs,
		retryAfterMs: null,
	};
}

/** One sentence for people: "Anthropic refused the connection (ECONNREFUSED)." `answerBegan` as in `classifyLoss`. */
export function describeLoss(code: string, providerName: string, answerBegan = false): string {
	const { kind, words } = lossOf(code);
	const what =
		answerBegan && kind === 'lost'
			? `The connection to ${providerName} broke in the middle of its answer`
			: words(providerName);
	return sentence(`${what}${code === '' ? '' : ` (${visibleText(code, { limit: 60 })})`}.`);
}

/**
 * The code of an error of fetch, undici or a socket: its own, or that of what caused it (fetch hides it one level
 * down, a connection tried over IPv6 and IPv4 in a list). Empty when there is none.
 */
export function lossCodeOf(error: unknown): string {
	const open: unknown[] = [error];
	for (let seen = 0; seen < 16; seen += 1) {
		const next = open.shift();
		if (typeof next !== 'object' || next === null) {
			if (open.length === 0) return '';
			continue;
		}
		const { code, name, cause, errors } = next as Readonly<Record<string, unknown>>;
		if (typeof code === 'string' && code !== '') return code;
		if (name === 'AbortError') return 'ABORT_ERR';
		if (name === 'TimeoutError') return 'TIMEOUT_ERR';
		open.push(cause, ...(Array.isArray(errors) ? errors : []));
	}
	return '';
}

/** Losses before anything can be sent. */
const onTheWay: ReadonlySet<Loss> = new Set([unnamed, untrusted, proxied]);
/** The other codes of a lost way (ETIMEDOUT, EHOSTUNREACH …) also end connections that had carried the request. */
const beforeSending: ReadonlySet<string> = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

/** True unless it is certain that nothing was received: then sending again could do a thing twice. */
export function mayHaveArrived(code: string): boolean {
	const loss = knownLoss(code);
	return !(beforeSending.has(code) || (loss !== null && onTheWay.has(loss)));
}
