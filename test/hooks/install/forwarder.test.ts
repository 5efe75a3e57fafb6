import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
	authorizationLine,
	forwarderHandler,
	isForwarder,
	posixForwarder,
	powershellForwarder,
} from '../../../src/main/hooks/install/forwarder.ts';

const TOKEN = 'token-7f3a';

interface Outcome {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
	readonly stdinError: string | null;
}

interface Heard {
	readonly url: string | undefined;
	readonly method: string | undefined;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

describe.skipIf(process.platform === 'win32')('the forwarder on Linux and macOS', () => {
	let directory: string;
	let authorizationFile: string;
	let server: Server | undefined;
	let child: ChildProcess | undefined;

	beforeEach(async () => {
		directory = await mkdtemp(join(tmpdir(), "floor's $HOME & co "));
		authorizationFile = join(directory, 'authorization');
		await writeFile(authorizationFile, authorizationLine(TOKEN), { mode: 0o600 });
	});

	afterEach(async () => {
		child?.kill();
		server?.close();
		server?.closeAllConnections();
		server = undefined;
		await rm(directory, { recursive: true, force: true });
	});

	async function listen(answer: RequestListener): Promise<string> {
		server = createServer(answer).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		return `http://127.0.0.1:${port}/hooks/claude-code/SessionStart`;
	}

	/** Hears everything, then answers who brings the token. */
	async function floor(reply: string, heard: Heard[] = [], status = 200): Promise<string> {
		return listen((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const { url, method, headers } = request;
				heard.push({ url, method, headers, body: Buffer.concat(chunks).toString('utf8') });
				const welcome = headers.authorization === `Bearer ${TOKEN}`;
				response.writeHead(welcome ? status : 401, { 'content-type': 'application/json' });
				response.end(welcome ? reply : '');
			});
		});
	}

	/** As Claude Code runs it: a shell, the payload and a line feed on stdin, then the end of stdin. */
	async function forward(
		url: string,
		payload: string | null,
		env: NodeJS.ProcessEnv = process.env,
	): Promise<Outcome> {
		const started = spawn(posixForwarder({ url, authorizationFile }), [], { shell: '/bin/sh', env });
		child = started;
		let stdout = '';
		let stderr = '';
		let stdinError: string | null = null;
		started.stdout.on('data', (chunk: Buffer) => {
			stdout += chunk.toString('utf8');
		});
		started.stderr.on('data', (chunk: Buffer) => {
			stderr += chunk.toString('utf8');
		});
		started.stdin.on('error', (error) => {
			stdinError = error.message;
		});
		const closed = once(started, 'close');
		if (payload !== null) started.stdin.end(`${payload}\n`);
		const [code, signal] = (await once(started, 'exit')) as [number | null, NodeJS.Signals | null];
		started.stdin.destroy();
		await closed;
		return { code, signal, stdout, stderr, stdinError };
	}

	const silent = { code: 0, signal: null, stdout: '', stderr: '' };

	it('brings the payload, the token and the pid of its parent to the floor, and its object back', async () => {
		const heard: Heard[] = [];
		const outcome = await forward(await floor('{"a":"ü"}', heard), '{"session_id":"s"}');
		expect(outcome).toEqual({ ...silent, stdout: '{"a":"ü"}\n', stdinError: null });
		expect(heard).toHaveLength(1);
		expect(heard[0]).toMatchObject({
			method: 'POST',
			url: '/hooks/claude-code/SessionStart',
			body: '{"session_id":"s"}\n',
			headers: {
				authorization: `Bearer ${TOKEN}`,
				'content-type': 'application/json',
				'x-agent-floor-pid': String(process.pid),
			},
		});
	});

	it.each([
		['quotes and dollars', JSON.stringify({ text: `"'\`$(exit 3)$HOME\\ %s %d` })],
		['line ends', '{"text":"a\\nb",\r\n "c":\u2028"d\u0085"}'],
		['emoji and escaped lone surrogates', '{"text":"🦊 \\ud83d"}'],
		['2 MB', JSON.stringify({ text: 'ä'.repeat(1024 * 1024) })],
	])('carries %s unharmed', async (_name, payload) => {
		const heard: Heard[] = [];
		expect(await forward(await floor('{}', heard), payload)).toMatchObject({ ...silent, stdout: '{}\n' });
		expect(heard.map((request) => request.body)).toEqual([`${payload}\n`]);
		// Waiting for leave to send the body would cost up to a second.
		expect(heard[0]?.headers).not.toHaveProperty('expect');
	});

	it.each([
		['an empty reply', ''],
		['a page', '<html>{}</html>'],
		['a list', '[]'],
		['text before an object', 'ok {}'],
	])('prints nothing for %s', async (_name, reply) => {
		expect(await forward(await floor(reply), '{}')).toMatchObject(silent);
	});

	it.each([401, 403, 404, 500])('prints nothing for status %i', async (status) => {
		expect(await forward(await floor('{"error":"x"}', [], status), '{}')).toMatchObject(silent);
	});

