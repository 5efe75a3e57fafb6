/** The window's page and the command line, where neighbouring programs went round for ever or said what was not so. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { afterPageGone, HOURLY_RELOAD_LIMIT } from '../../src/main/desktop/window/reload-policy.ts';
import { run } from '../cli/command-line.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

describe('zylos-core 515, openchamber 3169: a page that dies the same way for nine days (U91, U73)', () => {
	it.each([25, 90, 300])(
		'every %i seconds ends at the crash page, and a day later may try again',
		(seconds) => {
			let reloads: readonly number[] = [];
			let at = 0;
			const die = () => {
				at += seconds * 1000;
				const outcome = afterPageGone(reloads, { reason: 'crashed', visible: true, showing: 'floor', at });
				reloads = outcome.reloads;
				return outcome.verdict.kind;
			};
			const lives: string[] = [];
			while (lives.at(-1) !== 'crash-page' && lives.length < 9 * 24 * 3600) lives.push(die());
			expect(lives.length).toBeLessThanOrEqual(HOURLY_RELOAD_LIMIT + 1);
			at += 24 * 3_600_000;
			expect(die()).toBe('reload');
		},
	);
});

describe('Ark0N/Codeman 230: what "status" says (U93)', () => {
	/** A directory whose floor is said to be at `port`. */
	function directoryOf(port: number): string {
		const directory = temporaryDirectory();
		const server = {
			url: `http://127.0.0.1:${port}`,
			port,
			pid: process.pid,
			operatorToken: 'o',
			agentToken: 'a',
		};
		writeFileSync(join(directory, 'server.json'), JSON.stringify(server));
		return directory;
	}

	async function listening(server: Server): Promise<number> {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		onTestFinished(() => void server.close());
		return (server.address() as AddressInfo).port;
	}

	it('of one that takes the call and says nothing: that it cannot tell', async () => {
		const directory = directoryOf(await listening(createServer((socket) => socket.end())));
		const said = await run(directory, 'status');
		expect([said.code, said.out]).toEqual([1, expect.stringContaining('Cannot tell whether a floor runs')]);
		expect(said.out).toContain(`(pid ${process.pid}) does not answer`);
		const json = await run(directory, 'status', '--json');
		expect(JSON.parse(json.out)).toEqual({ running: null, dataDirectory: directory });
	});

	it('of one that is gone: that none runs', async () => {
		const server = createServer();
		const port = await listening(server);
		server.close();
		await once(server, 'close');
		const said = await run(directoryOf(port), 'status');
		expect([said.code, said.out]).toEqual([1, expect.stringContaining('No floor runs on')]);
	});

	it('of another program in its place: that none runs', async () => {
		const answer = 'HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\nconnection: close\r\n\r\nnone\n';
		const port = await listening(createServer((socket) => socket.once('data', () => socket.end(answer))));
		expect((await run(directoryOf(port), 'status')).out).toContain('No floor runs on');
	});
});
