/** Stands before the floor's gateway and counts what a program sends; everything passes through unchanged. */
import { createServer, request as httpRequest } from 'node:http';

/** @param {string} target base URL of the floor */
export async function startCountingDoor(target) {
	const { host, port } = new URL(target);
	const requests = [];
	const server = createServer((incoming, outgoing) => {
		const record = { method: incoming.method, path: incoming.url, status: 0, body: '' };
		requests.push(record);
		const through = httpRequest(
			{
				host: '127.0.0.1',
				port,
				method: incoming.method,
				path: incoming.url,
				headers: { ...incoming.headers, host },
			},
			(answer) => {
				record.status = answer.statusCode;
				outgoing.writeHead(answer.statusCode, answer.headers);
				answer.on('data', (chunk) => {
					record.body += chunk;
				});
				answer.pipe(outgoing);
			},
		);
		through.once('error', () => outgoing.destroy());
		outgoing.once('close', () => through.destroy());
		incoming.pipe(through);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		requests,
		/** Those that ask a model. */
		calls: () => requests.filter(({ method, path }) => method === 'POST' && !path.includes('count_tokens')),
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
