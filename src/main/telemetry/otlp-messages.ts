/**
 * The OpenTelemetry messages that are read and written here, as far as they are read. Source: opentelemetry-proto,
 * `collector/{metrics,logs}/v1`, `metrics/v1`, `logs/v1`, `common/v1`, and `google/rpc/status.proto`. What is not described
 * (traces, histograms, nested values) is passed over, so nothing recurses. Fields are as JSON names them.
 */
import { create, createFileRegistry, type DescMessage } from '@bufbuild/protobuf';
import {
	type FieldDescriptorProto,
	FieldDescriptorProtoSchema,
	FileDescriptorProtoSchema,
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';

/** A scalar, a message by name, or many of one. `choice`: of such fields one at most is there. */
interface Field {
	readonly number: number;
	readonly is: Type | string;
	readonly many?: true;
	readonly choice?: string;
}

const { STRING, BOOL, INT64, DOUBLE, FIXED64, SFIXED64, INT32, UINT32 } = Type;
const many = (number: number, is: string): Field => ({ number, is, many: true });
const one = (number: number, is: Type | string): Field => ({ number, is });
const choice = (number: number, is: Type): Field => ({ number, is, choice: 'value' });

const messages: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
	MetricsRequest: { resourceMetrics: many(1, 'ResourceMetrics') },
	ResourceMetrics: { resource: one(1, 'Resource'), scopeMetrics: many(2, 'ScopeMetrics') },
	ScopeMetrics: { metrics: many(2, 'Metric') },
	Metric: { name: one(1, STRING), sum: one(7, 'Sum') },
	Sum: {
		dataPoints: many(1, 'NumberDataPoint'),
		// An enumeration; JSON has its number, too.
		aggregationTemporality: one(2, INT32),
	},
	NumberDataPoint: {
		startTimeUnixNano: one(2, FIXED64),
		timeUnixNano: one(3, FIXED64),
		asDouble: choice(4, DOUBLE),
		asInt: choice(6, SFIXED64),
		attributes: many(7, 'KeyValue'),
		flags: one(8, UINT32),
	},
	LogsRequest: { resourceLogs: many(1, 'ResourceLogs') },
	ResourceLogs: { resource: one(1, 'Resource'), scopeLogs: many(2, 'ScopeLogs') },
	ScopeLogs: { logRecords: many(2, 'LogRecord') },
	LogRecord: {
		timeUnixNano: one(1, FIXED64),
		observedTimeUnixNano: one(11, FIXED64),
		body: one(5, 'AnyValue'),
		attributes: many(6, 'KeyValue'),
		eventName: one(12, STRING),
	},
	Resource: { attributes: many(1, 'KeyValue') },
	KeyValue: { key: one(1, STRING), value: one(2, 'AnyValue') },
	AnyValue: {
		stringValue: choice(1, STRING),
		boolValue: choice(2, BOOL),
		intValue: choice(3, INT64),
		doubleValue: choice(4, DOUBLE),
	},
	/** The answer to both: the field that counts what was refused has one number and two names. */
	Response: { partialSuccess: one(1, 'PartialSuccess') },
	PartialSuccess: { rejected: one(1, INT64), errorMessage: one(2, STRING) },
	Status: { code: one(1, INT32), message: one(2, STRING) },
};

const PACKAGE = 'floor.otlp';

const registry = createFileRegistry(
	create(FileDescriptorProtoSchema, {
		name: 'otlp.proto',
		package: PACKAGE,
		syntax: 'proto3',
		messageType: Object.entries(messages).map(([name, fields]) => ({
			name,
			field: Object.entries(fields).map(([field, described]) => descriptorOf(field, described)),
			oneofDecl: Object.values(fields).some((field) => field.choice) ? [{ name: 'value' }] : [],
		})),
	}),
	() => undefined,
);

export const metricsRequest = messageNamed('MetricsRequest');
export const logsRequest = messageNamed('LogsRequest');
export const response = messageNamed('Response');
export const status = messageNamed('Status');

function descriptorOf(
	name: string,
	{ number, is, many: isMany, choice: oneof }: Field,
): FieldDescriptorProto {
	return create(FieldDescriptorProtoSchema, {
		name,
		jsonName: name,
		number,
		label: isMany ? Label.REPEATED : Label.OPTIONAL,
		...(typeof is === 'string' ? { type: Type.MESSAGE, typeName: `.${PACKAGE}.${is}` } : { type: is }),
		...(oneof !== undefined && { oneofIndex: 0 }),
	});
}

function messageNamed(name: string): DescMessage {
	const message = registry.getMessage(`${PACKAGE}.${name}`);
	if (message === undefined) throw new Error(`no message ${name} is described`);
	return message;
}
