import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunningTestFloor } from '../support/running-floor.ts';

let floor: RunningTestFloor;
beforeAll(async () => {
	floor = await RunningTestFloor.start();
});
afterAll(() => floor.dispose());

let serial = 0;
let session = '';
beforeEach(() => {
	serial += 1;
	session = `session-${serial}`;
});

const agentOf = (id = session) => floor.snapshot().agents.find((agent) => agent.sessionId === id);
const call = (id: string, extra: Record<string, unknown> = {}) => ({
	session_id: session,
	cwd: '/w/app',
	tool_name: 'Bash',
	tool_input: { command: 'npm test' },
	tool_use_id: id,
	...extra,
});

/** Replies go out before events are counted. */
async function counted(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 30));
}

describe('who may speak', () => {
	const post = (headers: Record<string, string>, path = '/hooks/claude-code/Stop', body = '{}') =>
		new Promise<{ status: number; length: number }>((resolve, reject) => {
			const message = request(
				{ host: '127.0.0.1', port: floor.server.port, path, method: 'POST', headers },
				(response) => {
					let length = 0;
					response.on('data', (chunk: Buffer) => {
						length += chunk.length;
					});
					response.on('end', () => resolve({ status: response.statusCode ?? 0, length }));
				},
			);
			message.on('error', reject);
			message.end(body);
		});
	const good = () => ({ authorization: `Bearer ${floor.server.agentToken}` });

	it.each([
		['no token', {}],
		['a wrong token', { authorization: 'Bearer wrong' }],
		['another scheme', { authorization: 'Basic abc' }],
		['the operator’s token', { authorization: 'operator' }],
	])('answers 401 with an empty body to %s', async (_name, headers) => {
		const given =
			'authorization' in headers && headers.authorization === 'operator'
				? { authorization: `Bearer ${floor.server.operatorToken}` }
				: headers;
		expect(await post(given)).toEqual({ status: 401, length: 0 });
	});

	it('decides before the body is read: a sender that never sends its body gets its 401', async () => {
		const status = await new Promise<number>((resolve, reject) => {
			const message = request({
				host: '127.0.0.1',
				port: floor.server.port,
				path: '/hooks/claude-code/Stop',
				method: 'POST',
				headers: { authorization: 'Bearer wrong', 'content-length': '1000000' },
			});
			message.on('response', (response) => {
				resolve(response.statusCode ?? 0);
				message.destroy();
			});
			message.on('error', reject);
			message.flushHeaders();
		});
		expect(status).toBe(401);
	});

	it.each(['evil.example', 'evil.example:47100', '127.0.0.1.evil.example', '127.0.0.1:1', 'localhost.evil'])(
		'answers 403 to the Host %j',
		async (host) => {
			expect((await post({ ...good(), host })).status).toBe(403);
		},
	);

	it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost', 'file://'])(
		'answers 403 to the Origin %s',
		async (origin) => {
			expect((await post({ ...good(), origin })).status).toBe(403);
		},
	);

	it.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])(
		'takes itself under the name %s',
		async (name) => {
			expect((await post({ ...good(), host: `${name}:${floor.server.port}` })).status).toBe(200);
		},
	);

	it('listens on ::1 too', async () => {
		const response = await fetch(`http://[::1]:${floor.server.port}/hooks/claude-code/Stop`, {
			method: 'POST',
			headers: good(),
			body: '{}',
		});
		expect(response.status).toBe(200);
	});

	it('keeps the window’s requests for the operator', async () => {
		const ask = (token: string) =>
			fetch(`${floor.server.url}/request/floor:snapshot`, {
				method: 'POST',
				headers: { authorization: `Bearer ${token}` },
			});
		expect((await ask(floor.server.agentToken)).status).toBe(401);
		expect((await ask(floor.server.operatorToken)).status).toBe(200);
	});

	it('opens the window with the token once, and keeps it in a cookie that no script and no other site can use', async () => {
		const open = await fetch(floor.app.address, { redirect: 'manual' });
		expect(open.status).toBe(303);
		expect(open.headers.get('location')).toBe('/');
		expect(open.headers.get('set-cookie')).toMatch(
			/^agent_floor_\d+=\S+; HttpOnly; SameSite=Strict; Path=\/$/,
		);
		const ticket = floor.app.windowAddress();
		expect(ticket).not.toContain(floor.server.operatorToken);
		expect((await fetch(ticket, { redirect: 'manual' })).status).toBe(303);
		expect((await fetch(ticket, { redirect: 'manual' })).status).toBe(401);
		expect((await fetch(floor.server.url)).status).toBe(401);
		expect((await fetch(`${floor.server.url}/?token=wrong`)).status).toBe(401);
	});
});

