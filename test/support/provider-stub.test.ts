import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ProtocolId, protocolSchema } from '../../src/shared/failover-settings.ts';
import { dialects } from './provider-stub/dialects.ts';
import { offsetInStream, type Place } from './provider-stub/place.ts';
import { retryAfterForms } from './provider-stub/retry-after.ts';
import { joinParts, type ScriptedAnswer } from './provider-stub/scripted-answer.ts';
import {
	answer,
	compressed,
	cut,
	emptyAnswer,
	errorEnvelope,
	inBandError,
	keepAliveReset,
	paused,
	reset,
	stall,
	status,
} from './provider-stub/steps.ts';
import { type ProviderStub, startProviderStub, UNRESOLVABLE_URL } from './provider-stub.ts';

const protocols: readonly ProtocolId[] = protocolSchema.options;
const spoken: ScriptedAnswer = {
	thinking: 'Let me look at the tests first.',
	text: 'Grüße aus Zürich 🌍: I run the tests now.',
	toolCalls: [{ name: 'Bash', input: { command: 'npm test', description: 'Run the tests' } }],
};

let stub: ProviderStub;
beforeEach(async () => {
	stub = await startProviderStub();
});
afterEach(() => stub.close());

function ask(protocol: ProtocolId, stream: boolean, signal: AbortSignal | null = null): Promise<Response> {
	return fetch(`${stub.url}${dialects[protocol].path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
		body: JSON.stringify({ model: 'm', stream, messages: [] }),
		signal,
	});
}

/** What came before the connection broke, and whether it did. */
async function readUntilBroken(response: Response): Promise<{ bytes: Buffer; broken: boolean }> {
	const chunks: Uint8Array[] = [];
	try {
		for await (const chunk of response.body ?? []) chunks.push(chunk as Uint8Array);
	} catch {
		return { bytes: Buffer.concat(chunks), broken: true };
	}
	return { bytes: Buffer.concat(chunks), broken: false };
}

describe.each(protocols)('%s', (protocol) => {
	const parts = dialects[protocol].parts(spoken, { model: 'm', serial: 1 });
	const stream = Buffer.from(joinParts(parts));

	test('a stream arrives byte for byte as its builder makes it', async () => {
		stub.script([answer(spoken)]);
		const response = await ask(protocol, true);
		expect(response.headers.get('content-type')).toContain('text/event-stream');
		expect(Buffer.from(await response.arrayBuffer())).toEqual(stream);
		expect(await stub.requests[0]?.over).toBe('finished');
	});

	test('every event is JSON of its protocol, and the deltas add up to the answer', () => {
		const events = stream
			.toString('utf8')
			.split('\n\n')
			.filter((event) => event !== '')
			.map((event) => event.slice(event.indexOf('data: ') + 6))
			.filter((data) => data !== '[DONE]')
			.map((data) => JSON.stringify(JSON.parse(data)))
			.join('\n');
		expect(events).not.toBe('');
		const deltas = [
			...events.matchAll(/"(?:partial_json|arguments|delta|text|content)":("(?:[^"\\]|\\.)*")/g),
		].map((match) => JSON.parse(match[1] ?? '""') as string);
		expect(deltas.join('')).toContain('Grüße aus Zürich 🌍: I run the tests now.');
		expect(deltas.join('')).toContain('{"command":"npm test","description":"Run the tests"}');
	});

	test('an answer that is not streamed is one JSON body with the model that was asked for', async () => {
		stub.script([answer(spoken)]);
		const body = (await (await ask(protocol, false)).json()) as { model: string };
		expect(body.model).toBe('m');
		expect(JSON.stringify(body)).toContain('Grüße aus Zürich');
	});

	const places: Place[] = [
		'before-any',
		'before-content',
		'mid-thinking',
		'mid-text',
		'mid-event',
		'mid-utf8',
		'mid-tool-arguments',
		'before-end',
	];
	test.each(places)('a cut at %s delivers what stands before it, and breaks off', async (place) => {
		stub.script([cut(place, spoken)]);
		const { bytes, broken } = await readUntilBroken(await ask(protocol, true));
		expect(broken).toBe(true);
		expect(bytes).toEqual(stream.subarray(0, offsetInStream(parts, place)));
		expect(await stub.requests[0]?.over).toBe('broken-off');
		expect(stub.requests[0]?.aborted).toBe(false);
	});

	test('HTTP can end well where the protocol did not', async () => {
		stub.script([cut('before-end', spoken, 'end')]);
		const { bytes, broken } = await readUntilBroken(await ask(protocol, true));
		expect(broken).toBe(false);
		expect(bytes).toEqual(stream.subarray(0, offsetInStream(parts, 'before-end')));
	});

	test('any byte is a place, in any write size and any framing', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(stream.length), fc.integer({ min: 1, max: 200 }), async (byte, chunkBytes) => {
				stub.script([cut({ byte }, spoken, 'end', { chunkBytes, framing: 'crlf' })]);
				const { bytes } = await readUntilBroken(await ask(protocol, true));
				const serial = stub.calls.length;
				const sent = Buffer.from(joinParts(dialects[protocol].parts(spoken, { model: 'm', serial })));
				const framed = sent.subarray(0, byte).toString('latin1').replaceAll('\n', '\r\n');
				expect(bytes.toString('latin1')).toBe(framed);
			}),
			{ numRuns: 25 },
		);
	});

	test('errors have the form of the protocol: with a status, in a 200, and in a stream', async () => {
		stub.script([
			status(529),
			errorEnvelope(529),
			inBandError('before-content', spoken),
			inBandError('mid-text', spoken),
		]);
		const overloaded = await ask(protocol, true);
		expect(overloaded.status).toBe(529);
		expect(await overloaded.json()).toMatchObject({ error: { message: 'Overloaded' } });
		const envelope = await ask(protocol, false);
		expect(envelope.status).toBe(200);
		expect(await envelope.json()).toMatchObject({ error: { message: 'Overloaded' } });
		const early = await (await ask(protocol, true)).text();
		expect(early).toContain('Overloaded');
		expect(early).not.toContain('Grüße');
		const late = await (await ask(protocol, true)).text();
		expect(late).toContain('Grüße');
		expect(late.indexOf('Overloaded')).toBeGreaterThan(late.indexOf('Grüße'));
	});

	test('an answer is compressed only where the client allows it', async () => {
		stub.respond(compressed(spoken));
		const plain = await ask(protocol, true);
		expect(plain.headers.get('content-encoding')).toBeNull();
		expect(Buffer.from(await plain.arrayBuffer())).toEqual(stream);
		const response = await fetch(`${stub.url}${dialects[protocol].path}`, {
			method: 'POST',
			headers: { 'accept-encoding': 'gzip' },
			body: JSON.stringify({ model: 'm', stream: true }),
		});
		expect(response.headers.get('content-encoding')).toBe('gzip');
		expect(await response.text()).toContain('Grüße aus');
	});
});

test('an empty 200 has no byte, a reset has no head', async () => {
	stub.script([emptyAnswer(), reset()]);
	const empty = await ask('openai-chat', true);
	expect(empty.status).toBe(200);
	expect(await empty.text()).toBe('');
	await expect(ask('openai-chat', true)).rejects.toThrow();
});

test('a stall is silent until the client leaves, and that is recorded as the client’s doing', async () => {
	stub.script([stall('mid-text', spoken), stall('before-head', spoken)]);
	const leaving = new AbortController();
	const response = await ask('anthropic-messages', true, leaving.signal);
	const reader = response.body?.getReader();
	expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
	leaving.abort();
	expect(await (await stub.call(1)).over).toBe('aborted');
	expect(stub.calls[0]?.aborted).toBe(true);
	const second = new AbortController();
	const headless = ask('anthropic-messages', true, second.signal);
	await stub.call(2);
	second.abort();
	await expect(headless).rejects.toThrow();
	expect(await stub.calls[1]?.over).toBe('aborted');
});

test('a paused answer goes on when its gate opens', async () => {
	const gate = Promise.withResolvers<void>();
	stub.script([paused('mid-text', gate.promise, spoken)]);
	const reader = (await ask('openai-responses', true)).body?.getReader();
	let text = '';
	const decoder = new TextDecoder();
	while (!text.includes('Grüße')) text += decoder.decode((await reader?.read())?.value, { stream: true });
	expect(text).not.toContain('response.completed');
	gate.resolve();
	for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
		text += decoder.decode(next.value, { stream: true });
	}
	expect(text).toContain('response.completed');
});

test('dark: open answers break, new connections are refused; then the same address answers again', async () => {
	const { url } = stub;
	stub.script([stall('mid-text', spoken)]);
	const broken = readUntilBroken(await ask('openai-chat', true));
	await stub.goDark();
	expect((await broken).broken).toBe(true);
	expect(stub.calls[0]?.aborted).toBe(false);
	const refused = await ask('openai-chat', true).catch((error: Error) => error.cause);
	expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
	await stub.comeBack();
	expect(stub.url).toBe(url);
	expect((await ask('openai-chat', true)).status).toBe(200);
});

test('the unresolvable address does not resolve, the TLS address fails its handshake', async () => {
	const lost = await fetch(UNRESOLVABLE_URL).catch((error: Error) => error.cause);
	expect((lost as NodeJS.ErrnoException).code).toMatch(/ENOTFOUND|EAI_AGAIN/);
	await expect(fetch(stub.tlsUrl)).rejects.toThrow();
});

test('a kept connection is reset at its second request only', async () => {
	stub.respond(keepAliveReset(answer({ text: 'hi' })));
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const post = (): Promise<number> =>
		new Promise((resolve, reject) => {
			const message = httpRequest(`${stub.url}/v1/chat/completions`, { method: 'POST', agent });
			message.once('response', (response: IncomingMessage) => {
				response.resume().once('end', () => resolve(response.statusCode ?? 0));
			});
			message.once('error', reject);
			message.end('{}');
		});
	expect(await post()).toBe(200);
	await new Promise((resolve) => setImmediate(resolve));
	await expect(post()).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(stub.calls.map(({ connection }) => connection)).toEqual([1, 1]);
	agent.destroy();
});

test('every form of Retry-After is sent as it is named', async () => {
	for (const form of retryAfterForms) {
		stub.script([status(429, { headers: form.headers })]);
		const response = await ask('anthropic-messages', true);
		expect(response.status).toBe(429);
		for (const name of Object.keys(form.headers)) expect(response.headers.has(name)).toBe(true);
		await response.text();
	}
});

test('what asks no model uses up no step: models, token count, liveness', async () => {
	stub.script([status(500)]);
	const models = await fetch(`${stub.url}/v1/models?limit=1000`, {
		headers: { 'anthropic-version': '2023-06-01' },
	});
	expect(await models.json()).toMatchObject({
		data: [{ type: 'model' }, { type: 'model' }],
		has_more: false,
	});
	expect(await (await fetch(`${stub.url}/v1/models`)).json()).toMatchObject({ object: 'list' });
	const count = await fetch(`${stub.url}/v1/messages/count_tokens`, { method: 'POST', body: '{"a":1}' });
	expect(await count.json()).toEqual({ input_tokens: 2 });
	expect((await fetch(stub.url, { method: 'HEAD' })).status).toBe(200);
	expect((await ask('anthropic-messages', false)).status).toBe(500);
	expect(stub.requests).toHaveLength(5);
	expect(stub.calls).toHaveLength(1);
});

test('the raw body, the headers and the path are kept', async () => {
	await fetch(`${stub.url}/v1/messages?beta=true`, {
		method: 'POST',
		headers: { 'x-api-key': 'k' },
		body: '{ "model":"m",  "n":1.0 }',
	});
	const [request] = stub.requests;
	expect(request?.body.toString()).toBe('{ "model":"m",  "n":1.0 }');
	expect(request?.headers['x-api-key']).toBe('k');
	expect(request?.path).toBe('/v1/messages?beta=true');
});