	it('is silent when the floor refuses before it has read the body', async () => {
		const url = await listen((_request, response) => {
			response.writeHead(401, { connection: 'close' }).end();
		});
		const outcome = await forward(url, JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) }));
		expect(outcome).toMatchObject(silent);
	});

	it.each([
		['a small payload', '{}'],
		['2 MB', JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) })],
	])('is silent when the floor is down, and takes in %s all the same', async (_name, payload) => {
		const url = await floor('{}');
		server?.close();
		expect(await forward(url, payload)).toEqual({ ...silent, stdinError: null });
	});

	it.each([
		['never answers', '{}', () => undefined],
		[
			'starts an answer and stalls',
			'{}',
			(response: { write(chunk: string): unknown }) => response.write('{"half":'),
		],
		['never answers', JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) }), () => undefined],
	] as const)('gives up on a floor that %s', async (_name, payload, answer) => {
		const url = await listen((_request, response) => answer(response));
		expect(await forward(url, payload)).toMatchObject(silent);
	});

	it('gives up on a floor that accepts and never reads', async () => {
		const tcp = createTcpServer((socket) => socket.pause().on('error', () => socket.destroy()));
		tcp.listen(0, '127.0.0.1');
		await once(tcp, 'listening');
		const { port } = tcp.address() as AddressInfo;
		const payload = JSON.stringify({ text: 'x'.repeat(8 * 1024 * 1024) });
		expect(await forward(`http://127.0.0.1:${port}/`, payload)).toMatchObject(silent);
		tcp.close();
	});

	it('does not wait for the end of stdin beyond its own deadline', async () => {
		const url = await floor('{}');
		const outcome = await forward(url, null);
		expect(outcome).toMatchObject({ code: 0, signal: null, stderr: '' });
	});

	it('is silent without curl, without cat and without its authorisation', async () => {
		const url = await floor('{}');
		const bare = join(directory, 'bin');
		await mkdir(bare);
		expect(await forward(url, '{}', { PATH: bare })).toMatchObject(silent);
		await symlink('/bin/cat', join(bare, 'cat'));
		expect(await forward(url, '{}', { PATH: bare })).toMatchObject(silent);
		await rm(authorizationFile);
		expect(await forward(url, '{}')).toMatchObject(silent);
	});

	it('is silent when curl breaks', async () => {
		const bin = join(directory, 'bin');
		await mkdir(bin);
		await writeFile(join(bin, 'curl'), '#!/bin/sh\necho "{half"; echo broken >&2; exit 139\n');
		await chmod(join(bin, 'curl'), 0o755);
		expect(
			await forward(await floor('{}'), '{}', { ...process.env, PATH: `${bin}:${process.env.PATH}` }),
		).toMatchObject(silent);
	});

	it("goes past proxies and the person's curlrc", async () => {
		await writeFile(join(directory, '.curlrc'), 'include\nproxy = "http://127.0.0.1:9"\nmax-time = 0.001\n');
		const env = {
			...process.env,
			HOME: directory,
			CURL_HOME: directory,
			http_proxy: 'http://127.0.0.1:9',
			ALL_PROXY: 'http://127.0.0.1:9',
		};
		expect(await forward(await floor('{}'), '{}', env)).toMatchObject({ ...silent, stdout: '{}\n' });
	});

	it('shows the token to nobody who lists processes', () => {
		expect(posixForwarder({ url: 'http://127.0.0.1:1/', authorizationFile })).not.toContain(TOKEN);
	});
});

describe('the forwarder on Windows', () => {
	const target = {
		url: 'http://127.0.0.1:47100/hooks/claude-code/SessionStart',
		authorizationFile: "C:\\Users\\O'Brien\\.claude\\settings.json.agent-floor-authorization",
	};

	it('asks for PowerShell, which every Windows has', () => {
		expect(forwarderHandler('win32', target)).toEqual({
			command: powershellForwarder(target),
			shell: 'powershell',
		});
		expect(forwarderHandler('linux', target)).toEqual({ command: posixForwarder(target) });
	});

	it('is one argument: one line, no double quotes, quotes in paths doubled', () => {
		const command = powershellForwarder(target);
		expect(command).not.toMatch(/["\r\n]/);
		expect(command).toContain("'C:\\Users\\O''Brien\\.claude\\settings.json.agent-floor-authorization'");
		expect(command.split('{').length).toBe(command.split('}').length);
		expect(command.split("'").length % 2).toBe(1);
	});

	it('has a deadline for stdin and for the floor, uses no proxy, and exits 0 whatever happens', () => {
		const command = powershellForwarder(target);
		expect(command).toContain('.CopyToAsync($m).Wait(1000)');
		expect(command).toContain('$q.Timeout=1000');
		expect(command).toContain('$q.Proxy=$null');
		expect(command).toMatch(/\} catch \{ [^}]* \}; exit 0$/);
	});
});

describe('a forwarder', () => {
	it('is known by its address and its header, whatever the port and the machine', () => {
		const target = { url: 'http://127.0.0.1:9/hooks/claude-code/SessionStart', authorizationFile: '/a' };
		expect(isForwarder(posixForwarder(target))).toBe(true);
		expect(isForwarder(powershellForwarder(target))).toBe(true);
		expect(isForwarder('curl -d @- http://127.0.0.1:9/hooks/claude-code/SessionStart')).toBe(false);
		expect(isForwarder('notify-send hello')).toBe(false);
	});
});
