import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimDataDirectory } from '../../src/main/store/directory-claim.ts';
import { type ServerFile, writeServerFile } from '../../src/main/store/server-file.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { newToken } from '../../src/main/store/tokens.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const server: ServerFile = {
	url: 'http://127.0.0.1:9',
	port: 9,
	pid: process.pid,
	operatorToken: newToken(),
	agentToken: newToken(),
};
const nobodyAnswers = { answers: async () => false, patienceMs: 0 };

async function claimed(directory: string, options = {}) {
	const claim = await claimDataDirectory(directory, { ...nobodyAnswers, ...options });
	if (!claim.claimed) throw new Error('was not claimed');
	onTestFinished(() => claim.lock.dispose());
	return claim.lock;
}

async function claimingProcess(directory: string): Promise<ChildProcess> {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'claiming-process.ts'), directory], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => {
		child.kill('SIGKILL');
	});
	const [said] = await once(child.stdout, 'data');
	expect(String(said)).toBe('claimed\n');
	return child;
}

describe('claiming a data directory', () => {
	it('succeeds once, and again after it was let go', async () => {
		const directory = temporaryDirectory();
		const lock = await claimed(directory);
		await expect(claimDataDirectory(directory, nobodyAnswers)).rejects.toMatchObject({ code: 'in-use' });
		lock.dispose();
		await claimed(directory);
	});

	it('is not possible while another process has it, and is once that was killed', async () => {
		const directory = temporaryDirectory();
		const child = await claimingProcess(directory);
		const error = await claimDataDirectory(directory, nobodyAnswers).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(StoreError);
		expect(error).toMatchObject({ code: 'in-use', message: expect.stringContaining(directory) });
		child.kill('SIGKILL');
		await once(child, 'exit');
		await claimed(directory);
	});

	it('leads to the floor that has it, as soon as that answers', async () => {
		const directory = temporaryDirectory();
		await claimingProcess(directory);
		let asked = 0;
		const answers = async () => {
			asked += 1;
			return asked > 2;
		};
		writeServerFile(directory, server);
		const claim = await claimDataDirectory(directory, { answers, patienceMs: 5000, retryMs: 5 });
		expect(claim).toEqual({ claimed: false, running: server });
	});

	it('leads to a floor that answers although it holds no lock, and locks nothing itself then', async () => {
		const directory = temporaryDirectory();
		writeServerFile(directory, server);
		expect(await claimDataDirectory(directory, { answers: async () => true })).toMatchObject({
			claimed: false,
		});
		await claimed(directory);
	});

	it('takes over from a floor that died, also when its pid is used again', async () => {
		const directory = temporaryDirectory();
		// This very process has the pid, but nobody answers at the address.
		writeServerFile(directory, server);
		await claimed(directory);
	});

	it('does not ask an address whose process is gone', async () => {
		const directory = temporaryDirectory();
		const child = spawn(process.execPath, ['-e', '']);
		await once(child, 'exit');
		writeServerFile(directory, { ...server, pid: child.pid ?? 0 });
		await claimed(directory, {
			answers: async () => {
				throw new Error('asked');
			},
		});
	});

	it('asks with the operator token, and believes only a floor that accepts it', async () => {
		const directory = temporaryDirectory();
		const http = createServer((request, response) => {
			const known = request.headers.authorization === `Bearer ${server.operatorToken}`;
			response.writeHead(known ? 200 : 401).end('{}');
		}).listen(0, '127.0.0.1');
		onTestFinished(() => {
			http.close();
		});
		await once(http, 'listening');
		const address = http.address();
		const port = typeof address === 'object' && address ? address.port : 0;
		const own = { ...server, port, url: `http://127.0.0.1:${port}` };
		writeServerFile(directory, own);
		expect(await claimDataDirectory(directory, { patienceMs: 0 })).toEqual({ claimed: false, running: own });
		writeServerFile(directory, { ...own, operatorToken: newToken() });
		const claim = await claimDataDirectory(directory, { patienceMs: 0 });
		expect(claim.claimed).toBe(true);
		if (claim.claimed) claim.lock.dispose();
	});

	it('is a clear error where there is no directory', async () => {
		const nowhere = join(temporaryDirectory(), 'nowhere');
		await expect(claimDataDirectory(nowhere, nobodyAnswers)).rejects.toBeInstanceOf(StoreError);
	});
});
