import { afterEach, expect, it, vi } from 'vitest';
import {
	endpointOf,
	isThisMachine,
	tokenOf,
	withoutCredentials,
} from '../../src/main/local-servers/address.ts';
import { errorTextOf, LocalHttp } from '../../src/main/local-servers/local-http.ts';
import { startLocalServerStub } from '../support/local-server-stub.ts';
import { type JsonServer, startJsonServer } from './json-server.ts';

const http = new LocalHttp();
const signal = new AbortController().signal;
const open: JsonServer[] = [];
afterEach(async () => {
	vi.unstubAllEnvs();
	for (const server of open.splice(0)) await server.close();
});

it.each([
	['http://127.0.0.1:1234', 'http://127.0.0.1:1234/api/tags'],
	['http://127.0.0.1:1234/', 'http://127.0.0.1:1234/api/tags'],
	['http://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/api/tags'],
	['http://127.0.0.1:1234/v1/', 'http://127.0.0.1:1234/api/tags'],
	['https://box.lan/llm/v1?x=1#y', 'https://box.lan/llm/api/tags'],
	['http://user:secret@box.lan', 'http://box.lan/api/tags'],
])('%s: %s', (baseUrl, expected) => {
	expect(endpointOf(baseUrl, '/api/tags').href).toBe(expected);
});

it.each(['file:///etc/passwd', 'ftp://127.0.0.1', 'no address'])('asks nothing of %s', async (baseUrl) => {
	expect(await http.ask({ baseUrl, token: null, path: '/x', signal })).toMatchObject({ kind: 'failed' });
});

it('sends a token as a header, and none unasked', async () => {
	const stub = await startLocalServerStub({ models: [] });
	const target = { baseUrl: stub.url, path: '/api/tags', signal };
	await http.ask({ ...target, token: 'secret' });
	await http.ask({ ...target, token: null });
	expect(stub.requests.map((request) => request.headers.authorization)).toEqual(['Bearer secret', undefined]);
	await stub.close();
});

it('takes a token from the variable that the settings name', () => {
	const server = { id: 'a', kind: 'vllm', baseUrl: 'http://127.0.0.1' } as const;
	expect(tokenOf({ ...server, credentialEnv: 'KEY' }, { KEY: 'secret' })).toBe('secret');
	expect(tokenOf({ ...server, credentialEnv: 'KEY' }, { KEY: '' })).toBeNull();
	expect(tokenOf(server, { KEY: 'secret' })).toBeNull();
});

it('uses no proxy of the environment', async () => {
	const server = await startJsonServer({ '/x': { body: 1 } });
	open.push(server);
	// A proxy that would refuse.
	vi.stubEnv('http_proxy', 'http://127.0.0.1:9');
	vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
	const reply = await new LocalHttp().ask({ baseUrl: server.url, token: null, path: '/x', signal });
	expect(reply).toEqual({ kind: 'json', status: 200, json: 1 });
});

it.each([
	[{ error: 'text' }, 'text'],
	[{ error: { message: 'deep', code: 1 } }, 'deep'],
	[{ message: 'flat' }, 'flat'],
	[{ error: { code: 1 } }, ''],
	[null, ''],
	[{ error: 'x'.repeat(1000) }, 'x'.repeat(300)],
])('the words of the error %j', (json, words) => {
	expect(errorTextOf({ kind: 'json', status: 500, json })).toBe(words);
});

it('does not repeat a page as the words of an error', () => {
	expect(errorTextOf({ kind: 'other', status: 404, text: '\n<!doctype html><title>x' })).toBe('');
	expect(errorTextOf({ kind: 'other', status: 404, text: ' gone ' })).toBe('gone');
});

it.each([
	['http://localhost:1', true],
	['http://127.0.0.1', true],
	['http://127.8.8.8', true],
	['http://[::1]:1', true],
	['http://0.0.0.0:1', true],
	['http://192.168.1.20', false],
	['http://localhost.example.com', false],
	['http://127.0.0.1.example.com', false],
	['nonsense', false],
])('%s is this machine: %s', (baseUrl, expected) => {
	expect(isThisMachine(baseUrl)).toBe(expected);
});

it('shows no credentials', () => {
	expect(withoutCredentials('http://user:secret@box.lan/v1')).toBe('http://box.lan/v1');
	expect(withoutCredentials('http://127.0.0.1:11434')).toBe('http://127.0.0.1:11434');
});
