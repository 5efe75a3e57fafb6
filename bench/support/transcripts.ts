/** Claude Code's transcripts as the program writes them, as many bytes as are wanted. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Text with the quotes and line ends of code, which is what tools return. */
const CODE = 'export function area(shape: Shape): number {\n\tif (shape.kind === "circle") return 3;\n}\n';
const DAY_MS = 86_400_000;

/** Writes a session of at least `bytes`; the number of its responses. `serial`: makes its keys its own. */
export function writeTranscript(path: string, serial: number, bytes: number, endsAt: number): number {
	mkdirSync(dirname(path), { recursive: true });
	const file = openSync(path, 'w');
	let responses = 0;
	for (let written = 0; written < bytes; ) {
		let text = '';
		for (let turn = 0; turn < 50; turn += 1) {
			responses += 1;
			const at = endsAt - ((responses * 7_919) % DAY_MS);
			for (const tokens of [2, 120, 311]) text += responseRow(`${serial}x${responses}`, tokens, at);
			text += resultRow(CODE.repeat(20 + (turn % 60)));
		}
		written += writeSync(file, text);
	}
	closeSync(file);
	return responses;
}

/** One huge file for little work: a block of rows again and again, so that its responses are few and repeated. */
export function writeHugeTranscript(path: string, bytes: number, endsAt: number): void {
	mkdirSync(dirname(path), { recursive: true });
	let text = '';
	for (let response = 1; text.length < 8_000_000; response += 1) {
		text += responseRow(`huge${response}`, 311, endsAt) + resultRow(CODE.repeat(40));
	}
	const block = Buffer.from(text);
	const file = openSync(path, 'w');
	for (let written = 0; written < bytes; ) written += writeSync(file, block);
	closeSync(file);
}

/** One row of a response, with its line feed; `text`: what the model wrote. */
export function responseRow(id: string, output: number, at: number, text = CODE.repeat(7)): string {
	return `${JSON.stringify({
		parentUuid: '8c6e28af-cd64-4163-99bc-5508c31b7e0f',
		isSidechain: false,
		message: {
			model: 'claude-opus-4-8',
			id: `msg_01ABCDEFGHIJKLMNOP${id}`,
			type: 'message',
			role: 'assistant',
			content: [{ type: 'text', text }],
			stop_reason: 'tool_use',
			stop_sequence: null,
			usage: {
				input_tokens: 4,
				cache_creation_input_tokens: 900,
				cache_read_input_tokens: 15_000,
				cache_creation: { ephemeral_5m_input_tokens: 900, ephemeral_1h_input_tokens: 0 },
				output_tokens: output,
				service_tier: 'standard',
			},
		},
		requestId: `req_011CABCDEFGHIJKLMNOP${id}`,
		type: 'assistant',
		...common(at),
	})}\n`;
}

/** What a tool returned: the program writes it twice. */
export function resultRow(output: string): string {
	return `${JSON.stringify({
		parentUuid: '8c6e28af-cd64-4163-99bc-5508c31b7e0f',
		isSidechain: false,
		type: 'user',
		message: {
			role: 'user',
			content: [{ tool_use_id: 'toolu_25', type: 'tool_result', content: output, is_error: false }],
		},
		toolUseResult: { stdout: output, stderr: '', interrupted: false, isImage: false },
		...common(0),
	})}\n`;
}

function common(at: number): object {
	return {
		uuid: 'e271a6a4-f298-46bb-9026-b83d42bc1b47',
		timestamp: new Date(at).toISOString(),
		userType: 'external',
		cwd: '/home/dev/app',
		sessionId: '0ef3efe1-a734-4252-b12a-e0bb325f6b10',
		version: '2.1.197',
		gitBranch: 'main',
	};
}
