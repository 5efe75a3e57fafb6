/**
 * What Copilot CLI really does with each reply. Measured with Copilot CLI 1.0.102, headless, against a stub of the Chat
 * Completions API, with hooks in `~/.copilot/hooks`. `{}` is always "no opinion"; nothing nested in
 * `hookSpecificOutput` is read.
 *
 * | event | reply | effect |
 * |---|---|---|
 * | preToolUse | `permissionDecision:deny` | the tool does not run, the model reads the reason, the turn goes on; no further event tells of the call |
 * | preToolUse | `permissionDecision:ask` | the person is asked; headless it is a denial, also with `--allow-all-tools` |
 * | preToolUse | `additionalContext` | the model reads it behind the result, also together with a denial |
 * | preToolUse | `continue:false`, `decision:block`, a denial with `interrupt:true` | no effect (the denial holds) |
 * | preToolUse | **exit code other than 0, whatever is printed** | **the tool is denied** ("hook errored"; 127 too) |
 * | preToolUse | too slow, or no JSON | the tool runs |
 * | permissionRequest | `behavior:deny` with `message` | the tool does not run, the model reads the message, the turn goes on |
 * | permissionRequest | the same with `interrupt:true` | the tool does not run and **the turn ends**: the only halt there is. In a subagent it ends the subagent's |
 * | permissionRequest | `behavior:allow` | the tool runs although nobody allowed it |
 * | postToolUse | `additionalContext` | appended to the result |
 * | postToolUse | `decision:block` / `continue:false` | the model reads the reason instead of the result, the turn goes on / no effect |
 * | postToolUseFailure | `additionalContext` / `decision:block`, `continue:false` | the model reads it behind the failure / no effect |
 * | userPromptSubmitted | `decision:block` | the prompt never reaches the model; also a subagent's and autopilot's own |
 * | userPromptSubmitted | `additionalContext` / `continue:false` | appended to the prompt / no effect |
 * | userPromptTransformed | `decision:block`, `additionalContext` | no effect |
 * | sessionStart | `additionalContext` / `continue:false`, `decision:block` | the model reads it before the prompt / no effect |
 * | agentStop | `decision:block` | the agent goes on with the reason as its prompt (at most 8 times in a row): no place for a note |
 * | agentStop | `additionalContext`, `continue:false` | no effect |
 * | errorOccurred | `errorHandling:abort`, `continue:false` | no effect, it tries again |
 * | subagentStart | `additionalContext` / `decision:block`, `continue:false` | the subagent reads it, not the agent / no effect |
 *
 * A permission is requested for shell commands, writes and MCP tools, whatever is allowed (`--yolo` too); not for
 * reading, and not after a denial by preToolUse. So a halt denies before the tool, which holds for every tool, and
 * interrupts where a permission is asked for.
 */
import { type Means, type Reply, repliesOf } from './replies.ts';

const LONGEST_TEXT = 10_000;

const meansByEvent: ReadonlyMap<string, Means> = new Map<string, Means>([
	[
		'preToolUse',
		{
			note,
			deny: (reason) => decide('deny', reason),
			ask: (reason) => decide('ask', reason),
			halt: (reason) => decide('deny', reason),
		},
	],
	[
		'permissionRequest',
		{
			deny: (message) => ({ behavior: 'deny', message }),
			// Where nobody can be asked, it must not run.
			ask: (message) => ({ behavior: 'deny', message }),
			halt: (message) => ({ behavior: 'deny', message, interrupt: true }),
		},
	],
	// Nothing halts here; at least the model reads that its next call will be refused.
	['postToolUse', { note, halt: note }],
	['postToolUseFailure', { note, halt: note }],
	['userPromptSubmitted', { note, 'block-prompt': blockPrompt, halt: blockPrompt }],
	['sessionStart', { note }],
]);

export const copilotCliReplies = repliesOf(meansByEvent, LONGEST_TEXT);

function note(additionalContext: string): Reply {
	return { additionalContext };
}

function decide(permissionDecision: 'deny' | 'ask', permissionDecisionReason: string): Reply {
	return { permissionDecision, permissionDecisionReason };
}

function blockPrompt(reason: string): Reply {
	return { decision: 'block', reason };
}
