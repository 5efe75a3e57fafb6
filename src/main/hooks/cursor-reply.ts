/**
 * What Cursor does with each reply, by its public description (cursor.com/docs/agent/hooks, read in copies of 2026). The
 * program runs only with an account, so that none of this was measured. `{}` is "no opinion".
 *
 * | event | reply | effect |
 * |---|---|---|
 * | preToolUse | `permission:"deny"` | the tool does not run; the person reads `user_message`, the model `agent_message` |
 * | preToolUse | `permission:"ask"` | accepted and not enforced: the tool runs |
 * | postToolUse, sessionStart | `additional_context` | the model reads it |
 * | beforeSubmitPrompt | `continue:false` | the prompt never reaches the model; the person reads `user_message` |
 * | stop | `followup_message` | the agent goes on: no place for a note |
 * | postToolUseFailure, afterFileEdit, sessionEnd | anything | no effect |
 *
 * So nothing halts Cursor within a turn: "stopped" is every call denied and every prompt blocked.
 */
import { type Means, type Reply, repliesOf } from './replies.ts';

const LONGEST_TEXT = 10_000;

const meansByEvent: ReadonlyMap<string, Means> = new Map<string, Means>([
	// Where asking is not enforced, it must not run.
	['preToolUse', { deny, ask: deny, halt: deny }],
	['postToolUse', { note, halt: note }],
	['beforeSubmitPrompt', { 'block-prompt': block, halt: block }],
	['sessionStart', { note }],
]);

export const cursorReplies = repliesOf(meansByEvent, LONGEST_TEXT);

function note(text: string): Reply {
	return { additional_context: text };
}

function deny(reason: string): Reply {
	return { permission: 'deny', user_message: reason, agent_message: reason };
}

function block(reason: string): Reply {
	return { continue: false, user_message: reason };
}
