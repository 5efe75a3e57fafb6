/**
 * Qwen Code's dialect: a fork of Gemini CLI whose hooks follow Claude Code's. Events and fields: features/hooks.md of its
 * own documentation; what the program really sends and obeys was measured with 0.24.4 (replies: qwen-code-reply.ts). Of
 * these the hooks tell nothing: a headless session that ends, or that its provider refuses; and seldom, which calls of
 * a headless session were made in one turn.
 */
import type { FloorEvent, Happening, WaitingKind } from '../floor/events.ts';
import { claudeShapedContext } from './claude-shaped.ts';
import type { Dialect, DialectContext, Payload } from './dialect.ts';
import { sessionIdOf } from './gemini-cli.ts';
import { field, idField, LONGEST_TEXT, oneLine, shorten, textField } from './payload-fields.ts';
import { qwenCodeReplies } from './qwen-code-reply.ts';
import { failed, type Outcome, succeeded } from './qwen-code-result.ts';
import { fileWrittenBy, knownCall, SHELL_TOOL } from './qwen-code-tools.ts';

const CLIENT = 'qwen-code';

export const qwenCodeDialect: Dialect = { client: CLIENT, ...qwenCodeReplies, parse };

const OTHER: Happening = { kind: 'other' };

/** Events that say something to the floor. All others, known or not, are `other`: a sign of life. */
const readers: ReadonlyMap<string, (payload: Payload) => Happening> = new Map<
	string,
	(payload: Payload) => Happening
>([
	['SessionStart', (payload) => ({ kind: 'session-start', source: textField(payload, 'source') ?? '' })],
	['SessionEnd', (payload) => ({ kind: 'session-end', reason: textField(payload, 'reason') ?? '' })],
	['UserPromptSubmit', prompt],
	['PreToolUse', (payload) => ({ kind: 'tool-call', callId: callIdOf(payload), ...callOf(payload) })],
	['PostToolUse', (payload) => toolResult(payload, succeeded(payload, isShell(payload)))],
	['PostToolUseFailure', (payload) => toolResult(payload, failed(payload, isShell(payload)))],
	['PostToolBatch', toolBatch],
	['PermissionRequest', permissionRequest],
	['Notification', notification],
	['Stop', (payload) => ({ kind: 'turn-end', message: message(payload, 'last_assistant_message') })],
	['StopFailure', turnFailed],
	['PreCompact', () => ({ kind: 'compact-start' })],
	['PostCompact', () => ({ kind: 'compact-end' })],
	['SubagentStart', () => ({ kind: 'subagent-start' })],
	['SubagentStop', () => ({ kind: 'subagent-end' })],
]);

function parse(eventName: string, payload: Payload, context: DialectContext): FloorEvent {
	const happening = readers.get(eventName)?.(payload) ?? OTHER;
	const sessionId = sessionIdOf(payload);
	const dedupeKey = dedupeKeyOf(sessionId, happening, payload);
	const own = { client: CLIENT, name: eventName, sessionId, dedupeKey };
	return { ...claudeShapedContext(payload, own, context), ...happening };
}

/** The same happening delivered twice (two installations) has the same key. */
function dedupeKeyOf(sessionId: string, happening: Happening, payload: Payload): string | null {
	const promptId = idField(payload, 'prompt_id');
	switch (happening.kind) {
		case 'tool-call':
		case 'tool-result':
			return happening.callId && keyOf(sessionId, happening.kind, happening.callId);
		case 'prompt':
			// Not by its text: what is sent on to the model within a prompt is no other prompt.
			return promptId && keyOf(sessionId, 'prompt', promptId);
		case 'subagent-start':
		case 'subagent-end': {
			const agentId = idField(payload, 'agent_id');
			return agentId && keyOf(sessionId, happening.kind, agentId, promptId ?? '');
		}
		default:
			return null;
	}
}

function keyOf(...parts: readonly string[]): string {
	return parts.join('\n');
}

/**
 * The event comes before every call of the model, without words when only the results of tools are sent. What a person
 * submitted is `submitted_prompt`; where the program does not know it (editors, Vim keys) it is `prompt`.
 */
function prompt(payload: Payload): Happening {
	const text = textField(payload, 'submitted_prompt') ?? textField(payload, 'prompt');
	return text === null ? OTHER : { kind: 'prompt', text: shorten(text, LONGEST_TEXT) };
}

