/**
 * Where agent programs send their telemetry: `POST /otlp/v1/metrics` and `/otlp/v1/logs`, OTLP over HTTP in both of its
 * forms. Reply first, work after; a sender is never kept waiting, and what the floor cannot use it does not refuse.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decompressed } from '../gateway/content-encoding.ts';
import { type HookBody, readHookBody } from '../hooks/hook-body.ts';
import {
	failureReply,
	mediaTypes,
	type OtlpForm,
	type OtlpSignal,
	otlpFormOf,
} from '../telemetry/otlp-body.ts';
import type { TelemetryReceiver } from '../telemetry/telemetry-receiver.ts';
import type { TelemetrySink } from '../telemetry/telemetry-sink.ts';

export interface TelemetryRouteOptions {
	readonly receiver: TelemetryReceiver;
	readonly sink: TelemetrySink;
	/** A fault of the sink, after the reply. */
	readonly onError: (error: unknown) => void;
}

/** What a compressed body may grow to, bytes. */
const PLAIN_LIMIT = 32 * 1024 * 1024;

const signals: readonly OtlpSignal[] = ['metrics', 'logs'];

/** A Fastify plugin. Expects the request to be authorised already. */
export async function telemetryRoutes(app: FastifyInstance, options: TelemetryRouteOptions): Promise<void> {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, stream, done) => {
		readHookBody(stream).then((body) => done(null, body), done);
	});
	for (const signal of signals) {
		app.post(`/otlp/v1/${signal}`, (request, reply) => receive(options, signal, request, reply));
	}
}

async function receive(
	{ receiver, sink, onError }: TelemetryRouteOptions,
	signal: OtlpSignal,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const form = otlpFormOf(request.headers['content-type']);
	if (form === null) {
		return fail(reply, 415, 'json', `Send ${mediaTypes.json} or ${mediaTypes.protobuf}.`);
	}
	const body = (request.body ?? { kind: 'read', bytes: new Uint8Array() }) as HookBody;
	if (body.kind === 'too-large') {
		return fail(
			reply,
			413,
			form,
			`A request is larger than ${body.limit / 1_048_576} MB. Send smaller batches.`,
		);
	}
	const encoding = request.headers['content-encoding'] ?? null;
	const plain = await decompressed(Buffer.from(body.bytes), encoding, PLAIN_LIMIT);
	if (plain === null) return fail(reply, 400, form, 'The compressed body cannot be read.');
	const { status, body: answer, tell } = receiver.take(signal, form, plain);
	setImmediate(() => {
		try {
			tell(sink);
		} catch (error) {
			onError(error);
		}
	});
	return send(reply, status, form, answer);
}

function fail(reply: FastifyReply, status: number, form: OtlpForm, message: string): FastifyReply {
	return send(reply, status, form, failureReply(form, message));
}

function send(reply: FastifyReply, status: number, form: OtlpForm, body: Uint8Array): FastifyReply {
	return reply.code(status).header('content-type', mediaTypes[form]).send(Buffer.from(body));
}
