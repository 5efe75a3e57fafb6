import { fromJson, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Floor } from '../../src/main/floor/floor.ts';
import type { OtlpForm, OtlpSignal } from '../../src/main/telemetry/otlp-body.ts';
import { logsRequest, metricsRequest } from '../../src/main/telemetry/otlp-messages.ts';
import { TelemetryReceiver } from '../../src/main/telemetry/telemetry-receiver.ts';
import { happeningOf, hookProblemWords } from '../../src/main/telemetry/telemetry-words.ts';
import { NO_TOKENS } from '../../src/main/usage/token-usage.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import { RecordingSink, recordedTelemetry } from './recorded-telemetry.ts';

const AT = Date.UTC(2026, 10, 26, 12);
/** The floor's own clock. */
const LATER = AT + 30 * 86_400_000;
const nano = (at: number): string => `${at}000000`;

function attributesOf(fields: Readonly<Record<string, unknown>>): object[] {
	return Object.entries(fields).map(([key, value]) => {
		const typed =
			typeof value === 'string'
				? { stringValue: value }
				: typeof value === 'boolean'
					? { boolValue: value }
					: Number.isInteger(value)
						? { intValue: String(value) }
						: { doubleValue: value };
		return { key, value: typed };
	});
}

function logsOf(
	...records: readonly (readonly [string, Readonly<Record<string, unknown>>, number?])[]
): object {
	const logRecords = records.map(([name, fields, at = AT]) => ({
		timeUnixNano: nano(at),
		body: { stringValue: `claude_code.${name}` },
		attributes: attributesOf({ 'session.id': 's1', ...fields }),
	}));
	return { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
}

interface Point {
	readonly type?: string;
	readonly value: number;
	readonly from: number;
	readonly at: number;
	readonly temporality?: number;
	readonly fields?: Readonly<Record<string, unknown>>;
	readonly name?: string;
}

function metricsOf(...points: readonly Point[]): object {
	const metrics = points.map(({ type = 'input', value, from, at, temporality = 2, fields, name }) => ({
		name: name ?? 'claude_code.token.usage',
		sum: {
			aggregationTemporality: temporality,
			dataPoints: [
				{
					startTimeUnixNano: nano(from),
					timeUnixNano: nano(at),
					asDouble: value,
					attributes: attributesOf({ 'session.id': 's1', model: 'claude-x', type, ...fields }),
				},
			],
		},
	}));
	return { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] };
}

const schemas = { logs: logsRequest, metrics: metricsRequest };
const forms: readonly OtlpForm[] = ['json', 'protobuf'];

function encoded(signal: OtlpSignal, form: OtlpForm, request: object): Uint8Array {
	if (form === 'json') return Buffer.from(JSON.stringify(request));
	return toBinary(schemas[signal], fromJson(schemas[signal], request as never));
}

function take(
	signal: OtlpSignal,
	request: object,
	{
		receiver = new TelemetryReceiver(() => LATER),
		sink = new RecordingSink(),
		form = 'json' as OtlpForm,
	} = {},
) {
	const reply = receiver.take(signal, form, encoded(signal, form, request));
	reply.tell(sink);
	return { reply, sink, receiver };
}

function replay(run: string, form?: OtlpForm, times = 1): RecordingSink {
	const sink = new RecordingSink();
	const receiver = new TelemetryReceiver(() => LATER);
	for (let time = 0; time < times; time += 1) {
		for (const request of recordedTelemetry(run, form)) {
			const reply = receiver.take(request.signal, request.form, request.body);
			expect(reply.status).toBe(200);
			expect(Buffer.from(reply.body).toString()).toBe(request.form === 'json' ? '{}' : '');
			reply.tell(sink);
		}
	}
	return sink;
}