describe('bad input', () => {
	const text = (bytes: string) => Buffer.from(bytes, 'latin1');
	const readable: [string, () => string | Uint8Array][] = [
		['a byte order mark', () => `\ufeff${JSON.stringify({ session_id: session })}`],
		['a lone surrogate, escaped', () => `{"session_id":"${session}","prompt":"abc\\ud83d"}`],
		[
			'invalid UTF-8',
			() =>
				Buffer.concat([
					text(`{"session_id":"${session}","prompt":"`),
					Buffer.from([0xc3, 0x28, 0xff]),
					text('"}'),
				]),
		],
		['missing fields', () => JSON.stringify({ session_id: session })],
		[
			'wrong types everywhere',
			() => JSON.stringify({ session_id: session, tool_name: [1], tool_input: 5, tool_use_id: {}, cwd: 7 }),
		],
		['a 15 MB body', () => JSON.stringify({ session_id: session, prompt: 'x'.repeat(15_000_000) })],
		[
			'deep nesting',
			() => `{"session_id":"${session}","tool_input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
		],
		[
			'prototype names',
			() => `{"session_id":"${session}","__proto__":{"x":1},"constructor":{"prototype":{}}}`,
		],
		['CRLF and trailing blanks', () => `{\r\n"session_id":"${session}"\r\n}\r\n \0`],
	];
	it.each(readable)('reads %s', async (_name, body) => {
		for (const event of ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Notification']) {
			expect(await floor.hook(event, body())).toMatchObject({ status: 200 });
		}
		await expect.poll(() => agentOf()?.sessionId).toBe(session);
	});

	it.each(['NoSuchEvent', 'pretooluse', '%00', 'a'.repeat(2000), '..%2f..%2fetc', '__proto__'])(
		'takes an unknown event (%#)',
		async (event) => {
			expect(await floor.hook(event, { session_id: session })).toEqual({ status: 200, text: '{}' });
			await expect.poll(() => agentOf()?.sessionId).toBe(session);
		},
	);

	const unreadable: [string, string | Uint8Array][] = [
		['nothing', ''],
		['a torn object', '{"session_id":"x'],
		['an array', '[1,2]'],
		['a number', '5'],
		['binary', new Uint8Array([0, 1, 2, 255])],
		['more than 16 MB', 'x'.repeat(17 * 1024 * 1024)],
	];
	it.each(unreadable)('answers 200 {} to %s, counts it and says so once', async (_name, body) => {
		const before = floor.snapshot().incidents.find(({ kind }) => kind === 'unreadable-hook')?.count ?? 0;
		expect(await floor.hook('PreToolUse', body)).toEqual({ status: 200, text: '{}' });
		await expect
			.poll(() => floor.snapshot().incidents.find(({ kind }) => kind === 'unreadable-hook')?.count)
			.toBe(before + 1);
		expect(floor.snapshot().incidents.filter(({ kind }) => kind === 'unreadable-hook')).toHaveLength(1);
	});

	it('names a client that it does not know', async () => {
		const response = await fetch(`${floor.server.url}/hooks/some-new-cli/Stop`, {
			method: 'POST',
			headers: { authorization: `Bearer ${floor.server.agentToken}` },
			body: '{}',
		});
		expect(response.status).toBe(200);
		expect(floor.snapshot().incidents.map(({ title }) => title)).toContain(
			'A hook of some-new-cli could not be read',
		);
	});

	it('survives a sender that breaks off in the middle', async () => {
		await new Promise<void>((resolve) => {
			const message = request({
				host: '127.0.0.1',
				port: floor.server.port,
				path: '/hooks/claude-code/PreToolUse',
				method: 'POST',
				headers: { authorization: `Bearer ${floor.server.agentToken}`, 'content-length': '1000' },
			});
			message.on('error', () => resolve());
			message.write('{"session_id":');
			setTimeout(() => message.destroy(), 20);
		});
		expect((await floor.hook('Stop', { session_id: session })).status).toBe(200);
	});
});

describe('agents from hooks', () => {
	it('plays the recorded payloads of a real session', async () => {
		for (const name of ['basic', 'loop', 'rate-limited', 'overloaded', 'connection-refused']) {
			const lines = readFileSync(join(import.meta.dirname, `../recordings/claude-code.${name}.jsonl`), 'utf8')
				.trim()
				.split('\n');
			for (const line of lines) {
				const { event, body } = JSON.parse(line) as { event: string; body: Record<string, unknown> };
				session = String(body.session_id);
				expect(await floor.hook(event, body)).toEqual({ status: 200, text: '{}' });
			}
			await expect.poll(() => agentOf()?.state.kind).toBe('exited');
		}
		const troubled = floor.snapshot().agents.filter((agent) => agent.providerTrouble !== null);
		expect(troubled.map((agent) => agent.providerTrouble?.error).sort()).toEqual([
			'rate_limit',
			'server_error',
			'server_error',
		]);
	});

	it('counts the same call once, however often it is delivered', async () => {
		for (let i = 0; i < 3; i += 1) await floor.hook('PreToolUse', call('toolu_1'));
		await floor.hook('PostToolUse', call('toolu_1', { tool_response: { stdout: 'ok' } }));
		await expect.poll(() => agentOf()?.lastTools.map(({ outcome }) => outcome)).toEqual(['ok']);
	});

	it('keeps a whole night: a restart remembers the order and refuses on', async () => {
		await floor.hook('UserPromptSubmit', { session_id: session, cwd: '/w/app', prompt: 'x' });
		await expect.poll(() => agentOf()?.id).toBeDefined();
		const agentId = agentOf()?.id;
		expect(await floor.request('control:stop', { agentId, words: 'enough' })).toMatchObject({ ok: true });
		await floor.restart();
		expect(agentOf()).toMatchObject({ order: { kind: 'stop', words: 'enough' }, standing: 'stopped' });
		const { text } = await floor.hook('PreToolUse', call('toolu_after'));
		expect(JSON.parse(text)).toMatchObject({
			hookSpecificOutput: { permissionDecision: 'deny' },
			continue: false,
		});
		await counted();
		expect(await floor.request('agent:history', { agentId })).toMatchObject({
			ok: true,
			output: expect.arrayContaining([
				expect.objectContaining({ kind: 'order', text: expect.stringContaining('enough') }),
			]),
		});
		expect(await floor.request('control:resume', { agentId })).toMatchObject({
			ok: true,
			output: { standing: 'healthy' },
		});
		expect((await floor.hook('PreToolUse', call('toolu_later'))).text).toBe('{}');
	});

	it('answers a request that makes no sense with words', async () => {
		expect(await floor.request('control:hold', { agentId: 'nobody' })).toMatchObject({
			ok: false,
			error: { code: 'unknown-agent' },
		});
		expect(await floor.request('control:hold', { agentId: 5 })).toMatchObject({
			ok: false,
			error: { code: 'invalid-argument' },
		});
		expect(await floor.request('settings:update', { breaker: { costCapUsd: -1 } })).toMatchObject({
			ok: false,
			error: { code: 'invalid-argument' },
		});
	});
});
