/**
 * What Gemini CLI really does with each reply. Measured with Gemini CLI 0.61.0, headless, against a stub of the Gemini
 * API, and read in its source (coreToolHookTriggers.ts, hook-utils.ts, client.ts). `{}` is always "no opinion".
 *
 * | event | reply | effect |
 * |---|---|---|
 * | BeforeTool | `additionalContext` | **no effect**, also together with a denial |
 * | BeforeTool | `decision:deny` | the tool does not run, the model reads the reason, the turn goes on; no AfterTool |
 * | BeforeTool | `continue:false`, alone or with deny | the tool does not run and the agent stops; no AfterTool, no AfterAgent |
 * | BeforeTool | `decision:ask` | the person is asked; headless the program **waits for ever** for an answer |
 * | AfterTool | `additionalContext` | appended to the tool's result, `<` and `>` escaped; survives the cut of long outputs |
 * | AfterTool | `continue:false` | the agent stops; `additionalContext` beside it is lost |
 * | AfterTool | `decision:deny` | the model reads the reason in place of the result: no place for a refusal |
 * | BeforeAgent | `additionalContext` | appended to the prompt |
 * | BeforeAgent | `decision:deny` | the prompt never reaches the model and is not in the history; no AfterAgent |
 * | BeforeAgent | `continue:false` | the same, but the prompt stays in the history |
 * | SessionStart | `additionalContext` | stands before the first prompt (and in the `prompt` of its BeforeAgent) |
 * | SessionStart | `continue:false`, `decision:deny` | no effect |
 * | AfterAgent | `continue:false` | the turn ends even if another hook wants a retry |
 * | AfterAgent | `additionalContext` / `decision:deny` | no effect / the agent goes on: no place for a note |
 * | BeforeModel | `continue:false` / `decision:deny` | the model is not called, the turn ends (not installed, see gemini-handlers.ts) |
 * | SessionEnd, Notification, PreCompress | anything | no effect |
 *
 * A hook that exits with 2 or more and prints anything denies the tool call, whatever it prints.
 */
import { type Means, type Reply, repliesOf } from './replies.ts';

const LONGEST_TEXT = 10_000;

const meansByEvent: ReadonlyMap<string, Means> = new Map<string, Means>([
	[
		'BeforeTool',
		{
			deny,
			// Asking would hang a headless session, and nothing tells a headless session from another.
			ask: deny,
			// The denial is for versions that may not know how to stop here.
			halt: (reason) => ({ ...halt(reason), ...deny(reason) }),
		},
	],
	['AfterTool', { note: note('AfterTool'), halt }],
	['BeforeAgent', { note: note('BeforeAgent'), 'block-prompt': deny, halt: deny }],
	['SessionStart', { note: note('SessionStart') }],
	['AfterAgent', { halt }],
]);

export const geminiCliReplies = repliesOf(meansByEvent, LONGEST_TEXT);

function note(hookEventName: string): (text: string) => Reply {
	return (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } });
}

function deny(reason: string): Reply {
	return { decision: 'deny', reason };
}

function halt(stopReason: string): Reply {
	return { continue: false, stopReason };
}
