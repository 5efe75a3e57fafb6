/**
 * What Qwen Code really does with each reply. Measured with Qwen Code 0.24.4, headless and in a terminal, against a stub
 * of the Chat Completions API; interrupting and permissions were also read in its source. `{}` is always "no opinion".
 *
 * | event | reply | effect |
 * |---|---|---|
 * | PreToolUse | `additionalContext` | **no effect**, also together with a denial |
 * | PreToolUse | deny | the tool does not run, the model reads the reason, the turn goes on; no PostToolUse |
 * | PreToolUse | `continue:false` | the same, with `stopReason` as the reason; beside a denial it is ignored |
 * | PreToolUse | ask | the person is asked; headless it is a denial |
 * | PostToolUse, PostToolBatch | `additionalContext` | appended to the tool's result, `<` and `>` escaped |
 * | PostToolUse, PostToolBatch | `continue:false` | the turn goes on; the model reads the reason in place of the result |
 * | PostToolUseFailure | `additionalContext` / `continue:false` | appended to the error / no effect |
 * | UserPromptSubmit | `additionalContext` | the model reads it behind the prompt, or behind the results of tools |
 * | UserPromptSubmit | `decision:block`, `continue:false` | no model is asked, the turn is over |
 * | SessionStart | `additionalContext` / `continue:false` | stands in the system prompt / no effect |
 * | PermissionRequest | `decision.behavior:deny` | the tool does not run, the model reads the message, nobody is asked |
 * | PermissionRequest | the same with `interrupt:true` | no more than that: the turn goes on |
 * | Stop | `continue:false`, `decision:block` | **the agent goes on**, with the reason as its prompt |
 * | Stop | `additionalContext` | no effect |
 * | StopFailure, PostCompact, Notification | anything | no effect |
 *
 * UserPromptSubmit comes before every call of the model, not only with a prompt: blocking it is what halts Qwen Code in
 * the middle of a turn. Sessions that an editor drives (ACP) may leave it out there; they are told by their tools.
 */
import { type Means, type Reply, repliesOf } from './replies.ts';

const LONGEST_TEXT = 10_000;

const meansByEvent: ReadonlyMap<string, Means> = new Map<string, Means>([
	[
		'PreToolUse',
		{
			deny: (reason) => decide('deny', reason),
			ask: (reason) => decide('ask', reason),
			halt: (reason) => decide('deny', reason),
		},
	],
	// What a tool gave back stays where it is; why the agent is about to be halted stands behind it.
	['PostToolUse', { note: note('PostToolUse'), halt: note('PostToolUse') }],
	['PostToolUseFailure', { note: note('PostToolUseFailure'), halt: note('PostToolUseFailure') }],
	['PostToolBatch', { note: note('PostToolBatch') }],
	['UserPromptSubmit', { note: note('UserPromptSubmit'), 'block-prompt': block, halt: block }],
	['SessionStart', { note: note('SessionStart') }],
	// Asking is what it is about to do.
	['PermissionRequest', { deny: denyPermission, halt: denyPermission }],
]);

export const qwenCodeReplies = repliesOf(meansByEvent, LONGEST_TEXT);

function note(hookEventName: string): (text: string) => Reply {
	return (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } });
}

function decide(permissionDecision: 'deny' | 'ask', permissionDecisionReason: string): Reply {
	return {
		hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
	};
}

function block(reason: string): Reply {
	return { decision: 'block', reason };
}

function denyPermission(message: string): Reply {
	return {
		hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message } },
	};
}
