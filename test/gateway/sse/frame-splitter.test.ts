import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrame, type SseFrame } from '../../../src/main/gateway/sse/frame.ts';
import { FrameSplitter } from '../../../src/main/gateway/sse/frame-splitter.ts';
import { type ReferenceEvent, referenceEvents } from './reference-parser.ts';

/** Frames as the events a browser would dispatch. */
function eventsOf(frames: readonly SseFrame[]): ReferenceEvent[] {
	let lastEventId = '';
	const events: ReferenceEvent[] = [];
	for (const { data, event, id } of frames) {
		lastEventId = id ?? lastEventId;
		if (data !== null) events.push({ type: event || 'message', data, lastEventId });
	}
	return events;
}

function splitAll(chunks: readonly Uint8Array[]): { frames: SseFrame[]; torn: Buffer } {
	const splitter = new FrameSplitter();
	const frames = chunks.flatMap((chunk) => splitter.push(chunk));
	const end = splitter.end();
	return { frames: [...frames, ...end.frames], torn: end.torn };
}

function read(stream: string | Uint8Array): ReferenceEvent[] {
	return eventsOf(splitAll([Buffer.from(stream)]).frames);
}

function data(stream: string): string[] {
	return read(stream).map((event) => event.data);
}

/** Cut points → chunks; two equal points give an empty chunk. */
function cutAt(bytes: Buffer, points: readonly number[]): Buffer[] {
	const sorted = [
		0,
		...points.map((point) => point % (bytes.length + 1)).sort((a, b) => a - b),
		bytes.length,
	];
	return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

// Payloads of web-platform-tests, eventsource/format-*; their server ends each message with an empty line.
describe('the payloads of web-platform-tests', () => {
	const long = 'x'.repeat(2 * 1024);

	test.each<[string, string, string[]]>([
		['bom', '\uFEFFdata:1\n\n\uFEFFdata:2\n\ndata:3\n\n', ['1', '3']],
		['bom-2', '\uFEFF\uFEFFdata:1\n\ndata:2\n\ndata:3\n\n', ['2', '3']],
		[
			'comments',
			`data:1\r:\0\n:\r\ndata:2\n:${long}\rdata:3\n:data:fail\r:${long}\ndata:4\n\n`,
			['1\n2\n3\n4'],
		],
		['data-before-final-empty-line', 'retry:1000\ndata:test1\n\nid:test\ndata:test2', ['test1']],
		['field-data', 'data:\n\ndata\ndata\n\ndata:test\n\n', ['', '\n', 'test']],
		[
			'field-parsing',
			'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
			['\0\n 2\n1\n3\n\n4'],
		],
		['field-retry', 'retry:3000\ndata:test\n\n', ['test']],
		['field-retry-bogus', 'retry:3000\nretry:1000x\ndata:x\n\n', ['x']],
		[
			'field-unknown',
			'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n',
			['test\n\ntest'],
		],
		['leading-space', 'data:\ttest\rdata: \ndata:test\n\n', ['\ttest\n\ntest']],
		['newlines', 'data:test\r\ndata\ndata:test\r\n\r', ['test\n\ntest']],
		['null-character', 'data:\0\n\n\n\n', ['\0']],
		['utf-8', 'data:ok…\n\n', ['ok…']],
	])('format-%s', (_name, stream, expected) => {
		expect(data(stream)).toEqual(expected);
	});

	test('format-field-event', () => {
		expect(read('event:test\ndata:x\n\ndata:x\n\n').map((event) => event.type)).toEqual(['test', 'message']);
	});

	test('format-field-event-empty', () => {
		expect(read('event: \ndata:data\n\n')).toEqual([{ type: 'message', data: 'data', lastEventId: '' }]);
	});

	test('format-field-id, -2, -3 and -null', () => {
		const ids = (stream: string): string[] => read(stream).map((event) => event.lastEventId);
		expect(ids('id: …\ndata: hello\n\ndata: again\n\n')).toEqual(['…', '…']);
		expect(ids('id: 1\ndata: a\n\nid: 2\ndata: b\n\ndata: c\n\n')).toEqual(['1', '2', '2']);
		expect(ids('id: 1\ndata: a\n\nid\ndata: b\n\ndata: c\n\n')).toEqual(['1', '', '']);
		expect(ids('id: \0\0\ndata: hello\n\n')).toEqual(['']);
	});

	test('bytes that are not UTF-8 become the replacement character', () => {
		expect(read(Buffer.from([...Buffer.from('data:a'), 0xff, ...Buffer.from('b\n\n')]))[0]?.data).toBe(
			'a\uFFFDb',
		);
	});
});

describe('frames keep their bytes', () => {
	test('each frame ends with its empty line; what follows the last one is torn', () => {
		const { frames, torn } = splitAll([Buffer.from(': hi\n\ndata: 1\r\n\r\ndata: 2\r\rdata: 3\n')]);
		expect(frames.map((frame) => frame.bytes.toString())).toEqual([
			': hi\n\n',
			'data: 1\r\n\r\n',
			'data: 2\r\r',
		]);
		expect(torn.toString()).toBe('data: 3\n');
	});

	test('the line feed of a CRLF that comes in the next chunk belongs to the frame before it', () => {
		const { frames } = splitAll([Buffer.from('data: 1\r\n\r'), Buffer.from('\ndata: 2\r\n\r\n')]);
		expect(frames.map((frame) => frame.bytes.toString())).toEqual(['data: 1\r\n\r\n', 'data: 2\r\n\r\n']);
	});

	test('a frame in one chunk is a view on it, not a copy', () => {
		const chunk = Buffer.from('data: 1\n\ndata: 2\n\n');
		const [, second] = new FrameSplitter().push(chunk);
		expect(second?.bytes.buffer).toBe(chunk.buffer);
	});

	test('an encoded frame is read back', () => {
		const [frame] = new FrameSplitter().push(encodeFrame('ping', { text: 'a\r\n\nb\u2028' }));
		expect(frame?.event).toBe('ping');
		expect(JSON.parse(frame?.data ?? '')).toEqual({ text: 'a\r\n\nb\u2028' });
	});
});

describe('any stream, split anywhere', () => {
	const piece = fc.constantFrom(
		...['data', 'data:', 'data: ', 'event:', 'event: ping', 'id:', 'id:7', 'retry: 5', ':', ' ', ': comment'],
		...[
			'\n',
			'\n',
			'\n\n',
			'\r',
			'\r\n',
			'\r\n\r\n',
			'\0',
			'\uFEFF',
			'x',
			'…',
			'😀',
			'{"a":1}',
			'Data:',
			'data\0:',
		],
	);
	const stream = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join('')));
	const points = fc.array(fc.nat(400), { maxLength: 12 });

	test('the events are those of the standard', () => {
		fc.assert(
			fc.property(stream, points, (bytes, cuts) => {
				expect(eventsOf(splitAll(cutAt(bytes, cuts)).frames)).toEqual(referenceEvents(bytes));
			}),
		);
	});

	test('the frames are the same for every split, and together with the torn rest they are the stream', () => {
		fc.assert(
			fc.property(stream, points, (bytes, cuts) => {
				const whole = splitAll([bytes]);
				const split = splitAll(cutAt(bytes, cuts));
				expect(split.frames.map((frame) => frame.bytes.toString('latin1'))).toEqual(
					whole.frames.map((frame) => frame.bytes.toString('latin1')),
				);
				expect(Buffer.concat([...split.frames.map((frame) => frame.bytes), split.torn])).toEqual(bytes);
			}),
		);
	});

	test('byte by byte, in the middle of characters and of CRLF', () => {
		const bytes = Buffer.from('\uFEFFevent: a\r\ndata: 😀…\r\n\r\n: c\rdata: ü\r\r\ndata: z\n\n');
		const single = splitAll(
			cutAt(
				bytes,
				Array.from(bytes, (_, at) => at),
			),
		);
		expect(eventsOf(single.frames)).toEqual(referenceEvents(bytes));
	});
});

describe('memory is bounded', () => {
	test('a frame over the limit is an error, whether it comes at once or in pieces', () => {
		for (const pieces of [['data: 0123456789\n\n'], ['data: 01', '2345', '6789\n\n']]) {
			const splitter = new FrameSplitter(12);
			const frames = pieces.flatMap((text) => splitter.push(Buffer.from(text)));
			expect([frames.length, splitter.isOverlong]).toEqual([0, true]);
			expect(splitter.push(Buffer.from('data: 1\n\n'))).toEqual([]);
			expect(splitter.end()).toMatchObject({ frames: [], torn: Buffer.alloc(0) });
		}
	});

	test('many frames under it are none', () => {
		const splitter = new FrameSplitter(12);
		const count = Array.from({ length: 50 }, () => splitter.push(Buffer.from('data: 12\n\n')).length);
		expect(count.every((frames) => frames === 1)).toBe(true);
		expect(splitter.isOverlong).toBe(false);
	});
});
