/** What Codex and Qwen Code took over from Claude Code: the fields that every payload has. */
import type { EventContext } from '../floor/events.ts';
import type { DialectContext, Payload } from './dialect.ts';
import { idField, textField } from './payload-fields.ts';

/** The context of an event; whose session it is and what makes it the same event again differ by program. */
export function claudeShapedContext(
	payload: Payload,
	own: Pick<EventContext, 'client' | 'name' | 'sessionId' | 'dedupeKey'>,
	{ at, process }: DialectContext,
): EventContext {
	return {
		...own,
		at,
		process,
		subagentId: idField(payload, 'agent_id'),
		subagentType: textField(payload, 'agent_type'),
		directory: textField(payload, 'cwd'),
		// Of a subagent of Codex its own, which is nowhere else named.
		transcriptPath: textField(payload, 'transcript_path'),
		model: textField(payload, 'model'),
	};
}
