/** Who may speak to the listener. Everything here is decided from headers alone, before a body is read. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Names by which this machine may be addressed: anything else is DNS rebinding. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Constant time, whatever the lengths. */
export function isSameSecret(given: string, expected: string): boolean {
	const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(given), digest(expected));
}

/** `Host` names this listener. */
export function isOwnHost(host: string | undefined, port: number): boolean {
	if (!host) return false;
	const match = /^(.*?)(?::(\d+))?$/.exec(host);
	const name = match?.[1] ?? '';
	return LOOPBACK_NAMES.has(name.toLowerCase()) && Number(match?.[2] ?? 80) === port;
}

/** No `Origin` (a program), or our own. `null` and every other site is foreign. */
export function isOwnOrigin(origin: string | undefined, port: number): boolean {
	if (origin === undefined) return true;
	const prefix = 'http://';
	return origin.startsWith(prefix) && isOwnHost(origin.slice(prefix.length), port);
}

/** The token of `Authorization: Bearer …`; empty when there is none. */
export function bearerOf(headers: IncomingHttpHeaders): string {
	const match = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '');
	return match?.[1] ?? '';
}

/** Cookies are shared by all ports of a host, so the name holds the port. */
export function cookieName(port: number): string {
	return `agent_floor_${port}`;
}

/** `Set-Cookie` for the operator's window. */
export function operatorCookie(port: number, token: string): string {
	return `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`;
}

/** The operator's token from bearer or cookie. */
export function isOperator(headers: IncomingHttpHeaders, port: number, operatorToken: string): boolean {
	const bearer = bearerOf(headers);
	if (bearer !== '') return isSameSecret(bearer, operatorToken);
	const wanted = `${cookieName(port)}=`;
	const cookie = (headers.cookie ?? '').split(';').find((part) => part.trim().startsWith(wanted));
	return cookie !== undefined && isSameSecret(cookie.trim().slice(wanted.length), operatorToken);
}
