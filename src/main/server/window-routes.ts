/** The web host's pages: the window itself, behind the operator's token. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONTENT_SECURITY_POLICY } from '../../shared/page-policy.ts';
import { isOperator, isSameSecret, operatorCookie } from './authorise.ts';
import type { Tickets } from './tickets.ts';
import type { WindowFile } from './window-files.ts';

export interface WindowRouteOptions {
	readonly files: ReadonlyMap<string, WindowFile>;
	readonly port: () => number;
	readonly operatorToken: string;
	readonly tickets: Tickets;
}

/** A Fastify plugin. `/?token=…` or `/?ticket=…` is traded for a cookie, so that it does not stay in the address bar. */
export async function windowRoutes(app: FastifyInstance, options: WindowRouteOptions): Promise<void> {
	app.get('/*', async (request, reply) => {
		const url = new URL(request.url, 'http://floor.local');
		secure(reply);
		if (url.pathname === '/' || url.pathname === '/index.html')
			return openWindow(request, reply, url, options);
		const file = options.files.get(decodePath(url.pathname));
		if (!file) return reply.code(404).type('text/plain').send('Not here.');
		return sendFile(reply, file);
	});
}

function openWindow(
	request: FastifyRequest,
	reply: FastifyReply,
	url: URL,
	{ files, port, operatorToken, tickets }: WindowRouteOptions,
): FastifyReply {
	const token = url.searchParams.get('token');
	const ticket = url.searchParams.get('ticket');
	const isToken = token !== null && isSameSecret(token, operatorToken);
	if (isToken || (ticket !== null && tickets.redeem(ticket))) {
		return reply.header('set-cookie', operatorCookie(port(), operatorToken)).redirect('/', 303);
	}
	if (!isOperator(request.headers, port(), operatorToken)) {
		return reply.code(401).type('text/html; charset=utf-8').send(page(LOCKED));
	}
	const index = files.get('/index.html');
	if (!index) return reply.code(503).type('text/html; charset=utf-8').send(page(NOT_BUILT));
	return sendFile(reply, index);
}

function sendFile(reply: FastifyReply, file: WindowFile): FastifyReply {
	return reply
		.header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-store')
		.type(file.type)
		.send(file.body);
}

function secure(reply: FastifyReply): void {
	reply
		.header('content-security-policy', CONTENT_SECURITY_POLICY)
		.header('x-content-type-options', 'nosniff')
		.header('referrer-policy', 'no-referrer')
		.header('cross-origin-opener-policy', 'same-origin')
		.header('cross-origin-resource-policy', 'same-origin');
}

function decodePath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		// A path that is not valid percent-encoding names no file of ours.
		return '';
	}
}

const LOCKED = {
	title: 'This floor is locked',
	text: 'It opens with the full address that <code>npm start</code> printed (it ends in <code>?token=…</code>). After a restart of the floor that address is a new one. <code>agent-floor open</code> prints it again.',
};
const NOT_BUILT = {
	title: 'The window is not built',
	text: 'The floor runs and watches the agents, but its window is missing. Start it with <code>npm start</code>, which builds it.',
};

function page({ title, text }: { title: string; text: string }): string {
	return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Agent Floor</title><h1>${title}</h1><p>${text}</p></html>`;
}
