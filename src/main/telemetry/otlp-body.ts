/** Bodies of OTLP/HTTP in both of their forms: https://opentelemetry.io/docs/specs/otlp/#otlphttp. Pure. */
import { type DescMessage, fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { logsRequest, metricsRequest, response, status } from './otlp-messages.ts';

export type OtlpSignal = 'metrics' | 'logs';
export type OtlpForm = 'json' | 'protobuf';

/** Records of a request that were ours and could not be read. */
export interface Refused {
	readonly count: number;
	readonly why: string;
}

export const mediaTypes: Readonly<Record<OtlpForm, string>> = {
	json: 'application/json',
	protobuf: 'application/x-protobuf',
};

const requests: Readonly<Record<OtlpSignal, DescMessage>> = { metrics: metricsRequest, logs: logsRequest };
const rejected: Readonly<Record<OtlpSignal, string>> = {
	metrics: 'rejectedDataPoints',
	logs: 'rejectedLogRecords',
};

/** Of gRPC, "INVALID_ARGUMENT": the status of HTTP says the rest. */
const INVALID_ARGUMENT = 3;

/** `null`: a form that is not spoken here. */
export function otlpFormOf(contentType: string | undefined): OtlpForm | null {
	const type = contentType?.split(';')[0]?.trim().toLowerCase();
	if (type === mediaTypes.json) return 'json';
	return type === mediaTypes.protobuf || type === 'application/protobuf' ? 'protobuf' : null;
}

/** The request as JSON has it, whatever its form; `null`: it cannot be read. Never throws. */
export function readOtlp(signal: OtlpSignal, form: OtlpForm, body: Uint8Array): unknown {
	try {
		if (form === 'json') {
			const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
			return objectOrNull(JSON.parse(text));
		}
		const schema = requests[signal];
		return toJson(schema, fromBinary(schema, body, { readUnknownFields: false }));
	} catch {
		// The reply says that it cannot be read; why is for its sender to find out.
		return null;
	}
}

/** `refused`: `null` when everything was taken. */
export function successReply(signal: OtlpSignal, form: OtlpForm, refused: Refused | null): Uint8Array {
	if (refused === null) return form === 'json' ? Buffer.from('{}') : new Uint8Array();
	const { count, why: errorMessage } = refused;
	if (form === 'json') {
		return Buffer.from(
			JSON.stringify({ partialSuccess: { [rejected[signal]]: String(count), errorMessage } }),
		);
	}
	const partialSuccess = { rejected: String(count), errorMessage };
	return toBinary(response, fromJson(response, { partialSuccess }));
}

export function failureReply(form: OtlpForm, message: string): Uint8Array {
	const failure = { code: INVALID_ARGUMENT, message };
	if (form === 'json') return Buffer.from(JSON.stringify(failure));
	return toBinary(status, fromJson(status, failure));
}

function objectOrNull(value: unknown): unknown {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}
