import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { fromBinary, toJson } from '@bufbuild/protobuf';
import { afterEach, describe, expect, it } from 'vitest';
import { HOOK_BODY_LIMIT } from '../../src/main/hooks/hook-body.ts';
import type { Listener } from '../../src/main/server/listener.ts';
import { response, status } from '../../src/main/telemetry/otlp-messages.ts';
import { TelemetryReceiver } from '../../src/main/telemetry/telemetry-receiver.ts';
import { RecordingSink, recordedTelemetry } from '../telemetry/recorded-telemetry.ts';
import { listenBare } from './bare-listener.ts';

let listener: Listener | null = null;
afterEach(async () => {
	await listener?.close();
	listener = null;
});

async function start(sink: RecordingSink = new RecordingSink()) {
	const problems: unknown[] = [];
	const telemetry = {
		receiver: new TelemetryReceiver(),
		sink,
		onError: (error: unknown) => problems.push(error),
	};
	listener = await listenBare({ telemetry }, problems);
	const { url } = listener;
	const post = async (path: string, body: Uint8Array | string, headers: Record<string, string> = {}) => {
		const answer = await fetch(`${url}${path}`, {
			method: 'POST',
			body: Buffer.from(body),
			headers: { authorization: 'Bearer agent', 'content-type': 'application/json', ...headers },
		});
		return {
			status: answer.status,
			type: answer.headers.get('content-type'),
			body: Buffer.from(await answer.arrayBuffer()),
		};
	};
	return { sink, problems, post, url };
}

const protobuf = { 'content-type': 'application/x-protobuf' };
const withoutSession = JSON.stringify({
	resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'claude_code.api_request' } }] }] }],
});

describe('the receiver of telemetry', () => {
	it.each([
		['json', 'plain'],
		['json', 'gzip'],
		['protobuf', 'plain'],
		['protobuf', 'gzip'],
	] as const)('takes what the real Claude Code sends, as %s, %s', async (form, coding) => {
		const { post, sink, problems } = await start();
		for (const { path, contentType, body } of recordedTelemetry('basic', form)) {
			const zipped = coding === 'gzip';
			const answer = await post(path, zipped ? gzipSync(body) : body, {
				'content-type': contentType,
				...(zipped && { 'content-encoding': 'gzip' }),
			});
			expect(answer).toMatchObject({ status: 200, type: contentType });
			expect(answer.body.toString()).toBe(form === 'json' ? '{}' : '');
		}
		expect(sink.session().takeCount(Date.now())?.total.work).toBe(60);
		expect(problems).toEqual([]);
	});

	it('lets nobody in without the agent token, before a body is read', async () => {
		const { post, sink } = await start();
		for (const authorization of ['', 'Bearer operator', 'agent', 'Basic agent']) {
			expect(await post('/otlp/v1/logs', withoutSession, { authorization })).toMatchObject({ status: 401 });
		}
		expect(await post('/otlp/v1/logs', '{}', { origin: 'https://elsewhere.example' })).toMatchObject({
			status: 403,
		});
		expect(sink).toEqual(new RecordingSink());
	});

	it('says what it could not take, in the form in which it was asked', async () => {
		const { post } = await start();
		const json = await post('/otlp/v1/logs', withoutSession);
		expect(json.status).toBe(200);
		expect(JSON.parse(json.body.toString())).toMatchObject({
			partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.stringMatching(/session\.id/) },
		});
		// resource_logs { scope_logs { log_records { event_name: "claude_code.api_request" } } }
		const name = Buffer.from('claude_code.api_request');
		const nested = (field: number, bytes: Buffer) =>
			Buffer.concat([Buffer.from([field, bytes.length]), bytes]);
		const binary = nested(0x0a, nested(0x12, nested(0x12, nested(0x62, name))));
		const answer = await post('/otlp/v1/logs', binary, protobuf);
		expect(answer).toMatchObject({ status: 200, type: 'application/x-protobuf' });
		expect(toJson(response, fromBinary(response, answer.body))).toMatchObject({
			partialSuccess: { rejected: '1', errorMessage: expect.stringMatching(/session\.id/) },
		});
	});

	it.each([
		['what is no request', '{"resourceLogs":', {}, 400],
		['what is not compressed as it says', '{}', { 'content-encoding': 'gzip' }, 400],
		['a coding that is not known', '{}', { 'content-encoding': 'lzma' }, 400],
		['another form', '<xml/>', { 'content-type': 'text/xml' }, 415],
	])('refuses %s for good, with a status in words', async (_name, body, headers, code) => {
		const { post } = await start();
		const answer = await post('/otlp/v1/logs', body, headers);
		expect(answer).toMatchObject({ status: code, type: 'application/json' });
		expect(JSON.parse(answer.body.toString())).toMatchObject({ message: expect.stringMatching(/\w/) });
	});

	it('says so in protobuf to who speaks it', async () => {
		const { post } = await start();
		const answer = await post('/otlp/v1/metrics', Buffer.from([0x0a, 0xff]), protobuf);
		expect(answer).toMatchObject({ status: 400, type: 'application/x-protobuf' });
		expect(toJson(status, fromBinary(status, answer.body))).toMatchObject({ code: 3 });
	});

	it('takes no more than its limit into memory, compressed or not', async () => {
		const { post } = await start();
		const large = await post('/otlp/v1/logs', Buffer.alloc(HOOK_BODY_LIMIT + 1, 0x20));
		expect(large.status).toBe(413);
		const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024), { level: 1 });
		expect((await post('/otlp/v1/logs', bomb, { 'content-encoding': 'gzip' })).status).toBe(400);
	});

	it('answers an empty request, and one without a body', async () => {
		const { post } = await start();
		expect(await post('/otlp/v1/metrics', new Uint8Array(), protobuf)).toMatchObject({ status: 200 });
		expect((await post('/otlp/v1/metrics', '{}')).status).toBe(200);
	});

	it('a fault of whoever takes it in costs the sender nothing', async () => {
		class Broken extends RecordingSink {
			override usage(): void {
				throw new Error('the ledger is full');
			}
		}
		const { post, problems } = await start(new Broken());
		for (const { path, contentType, body } of recordedTelemetry('basic', 'json')) {
			expect((await post(path, body, { 'content-type': contentType })).status).toBe(200);
		}
		expect(problems.length).toBeGreaterThan(0);
	});

	it('a sender that breaks off is nobody’s fault', async () => {
		const { url, problems, post } = await start();
		await new Promise<void>((resolve) => {
			const broken = httpRequest(`${url}/otlp/v1/logs`, {
				method: 'POST',
				headers: { authorization: 'Bearer agent', 'content-type': 'application/json', 'content-length': 999 },
			});
			broken.once('error', () => resolve());
			broken.write('{"resourceLogs":', () => broken.destroy(new Error('gone')));
		});
		expect((await post('/otlp/v1/logs', '{}')).status).toBe(200);
		expect(problems).toEqual([]);
	});
});
