import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RelayOptions, StreamRelay } from '../../../src/main/gateway/protocol.ts';
import { protocols } from '../../../src/main/gateway/protocols/all.ts';
import { type ProtocolId, protocolSchema } from '../../../src/shared/failover-settings.ts';
import { type Answer, builders, encode, encodeOne, type Frame, type Part } from './answers.ts';
import { strictClients } from './strict-clients.ts';

const cloud: RelayOptions = { localModel: null, label: '' };
const local: RelayOptions = { localModel: 'qwen3-coder:30b', label: '[answered by qwen3-coder:30b]' };
const LOST = '[Connection to Anthropic lost; answer restarted on qwen3-coder:30b]';

/** Everything a client gets, and how it ended. */
function run(relay: StreamRelay, chunks: readonly Uint8Array[]): { bytes: Buffer; kind: string } {
	const passed = chunks.map((chunk) => relay.push(chunk));
	const { end, rest } = relay.end();
	return { bytes: Buffer.concat([...passed, rest]), kind: end.kind };
}

function cutAt(bytes: Buffer, points: readonly number[]): Buffer[] {
	const sorted = [
		0,
		...points.map((point) => point % (bytes.length + 1)).sort((a, b) => a - b),
		bytes.length,
	];
	return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

const text = fc.constantFrom('I will ', 'look.', ' 😀', 'a\n\nb', 'ü…', '"quoted"', '\\', 'data: x\n\n');
const part: fc.Arbitrary<Part> = fc.oneof(
	fc.record({
		kind: fc.constant('thinking' as const),
		pieces: fc.array(text, { minLength: 1, maxLength: 3 }),
	}),
	fc.record({ kind: fc.constant('text' as const), pieces: fc.array(text, { minLength: 1, maxLength: 4 }) }),
	fc.record({
		kind: fc.constant('tool' as const),
		pieces: fc.constantFrom(['{"command":', '"ls 😀"}'], ['{}'], ['']),
	}),
);
const answer: fc.Arbitrary<Answer> = fc.record({
	id: fc.constantFrom('msg_1', 'msg_22'),
	model: fc.constantFrom('claude-sonnet-5', 'gpt-5.5', 'qwen3-coder:30b'),
	parts: fc.array(part, { minLength: 1, maxLength: 5 }),
});
const points = fc.array(fc.nat(4_000), { maxLength: 10 });
const newline = fc.constantFrom('\n', '\r\n', '\r');

/** A usual answer of a coding agent: a thought, a sentence, two calls. */
const usual: Answer = {
	id: 'msg_usual',
	model: 'claude-sonnet-5',
	parts: [
		{ kind: 'thinking', pieces: ['Let me', ' see. 😀'] },
		{ kind: 'text', pieces: ['I will ', 'look…', ' now.'] },
		{ kind: 'tool', pieces: ['{"command":', '"ls -la"}'] },
		{ kind: 'tool', pieces: ['{"command":"pwd"}'] },
	],
};
const second: Answer = {
	id: 'msg_usual',
	model: 'qwen3-coder:30b',
	parts: [
		{ kind: 'thinking', pieces: ['again'] },
		{ kind: 'text', pieces: ['Looking', ' again.'] },
		{ kind: 'tool', pieces: ['{"command":', '"ls"}'] },
	],
};

/** Without these an answer has not ended well. */
const lastWords: Readonly<Record<ProtocolId, string>> = {
	'anthropic-messages': '{"type":"message_stop"}',
	'openai-chat': '"finish_reason":"tool_calls"}]}',
	'openai-responses': '"type":"response.completed"',
};

function textOf(plan: Answer): string {
	return plan.parts.flatMap((one) => (one.kind === 'text' ? one.pieces : [])).join('');
}

function toolsOf(plan: Answer): string[] {
	return plan.parts.filter((one) => one.kind === 'tool').map((one) => one.pieces.join(''));
}

function pingOf(id: ProtocolId): Frame {
	return id === 'anthropic-messages' ? { event: 'ping', data: { type: 'ping' } } : { event: '', data: null };
}

describe.each(protocolSchema.options)('%s', (id) => {
	const protocol = protocols[id];
	const client = strictClients[id];
	const build = builders[id];

	test('a healthy stream passes byte for byte, however it is split and framed', () => {
		fc.assert(
			fc.property(answer, newline, points, (plan, line, cuts) => {
				const bytes = encode(build(plan), line);
				const relay = protocol.createRelay(cloud);
				expect(run(relay, cutAt(bytes, cuts))).toEqual({ bytes, kind: 'clean' });
				expect([relay.state, relay.text]).toEqual(['done', textOf(plan)]);
				expect(relay.usage).toMatchObject({ input: 25, cacheRead: 100, output: 20 });
			}),
		);
	});

	test('keep-alives are dropped while anything is held and pass otherwise', () => {
		fc.assert(
			fc.property(answer, fc.nat(), (plan, place) => {
				const frames = build(plan);
				const ping = encodeOne(pingOf(id));
				const at = place % (frames.length + 1);
				const relay = protocol.createRelay(cloud);
				const before = relay.push(encode(frames.slice(0, at)));
				const passed = relay.push(ping);
				const after = relay.push(encode(frames.slice(at)));
				const isHolding = before.length < encode(frames.slice(0, at)).length || relay.state === 'held';
				expect(passed.length).toBe(isHolding || at === 0 ? 0 : ping.length);
				expect(Buffer.concat([before, after])).toEqual(encode(frames));
			}),
		);
	});

	test('any split gives the same output, also when it is rewritten for a local model', () => {
		fc.assert(
			fc.property(answer, newline, points, (plan, line, cuts) => {
				const bytes = encode([pingOf(id), ...build(plan)], line);
				const whole = run(protocol.createRelay(local), [bytes]);
				expect(run(protocol.createRelay(local), cutAt(bytes, cuts))).toEqual(whole);
			}),
		);
	});

	test('a local answer: its model, no thoughts, the label first, everything else whole', () => {
		fc.assert(
			fc.property(answer, points, (plan, cuts) => {
				const bytes = encode(build(plan));
				const relay = protocol.createRelay(local);
				const out = run(relay, cutAt(bytes, cuts));
				if (plan.parts.every((one) => one.kind === 'thinking')) {
					// It thought and said nothing: no answer for the agent.
					expect(out).toEqual({ bytes: Buffer.alloc(0), kind: 'empty' });
					return;
				}
				const got = client(out.bytes);
				expect([...got.models]).toEqual([local.localModel]);
				expect([got.thoughts, got.ended]).toEqual([0, true]);
				expect(got.tools).toEqual(toolsOf(plan));
				const saysFirst = plan.parts.find((one) => one.kind !== 'thinking');
				const head = saysFirst?.kind === 'text' ? `${local.label}\n\n` : local.label;
				const between = id === 'openai-chat' ? `${local.label}\n\n` : head;
				expect(got.texts.join('')).toBe(between + textOf(plan));
				expect(relay.text).toBe(textOf(plan));
			}),
		);
	});

	function cutEverywhere(line: string, options: RelayOptions): void {
		const bytes = encode([pingOf(id), ...build(usual)], line);
		const whole = run(protocol.createRelay(options), [bytes]).bytes;
		let before = -1;
		for (let at = 0; at < bytes.length; at += 1) {
			const relay = protocol.createRelay(options);
			const { bytes: passed, kind } = run(relay, [bytes.subarray(0, at)]);
			// Between two frames nothing changes.
			if (passed.length === before && kind === 'cut') continue;
			before = passed.length;
			const got = client(passed);
			if (kind === 'clean') {
				// Nothing of the last event is missing but its empty line; a chat may end without its [DONE].
				if (id !== 'openai-chat') expect(bytes.length - at).toBeLessThanOrEqual(2 * line.length);
				expect(bytes.subarray(0, at).includes(lastWords[id])).toBe(true);
				expect(got.tools).toEqual(toolsOf(usual));
			} else {
				expect(whole.subarray(0, passed.length)).toEqual(passed);
				expect([got.ended, got.tools]).toEqual([false, []]);
				expect(passed.length === 0).toBe(relay.state === 'held');
			}
		}
	}

	test('a cut at any byte: no half call, no forged end, nothing taken back', () => {
		for (const [line, options] of [
			['\n', cloud],
			['\r\n', local],
		] as const) {
			cutEverywhere(line, options);
		}
	});

	test('a restart at any byte gives one well-formed answer', () => {
		const bytes = encode(build(usual));
		const then = encode(build(second));
		let restarts = 0;
		for (const options of [cloud, { ...local, label: '' }]) {
			let before = '';
			for (let at = 0; at < bytes.length; at += 1) {
				const first = protocol.createRelay(cloud);
				const passed = first.push(bytes.subarray(0, at));
				if (first.state !== 'content') continue;
				const { bytes: between, relay } = first.restart(LOST, options);
				restarts += 1;
				// Between two frames nothing changes.
				const now = `${passed.length} ${Buffer.from(between)}`;
				if (now === before) continue;
				before = now;
				const rest = run(relay, [then]);
				const got = client(Buffer.concat([passed, between, rest.bytes]));
				expect([rest.kind, got.ended, got.tools]).toEqual(['clean', true, toolsOf(second)]);
				const texts = got.texts.join('');
				expect(texts).toContain(LOST);
				expect(texts.endsWith('Looking again.')).toBe(true);
				expect(got.thoughts).toBe(options.localModel === null ? 2 : 1);
				expect(relay.text).toBe('Looking again.');
			}
		}
		expect(restarts).toBeGreaterThan(100);
	});

	test('restarted twice, anywhere, from any answer to any other', () => {
		fc.assert(
			fc.property(fc.tuple(answer, answer, answer), fc.nat(), fc.nat(), points, (plans, one, two, cuts) => {
				const [a, b, c] = plans.map((plan) => encode(build(plan)));
				if (a === undefined || b === undefined || c === undefined) return;
				const passed: Uint8Array[] = [];
				let relay = protocol.createRelay(cloud);
				for (const [bytes, at] of [
					[a, one],
					[b, two],
				] as const) {
					passed.push(relay.push(bytes.subarray(0, at % bytes.length)));
					if (relay.state !== 'content') return;
					const next = relay.restart(LOST, { ...local, label: '' });
					passed.push(next.bytes);
					relay = next.relay;
				}
				const last = run(relay, cutAt(c, cuts));
				const got = client(Buffer.concat([...passed, last.bytes]));
				// A last answer of thoughts alone is none for the agent.
				const isEmpty = plans[2].parts.every((part) => part.kind === 'thinking');
				expect([last.kind, got.ended]).toEqual(isEmpty ? ['empty', false] : ['clean', true]);
				expect(got.tools).toEqual(toolsOf(plans[2]));
				// Where the label waits for the new text, a second cut before that leaves one label for both.
				const labels = got.texts.join('').split(LOST).length - 1;
				if (isEmpty) return;
				if (id === 'anthropic-messages') expect([1, 2]).toContain(labels);
				else expect(labels).toBe(2);
			}),
		);
	});

	test('a restart is refused where the client has no text', () => {
		const relay = protocol.createRelay(cloud);
		expect(() => relay.restart(LOST, cloud)).toThrow(/only after text/);
		run(relay, [encode(build(usual))]);
		expect(() => relay.restart(LOST, cloud)).toThrow(/only after text/);
	});

	test('an in-band error at any place stops everything and keeps its own bytes', () => {
		const error = protocol.errorEvent({ status: 529, kind: 'overloaded', message: 'Overloaded' });
		const frames = build(usual);
		for (let at = 0; at < frames.length - 1; at += 1) {
			const relay = protocol.createRelay(cloud);
			const before = frames.slice(0, at);
			const passed = relay.push(Buffer.concat([encode(before), error, encode(frames.slice(at))]));
			expect(client(passed)).toMatchObject({ ended: false, tools: [] });
			expect(relay.error?.message).toBe('Overloaded');
			expect(relay.error?.status).toBe(id === 'anthropic-messages' ? 529 : 503);
			expect(Buffer.from(relay.error?.bytes ?? [])).toEqual(error);
			expect(relay.push(encode(frames)).length).toBe(0);
			expect(relay.end()).toMatchObject({
				end: { kind: 'in-band-error', error: relay.error },
				rest: { length: 0 },
			});
		}
	});

	test('no stream at all, keep-alives only, and lifecycle only are no answers', () => {
		expect(run(protocol.createRelay(cloud), []).kind).toBe('empty');
		expect(run(protocol.createRelay(cloud), [encode([pingOf(id), pingOf(id)])])).toEqual({
			bytes: Buffer.alloc(0),
			kind: 'empty',
		});
		const opening = build(usual).slice(0, 1);
		expect(run(protocol.createRelay(cloud), [encode(opening)])).toEqual({
			bytes: Buffer.alloc(0),
			kind: 'cut',
		});
	});

	test('a good end behind nothing is an answer only when output was counted', () => {
		const nothing = build({ ...usual, parts: [] });
		expect(run(protocol.createRelay(cloud), [encode(nothing)]).kind).toBe('clean');
		const uncounted = JSON.parse(
			JSON.stringify(nothing).replaceAll(/"(?:output|completion)_tokens":20/g, '"output_tokens":0'),
		);
		expect(run(protocol.createRelay(cloud), [encode(uncounted)])).toEqual({
			bytes: Buffer.alloc(0),
			kind: 'empty',
		});
	});

	test('whatever comes, nothing throws', () => {
		const frame = fc.record({
			event: fc.constantFrom('', 'error', ...new Set(build(usual).map((one) => one.event))),
			data: fc.oneof(
				fc.json(),
				fc.string(),
				fc.constantFrom(
					...build(usual).map((one) => one.data),
					'[DONE]',
					'null',
					'[]',
					'{"error":"x"}',
					'{"type":3}',
				),
			),
		});
		fc.assert(
			fc.property(fc.array(frame, { maxLength: 30 }), points, fc.boolean(), (frames, cuts, isLocal) => {
				const bytes = Buffer.concat(frames.map((one) => encodeOne(one)));
				const relay = protocol.createRelay(isLocal ? local : cloud);
				const whole = run(protocol.createRelay(isLocal ? local : cloud), [bytes]);
				const passed = cutAt(bytes, cuts).map((chunk) => relay.push(chunk));
				const again = protocol.createRelay(cloud);
				again.push(bytes);
				if (again.state === 'content') again.restart(LOST, local).relay.push(bytes);
				const { end, rest } = relay.end();
				expect([Buffer.concat([...passed, rest]), end.kind]).toEqual([whole.bytes, whole.kind]);
			}),
		);
	});
});
