/** Answers that are not what they should be in form: without a type, compressed, redirected, with a credential in them. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginsEvents } from '../../src/main/gateway/answer-form.ts';
import { masked } from '../../src/main/gateway/masked.ts';
import {
	answer,
	bytes,
	errorEnvelope,
	inBandError,
	paused,
	type Step,
	status,
} from '../support/provider-stub/steps.ts';
import { GatewayFixture, SECRET, TOKEN, until } from './gateway-fixture.ts';

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	await floor.dispose();
});

const hello = { text: 'Hello from the cloud, at length.' };

/** The same without its content type, or with another; in pieces of that many bytes. */
function typed(type: string | null, chunkBytes: number): Step {
	return async (call) => {
		const reply = await answer(hello, { chunkBytes })(call);
		return { ...reply, headers: type === null ? {} : { 'content-type': type } };
	};
}

describe('an answer that does not say what it is', () => {
	it.each([
		[null, 0],
		[null, 1],
		['text/plain', 3],
		['application/octet-stream', 7],
	])('is read as a stream when it begins like one (%s, %i bytes a piece)', async (type, chunkBytes) => {
		floor.provider.respond(typed(type, chunkBytes));
		const reply = await floor.ask().reply;
		expect(reply.text).toMatch(/message_start[\s\S]*Hello[\s\S]*message_stop/);
		expect(reply.headers['content-type']).toBe(type ?? 'text/event-stream; charset=utf-8');
		expect(floor.desk.outcomes).toEqual(['ok']);
	});

	it.each([null, 'text/plain'])('is read as JSON when it begins otherwise (%s)', async (type) => {
		floor.provider.respond(typed(type, 1));
		expect(JSON.parse((await floor.ask({ stream: false }).reply).text)).toMatchObject({ type: 'message' });
		expect(floor.desk.outcomes).toEqual(['ok']);
	});

	it('is told from its first bytes, however they are cut', () => {
		const start = fc.constantFrom('event: x\ndata: {}', 'data: 1', ': ping', '\ufeff\r\nid: 4', 'retry: 3');
		fc.assert(
			fc.property(start, fc.nat(20), (text, at) => {
				const all = Buffer.from(text);
				expect(beginsEvents(all)).toBe(true);
				expect(beginsEvents(all.subarray(0, at))).not.toBe(false);
			}),
		);
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(beginsEvents(Buffer.from(JSON.stringify(value)))).not.toBe(true);
			}),
		);
		expect(beginsEvents(Buffer.from('<html>'))).toBe(false);
		expect(beginsEvents(Buffer.from(' '.repeat(100)))).toBe(false);
	});
});

describe('a compressed error', () => {
	const explained = JSON.stringify({
		type: 'error',
		error: { type: 'api_error', message: 'The disk burns.' },
	});

	it.each([
		['gzip', gzipSync],
		['br', brotliCompressSync],
		['deflate', deflateSync],
		['zstd', zstdCompressSync],
	] as const)('(%s) is read for people, and passes to the agent as it came', async (encoding, compress) => {
		const body = compress(explained);
		floor.provider.respond(bytes(500, { 'content-encoding': encoding }, body));
		const call = floor.ask();
		await floor.desk.asked(1);
		expect(floor.desk.failures[0]?.detail).toMatch(/status 500: The disk burns\./);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		expect((await call.reply).body.equals(body)).toBe(true);
	});

	it.each(['gzip', 'snappy'])('(%s) that cannot be read says so', async (encoding) => {
		floor.provider.respond(bytes(500, { 'content-encoding': encoding }, Buffer.from([0, 255, 31, 8, 9])));
		const call = floor.ask();
		await floor.desk.asked(1);
		expect(floor.desk.failures[0]?.detail).toMatch(`compressed (${encoding}) and cannot be read`);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		await call.reply;
	});
});

