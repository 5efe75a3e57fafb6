import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
	FORWARD_DEADLINES,
	MOST_REPLY_BYTES,
	PAUSE_SECONDS,
} from '../../src/main/hooks/install/forward-deadlines.ts';
import {
	forgetFloorAddress,
	forwardCommand,
	writeForwardProgram,
} from '../../src/main/hooks/install/forward-program.ts';

const TOKEN = 'token-7f3a';
/** For what never answers; whole seconds, so that every curl knows them. */
const SHORT = { consent: 1, gate: 1, end: 1, others: 1 };

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

interface Run {
	/** `null`: standard input stays open. */
	readonly payload: string | null;
	readonly event?: string;
	readonly env?: NodeJS.ProcessEnv;
	/** What runs the command line, as a client would. */
	readonly shell?: readonly string[];
}

const silent = { code: 0, signal: null, stdout: '', stderr: '' };
const LARGE = JSON.stringify({ text: 'ä'.repeat(2.5 * 1024 * 1024) });

const noteFile = (data: string) => join(data, 'hooks', 'forward.quiet');
const noteIn = (data: string) => readFile(noteFile(data), 'utf8').catch(() => null);

describe.skipIf(process.platform === 'win32')('the forwarder on Linux and macOS', () => {
	let place: string;
	let data: string;
	let server: Server | undefined;
	let child: ChildProcess | undefined;

	beforeEach(async () => {
		place = await mkdtemp(join(tmpdir(), 'agent-floor-forward-'));
		data = join(place, 'floor\'s "data" $HOME `id` \\ & co\nline');
	});

	afterEach(async () => {
		child?.kill();
		server?.close();
		server?.closeAllConnections();
		server = undefined;
		await rm(place, { recursive: true, force: true });
	});

	async function write(baseUrl: string, deadlines = FORWARD_DEADLINES): Promise<void> {
		await writeForwardProgram(data, { baseUrl, agentToken: TOKEN }, 'linux', process.execPath, deadlines);
	}

	async function listen(answer: RequestListener): Promise<string> {
		server = createServer(answer).listen(0, '127.0.0.1');
		await once(server, 'listening');
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}

	/** Hears everything, then answers who brings the token. */
	async function floor(reply: string, heard: Heard[] = [], head: Partial<Head> = {}): Promise<string> {
		const { status, type } = { status: 200, type: 'application/json', ...head };
		return listen((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const { url, method, headers } = request;
				heard.push({ url, method, headers, body: Buffer.concat(chunks).toString('utf8') });
				const welcome = headers.authorization === `Bearer ${TOKEN}`;
				response.writeHead(welcome ? status : 401, { 'content-type': type });
				response.end(welcome ? reply : '{"error":"token"}');
			});
		});
	}
	interface Head {
		readonly status: number;
		readonly type: string;
	}

	async function forward({ payload, event = 'PreToolUse', env = process.env, shell }: Run): Promise<Outcome> {
		const [program = '/bin/sh', ...options] = shell ?? ['/bin/sh', '-c'];
		const started = spawn(program, [...options, forwardCommand(data, 'linux', 'codex', event)], { env });
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
		if (payload !== null) started.stdin.end(payload);
		const [code, signal] = (await once(started, 'exit')) as [number | null, NodeJS.Signals | null];
		started.stdin.destroy();
		await closed;
		return { code, signal, stdout, stderr, stdinError };
	}

	/** A PATH with these programs only. */
	async function pathOf(...programs: readonly string[]): Promise<NodeJS.ProcessEnv> {
		const bin = join(place, 'bin');
		await mkdir(bin);
		for (const program of programs) await symlink(program, join(bin, program.split('/').at(-1) ?? ''));
		return { PATH: bin };
	}

	describe.each([
		['with curl', false],
		['with the runtime of the floor', true],
	])('%s', (_name, bare) => {
		const env = async () =>
			bare ? await pathOf('/bin/cat', '/bin/date', '/bin/mv', '/bin/rm') : process.env;

		it('brings the payload, the token and the pid of the client to the floor, and its object back', async () => {
			const heard: Heard[] = [];
			await write(await floor('{"a":"ü\\n%s"}', heard));
			const outcome = await forward({ payload: '{"session_id":"s"}', env: await env() });
			expect(outcome).toEqual({ ...silent, stdout: '{"a":"ü\\n%s"}\n', stdinError: null });
			expect(heard).toHaveLength(1);
			expect(heard[0]).toMatchObject({
				method: 'POST',
				url: '/hooks/codex/PreToolUse?within=60',
				body: '{"session_id":"s"}',
				headers: {
					authorization: `Bearer ${TOKEN}`,
					'content-type': 'application/json',
					'x-agent-floor-pid': String(process.pid),
				},
			});
			// Waiting for leave to send the body would cost up to a second.
			expect(heard[0]?.headers).not.toHaveProperty('expect');
		});

		it.each([
			['quotes and dollars', JSON.stringify({ text: `"'\`$(exit 3)$HOME\\ %s %d` })],
			['line ends', '{"text":"a\\nb",\r\n "c":\u2028"d\u0085"}\n\n'],
			['emoji and escaped lone surrogates', '{"text":"🦊 \\ud83d"}'],
			['5 MB', LARGE],
		])('carries %s unharmed', async (_of, payload) => {
			const heard: Heard[] = [];
			await write(await floor('{}', heard));
			expect(await forward({ payload, env: await env() })).toMatchObject({ ...silent, stdout: '{}\n' });
			expect(heard.map((request) => request.body)).toEqual([payload]);
		});

		it.each([
			['an empty reply', '', {}],
			['a page', '<html>{}</html>', { type: 'text/html' }],
			['an object that calls itself a page', '{}', { type: 'text/html' }],
			['a list', '[]', {}],
			['text before an object', 'ok {}', {}],
			['half an object', '{"a":', {}],
			['status 201', '{}', { status: 201 }],
			['status 302', '{}', { status: 302 }],
			['status 401', '{"error":"x"}', { status: 401 }],
			['status 404', '{"error":"x"}', { status: 404 }],
			['status 500', '{"error":"x"}', { status: 500 }],
		])('prints nothing for %s', async (_of, reply, head) => {
			await write(await floor(reply, [], head));
			expect(await forward({ payload: '{}', env: await env() })).toMatchObject(silent);
		});

		it('prints nothing for an answer that breaks off, even where it would look whole', async () => {
			await write(
				await listen((request, response) => {
					request.resume().on('end', () => {
						response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
						response.write('{"a":{"b":1}', () => response.destroy());
					});
				}),
			);
			expect(await forward({ payload: '{}', env: await env() })).toMatchObject(silent);
		});

		it.each([
			['a small payload', '{}'],
			['5 MB', LARGE],
		])('is silent when the floor is down, and takes in %s all the same', async (_of, payload) => {
			await write(await floor('{}'));
			server?.close();
			expect(await forward({ payload, env: await env() })).toEqual({ ...silent, stdinError: null });
		});

		it('is silent when the floor refuses before it has read the body', async () => {
			await write(
				await listen((_request, response) => response.writeHead(401, { connection: 'close' }).end()),
			);
			expect(await forward({ payload: LARGE, env: await env() })).toEqual({ ...silent, stdinError: null });
		});

		it('gives up on a floor that never answers, and on one that stalls in its answer', async () => {
			const stalls = [
				() => undefined,
				(response: { write(chunk: string): unknown }) => response.write('{"half":'),
			];
			const environment = await env();
			for (const answer of stalls) {
				await write(await listen((_request, response) => answer(response)), SHORT);
				expect(await forward({ payload: LARGE, env: environment })).toMatchObject(silent);
				server?.closeAllConnections();
				server?.close();
			}
		});

		it('gives up on a floor that accepts and never reads', async () => {
			const tcp = createTcpServer((socket) => socket.pause().on('error', () => socket.destroy()));
			tcp.listen(0, '127.0.0.1');
			await once(tcp, 'listening');
			await write(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}`, SHORT);
			expect(await forward({ payload: LARGE, env: await env() })).toEqual({ ...silent, stdinError: null });
			tcp.close();
		});

		it('does not wait for the end of standard input beyond its own deadline', async () => {
			await write(await floor('{}'), SHORT);
			expect(await forward({ payload: null, env: await env() })).toMatchObject(silent);
		});

		it('after a gate that nobody answered lets all hooks pass for a while, then asks with what nobody waits for', async () => {
			const heard: string[] = [];
			let answers = false;
			await write(
				await listen((request, response) => {
					heard.push(request.url ?? '');
					const isHook = request.url?.startsWith('/hooks/codex/');
					const head = { 'content-type': 'application/json' };
					if (answers)
						request.resume().on('end', () => response.writeHead(isHook ? 200 : 404, head).end('{}'));
				}),
				SHORT,
			);
			const environment = await env();
			const asked = '/hooks/codex/PreToolUse?within=1';
			// Slow once is not silent: no gate is let through for that.
			expect(await forward({ payload: '{}', event: 'PostToolUse', env: environment })).toMatchObject(silent);
			expect(await noteIn(data)).toBeNull();
			expect(await forward({ payload: '{}', env: environment })).toMatchObject(silent);
			expect(heard).toEqual(['/hooks/codex/PostToolUse', asked]);
			for (const event of ['PreToolUse', 'BeforeTool', 'PostToolUse', 'SessionStart', 'SessionEnd']) {
				const outcome = await forward({ payload: LARGE, event, env: environment });
				expect(outcome).toEqual({ ...silent, stdinError: null });
			}
			expect(heard).toHaveLength(2);
			heard.length = 0;
			await writeFile(noteFile(data), '1\n');
			await forward({ payload: '{}', env: environment });
			expect(heard).toEqual(['/hooks']);
			expect(Number(await noteIn(data))).toBeGreaterThan(Date.now() / 1000);
			await writeFile(noteFile(data), '1\n');
			await forward({ payload: '{}', event: 'PostToolUse', env: environment });
			expect(Number(await noteIn(data))).toBeGreaterThan(Date.now() / 1000);
			answers = true;
			heard.length = 0;
			await writeFile(noteFile(data), '1\n');
			expect(await forward({ payload: '{}', env: environment })).toMatchObject({ ...silent, stdout: '{}\n' });
			expect(heard).toEqual(['/hooks', asked]);
			expect((await readdir(join(data, 'hooks'))).sort()).toEqual(['forward', 'forward.cjs', 'forward.curl']);
		});

		it.each([
			['a page of any length', { 'content-type': 'text/html', 'content-length': 1e12 }],
			['more than any reply', { 'content-type': 'application/json', 'content-length': MOST_REPLY_BYTES + 1 }],
		])('does not wait for %s, and gathers none of it', async (_of, head) => {
			let gone = () => undefined as undefined;
			const left = new Promise<undefined>((resolve) => (gone = () => void resolve(undefined)));
			await write(
				await listen((request, response) => {
					request.resume();
					response.writeHead(200, head).write('{"a":"');
					response.once('close', gone);
				}),
			);
			expect(await forward({ payload: '{}', env: await env() })).toMatchObject(silent);
			await left;
			expect(await noteIn(data)).toBeNull();
		});

		it('is silent without its configuration', async () => {
			await write(await floor('{}'));
			await forgetFloorAddress(data);
			expect(await forward({ payload: LARGE, env: await env() })).toEqual({ ...silent, stdinError: null });
		});
	});

	it.each([
		['nothing', ''],
		['no number', 'x y $(exit 3)\n'],
		['a number beyond all numbers', `${'9'.repeat(40)}\n`],
		['a time that no pause reaches', `${Math.round(Date.now() / 1000) + 10 * PAUSE_SECONDS}\n`],
		['a time that is over', '1\n'],
	])('calls the floor although a note of a silence holds %s', async (_of, note) => {
		await write(await floor('{}'));
		await writeFile(noteFile(data), note);
		expect(await forward({ payload: '{}' })).toMatchObject({ ...silent, stdout: '{}\n' });
		expect(await noteIn(data)).toBeNull();
	});

	it('waits for a late word at a gate after a silence, too', async () => {
		const late = { consent: 2, gate: 4, end: 1, others: 1 };
		await write(
			await listen((request, response) => {
				const isGate = request.url?.startsWith('/hooks/codex/PreToolUse');
				const answer = () => response.setHeader('content-type', 'application/json').end('{"late":1}');
				request.resume().on('end', () => setTimeout(answer, isGate ? 1_300 : 0));
			}),
			late,
		);
		await writeFile(noteFile(data), '1\n');
		expect(await forward({ payload: '{}' })).toMatchObject({ ...silent, stdout: '{"late":1}\n' });
		expect(await noteIn(data)).toBeNull();
	});

	it('calls a floor that has just started, whatever was silent before', async () => {
		await write('http://127.0.0.1:9');
		await writeFile(noteFile(data), `${Math.round(Date.now() / 1000) + PAUSE_SECONDS}\n`);
		await write(await floor('{}'));
		expect(await forward({ payload: '{}' })).toMatchObject({ ...silent, stdout: '{}\n' });
	});

	it('says how long the floor may take only before a tool, in the words of every client', async () => {
		const heard: Heard[] = [];
		await write(await floor('{}', heard));
		const events = ['BeforeTool', 'preToolUse', 'PostToolUse', 'SessionStart', 'SessionEnd'];
		for (const event of events) await forward({ payload: '{}', event });
		expect(heard.map(({ url }) => url)).toEqual([
			'/hooks/codex/BeforeTool?within=60',
			'/hooks/codex/preToolUse?within=60',
			'/hooks/codex/PostToolUse',
			'/hooks/codex/SessionStart',
			'/hooks/codex/SessionEnd',
		]);
	});

	it('names the client, not the shells between', async () => {
		const heard: Heard[] = [];
		await write(await floor('{}', heard));
		for (const event of ['SessionStart', 'PreToolUse']) {
			for (const script of ['eval "$1"; :', '/bin/sh -c "$1; :"; :']) {
				const line = forwardCommand(data, 'linux', 'codex', event);
				const started = spawn('/bin/sh', ['-c', script, 'sh', line], { stdio: ['pipe', 'pipe', 'pipe'] });
				started.stdin.end('{}');
				await once(started, 'close');
			}
		}
		expect(heard.map(({ headers }) => headers['x-agent-floor-pid'])).toEqual(
			heard.map(() => String(process.pid)),
		);
		expect(heard).toHaveLength(4);
	});

	it.each([
		['bash', '-c'],
		['bash', '-lc'],
		['sh', '-lc'],
		['bash', '--posix', '-c'],
	])('is run by %s %s as by any other shell', async (...shell) => {
		await write(await floor('{}'));
		const outcome = await forward({ payload: '{}', shell, env: { ...process.env, HOME: place } });
		expect(outcome).toEqual({ ...silent, stdout: '{}\n', stdinError: null });
	});

	it('is silent without curl and without a runtime, and without cat', async () => {
		const url = await floor('{}');
		await writeForwardProgram(data, { baseUrl: url, agentToken: TOKEN }, 'linux', '/nowhere/node');
		expect(await forward({ payload: '{}', env: await pathOf() })).toMatchObject(silent);
	});

	it('is silent when curl breaks', async () => {
		await write(await floor('{}'));
		const env = await pathOf('/bin/cat');
		await writeFile(join(place, 'bin', 'curl'), '#!/bin/sh\necho "{half}"; echo broken >&2; exit 139\n');
		await chmod(join(place, 'bin', 'curl'), 0o755);
		expect(await forward({ payload: LARGE, env })).toEqual({ ...silent, stdinError: null });
	});

	it('starts no curl when the floor has ended', async () => {
		await write('http://127.0.0.1:9');
		const env = await pathOf('/bin/cat', '/usr/bin/touch');
		const called = join(place, 'called');
		await writeFile(join(place, 'bin', 'curl'), `#!/bin/sh\ntouch '${called}'\nexit 7\n`);
		await chmod(join(place, 'bin', 'curl'), 0o755);
		await forward({ payload: '{}', env });
		expect(await readdir(place)).toContain('called');
		await rm(called);
		await forgetFloorAddress(data);
		await forgetFloorAddress(data);
		await forward({ payload: '{}', env });
		expect(await readdir(place)).not.toContain('called');
	});

	it('lets a client write its whole payload, whatever becomes of it', async () => {
		await write(await floor('{}'));
		server?.close();
		await writeFile(join(place, 'payload'), LARGE);
		const script = 'cat "$2" | eval "$1"; echo $PIPESTATUS';
		for (const env of [process.env, await pathOf('/bin/cat')]) {
			const line = forwardCommand(data, 'linux', 'codex', 'PostToolUse');
			const started = spawn('/bin/bash', ['-c', script, 'bash', line, join(place, 'payload')], { env });
			const [printed] = (await once(started.stdout, 'data')) as [Buffer];
			// 141 would say that the pipe broke.
			expect(printed.toString()).toBe('0\n');
		}
	});

	it("goes past proxies and the person's curlrc", async () => {
		await writeFile(join(place, '.curlrc'), 'include\nproxy = "http://127.0.0.1:9"\nmax-time = 0.001\n');
		const proxy = 'http://127.0.0.1:9';
		const env = { ...process.env, HOME: place, CURL_HOME: place, http_proxy: proxy, ALL_PROXY: proxy };
		await write(await floor('{}'));
		expect(await forward({ payload: '{}', env })).toMatchObject({ ...silent, stdout: '{}\n' });
	});

	it('lies in files that are nobody else’s, and only one of them holds the token', async () => {
		await write('http://127.0.0.1:47100');
		const hooks = join(data, 'hooks');
		expect((await stat(hooks)).mode & 0o777).toBe(0o700);
		const modes: Record<string, string> = {};
		for (const name of await readdir(hooks)) {
			modes[name] = ((await stat(join(hooks, name))).mode & 0o777).toString(8);
			const text = await readFile(join(hooks, name), 'utf8');
			expect(text.includes(TOKEN)).toBe(name === 'forward.curl');
			expect(text.includes('47100')).toBe(name === 'forward.curl');
		}
		expect(modes).toEqual({ forward: '700', 'forward.curl': '600', 'forward.cjs': '600' });
	});

	it('goes to another port and with another token as soon as it was written anew', async () => {
		await write('http://127.0.0.1:9');
		await chmod(join(data, 'hooks', 'forward.curl'), 0o644);
		const heard: Heard[] = [];
		await write(await floor('{}', heard));
		expect((await stat(join(data, 'hooks', 'forward.curl'))).mode & 0o777).toBe(0o600);
		expect(await forward({ payload: '{}' })).toMatchObject({ ...silent, stdout: '{}\n' });
		expect(heard).toHaveLength(1);
	});
});
