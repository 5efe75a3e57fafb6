/** The receiver of telemetry, described. */
import { z } from 'zod';
import { type DescribedResponse, type DescribedRoute, foreign, noToken, plain } from './openapi-route.ts';

const signals = [
	{ signal: 'metrics', list: 'resourceMetrics', rejected: 'rejectedDataPoints' },
	{ signal: 'logs', list: 'resourceLogs', rejected: 'rejectedLogRecords' },
] as const;
/** Both forms hold the same; that of protobuf is described by opentelemetry-proto. */
const inBothForms = (schema: z.ZodType): DescribedResponse['content'] => ({
	'application/json': schema,
	'application/x-protobuf': z.string(),
});
const failure = (description: string): DescribedResponse => ({
	description,
	content: inBothForms(z.object({ code: z.number(), message: z.string() })),
});
export const telemetry: readonly DescribedRoute[] = signals.map(({ signal, list, rejected }) => ({
	...plain,
	method: 'POST',
	route: `/otlp/v1/${signal}`,
	shown: `/otlp/v1/${signal}`,
	operationId: `report${signal === 'metrics' ? 'Metrics' : 'Logs'}`,
	tag: 'telemetry',
	summary: `OTLP ${signal} of an agent program`,
	description:
		'JSON or protobuf (`application/x-protobuf`), plain or compressed; the answer has the form of the request. Names and attributes that are not known are passed over; words of people and models are never kept. At most 16 MiB.',
	caller: 'agent',
	body: z.looseObject({ [list]: z.array(z.looseObject({})).optional() }),
	responses: {
		200: {
			description: 'Taken; what could not be is counted.',
			content: inBothForms(
				z.object({
					partialSuccess: z.object({ [rejected]: z.string(), errorMessage: z.string() }).optional(),
				}),
			),
		},
		400: failure('It cannot be read, now or later.'),
		401: noToken,
		403: foreign,
		413: failure('Larger than the floor takes.'),
		415: failure('Neither JSON nor protobuf.'),
	},
}));