describe('what the real Claude Code sends', () => {
	it.each(forms)('as %s: each answer once from its log, the same tokens from its counters', (form) => {
		const sink = replay('basic', form);
		const answers = sink.reports.flatMap(({ told }) => (told.by === 'log' ? told : []));
		expect(answers).toMatchObject([
			{ key: 'req_1', model: 'claude-opus-5-5', usage: { input: 10, output: 20, cacheRead: 0 } },
			{ key: 'req_2', model: 'claude-opus-5-5', usage: { input: 10, output: 20 } },
		]);
		expect(sink.session().takeCount(answers[0]?.at ?? 0)).toMatchObject({
			source: 'telemetry',
			total: { input: 20, output: 40, work: 60, costUsd: 0.06, unpricedModels: [] },
		});
		const counters = new RecordingSink();
		counters.reports.push(...sink.reports.filter(({ told }) => told.by === 'metric'));
		expect(counters.session().takeCount(answers[0]?.at ?? 0)?.total).toMatchObject({
			input: 20,
			output: 40,
			costUsd: 0.00088,
		});
	});

	it('is not counted twice when a batch is sent again', () => {
		for (const form of forms) {
			const sink = replay('basic', form, 3);
			expect(sink.session().takeCount(AT)?.total.work).toBe(60);
		}
	});

	it('with cumulative counters comes to the same', () => {
		const sink = replay('cumulative', undefined, 2);
		expect(sink.session().takeCount(AT)?.total).toMatchObject({ input: 20, output: 40, costUsd: 0.00088 });
	});

	it.each([
		['overloaded', { error: 'overloaded', status: 529, message: 'Overloaded' }],
		['rate-limited', { error: 'rate_limit', status: 429 }],
		['refused', { error: 'connection', status: null, message: 'Connection error.' }],
	])('when its provider is %s, is told once as trouble of that provider', (run, trouble) => {
		const { troubles } = replay(run);
		expect(troubles).toMatchObject([{ ...trouble, model: 'claude-opus-5-5', isRetry: false }]);
	});

	it('of a hook that failed and of one that was cut off is told', () => {
		expect(replay('basic', 'json').problems).toMatchObject([
			{ event: 'PreToolUse', hooks: 1, failed: 1, cancelled: 0 },
			{ event: 'PostToolUse', hooks: 1, failed: 0, cancelled: 1, durationMs: 2_006 },
		]);
	});
});

describe('words of people and models', () => {
	it('are never in what is passed on', () => {
		const secret = 'launch code 0000';
		const fields = {
			prompt: secret,
			prompt_text: secret,
			response: secret,
			tool_input: secret,
			model: 'claude-x',
			input_tokens: 1,
			output_tokens: 1,
		};
		const names = ['user_prompt', 'assistant_response', 'tool_result', 'api_request', 'compaction'] as const;
		const { sink } = take('logs', logsOf(...names.map((name) => [name, fields] as const)));
		expect(sink.reports).toHaveLength(1);
		expect(JSON.stringify(sink)).not.toContain(secret);
	});
});

describe('log records', () => {
	it.each(forms)('numbers count as numbers and as text (%s)', (form) => {
		const fields = { model: 'claude-x', input_tokens: '12', output_tokens: 7, cache_creation_1h_tokens: '5' };
		const { sink } = take('logs', logsOf(['api_request', { ...fields, cache_creation_tokens: 5 }]), { form });
		expect(sink.reports).toMatchObject([
			{
				client: 'claude-code',
				sessionId: 's1',
				told: { by: 'log', at: AT, usage: { input: 12, output: 7, cacheCreation: 5, cacheCreation1h: 5 } },
			},
		]);
	});

	it('answers without a request’s name are told apart by their moment, also when a sequence begins anew', () => {
		const fields = { model: 'claude-x', input_tokens: 1, output_tokens: 1, 'event.sequence': 3 };
		const { sink } = take('logs', logsOf(['api_request', fields], ['api_request', fields, AT + 60_000]));
		expect(sink.session().takeCount(AT)?.total.work).toBe(4);
	});

	it.each([
		['400', { status_code: 400, error: 'prompt is too long' }],
		['404', { status_code: '404', error: 'model: claude-none' }],
	])('an error of the request itself is nobody else’s trouble: %s', (_name, fields) => {
		expect(take('logs', logsOf(['api_error', fields])).sink.troubles).toEqual([]);
	});

	it.each([
		[402, 'x', 'billing_error'],
		[400, 'Your credit balance is too low', 'billing_error'],
		[401, 'x', 'authentication_failed'],
		[500, 'x', 'server_error'],
		[529, 'x', 'overloaded'],
	])('status %i with "%s" is %s', (status_code, error, word) => {
		expect(take('logs', logsOf(['api_error', { status_code, error }])).sink.troubles).toMatchObject([
			{ error: word, status: status_code },
		]);
	});

	it('the time in a limit’s words is kept', () => {
		const error = "You've hit your limit · resets 3:40pm (UTC)";
		const { sink } = take('logs', logsOf(['api_error', { status_code: 429, error }]));
		expect(sink.troubles[0]?.resetsAt).toBe(AT + (3 * 60 + 40) * 60_000);
	});

	it('a failure that comes again with the next prompt is told again', () => {
		const fields = { status_code: 529, error: 'Overloaded' };
		const one = logsOf(
			['api_error', { ...fields, 'prompt.id': 'p1' }],
			['api_retries_exhausted', { ...fields, 'prompt.id': 'p1' }, AT + 1],
			['api_error', { ...fields, 'prompt.id': 'p2' }, AT + 9_000],
		);
		expect(take('logs', one).sink.troubles).toHaveLength(2);
	});

	it('hooks that all did their work, and names that nobody knows, are nothing', () => {
		const good = { hook_event: 'Stop', num_hooks: '2', num_success: '2', num_non_blocking_error: '0' };
		const { sink, reply } = take('logs', logsOf(['hook_execution_complete', good], ['invented_later', {}]));
		expect(sink).toEqual(new RecordingSink());
		expect(reply.status).toBe(200);
	});

	it('of another program, with a name like ours, are not ours', () => {
		const record = { body: { stringValue: 'api_request' }, attributes: attributesOf({ 'session.id': 's' }) };
		const attributes = attributesOf({ 'service.name': 'gemini-cli' });
		const request = { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords: [record] }] }] };
		expect(Buffer.from(take('logs', request).reply.body).toString()).toBe('{}');
	});
});

