/** Payloads of Gemini CLI for tests of its dialect. */
import { readFileSync } from 'node:fs';
import type { FloorEvent, Happening } from '../../src/main/floor/events.ts';
import type { Dialect, Payload } from '../../src/main/hooks/dialect.ts';
import { createGeminiCliDialect } from '../../src/main/hooks/gemini-cli.ts';

export const AT = 1_790_000_000_000;

export const SESSION = {
	session_id: '829d4046-103a-4339-b565-9db176d40610',
	transcript_path: '/home/dev/.gemini/tmp/app/chats/session-2026-11-30T09-14-829d4046.jsonl',
	cwd: '/home/dev/app',
};

export const shell = { tool_name: 'run_shell_command', tool_input: { command: 'npm t' } };

/** A time of day as it stands in payloads. */
export function stamp(millisecond: number): string {
	return new Date(AT + millisecond).toISOString();
}

export function parse(
	event: string,
	fields: Payload = {},
	common: Payload = SESSION,
	dialect: Dialect = createGeminiCliDialect(),
): FloorEvent {
	return dialect.parse(event, { ...common, ...fields }, { at: AT, process: null });
}

/** The happening alone, without the context. */
export function happening(event: string, fields: Payload = {}): Happening {
	const { at, client, name, sessionId, subagentId, subagentType, ...rest } = parse(event, fields);
	const { directory, transcriptPath, model, process, dedupeKey, ...happened } = rest;
	return happened;
}

export interface RecordedEvent {
	readonly event: string;
	readonly body: Payload;
}

/** What the real program sent. */
export function recorded(name: string): RecordedEvent[] {
	const file = new URL(`../recordings/gemini-cli.${name}.jsonl`, import.meta.url);
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines.filter((line) => line !== '').map((line): RecordedEvent => JSON.parse(line));
}