/** The model's own id of a call is the only one that a batch knows, too. */
function callIdOf(from: unknown): string | null {
	return idField(from, 'tool_call_id') ?? idField(from, 'tool_use_id');
}

function callOf(payload: Payload) {
	return knownCall(payload, textField(payload, 'cwd'));
}

function isShell(payload: Payload): boolean {
	return field(payload, 'tool_name') === SHELL_TOOL;
}

function toolResult(payload: Payload, outcome: Outcome): Happening {
	const call = callOf(payload);
	const duration = field(payload, 'duration_ms');
	const known = typeof duration === 'number' && Number.isFinite(duration) && duration >= 0;
	return {
		kind: 'tool-result',
		callId: callIdOf(payload),
		...call,
		...outcome,
		durationMs: known ? duration : null,
		changedFile: outcome.failed ? null : fileWrittenBy(call),
	};
}

/** Why Qwen Code itself would not start a call. A denial is told elsewhere. */
const REJECTIONS: ReadonlySet<string> = new Set(['tool_not_registered', 'invalid_tool_params']);

/**
 * A call that Qwen Code itself rejected sends neither PreToolUse nor PostToolUseFailure: only the batch tells of it. An
 * agent that loops on one is seen nowhere else. Everything else in a batch was already told call by call, but for this:
 * that it was one turn. One event can carry one of these: of several rejected calls the first is told.
 */
function toolBatch(payload: Payload): Happening {
	const calls = field(payload, 'tool_calls');
	if (!Array.isArray(calls)) return OTHER;
	for (const call of calls) {
		const response = field(call, 'tool_response');
		if (!REJECTIONS.has(textField(response, 'error_type') ?? '')) continue;
		const error = textField(response, 'error');
		return {
			kind: 'tool-result',
			callId: callIdOf(call),
			...knownCall(call, textField(payload, 'cwd')),
			result: error === null ? undefined : shorten(error, LONGEST_TEXT),
			failed: true,
			interrupted: false,
			durationMs: null,
			changedFile: null,
		};
	}
	const callIds = calls.flatMap((call) => callIdOf(call) ?? []);
	return callIds.length < 2 ? OTHER : { kind: 'tool-batch', callIds };
}

function permissionRequest(payload: Payload): Happening {
	const { tool, input } = callOf(payload);
	if (tool === 'AskUserQuestion') {
		const questions = field(input, 'questions');
		const first = Array.isArray(questions) ? textField(questions[0], 'question') : null;
		return waiting('question', first ?? 'asks a question');
	}
	const command = textField(input, 'command');
	if (command !== null) return waiting('permission', `wants to run \`${oneLine(command)}\``);
	const object =
		textField(input, 'file_path') ?? textField(input, 'notebook_path') ?? textField(input, 'url');
	return waiting(
		'permission',
		object === null ? `wants to use ${tool}` : `wants to use ${tool} on \`${oneLine(object)}\``,
	);
}

const NOTIFICATIONS: ReadonlyMap<string, WaitingKind> = new Map<string, WaitingKind>([
	['permission_prompt', 'permission'],
	['idle_prompt', 'turn-done'],
	['elicitation_dialog', 'question'],
]);

function notification(payload: Payload): Happening {
	const on = NOTIFICATIONS.get(textField(payload, 'notification_type') ?? '');
	return on === undefined ? OTHER : waiting(on, textField(payload, 'message') ?? '');
}

function waiting(on: WaitingKind, text: string): Happening {
	return { kind: 'waiting', on, message: oneLine(text) };
}

/** The agent's own errors; `loop_detected` is Qwen Code's own ladder. Everything else is the provider's. */
const OWN_ERRORS: ReadonlySet<string> = new Set(['invalid_request', 'max_output_tokens', 'loop_detected']);

function turnFailed(payload: Payload): Happening {
	const error = textField(payload, 'error') ?? 'unknown';
	return {
		kind: 'turn-failed',
		blame: OWN_ERRORS.has(error) ? 'agent' : 'provider',
		error: oneLine(error),
		message: message(payload, 'error_details') || message(payload, 'last_assistant_message'),
	};
}

function message(payload: Payload, name: string): string {
	return shorten(textField(payload, name) ?? '', LONGEST_TEXT);
}