describe('counters', () => {
	const total = (sink: RecordingSink) => sink.session().takeCount(AT)?.total;

	it('that begin again at 0 with their program go on from what they had reached', () => {
		const run = { from: AT - 9_000 };
		const again = { from: AT - 5_000 };
		const { sink } = take(
			'metrics',
			metricsOf(
				{ ...run, at: AT - 8_000, value: 100 },
				{ ...run, at: AT - 7_000, value: 150 },
				{ ...again, at: AT - 4_000, value: 30 },
				{ ...again, at: AT - 3_000, value: 20 },
			),
		);
		expect(total(sink)?.input).toBe(180);
	});

	it('with what is still to be invented are left out, and known kinds are not', () => {
		const span = { from: AT - 1_000, at: AT, value: 5, temporality: 1 };
		const { sink, reply } = take(
			'metrics',
			metricsOf(
				{ ...span, type: 'cacheRead' },
				{ ...span, type: 'cacheCreation' },
				{ ...span, type: 'thought' },
				{ ...span, name: 'claude_code.dreams' },
			),
		);
		expect(total(sink)).toMatchObject({ input: 0, cacheRead: 5, cacheCreation: 5 });
		expect(Buffer.from(reply.body).toString()).toBe('{}');
	});

	it.each([
		['without a session', { fields: { 'session.id': '' } }],
		['below 0', { value: -1 }],
		['larger than any', { value: 1e18 }],
		['of one export larger than any', { value: 2e9, temporality: 1 }],
		['that are no whole tokens', { value: 0.5 }],
		['neither delta nor cumulative', { temporality: 0 }],
	])('%s are refused, and the sender is told', (_name, wrong) => {
		for (const form of forms) {
			const good = { from: AT - 1_000, at: AT, value: 5 };
			const request = metricsOf(good, { ...good, type: 'output', ...wrong });
			const { sink, reply } = take('metrics', request, { form });
			expect(sink.reports).toHaveLength(1);
			expect(reply.status).toBe(200);
			expect(Buffer.from(reply.body).toString()).toMatch(/OTEL_METRICS_INCLUDE_SESSION_ID/);
			if (form === 'json') {
				expect(JSON.parse(Buffer.from(reply.body).toString())).toMatchObject({
					partialSuccess: { rejectedDataPoints: '1' },
				});
			}
		}
	});

	const MINUTE = 60_000;
	const spans = (sink: RecordingSink) =>
		sink.reports.flatMap(({ told }) => (told.by === 'metric' ? [[told.from - AT, told.at - AT]] : []));

	it('grow since they were told last; only the first time of a counter that runs for long is work from before', () => {
		const from = AT - 60 * MINUTE;
		const receiver = new TelemetryReceiver(() => LATER);
		const sink = new RecordingSink();
		const values = [100, 150, 150, 170];
		for (const [minutes, value] of values.entries()) {
			const at = AT + minutes * MINUTE;
			const points = (['input', 'output'] as const).map((type) => ({ type, from, at, value }));
			take('metrics', metricsOf(...points), { receiver, sink });
		}
		const [first, second, fourth] = [
			[-60 * MINUTE, 0],
			[0, MINUTE],
			[2 * MINUTE, 3 * MINUTE],
		];
		expect(spans(sink)).toEqual([first, first, second, second, fourth, fourth]);
		const session = sink.session();
		expect(session.takeCount(AT)).toMatchObject({ hasEarlierWork: true, total: { work: 340 } });
		session.grow({ model: 'm', costUsd: null, usage: NO_TOKENS, from: AT, at: AT + MINUTE });
		expect(session.takeCount(AT)).toMatchObject({ hasEarlierWork: false });
	});

	it('of a model that comes in later have grown since the export before', () => {
		const from = AT - 60 * MINUTE;
		const receiver = new TelemetryReceiver(() => LATER);
		const sink = new RecordingSink();
		const other = { fields: { model: 'claude-y' } };
		take('metrics', metricsOf({ from, at: AT, value: 100 }), { receiver, sink });
		const at = AT + MINUTE;
		take('metrics', metricsOf({ from, at, value: 110 }, { from, at, value: 70, ...other }), {
			receiver,
			sink,
		});
		expect(spans(sink)).toEqual([
			[-60 * MINUTE, 0],
			[0, MINUTE],
			[0, MINUTE],
		]);
	});

	it('in any order, and told again, come to the same', () => {
		const runs = fc.array(
			fc.record({
				start: fc.nat({ max: 5 }),
				steps: fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 5 }),
			}),
			{ minLength: 1, maxLength: 4 },
		);
		fc.assert(
			fc.property(runs, fc.infiniteStream(fc.nat()), (plan, keys) => {
				const unique = [...new Map(plan.map((run) => [run.start, run])).values()];
				const points = unique.flatMap(({ start, steps }) => {
					let value = 0;
					return steps.map((step, at) => {
						value += step;
						return { from: AT - 60_000 + start * 1_000, at: AT - 50_000 + at, value };
					});
				});
				const shuffled = [...points, ...points]
					.map((point) => ({ point, key: keys.next().value ?? 0 }))
					.sort((a, b) => a.key - b.key)
					.map(({ point }) => point);
				const sum = unique.reduce((all, { steps }) => all + steps.reduce((one, step) => one + step, 0), 0);
				const { sink } = take('metrics', metricsOf(...shuffled));
				expect(total(sink)?.input ?? 0).toBe(sum);
			}),
		);
	});
});

