/** Payloads of Qwen Code for tests of its dialect. */
import type { FloorEvent, Happening } from '../../src/main/floor/events.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { qwenCodeDialect } from '../../src/main/hooks/qwen-code.ts';
import { AT, happeningIn, type Recorded, recordingOf } from './dialect-payloads.ts';

export const RECORDINGS = ['basic', 'tools', 'subagents', 'denied', 'permission'] as const;

export const SESSION = {
	session_id: 'e9acd1ba-5808-4b95-9caf-42aa272a6272',
	transcript_path: '/home/dev/.qwen/projects/-home-dev-app/chats/e9acd1ba-5808-4b95-9caf-42aa272a6272.jsonl',
	cwd: '/home/dev/app',
	prompt_id: 'e9acd1ba-5808-4b95-9caf-42aa272a6272########0',
};

export const shell = {
	tool_name: 'run_shell_command',
	tool_input: { command: 'npm t', description: 'Run it', is_background: false },
};

/** What a shell's result looks like, word for word. */
export function shellResult(output: string, ending: { exit?: string; signal?: string; error?: string } = {}) {
	const { exit = '0', signal = '(none)', error = '(none)' } = ending;
	return `Command: npm t\nDirectory: (root)\nOutput: ${output}\nError: ${error}\nExit Code: ${exit}\nSignal: ${signal}\nProcess Group PGID: 4497`;
}

export function parse(event: string, fields: Payload = {}, common: Payload = SESSION): FloorEvent {
	return qwenCodeDialect.parse(event, { ...common, ...fields }, { at: AT, process: null });
}

/** The happening alone, without the context. */
export function happening(event: string, fields: Payload = {}): Happening {
	return happeningIn(parse(event, fields));
}

/** What the real program sent. */
export function recorded(name: (typeof RECORDINGS)[number]): Recorded[] {
	return recordingOf('qwen-code', name);
}
