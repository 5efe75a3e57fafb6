/** Payloads of Claude Code for tests of its dialect. */
import type { FloorEvent, Happening } from '../../src/main/floor/events.ts';
import { claudeCodeDialect } from '../../src/main/hooks/claude-code.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { AT, happeningIn } from './dialect-payloads.ts';

export const SESSION = {
	session_id: 's-7f',
	cwd: '/w/app',
	transcript_path: '/h/.claude/projects/-w-app/s-7f.jsonl',
};

export const bash = { tool_name: 'Bash', tool_input: { command: 'npm t' }, tool_use_id: 'toolu_1' };

export function parse(event: string, fields: Payload = {}, common: Payload = SESSION): FloorEvent {
	return claudeCodeDialect.parse(event, { ...common, ...fields }, { at: AT, process: null });
}

/** The happening alone, without the context. */
export function happening(event: string, fields: Payload = {}): Happening {
	return happeningIn(parse(event, fields));
}