describe('a clock that is ahead', () => {
	const receiver = () => new TelemetryReceiver(() => AT);

	it('stamps no record later than it came in', () => {
		const fields = { model: 'claude-x', input_tokens: 1, output_tokens: 1, status_code: 529, error: 'x' };
		const tomorrow = AT + 86_400_000;
		const hook = { hook_event: 'Stop', num_hooks: 1, num_cancelled: 1 };
		const { sink } = take(
			'logs',
			logsOf(
				['api_request', fields, tomorrow],
				['api_error', fields, tomorrow],
				['hook_execution_complete', hook, tomorrow],
			),
			{ receiver: receiver() },
		);
		take('metrics', metricsOf({ from: tomorrow, at: tomorrow + 1, value: 5 }), {
			receiver: receiver(),
			sink,
		});
		expect(sink.reports.map(({ told }) => told.at)).toEqual([AT, AT]);
		expect([sink.troubles[0]?.at, sink.problems[0]?.at]).toEqual([AT, AT]);
		expect(sink.session().takeCount(AT)).toMatchObject({ asOf: AT, today: { work: 5 } });
	});
});

describe('logs and counters of one session', () => {
	it('are compared, never added; the larger holds', () => {
		const receiver = new TelemetryReceiver(() => LATER);
		const sink = new RecordingSink();
		const fields = { model: 'claude-x', input_tokens: 100, output_tokens: 10, request_id: 'r1' };
		take('logs', logsOf(['api_request', fields]), { receiver, sink });
		take('metrics', metricsOf({ from: AT - 9_000, at: AT, value: 40 }), { receiver, sink });
		expect(sink.session().takeCount(AT)?.total).toMatchObject({ input: 100, output: 10 });
		take('metrics', metricsOf({ from: AT - 9_000, at: AT + 1, value: 300 }), { receiver, sink });
		expect(sink.session().takeCount(AT)?.total).toMatchObject({ input: 300, output: 0 });
	});
});