describe('a redirect', () => {
	it.each([301, 302, 307, 308])('%i is held, and is never the agent’s to follow', async (code) => {
		floor.provider.respond(
			bytes(code, { location: 'https://elsewhere.example/v1/messages?key=AIzaSecret' }, Buffer.from('moved')),
		);
		const call = floor.ask();
		await floor.desk.asked(1);
		const said = /redirect \(\d+ to https:\/\/elsewhere\.example\/v1\/messages\).*follows no redirects/;
		expect(floor.desk.failures[0]?.detail).toMatch(said);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		const reply = await call.reply;
		expect([reply.status, reply.headers.location]).toEqual([502, undefined]);
		expect(reply.text).toMatch(said);
	});

	it('of what only passes through is an error as well', async () => {
		floor.provider.respond(bytes(308, { location: 'https://elsewhere.example/x' }, Buffer.from('')));
		const path = `/gateway/${TOKEN}/v1/messages`;
		const reply = await floor.send({ path, body: '[]' }).reply;
		expect([reply.status, reply.headers.location]).toEqual([502, undefined]);
		expect(reply.text).toMatch(/follows no redirects/);
	});
});

describe('a credential in what a provider says', () => {
	it.each([
		['an error', true, status(500, { message: `Bad key ${SECRET} given` })],
		['an error type', true, status(500, { type: SECRET, message: 'x' })],
		['an error where the answer should be', false, errorEnvelope(529, { message: `Bad key ${SECRET}` })],
		[
			'an error in a stream',
			true,
			inBandError('before-content', hello, 529, { message: `Bad key ${SECRET}` }),
		],
	])('%s goes to the agent unchanged, and to nobody else', async (_name, stream, step) => {
		floor.provider.respond(step);
		const call = floor.ask({ stream });
		await floor.desk.asked(1);
		const { desk } = floor;
		expect(JSON.stringify([desk.failures, desk.settled])).not.toContain(SECRET);
		expect(JSON.stringify(desk.failures[0])).toMatch(/\[credential\]/);
		desk.decide({ kind: 'give-up', why: 'hold-over' });
		expect((await call.reply).text).toContain(SECRET);
	});

	it.each([
		'sk-ant-api03-abcdefgh',
		'sk-proj-AbCd1234',
		'gsk_abcdefgh1234',
		'ghp_abcdefgh1234',
		'AIzaSyA1234567890',
		'Bearer abcdef.ghijkl-1234',
		'eyJhbGciOi.eyJzdWIi.c2ln',
	])('like %s is left out whoever’s it is', (secret) => {
		const shown = masked(`Wrong key "${secret}", try another.`, []);
		expect(shown).toMatch(/^Wrong key "(Bearer )?\[credential\]", try another\.$/);
	});

	it('whatever it is', () => {
		const secret = fc.stringMatching(/^[!-~]{6,60}$/);
		const words = fc.string({ maxLength: 40 });
		fc.assert(
			fc.property(secret, words, words, fc.constantFrom('', 'Bearer ', 'Basic '), (key, a, b, scheme) => {
				fc.pre(!'[credential]'.includes(key));
				const header = scheme === '' ? 'X-Api-Key' : 'Authorization';
				const shown = masked(`${a} ${key} ${b}`, ['accept', 'x', header, scheme + key]);
				expect(shown).not.toContain(` ${key} `);
			}),
		);
	});

	it('and plain words are left alone', () => {
		const text = 'A task-force of skills asked: risk-free sky-high bearer of news, the key is missing.';
		expect(masked(text, ['user-agent', 'risk-free', 'x-api-key', 'the'])).toBe(text);
	});
});

describe('a trial', () => {
	it('that is answered whole has passed at the head of its answer: others need not wait for its end', async () => {
		const gate = Promise.withResolvers<void>();
		floor.desk.isTrial = true;
		floor.provider.respond(paused('mid-text', gate.promise, hello));
		const call = floor.ask({ stream: false });
		await until(() => floor.desk.settled.length === 1);
		expect(floor.desk.outcomes).toEqual(['ok']);
		gate.resolve();
		expect(JSON.parse((await call.reply).text)).toMatchObject({ type: 'message' });
		expect(floor.desk.settled).toHaveLength(1);
	});

	it.each([
		['an error', status(503), 'error'],
		['a page', bytes(200, { 'content-type': 'text/html' }, Buffer.from('<html>Log in</html>')), 'error'],
	])('that gets %s has not', async (_name, step, kind) => {
		floor.desk.isTrial = true;
		floor.provider.respond(step);
		const call = floor.ask({ stream: false });
		await floor.desk.asked(1);
		expect(floor.desk.outcomes).toEqual([kind]);
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		await call.reply;
	});
});
