/** Transcripts for tests: lines as Claude Code writes them, in a directory of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that goes away with the test. */
export function temporaryDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), 'agent-floor-test-'));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	return directory;
}

export interface Row {
	readonly id: string;
	readonly requestId?: string | null;
	readonly model?: string;
	readonly sessionId?: string;
	readonly isSidechain?: boolean;
	readonly text?: string;
	readonly timestamp?: unknown;
	readonly usage?: Record<string, unknown>;
}

/** One assistant line, without its line feed. */
export function assistantLine(row: Row): string {
	return JSON.stringify({
		parentUuid: 'p',
		isSidechain: row.isSidechain ?? false,
		message: {
			id: row.id,
			type: 'message',
			role: 'assistant',
			model: row.model ?? 'claude-opus-4-8',
			content: [{ type: 'text', text: row.text ?? 'done' }],
			stop_reason: null,
			usage: row.usage ?? { input_tokens: 10, output_tokens: 5 },
		},
		...(row.requestId === null ? {} : { requestId: row.requestId ?? `req_${row.id}` }),
		type: 'assistant',
		uuid: `uuid-${row.id}`,
		timestamp: row.timestamp ?? '2026-11-30T09:20:32.128Z',
		sessionId: row.sessionId ?? 's-1',
	});
}

/** One line of a person's prompt or of a tool's result. */
export function userLine(text: string): string {
	return JSON.stringify({ type: 'user', message: { role: 'user', content: text }, sessionId: 's-1' });
}
