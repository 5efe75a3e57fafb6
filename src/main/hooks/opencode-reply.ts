/**
 * What the floor's plugin for opencode (install/opencode-plugin.ts) is told to do. The words are ours on both sides; what
 * opencode then really does was measured with 1.18.33, headless, against a stub of the Chat Completions API:
 *
 * | event | reply | effect |
 * |---|---|---|
 * | tool.execute.before | `deny` | the plugin throws: the tool does not run, the model reads the reason as the tool's error, the turn goes on |
 * | tool.execute.before | `deny` with `stop` | the session is aborted as well: no model is asked any more, the turn ends ("Aborted"); from a subagent, its agent's turn too |
 * | tool.execute.after | `note` | appended to the tool's output; the model reads it, a person sees it |
 * | tool.execute.after | `note` with `stop` | the turn ends before the model is asked again |
 * | tool.execute.error | `note` | a tool that failed has no `after`: appended to its error whenever the messages go to the model |
 * | chat.message | `note` | one more part of the prompt, which the window does not show |
 * | chat.message | `block` | the plugin throws: the prompt never reaches the model and is not kept; the person reads of a server error, and the reason as a toast where there is a window |
 *
 * opencode has a permission prompt of its own, but no plugin can call for it (`permission.ask` is never called), so
 * `ask` refuses.
 */
import { type Means, type Reply, repliesOf } from './replies.ts';

const LONGEST_TEXT = 10_000;

const meansByEvent: ReadonlyMap<string, Means> = new Map<string, Means>([
	['tool.execute.before', { deny, ask: deny, halt: (reason) => ({ deny: reason, stop: true }) }],
	['tool.execute.after', { note, halt: noteAndStop }],
	['tool.execute.error', { note, halt: noteAndStop }],
	['chat.message', { note, 'block-prompt': block, halt: block }],
]);

export const opencodeReplies = repliesOf(meansByEvent, LONGEST_TEXT);

function deny(reason: string): Reply {
	return { deny: reason };
}

function note(text: string): Reply {
	return { note: text };
}

function noteAndStop(reason: string): Reply {
	return { note: reason, stop: true };
}

function block(reason: string): Reply {
	return { block: reason };
}