describe('a body', () => {
	it.each(forms)('that is no request is refused for good, in its own form (%s)', (form) => {
		for (const body of [
			Buffer.from('{"resourceLogs"'),
			Buffer.from([0x0a, 0xff, 0xff]),
			Buffer.from('[1]'),
		]) {
			const reply = new TelemetryReceiver(() => LATER).take('logs', form, body);
			expect(reply.status).toBe(400);
			expect(Buffer.from(reply.body).toString()).toContain('This is no OTLP logs request.');
		}
	});

	it('of any bytes breaks nothing', () => {
		const sink = new RecordingSink();
		const receiver = new TelemetryReceiver(() => LATER);
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...forms), (bytes, form) => {
				for (const signal of ['metrics', 'logs'] as const) receiver.take(signal, form, bytes).tell(sink);
			}),
		);
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom('resourceLogs', 'resourceMetrics'), (value, field) => {
				const body = Buffer.from(
					JSON.stringify({ [field]: [value, { scopeLogs: [{ logRecords: [value] }] }] }),
				);
				for (const signal of ['metrics', 'logs'] as const) receiver.take(signal, 'json', body).tell(sink);
			}),
		);
		expect(sink.reports).toEqual([]);
	});

	it('nested as deep as anybody likes is no harm', () => {
		const deep = '{"arrayValue":{"values":['.repeat(5_000) + ']}}'.repeat(5_000);
		const text = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${deep}}]}]}]}`;
		expect([200, 400]).toContain(
			new TelemetryReceiver(() => LATER).take('logs', 'json', Buffer.from(text)).status,
		);
		const groups = Buffer.alloc(200_000, 0x0b);
		expect(new TelemetryReceiver(() => LATER).take('logs', 'protobuf', groups).status).toBe(400);
	});
});

describe('provider trouble that telemetry tells', () => {
	it('is shown on the agent and counts nothing against it', () => {
		const floor = new Floor({
			getSettings: () => defaultSettings,
			isReadOnly: () => ({ readOnly: false, why: '' }),
		});
		const context = {
			client: 'claude-code',
			name: 'telemetry',
			sessionId: 's1',
			subagentId: null,
			subagentType: null,
			directory: '/home/dev/app',
			transcriptPath: null,
			model: null,
			process: null,
			dedupeKey: null,
		};
		const [trouble] = replay('overloaded').troubles;
		if (!trouble) throw new Error('no trouble was recorded');
		for (let at = AT; at < AT + 50; at += 1) floor.apply({ ...context, at, ...happeningOf(trouble) });
		floor.beat(AT + 100);
		const [agent] = floor.agents();
		expect(agent).toMatchObject({
			level: 'healthy',
			evidence: null,
			providerTrouble: { error: 'overloaded', message: 'Overloaded' },
		});
	});
});

describe('a hook that did not do its work', () => {
	const problem = {
		sessionId: 's',
		at: AT,
		event: 'Stop',
		hooks: 2,
		failed: 0,
		cancelled: 0,
		durationMs: 5_000,
	};

	it('says how many, what it means, and what to do', () => {
		const { title, detail } = hookProblemWords({ ...problem, failed: 1, cancelled: 1 }, 'app');
		expect(title).toBe('Hooks of app did not do their work');
		expect(detail).toMatch(
			/At Stop 1 of 2 failed, 1 of 2 was cut off after 5\.0 s\. The floor’s hook is among them/,
		);
		expect(detail).toMatch(/doctor/);
		expect(hookProblemWords({ ...problem, failed: 1 }, 'app').detail).toMatch(/may be among them/);
	});
});
