import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayTell, readLine } from '../../../src/main/usage/formats/claude-code-line.ts';
import { assistantLine, userLine } from '../transcript-files.ts';

const kindOf = (line: string) => readLine(Buffer.from(line)).kind;

const read = (line: string) => {
	const reading = readLine(Buffer.from(line));
	if (reading.kind !== 'response') throw new Error(`read as ${reading.kind}`);
	return { ...reading.report, invalidNumbers: reading.invalidNumbers };
};

describe('a transcript line', () => {
	it('of the real program gives its message, model, time and tokens', () => {
		const lines = readFileSync('test/recordings/claude-code.transcript.jsonl', 'utf8').trimEnd().split('\n');
		const messages = lines.filter((line) => mayTell(Buffer.from(line))).map(read);
		expect(messages.map((message) => message.key)).toEqual([
			'msg_25 req_25',
			'msg_26 req_26',
			'msg_27 req_27',
		]);
		expect(messages[0]).toMatchObject({
			model: 'claude-opus-4-8',
			at: Date.parse('2026-11-30T09:20:32.128Z'),
			sidechain: false,
			usage: { input: 25, output: 12, cacheRead: 100, cacheCreation: 0 },
			invalidNumbers: 0,
		});
	});

	it('splits what was written to the cache by how long it is kept', () => {
		const usage = {
			input_tokens: 4,
			output_tokens: 2,
			cache_creation_input_tokens: 900,
			cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 700 },
			server_tool_use: { web_search_requests: 3 },
		};
		expect(read(assistantLine({ id: 'm', usage })).usage).toEqual({
			input: 4,
			output: 2,
			cacheRead: 0,
			cacheCreation: 900,
			cacheCreation1h: 700,
			webSearches: 3,
		});
	});

	it('takes the message alone as its key when gateways leave the request out', () => {
		expect(read(assistantLine({ id: 'm', requestId: null })).key).toBe('m');
	});

	it('holds nothing to count when no model wrote it', () => {
		expect(kindOf(assistantLine({ id: 'm', model: '<synthetic>' }))).toBe('nothing');
		expect(kindOf(userLine('hello'))).toBe('nothing');
	});

	it.each([
		['a negative count', '-5'],
		['an infinite count', '1e999'],
		['a fraction', '1.5'],
		['text', '"12"'],
		['an absurd count', '1e15'],
	])('leaves out %s and says so', (_what, output) => {
		const line = assistantLine({ id: 'm', usage: { input_tokens: 7, output_tokens: 1 } }).replace(
			'"output_tokens":1',
			`"output_tokens":${output}`,
		);
		const { usage, invalidNumbers } = read(line);
		expect(usage.input).toBe(7);
		expect(usage.output).toBe(0);
		expect(invalidNumbers).toBe(1);
	});

	it('reads its time as ISO text, seconds or milliseconds', () => {
		const at = 1_796_030_432_000;
		for (const timestamp of [new Date(at).toISOString(), at / 1000, at]) {
			expect(read(assistantLine({ id: 'm', timestamp })).at).toBe(at);
		}
		expect(read(assistantLine({ id: 'm', timestamp: 'yesterday' })).at).toBeNull();
	});

	it('is invalid when it is torn, no object, or names neither message nor request nor itself', () => {
		const line = assistantLine({ id: 'm' });
		expect(kindOf(line.slice(0, -10))).toBe('invalid');
		expect(kindOf('[1]')).toBe('invalid');
		expect(kindOf('{"type":"assistant","message":{"usage":{}}}')).toBe('invalid');
	});

	it('never throws, whatever is written there', () => {
		const anything = fc.oneof(
			fc.string(),
			fc.json(),
			fc
				.record({ type: fc.constant('assistant'), message: fc.anything(), timestamp: fc.anything() })
				.map((value) => {
					try {
						return JSON.stringify(value);
					} catch {
						return '';
					}
				}),
		);
		fc.assert(
			fc.property(anything, (line) => {
				const reading = readLine(Buffer.from(line));
				if (reading.kind !== 'response') return;
				for (const count of Object.values(reading.report.usage)) expect(count).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

/** Long enough to be read without what the model wrote. */
const long = (text: string): string => assistantLine({ id: 'm', text: text + 'x'.repeat(5_000) });

describe('a long line', () => {
	it('is read like a short one, whatever the model wrote', () => {
		const nasty = fc.constantFrom(
			'],"stop_reason":null,"usage":{"input_tokens":7}',
			'"content":[',
			'"role":"assistant"',
			'\\',
			'"',
			']}',
			'é💥',
			'\ud83d',
		);
		fc.assert(
			fc.property(fc.array(nasty, { maxLength: 8 }), fc.nat(100_000), (texts, output) => {
				const line = assistantLine({
					id: 'm',
					text: texts.join('') + 'x'.repeat(3_000),
					usage: { input_tokens: 3, output_tokens: output },
				});
				expect(read(line)).toEqual(
					read(assistantLine({ id: 'm', usage: { input_tokens: 3, output_tokens: output } })),
				);
			}),
		);
	});

	it('is read whole where a tool was called with an input that looks like its end', () => {
		const row = JSON.parse(long('')) as { message: { content: unknown[] } };
		const usage = { input_tokens: 999_999 };
		const input = { role: 'assistant', content: [{ a: [1] }], stop_reason: null, usage };
		row.message.content.push({ type: 'tool_use', name: 'ask', input });
		expect(read(JSON.stringify(row)).usage.input).toBe(10);
	});

	it('is read whole where the keys stand in another order', () => {
		const row = JSON.parse(long('')) as { message: { content: unknown } };
		const { content, ...rest } = row.message;
		expect(read(JSON.stringify({ ...row, message: { ...rest, content } })).usage.input).toBe(10);
		expect(read(JSON.stringify({ ...row, message: { content, ...rest } })).usage.input).toBe(10);
	});

	it('that is two, glued together by a crash, is no response', () => {
		const half = long('first').slice(0, -40);
		expect(kindOf(half + long('second'))).toBe('invalid');
		expect(kindOf(long('first').slice(0, 300) + long('second'))).toBe('invalid');
	});

	it('written with spaces is read too', () => {
		const spaced = JSON.stringify(JSON.parse(long('')), null, 1).replaceAll(/\n */g, '');
		expect(mayTell(Buffer.from(spaced))).toBe(true);
		expect(read(spaced).usage.input).toBe(10);
	});
});

describe('the cheap test before parsing', () => {
	it('lets every line with usage through', () => {
		expect(mayTell(Buffer.from(assistantLine({ id: 'm' })))).toBe(true);
	});

	it('stops a tool result that quotes a transcript', () => {
		expect(mayTell(Buffer.from(userLine(assistantLine({ id: 'm' }))))).toBe(false);
	});
});
