import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProviderProbe } from '../../src/main/app/provider-probe.ts';
import type { CallOutcome } from '../../src/main/failover/call.ts';
import { Upstream } from '../../src/main/gateway/upstream.ts';

let server: Server;
let url: string;
let answer = { status: 401, type: 'application/json' };
let asked: { path: string; headers: IncomingHttpHeaders }[];
const upstream = new Upstream();

beforeEach(async () => {
	asked = [];
	answer = { status: 401, type: 'application/json' };
	server = createServer((request, response) => {
		asked.push({ path: request.url ?? '', headers: request.headers });
		response.writeHead(answer.status, { 'content-type': answer.type });
		response.end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
	server.closeAllConnections();
	server.close();
});

function probe({ isDue = true, hasCaller = false, admits = true, baseUrl = url } = {}) {
	const settled: CallOutcome[] = [];
	const parts = new ProviderProbe({
		providers: () => [{ id: 'anthropic', baseUrl, protocols: ['anthropic-messages'] }],
		upstream,
		isDue: () => isDue,
		hasCaller: () => hasCaller,
		admit: (providerId) =>
			admits
				? { ticket: { providerId, era: 1, isTrial: true, serial: 1 } }
				: { ticket: null, retryInMs: 1, reason: '' },
		settle: (_ticket, outcome) => settled.push(outcome),
		schedule: () => () => {},
		onError: (_where, error) => {
			throw error;
		},
	});
	return { parts, settled };
}

describe('a provider that did not answer', () => {
	it.each([
		[200, 'application/json', 'ok'],
		[401, 'application/json; charset=utf-8', 'ok'],
		[404, 'application/problem+json', 'ok'],
		[503, 'application/json', 'error'],
		[200, 'text/html', 'error'],
		[302, 'text/html', 'error'],
	] as const)('that says %i with %s is %s', async (status, type, kind) => {
		answer = { status, type };
		const { parts, settled } = probe();
		parts.look();
		await vi.waitFor(() => expect(settled).toHaveLength(1));
		expect(settled[0]).toMatchObject({ kind, status, isProbe: true });
	});

	it('is asked for its models, with nobody’s credentials', async () => {
		const { parts, settled } = probe();
		parts.look();
		await vi.waitFor(() => expect(settled).toHaveLength(1));
		expect(asked).toHaveLength(1);
		expect(asked[0]?.path).toBe('/v1/models');
		const names = Object.keys(asked[0]?.headers ?? {}).sort();
		expect(names).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
	});

	it('that is still gone stays lost', async () => {
		const { parts, settled } = probe({ baseUrl: 'http://127.0.0.1:1' });
		parts.look();
		await vi.waitFor(() => expect(settled).toHaveLength(1));
		expect(settled[0]).toMatchObject({ kind: 'lost', code: 'ECONNREFUSED' });
	});

	it.each([
		['is not due', { isDue: false }],
		['has a held turn that will call it', { hasCaller: true }],
		['is being tried already', { admits: false }],
	])('that %s is not asked', (_why, options) => {
		const { parts, settled } = probe(options);
		parts.look();
		expect([asked, settled]).toEqual([[], []]);
	});
});
