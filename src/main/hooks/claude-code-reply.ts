/**
 * What Claude Code really does with each reply. Measured with Claude Code 2.1.332 and 2.1.197, headless, against a
 * stub of the Messages API; where the two differ both are named. `{}` is always "no opinion".
 *
 * | event | reply | effect |
 * |---|---|---|
 * | PreToolUse | `additionalContext` | the model reads it beside the tool's result, also together with a denial |
 * | PreToolUse | deny | the tool does not run, the model reads the reason, the turn goes on |
 * | PreToolUse | `continue:false` alone | **the tool runs**, then the session halts |
 * | PreToolUse | ask | the person is asked; headless it is a denial |
 * | PreToolUse | deny and `continue:false` | the tool does not run; 2.1.332 halts, 2.1.197 goes on |
 * | PostToolUse | `additionalContext` / `continue:false` | the model reads it / the session halts |
 * | PostToolUseFailure | `additionalContext` / `continue:false` | the model reads it / **no effect**, the turn goes on |
 * | PostToolBatch | `additionalContext` / `continue:false` | the model reads it / the session halts, after results, failures and denials alike |
 * | UserPromptSubmit | `additionalContext` / `decision:block` | the model reads it / the prompt never reaches the model |
 * | SessionStart | `additionalContext` / `continue:false` | the model reads it / no effect |
 * | PermissionRequest | `decision.behavior:deny` | the tool does not run, the model reads the message, the turn goes on |
 * | PermissionRequest | the same with `interrupt:true` | the tool does not run and the session halts |
 * | PermissionRequest | `additionalContext`, `continue:false`, `decision:block` | no effect |
 * | Stop | `additionalContext`, `decision:block` | the agent goes on: no place for a note |
 * | Stop | `continue:false` | the turn ends even if another hook wants it to go on |
 * | SubagentStart | `additionalContext` | the subagent reads it, not the agent |
 *
 * A note of up to 10 000 characters arrives whole; of a longer one the model gets a preview of 2 000. Inside a subagent
 * a note reaches the subagent, and halting ends the subagent only.
 */
import { type Means, type Reply, repliesOf } from './replies.ts';

const LONGEST_TEXT = 10_000;

const meansByEvent: ReadonlyMap<string, Means> = new Map<string, Means>([
	[
		'PreToolUse',
		{
			note: note('PreToolUse'),
			deny: (reason) => decide('deny', reason),
			ask: (reason) => decide('ask', reason),
			halt: (reason) => ({ ...halt(reason), ...decide('deny', reason) }),
		},
	],
	['PostToolUse', { note: note('PostToolUse'), halt }],
	[
		'PostToolUseFailure',
		{
			note: note('PostToolUseFailure'),
			// It halts nothing here (the batch's event does), so at least the model reads why it is about to.
			halt: (reason) => ({ ...halt(reason), ...note('PostToolUseFailure')(reason) }),
		},
	],
	['PostToolBatch', { note: note('PostToolBatch'), halt }],
	['UserPromptSubmit', { note: note('UserPromptSubmit'), 'block-prompt': blockPrompt, halt: blockPrompt }],
	['SessionStart', { note: note('SessionStart') }],
	[
		'PermissionRequest',
		{
			deny: (message) => denyPermission({ behavior: 'deny', message }),
			// Where nobody can be asked, it must not run.
			ask: (message) => denyPermission({ behavior: 'deny', message }),
			halt: (message) => denyPermission({ behavior: 'deny', message, interrupt: true }),
		},
	],
	['Stop', { halt }],
]);

export const claudeCodeReplies = repliesOf(meansByEvent, LONGEST_TEXT);

function note(hookEventName: string): (text: string) => Reply {
	return (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } });
}

function decide(permissionDecision: 'deny' | 'ask', permissionDecisionReason: string): Reply {
	return {
		hookSpecificOutput: {
			hookEventName: 'PreToolUse',
			permissionDecision,
			permissionDecisionReason,
		},
	};
}

function halt(stopReason: string): Reply {
	return { continue: false, stopReason };
}

function blockPrompt(reason: string): Reply {
	return { decision: 'block', reason };
}

function denyPermission(decision: Reply): Reply {
	return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}
