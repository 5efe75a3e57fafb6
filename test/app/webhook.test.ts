import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebhookSender, incidentNotice, noticePayload } from '../../src/main/app/webhook.ts';
import { newEntry, type OutboxEntryOf, postingAddress } from '../../src/main/failover/outbox-entry.ts';
import { incident } from '../store/rows.ts';

interface Received {
	readonly method: string | undefined;
	readonly path: string | undefined;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

async function receiver(answer: RequestListener): Promise<{ url: string; received: Received[] }> {
	const received: Received[] = [];
	const server = createServer(async (request, response) => {
		let body = '';
		for await (const chunk of request) body += chunk;
		received.push({ method: request.method, path: request.url, headers: request.headers, body });
		answer(request, response);
	}).listen(0, '127.0.0.1');
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return { url: `http://127.0.0.1:${port}/services/T0/secret?token=1`, received };
}

function entryFor(url: string): OutboxEntryOf<'hook'> {
	const notice = incidentNotice(incident({ severity: 'urgent' }));
	if (!notice) throw new Error('no notice');
	const entry = newEntry('hook', noticePayload(url, notice), randomUUID(), 0);
	if (entry.kind !== 'hook') throw new Error('no hook');
	return entry;
}

function send(url: string, options: { timeoutMs?: number; signal?: AbortSignal; now?: string | null } = {}) {
	const { timeoutMs, signal = new AbortController().signal, now = url } = options;
	const sender = createWebhookSender({
		url: () => now,
		now: () => 0,
		...(timeoutMs !== undefined && { timeoutMs }),
	});
	const entry = entryFor(url);
	return { entry, result: sender(entry, signal, () => {}) };
}

describe('a notice', () => {
	it('tells of urgent incidents, when they open and when they end', () => {
		const urgent = incident({ severity: 'urgent', kind: 'provider-lost' });
		expect(incidentNotice(urgent)).toEqual({
			source: 'agent-floor',
			state: 'opened',
			id: 'incident-1',
			kind: 'provider-lost',
			severity: 'urgent',
			title: 'What happened',
			agent_id: null,
			opened_at: '1970-01-01T00:00:01.000Z',
			ended_at: null,
			end_reason: null,
		});
		expect(
			incidentNotice({ ...urgent, count: 4, endedAt: 5_000, endReason: 'it answers again' }),
		).toMatchObject({
			state: 'recovered',
			ended_at: '1970-01-01T00:00:05.000Z',
			end_reason: 'it answers again',
		});
		expect(incidentNotice({ ...urgent, count: 2 })).toBeNull();
		for (const severity of ['info', 'attention'] as const)
			expect(incidentNotice(incident({ severity }))).toBeNull();
	});

	it('holds no detail: that may quote what an agent was asked or ran', () => {
		const detail = 'identical calls of Bash `curl -H "Authorization: Bearer s3cret"`';
		expect(JSON.stringify(incidentNotice(incident({ severity: 'urgent', detail })))).not.toContain('s3cret');
	});
});

describe('posting', () => {
	it('goes to the whole address with JSON and the key of the entry', async () => {
		const { url, received } = await receiver((_request, response) => response.end('ok'));
		const { entry, result } = send(url);
		expect(await result).toEqual({ kind: 'done', detail: `${postingAddress(url)} took it (HTTP 200)` });
		expect(received).toMatchObject([
			{
				method: 'POST',
				path: '/services/T0/secret?token=1',
				headers: { 'content-type': 'application/json', 'idempotency-key': entry.idempotency_key },
				body: entry.payload.body,
			},
		]);
		expect(JSON.stringify(entry)).not.toContain('secret');
	});

	it('gives a user and password of the address as such', async () => {
		const { url, received } = await receiver((_request, response) => response.end());
		const withPassword = url.replace('127.0.0.1', 'a%40b:p%3Aw@127.0.0.1');
		const { entry, result } = send(withPassword);
		expect(await result).toMatchObject({ kind: 'done' });
		expect(received[0]?.headers.authorization).toBe(`Basic ${btoa('a@b:p:w')}`);
		expect(JSON.stringify(entry)).not.toContain('p%3Aw');
	});

	const statuses: readonly [number, 'done' | 'failed' | 'retry'][] = [
		[200, 'done'],
		[202, 'done'],
		[204, 'done'],
		[400, 'failed'],
		[401, 'failed'],
		[404, 'failed'],
		[410, 'failed'],
		[408, 'retry'],
		[429, 'retry'],
		[500, 'retry'],
		[503, 'retry'],
		[301, 'retry'],
		[302, 'retry'],
		[307, 'retry'],
	];
	it.each(statuses)('that is answered with %i is %s', async (status, kind) => {
		const { url, received } = await receiver((_request, response) => {
			response.writeHead(status, { location: '/elsewhere' }).end();
		});
		const result = await send(url).result;
		expect(result.kind).toBe(kind);
		expect(result.detail).toContain(String(status));
		expect(received).toHaveLength(1);
	});

	it('keeps to the wish of the receiver', async () => {
		const { url } = await receiver((_request, response) =>
			response.writeHead(503, { 'retry-after': '120' }).end(),
		);
		expect(await send(url).result).toMatchObject({ kind: 'retry', afterMs: 120_000 });
	});

	it('waits for no end of an answer', async () => {
		const { url } = await receiver((_request, response) => response.writeHead(200).write('never ending'));
		expect(await send(url).result).toMatchObject({ kind: 'done' });
	});

	it('to nobody is tried again: nothing can have arrived', async () => {
		const server = createTcpServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		const port = typeof address === 'object' && address ? address.port : 0;
		server.close();
		await once(server, 'close');
		const refused = await send(`http://127.0.0.1:${port}/hook`).result;
		expect(refused).toMatchObject({ kind: 'retry', detail: expect.stringContaining('ECONNREFUSED') });
		const unknown = await send('http://no-such-host.invalid/hook').result;
		expect(unknown).toMatchObject({ kind: 'retry', detail: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
	});

	it('that nobody answers, or that breaks off, may have arrived: it rejects', async () => {
		const silent = await receiver(() => {});
		await expect(send(silent.url, { timeoutMs: 50 }).result).rejects.toThrow('nobody answered in time');
		expect(silent.received).toHaveLength(1);
		const cut = await receiver((request) => request.socket.destroy());
		await expect(send(cut.url).result).rejects.toThrow();
		expect(cut.received).toHaveLength(1);
		const abort = new AbortController();
		const leaving = await receiver(() => abort.abort(new Error('the floor is stopping')));
		await expect(send(leaving.url, { signal: abort.signal }).result).rejects.toThrow('the floor is stopping');
	});

	it('goes nowhere once the settings name another webhook or none', async () => {
		const { url, received } = await receiver((_request, response) => response.end());
		for (const now of [null, 'http://127.0.0.1:1/other'])
			expect(await send(url, { now }).result).toMatchObject({ kind: 'failed' });
		expect(received).toEqual([]);
	});
});
