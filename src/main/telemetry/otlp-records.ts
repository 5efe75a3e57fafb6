/**
 * The records of an OTLP request as flat, plain objects. Whatever is missing or of another type is passed over; of the
 * attributes only scalars are kept, and only until their reader is done.
 */

export type Attributes = ReadonlyMap<string, string | number | boolean>;

export interface MetricPoint {
	readonly name: string;
	readonly temporality: 'delta' | 'cumulative' | 'unknown';
	readonly attributes: Attributes;
	/** Ns since the epoch, as text: it names the span that a value is of. */
	readonly startedNano: string;
	readonly nano: string;
	readonly value: number | null;
}

export interface LogRecord {
	/** Every name that it gives itself: its event name, the attribute `event.name`, and a short body. */
	readonly names: readonly string[];
	/** Ms since the epoch; `null`: it does not tell. */
	readonly at: number | null;
	readonly attributes: Attributes;
	/** Of its resource: "claude-code". Empty: it does not tell. */
	readonly service: string;
}

/** A body that is longer is a text, and no name. */
const LONGEST_NAME = 100;
/** `DataPointFlags`: this point has no value. */
const NO_VALUE = 1;

export function* metricPoints(request: unknown): Generator<MetricPoint> {
	for (const resource of listIn(request, 'resourceMetrics')) {
		for (const scope of listIn(resource, 'scopeMetrics')) {
			for (const metric of listIn(scope, 'metrics')) yield* pointsOf(metric);
		}
	}
}

export function* logRecords(request: unknown): Generator<LogRecord> {
	for (const resource of listIn(request, 'resourceLogs')) {
		const service = attributesOf(fieldOf(resource, 'resource')).get('service.name');
		for (const scope of listIn(resource, 'scopeLogs')) {
			for (const record of listIn(scope, 'logRecords')) {
				const attributes = attributesOf(record);
				const names = [
					fieldOf(record, 'eventName'),
					attributes.get('event.name'),
					fieldOf(fieldOf(record, 'body'), 'stringValue'),
				].filter((name) => typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME);
				yield {
					names: names as string[],
					at: momentOf(record, 'timeUnixNano') ?? momentOf(record, 'observedTimeUnixNano'),
					attributes,
					service: typeof service === 'string' ? service : '',
				};
			}
		}
	}
}

/** Ms since the epoch of ns as text; `null` for 0, which means that it is not known. */
export function msOfNano(nano: string): number | null {
	const ms = Math.round(Number(nano) / 1e6);
	return Number.isSafeInteger(ms) && ms > 0 ? ms : null;
}

function* pointsOf(metric: unknown): Generator<MetricPoint> {
	const name = fieldOf(metric, 'name');
	const sum = fieldOf(metric, 'sum');
	if (typeof name !== 'string') return;
	const temporality = temporalityOf(fieldOf(sum, 'aggregationTemporality'));
	for (const point of listIn(sum, 'dataPoints')) {
		if ((Number(fieldOf(point, 'flags') ?? 0) & NO_VALUE) !== 0) continue;
		yield {
			name,
			temporality,
			attributes: attributesOf(point),
			startedNano: nanoIn(point, 'startTimeUnixNano'),
			nano: nanoIn(point, 'timeUnixNano'),
			value: numberOf(fieldOf(point, 'asDouble')) ?? numberOf(fieldOf(point, 'asInt')),
		};
	}
}

/** JSON has its number, some senders its name. */
function temporalityOf(value: unknown): MetricPoint['temporality'] {
	if (value === 1 || value === 'AGGREGATION_TEMPORALITY_DELTA') return 'delta';
	return value === 2 || value === 'AGGREGATION_TEMPORALITY_CUMULATIVE' ? 'cumulative' : 'unknown';
}

function attributesOf(of: unknown): Attributes {
	const attributes = new Map<string, string | number | boolean>();
	for (const entry of listIn(of, 'attributes')) {
		const key = fieldOf(entry, 'key');
		const value = scalarOf(fieldOf(entry, 'value'));
		if (typeof key === 'string' && value !== null) attributes.set(key, value);
	}
	return attributes;
}

function scalarOf(value: unknown): string | number | boolean | null {
	const text = fieldOf(value, 'stringValue');
	if (typeof text === 'string') return text;
	const flag = fieldOf(value, 'boolValue');
	if (typeof flag === 'boolean') return flag;
	return numberOf(fieldOf(value, 'intValue')) ?? numberOf(fieldOf(value, 'doubleValue'));
}

/** JSON has 64-bit numbers as text. */
function numberOf(value: unknown): number | null {
	if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null;
	const number = Number(value);
	return Number.isFinite(number) ? number : null;
}

function nanoIn(of: unknown, field: string): string {
	const nano = fieldOf(of, field);
	return typeof nano === 'string' || typeof nano === 'number' ? String(nano) : '0';
}

function momentOf(record: unknown, field: string): number | null {
	return msOfNano(nanoIn(record, field));
}

function listIn(of: unknown, field: string): readonly unknown[] {
	const list = fieldOf(of, field);
	return Array.isArray(list) ? list : [];
}

function fieldOf(of: unknown, field: string): unknown {
	return typeof of === 'object' && of !== null && Object.hasOwn(of, field)
		? Reflect.get(of, field)
		: undefined;
}
