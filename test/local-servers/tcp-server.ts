/** Servers that speak no HTTP at all, or only half of it: for what other programs on a port do. */
import { createServer, type Socket } from 'node:net';

export interface TcpServer {
	readonly url: string;
	/** Connections so far. */
	readonly connections: () => number;
	close(): Promise<void>;
}

/** `onConnection` gets each socket; its errors are ignored, since the other side leaves as it likes. */
export async function startTcpServer(onConnection: (socket: Socket) => void): Promise<TcpServer> {
	const sockets = new Set<Socket>();
	let connections = 0;
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		connections += 1;
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
		onConnection(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		connections: () => connections,
		close: () =>
			new Promise((resolve) => {
				for (const socket of sockets) socket.destroy();
				server.close(() => resolve());
			}),
	};
}
