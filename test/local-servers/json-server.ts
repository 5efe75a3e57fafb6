/** A server that answers each path with what a test wrote for it, and everything else with 404. */
import { createServer } from 'node:http';
import type { TcpServer } from './tcp-server.ts';

export interface JsonAnswer {
	readonly status?: number;
	/** Sent as JSON; a string as it is. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

export type JsonRoutes = Readonly<Record<string, JsonAnswer | ((body: unknown) => JsonAnswer)>>;

export interface JsonServer extends Omit<TcpServer, 'connections'> {
	/** "GET /health", with its query. */
	readonly asked: string[];
	/** Bodies of the POSTs, in their order. */
	readonly bodies: unknown[];
	routes: JsonRoutes;
}

/** Keys of `routes`: path with query, or path alone. */
export async function startJsonServer(routes: JsonRoutes): Promise<JsonServer> {
	const asked: string[] = [];
	const bodies: unknown[] = [];
	const http = createServer(async (request, response) => {
		const url = request.url ?? '/';
		let text = '';
		for await (const part of request) text += String(part);
		asked.push(`${request.method} ${url}`);
		const body: unknown = text === '' ? null : JSON.parse(text);
		if (text !== '') bodies.push(body);
		const route = server.routes[url] ??
			server.routes[url.split('?')[0] ?? ''] ?? { status: 404, body: 'nothing' };
		const answer = typeof route === 'function' ? route(body) : route;
		response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
		response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? null));
	});
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	const address = http.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	const server: JsonServer = {
		url: `http://127.0.0.1:${port}`,
		asked,
		bodies,
		routes,
		close: () =>
			new Promise((resolve) => {
				http.close(() => resolve());
				http.closeAllConnections();
			}),
	};
	return server;
}
