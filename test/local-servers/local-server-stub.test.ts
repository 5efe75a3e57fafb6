/** The stub keeps its word: what end-to-end tests rest on. */
import { afterEach, expect, it } from 'vitest';
import { type LocalServerStub, type StubScript, startLocalServerStub } from '../support/local-server-stub.ts';

const stubs: LocalServerStub[] = [];
afterEach(async () => {
	for (const stub of stubs.splice(0)) await stub.close();
});

async function start(script: Partial<StubScript> = {}): Promise<LocalServerStub> {
	const stub = await startLocalServerStub({ models: [{ name: 'coder' }], ...script });
	stubs.push(stub);
	return stub;
}

function post(stub: LocalServerStub, path: string, body: object): Promise<Response> {
	return fetch(`${stub.url}${path}`, { method: 'POST', body: JSON.stringify({ model: 'coder', ...body }) });
}

function events(text: string): { type: string; [field: string]: unknown }[] {
	return text
		.split('\n')
		.filter((line) => line.startsWith('data: {'))
		.map((line) => JSON.parse(line.slice(6)));
}

it('answers the Messages protocol whole and as a stream, with text and a tool call', async () => {
	const stub = await start({ answer: 'one two three', toolCall: { name: 'Read', input: { path: 'a' } } });
	const whole = await (await post(stub, '/v1/messages', { messages: [] })).json();
	expect(whole).toMatchObject({
		model: 'coder',
		stop_reason: 'tool_use',
		content: [
			{ type: 'text', text: 'one two three' },
			{ name: 'Read', input: { path: 'a' } },
		],
	});
	const stream = events(await (await post(stub, '/v1/messages', { messages: [], stream: true })).text());
	expect(stream.map((event) => event.type)).toEqual([
		'message_start',
		'content_block_start',
		...Array(3).fill('content_block_delta'),
		'content_block_stop',
		'content_block_start',
		...Array(2).fill('content_block_delta'),
		'content_block_stop',
		'message_delta',
		'message_stop',
	]);
});

it.each([
	['/v1/messages', { messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] }],
	['/v1/chat/completions', { messages: [{ role: 'tool', content: 'x' }] }],
	['/v1/responses', { input: [{ type: 'function_call_output' }] }],
])('%s calls its tool once in a conversation', async (path, conversation) => {
	const stub = await start({ toolCall: { name: 'Read', input: {} } });
	expect(await (await post(stub, path, {})).text()).toContain('"Read"');
	const after = await (await post(stub, path, conversation)).text();
	expect(after).not.toContain('"Read"');
	expect(after).toContain('Hello from a local model.');
});

it('streams Chat Completions to [DONE] and Responses to response.completed', async () => {
	const stub = await start({ answer: 'abc' });
	const chat = await (await post(stub, '/v1/chat/completions', { stream: true })).text();
	expect(chat.trimEnd().endsWith('data: [DONE]')).toBe(true);
	const responses = events(await (await post(stub, '/v1/responses', { stream: true })).text());
	expect(responses.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
	expect(responses.map((event) => event.sequence_number)).toEqual(responses.map((_, index) => index));
});

it('loads a cold model on demand and lists it as running afterwards', async () => {
	const stub = await start({ models: [{ name: 'coder', loaded: false }] });
	expect(await (await fetch(`${stub.url}/api/ps`)).json()).toEqual({ models: [] });
	await post(stub, '/api/generate', { keep_alive: '10m' });
	expect(await (await fetch(`${stub.url}/api/ps`)).json()).toMatchObject({ models: [{ name: 'coder' }] });
	expect(stub.requestsTo('/api/generate')[0]?.body).toEqual({ model: 'coder', keep_alive: '10m' });
});

it('fails as it is told, cuts streams, heals, and refuses after close', async () => {
	const stub = await start({ cutAfterFrames: 2 });
	stub.fail('/api/tags', { status: 500 });
	expect((await fetch(`${stub.url}/api/tags`)).status).toBe(500);
	stub.heal('/api/tags');
	expect((await fetch(`${stub.url}/api/tags`)).status).toBe(200);
	stub.fail('/api/version', 'reset');
	await expect(fetch(`${stub.url}/api/version`)).rejects.toThrow();
	const cut = await post(stub, '/v1/messages', { stream: true });
	await expect(cut.text()).rejects.toThrow();
	const { url } = stub;
	await stub.close();
	await expect(fetch(`${url}/api/tags`)).rejects.toThrow();
});
