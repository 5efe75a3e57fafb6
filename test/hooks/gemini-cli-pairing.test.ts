import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { createGeminiCliDialect } from '../../src/main/hooks/gemini-cli.ts';
import { parse, recorded, SESSION, shell, stamp } from './gemini-cli-payloads.ts';

/** One session told to one dialect. */
function session() {
	const dialect = createGeminiCliDialect();
	const tell = (event: string, fields: Payload) => parse(event, fields, SESSION, dialect);
	return {
		tell,
		starts: (at: number, fields: Payload = shell) => tell('BeforeTool', { timestamp: stamp(at), ...fields }),
		ends: (at: number, fields: Payload = shell) => tell('AfterTool', { timestamp: stamp(at), ...fields }),
	};
}

function callId(event: FloorEvent): string | null {
	return event.kind === 'tool-call' || event.kind === 'tool-result' ? event.callId : null;
}

describe('a call and its result', () => {
	test('have one id, whatever the order in which parallel calls end', () => {
		const { starts, ends } = session();
		const read = { tool_name: 'read_file', tool_input: { file_path: 'a' } };
		const other = { tool_name: 'read_file', tool_input: { file_path: 'b' } };
		const first = callId(starts(1, read));
		const second = callId(starts(2, other));
		expect(first).not.toBeNull();
		expect(second).not.toBe(first);
		expect(callId(ends(3, other))).toBe(second);
		expect(callId(ends(4, read))).toBe(first);
	});

	test('have another id when the very same call is made again', () => {
		const { starts, ends } = session();
		const ids = [1, 3, 5].map((at) => {
			const started = callId(starts(at));
			expect(callId(ends(at + 1))).toBe(started);
			return started;
		});
		expect(new Set(ids).size).toBe(3);
	});

	test('keep apart equal calls that run at the same time', () => {
		const { starts, ends } = session();
		const started = [callId(starts(1)), callId(starts(2))];
		const ended = [callId(ends(3)), callId(ends(4))];
		expect(new Set(started).size).toBe(2);
		expect(new Set(ended)).toEqual(new Set(started));
	});

	test('belong together after an equal call that was denied, of which nobody tells the end', () => {
		const { starts, ends } = session();
		starts(1);
		const second = callId(starts(2));
		expect(callId(ends(3))).toBe(second);
	});

	test('belong together when the person changed the input in the dialogue of the CLI', () => {
		const { starts, ends } = session();
		const write = { tool_name: 'write_file', tool_input: { file_path: 'a', content: 'x' } };
		const started = callId(starts(1, write));
		const changed = { ...write, tool_input: { file_path: 'a', content: 'y' } };
		expect(callId(ends(2, changed))).toBe(started);
	});

	test('are not guessed at: of two open calls of a tool neither is taken for a third', () => {
		const { starts, ends } = session();
		const read = (file_path: string) => ({ tool_name: 'read_file', tool_input: { file_path } });
		starts(1, read('a'));
		starts(2, read('b'));
		expect(callId(ends(3, read('c')))).toBeNull();
	});

	test.each(['BeforeAgent', 'AfterAgent', 'SessionEnd'])('do not meet across %s', (event) => {
		const { tell, starts, ends } = session();
		starts(1);
		tell(event, {});
		expect(callId(ends(2))).toBeNull();
	});

	test('of another session are not mixed up', () => {
		const dialect = createGeminiCliDialect();
		const of = (id: string, event: string, at: number) =>
			parse(event, { ...shell, timestamp: stamp(at) }, { ...SESSION, session_id: id }, dialect);
		const one = callId(of('one', 'BeforeTool', 1));
		const two = callId(of('two', 'BeforeTool', 1));
		expect(one).not.toBe(two);
		expect(callId(of('two', 'AfterTool', 2))).toBe(two);
		expect(callId(of('one', 'AfterTool', 2))).toBe(one);
	});

	test('have none where the payload has no timestamp', () => {
		const { tell } = session();
		expect(tell('BeforeTool', shell)).toMatchObject({ callId: null, dedupeKey: null });
		expect(tell('AfterTool', shell)).toMatchObject({ callId: null, dedupeKey: null });
	});

	test('meet in what the real program sent', () => {
		const dialect = createGeminiCliDialect();
		const events = recorded('tools').map(({ event, body }) => parse(event, {}, body, dialect));
		const started = events.filter((event) => event.kind === 'tool-call').map(callId);
		const ended = events.filter((event) => event.kind === 'tool-result').map(callId);
		expect(started).toHaveLength(9);
		expect(new Set(started).size).toBe(started.length);
		expect(ended.toSorted()).toEqual(started.toSorted());
	});
});

describe('the same happening delivered twice', () => {
	test('has the same key and the same call; a repetition has another', () => {
		const { starts, ends, tell } = session();
		const call = starts(1);
		expect(call.dedupeKey).not.toBeNull();
		expect(starts(1)).toEqual(call);
		expect(starts(2).dedupeKey).not.toBe(call.dedupeKey);
		const result = ends(3);
		expect(result.dedupeKey).not.toBeNull();
		expect(result.dedupeKey).not.toBe(call.dedupeKey);
		expect(ends(3)).toEqual(result);
		expect(ends(4).dedupeKey).not.toBe(result.dedupeKey);
		const prompt = tell('BeforeAgent', { prompt: 'x', timestamp: stamp(5) });
		expect(prompt.dedupeKey).not.toBeNull();
		expect(tell('BeforeAgent', { prompt: 'x', timestamp: stamp(5) })).toEqual(prompt);
		expect(tell('BeforeAgent', { prompt: 'x', timestamp: stamp(6) }).dedupeKey).not.toBe(prompt.dedupeKey);
		expect(tell('BeforeAgent', { prompt: 'x' }).dedupeKey).toBeNull();
	});

	test('changes nothing, whatever is delivered twice and whenever calls end', () => {
		const step = fc.record({ file: fc.constantFrom('a', 'b', 'c'), twice: fc.boolean(), last: fc.boolean() });
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				const { starts, ends } = session();
				const read = (file_path: string) => ({ tool_name: 'read_file', tool_input: { file_path } });
				const open: { file: string; id: string | null }[] = [];
				let at = 0;
				const deliver = (twice: boolean, send: () => FloorEvent) => {
					const event = send();
					if (twice) expect(send()).toEqual(event);
					return event;
				};
				const end = (index: number, twice: boolean) => {
					const file = open[index]?.file ?? '';
					at += 1;
					const id = callId(deliver(twice, () => ends(at, read(file))));
					// Of equal calls it is any, but one that is open, and each once.
					const found = open.findIndex((call) => call.file === file && call.id === id);
					expect(found).toBeGreaterThanOrEqual(0);
					open.splice(found, 1);
				};
				for (const { file, twice, last } of steps) {
					at += 1;
					const id = callId(deliver(twice, () => starts(at, read(file))));
					open.push({ file, id });
					if (last) end(open.length - 1, twice);
				}
				while (open.length > 0) end(0, true);
			}),
		);
	});

	test('memory is bounded: of many open calls the oldest are forgotten', () => {
		const { starts, ends } = session();
		const read = (index: number) => ({ tool_name: 'read_file', tool_input: { file_path: `${index}` } });
		const ids = Array.from({ length: 100 }, (_, index) => callId(starts(index, read(index))));
		expect(callId(ends(200, read(99)))).toBe(ids[99]);
		expect(callId(ends(201, read(0)))).toBeNull();
	});
});
