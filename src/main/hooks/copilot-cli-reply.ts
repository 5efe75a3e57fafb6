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
import type { Verdict } from '../floor/verdict.ts';

type Reply = Record<string, unknown>;

/** How one event carries each verdict out; a verdict that is missing here cannot be brought about by this event. */
type Means = { readonly [kind in Exclude<Verdict['kind'], 'pass'>]?: (text: string) => Reply };

const LONGEST_TEXT = 10_000;

/** Exactly the events whose reply matters; all others are observers. */
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
			halt: (message) => ({ behavior: 'deny', message, interrupt: true }),
		},
	],
	// Nothing halts here; at least the model reads that its next call will be refused.
	['postToolUse', { note, halt: note }],
	['postToolUseFailure', { note, halt: note }],
	['userPromptSubmitted', { note, 'block-prompt': blockPrompt, halt: blockPrompt }],
	['sessionStart', { note }],
]);

/** True when the reply to this event can change what the agent does or reads. */
export function answers(eventName: string): boolean {
	return meansByEvent.has(eventName);
}

/** True when a note given to this event reaches the model. */
export function carriesNote(eventName: string): boolean {
	return meansByEvent.get(eventName)?.note !== undefined;
}

/** The reply that brings `verdict` about, `{}` where this event cannot. */
export function reply(eventName: string, verdict: Verdict): Reply {
	if (verdict.kind === 'pass' || (verdict.kind === 'note' && verdict.text.trim() === '')) return {};
	const text = capped(verdict.kind === 'note' ? verdict.text : verdict.reason);
	const means = meansByEvent.get(eventName);
	const bring = verdict.kind === 'ask' ? (means?.ask ?? means?.deny) : means?.[verdict.kind];
	return bring?.(text) ?? {};
}

function note(additionalContext: string): Reply {
	return { additionalContext };
}

function decide(permissionDecision: 'deny' | 'ask', permissionDecisionReason: string): Reply {
	return { permissionDecision, permissionDecisionReason };
}

function blockPrompt(reason: string): Reply {
	return { decision: 'block', reason };
}

function capped(text: string): string {
	if (text.trim() === '') return 'Agent Floor gave no reason.';
	return (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text).toWellFormed();
}
