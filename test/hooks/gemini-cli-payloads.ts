/** Payloads of Gemini CLI for tests of its dialect. */
import type { FloorEvent, Happening } from '../../src/main/floor/events.ts';
import type { Dialect, Payload } from '../../src/main/hooks/dialect.ts';
import { createGeminiCliDialect } from '../../src/main/hooks/gemini-cli.ts';
import { AT, happeningIn, type Recorded, recordingOf } from './dialect-payloads.ts';

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
	return happeningIn(parse(event, fields));
}

/** What the real program sent. */
export function recorded(name: string): Recorded[] {
	return recordingOf('gemini-cli', name);
}
