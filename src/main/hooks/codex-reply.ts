/**
 * What Codex really does with each reply. Measured with codex-cli 0.171.0, `codex exec` and `codex app-server`, against
 * a stub of the Responses API. `{}` and nothing are always "no opinion". One unknown key makes a whole reply invalid,
 * and an invalid reply is none: the call goes on.
 *
 * | event | reply | effect |
 * |---|---|---|
 * | PreToolUse | `additionalContext` | the model reads it as a developer message, also together with a denial |
 * | PreToolUse | deny | the tool does not run, the model reads the reason, the turn goes on |
 * | PreToolUse | ask; `continue:false`; `continue:false` and deny; an unknown key and deny | invalid: **the tool runs** |
 * | PostToolUse | `additionalContext` | the model reads it as a developer message |
 * | PostToolUse | `continue:false`, `decision:block` | the turn goes on; the words take the place of the tool's result |
 * | UserPromptSubmit | `additionalContext` / `decision:block`, `continue:false` | the model reads it / no model is asked |
 * | SessionStart | `additionalContext` / `continue:false` | the model reads it / no model is asked, the turn is over |
 * | PermissionRequest | `decision.behavior:deny` | the tool does not run, the model reads the message, nobody is asked |
 * | PermissionRequest | the same with `interrupt:true`; `continue:false` | invalid: the person is asked |
 * | PreCompact | `continue:false` | the turn is interrupted before it is compacted |
 * | Stop | `continue:false` | the turn ends even if another hook wants it to go on |
 * | Stop | `decision:block` / `additionalContext` | the agent goes on, without an end / no effect |
 * | SubagentStart | `additionalContext` | the subagent reads it, not the agent |
 * | PreModelRequest | `continue:false`, `decision:block`, deny, `additionalContext` | no effect |
 * | SessionEnd | `{}` | no effect |
 *
 * So nothing halts Codex after a tool: "stopped" is every call denied, every prompt blocked and every compaction
 * interrupted. What Codex tells nobody (same version): that a turn failed with an error of the API (no event comes at
 * all); that a tool refused its own input (an `apply_patch` that does not fit, an MCP tool whose result is an error: a
 * PreToolUse, no PostToolUse); `write_stdin`, unknown tools and web searches (neither). A shell's exit code is not told.
 */
import { type Means, type Reply, repliesOf } from './replies.ts';

/** Codex puts a context of more than 2 500 tokens into a file and tells the model its path. */
const LONGEST_TEXT = 8_000;

const meansByEvent: ReadonlyMap<string, Means> = new Map<string, Means>([
	// It has no "ask" here, and must not run where nobody can be asked.
	['PreToolUse', { note: note('PreToolUse'), deny, ask: deny, halt: deny }],
	// It halts nothing, and the result that its reason would replace is the model's.
	['PostToolUse', { note: note('PostToolUse'), halt: note('PostToolUse') }],
	['UserPromptSubmit', { note: note('UserPromptSubmit'), 'block-prompt': block, halt: block }],
	['SessionStart', { note: note('SessionStart'), halt }],
	// Somebody is about to be asked anyway, so "ask" is no opinion.
	['PermissionRequest', { deny: denyPermission, halt: denyPermission }],
	['PreCompact', { halt }],
	['Stop', { halt }],
]);

export const codexReplies = repliesOf(meansByEvent, LONGEST_TEXT);

function note(hookEventName: string): (text: string) => Reply {
	return (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } });
}

function deny(permissionDecisionReason: string): Reply {
	return {
		hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
	};
}

function denyPermission(message: string): Reply {
	return {
		hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message } },
	};
}

function block(reason: string): Reply {
	return { decision: 'block', reason };
}

function halt(stopReason: string): Reply {
	return { continue: false, stopReason };
}
