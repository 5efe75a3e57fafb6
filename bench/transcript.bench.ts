/**
 * Reading speed and memory of the transcript reader: a generated session of 200 MB (or of the megabytes given as the
 * first argument), read once from its start and once more after a small append. Prints JSON.
 */
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { ClaudeTranscriptReader } from '../src/main/usage/claude-transcript.ts';

export interface TranscriptBench {
	readonly megabytes: number;
	readonly responses: number;
	readonly megabytesPerSecond: number;
	/** Reading on after an append of one response, ms. */
	readonly appendMs: number;
	/** How long the event loop was held up while reading: 99 of 100 times less than this, ms. */
	readonly stallP99Ms: number;
	/** Growth of the resident memory at its highest, MB. */
	readonly peakMegabytes: number;
}

/** A session as the program writes one: a prompt, three rows for a response, a long tool result, and so on. */
function generate(path: string, bytes: number): number {
	const file = openSync(path, 'w');
	const output = 'x'.repeat(6000);
	let responses = 0;
	let written = 0;
	while (written < bytes) {
		let text = '';
		for (let turn = 0; turn < 50; turn += 1) {
			responses += 1;
			for (const tokens of [2, 120, 311]) text += `${response(responses, tokens)}\n`;
			text += `${JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: output }] }, toolUseResult: { stdout: output } })}\n`;
		}
		written += writeSync(file, text);
	}
	closeSync(file);
	return responses;
}

function response(serial: number, output: number): string {
	return JSON.stringify({
		parentUuid: 'p',
		isSidechain: false,
		message: {
			id: `msg_01ABCDEFGHIJKLMNOP${serial}`,
			model: 'claude-opus-4-8',
			role: 'assistant',
			content: [{ type: 'text', text: 'y'.repeat(600) }],
			usage: {
				input_tokens: 4,
				cache_creation_input_tokens: 900,
				cache_read_input_tokens: 15_000,
				output_tokens: output,
			},
		},
		requestId: `req_011CABCDEFGHIJKLMNOP${serial}`,
		type: 'assistant',
		timestamp: '2026-11-30T09:20:32.128Z',
	});
}

export async function benchTranscript(megabytes: number): Promise<TranscriptBench> {
	const directory = mkdtempSync(join(tmpdir(), 'agent-floor-bench-'));
	try {
		const path = join(directory, 'session.jsonl');
		const responses = generate(path, megabytes * 1e6);
		const bytes = statSync(path).size;
		const reader = new ClaudeTranscriptReader();
		const before = process.memoryUsage.rss();
		let peak = before;
		const watch = setInterval(() => {
			peak = Math.max(peak, process.memoryUsage.rss());
		}, 5);
		const stalls = monitorEventLoopDelay({ resolution: 1 });
		stalls.enable();
		const start = performance.now();
		await reader.poll(path);
		const seconds = (performance.now() - start) / 1000;
		stalls.disable();
		clearInterval(watch);
		appendFileSync(path, `${response(responses + 1, 9)}\n`);
		const appended = performance.now();
		await reader.poll(path);
		return {
			megabytes: round(bytes / 1e6),
			responses,
			megabytesPerSecond: round(bytes / 1e6 / seconds),
			appendMs: round(performance.now() - appended),
			stallP99Ms: round(stalls.percentile(99) / 1e6),
			peakMegabytes: round((Math.max(peak, process.memoryUsage.rss()) - before) / 1e6),
		};
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
	process.stdout.write(`${JSON.stringify(await benchTranscript(Number(process.argv[2] ?? 200)), null, 2)}\n`);
}
