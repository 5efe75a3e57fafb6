/** A generated session of 200 MB, read once from its start and once more after a small append. */
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ClaudeTranscriptReader } from '../src/main/usage/claude-transcript.ts';
import type { BenchRow } from './run.ts';

export const title =
	"Claude Code's transcript: reading speed, memory, and how long the event loop is held up";

const MEGABYTES = 200;

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

export async function run(): Promise<BenchRow[]> {
	const directory = mkdtempSync(join(tmpdir(), 'agent-floor-bench-'));
	try {
		const path = join(directory, 'session.jsonl');
		const responses = generate(path, MEGABYTES * 1e6);
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
		return [
			{
				MB: round(bytes / 1e6),
				responses,
				'MB/s': round(bytes / 1e6 / seconds),
				'append ms': round(performance.now() - appended),
				'stall p99 ms': round(stalls.percentile(99) / 1e6),
				'peak memory MB': round((Math.max(peak, process.memoryUsage.rss()) - before) / 1e6),
			},
		];
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
