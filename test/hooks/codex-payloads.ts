/** Payloads of Codex for tests of its dialect. */
import type { FloorEvent, Happening } from '../../src/main/floor/events.ts';
import { codexDialect } from '../../src/main/hooks/codex.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { AT, happeningIn, type Recorded, recordingOf } from './dialect-payloads.ts';

export const SESSION = {
	session_id: '01a2-s',
	turn_id: '01a2-t',
	cwd: '/w/app',
	transcript_path: '/h/.codex/sessions/2026/11/30/rollout-2026-11-30T09-14-13-01a2.jsonl',
	model: 'gpt-5.5',
	permission_mode: 'default',
};

export const bash = { tool_name: 'Bash', tool_input: { command: 'npm t' }, tool_use_id: 'call_1' };

export function parse(event: string, fields: Payload = {}, common: Payload = SESSION): FloorEvent {
	return codexDialect.parse(event, { ...common, ...fields }, { at: AT, process: null });
}

/** The happening alone, without the context. */
export function happening(event: string, fields: Payload = {}): Happening {
	return happeningIn(parse(event, fields));
}

export const RECORDINGS = [
	'basic',
	'patch',
	'patch-refused',
	'mcp',
	'subagents',
	'compaction',
	'permission',
	'interrupted',
	'denied',
	'rate-limited',
] as const;

/** What the real program sent, in order. */
export function recorded(name: (typeof RECORDINGS)[number]): Recorded[] {
	return recordingOf('codex', name);
}
