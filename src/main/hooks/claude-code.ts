/**
 * Claude Code's dialect. Events and fields: code.claude.com/docs/en/hooks; what the program really sends and obeys was
 * measured with Claude Code 2.1.332 and 2.1.197 (replies: claude-code-reply.ts).
 */
import type { FloorEvent, Happening, ToolResult, WaitingKind } from '../floor/events.ts';
import { claudeCodeReplies } from './claude-code-reply.ts';
import { resultText } from './claude-code-result.ts';
import { claudeShapedContext } from './claude-shaped.ts';
import type { Dialect, DialectContext, Payload } from './dialect.ts';
import {
	digest,
	directoryId,
	field,
	idField,
	LONGEST_RESULT,
	LONGEST_TEXT,
	oneLine,
	shorten,
	textField,
	toolName,
} from './payload-fields.ts';

const CLIENT = 'claude-code';

export const claudeCodeDialect: Dialect = { client: CLIENT, ...claudeCodeReplies, parse };

type Reader = (payload: Payload) => Happening;

const OTHER: Happening = { kind: 'other' };

/** Events that say something to the floor. All others, known or not, are `other`: a sign of life. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	// Source "compact" comes between PreCompact and PostCompact; the floor takes it as the end of a compaction too, so
	// that one whose PostCompact never comes still ends.
	['SessionStart', (payload) => ({ kind: 'session-start', source: textField(payload, 'source') ?? '' })],
	['SessionEnd', (payload) => ({ kind: 'session-end', reason: textField(payload, 'reason') ?? '' })],
	['UserPromptSubmit', prompt],
	['PreToolUse', toolCall],
	['PostToolUse', (payload) => toolResult(payload, succeeded(payload))],
	['PostToolUseFailure', (payload) => toolResult(payload, failed(payload))],
	['PostToolBatch', toolBatch],
	['PermissionRequest', permissionRequest],
	['Notification', notification],
	[
		'Elicitation',
		(payload) => waiting('question', message(payload, 'message', 'an MCP server asks for input')),
	],
	['Stop', (payload) => ({ kind: 'turn-end', message: message(payload, 'last_assistant_message', '') })],
	['StopFailure', turnFailed],
	['PreCompact', () => ({ kind: 'compact-start' })],
	['PostCompact', () => ({ kind: 'compact-end' })],
	['SubagentStart', () => ({ kind: 'subagent-start' })],
	// Compaction sends it for helpers that were never announced by a SubagentStart.
	['SubagentStop', () => ({ kind: 'subagent-end' })],
	['CwdChanged', (payload) => told(payload, 'new_cwd', (to) => ({ kind: 'directory-changed', to }))],
	['FileChanged', (payload) => told(payload, 'file_path', (path) => ({ kind: 'file-changed', path }))],
	['PostModelSwitch', (payload) => told(payload, 'to_model', (to) => ({ kind: 'model-changed', to }))],
]);

function parse(eventName: string, payload: Payload, context: DialectContext): FloorEvent {
	const happening = readers.get(eventName)?.(payload) ?? OTHER;
	const sessionId = sessionIdOf(payload);
	const dedupeKey = dedupeKeyOf(sessionId, happening, payload);
	const own = { client: CLIENT, name: eventName, sessionId, dedupeKey };
	return { ...claudeShapedContext(payload, own, context), ...happening };
}

/** `session_id`, else the transcript's name (which is the session id), else the directory, else "unattributed". */
function sessionIdOf(payload: Payload): string {
	const told = idField(payload, 'session_id');
	if (told !== null) return told;
	const steps = (textField(payload, 'transcript_path') ?? '').split(/[\\/]+/);
	// A subagent's transcript lies in <session id>/subagents/ (or deeper); its own name is not the session's.
	const subagents = steps.indexOf('subagents');
	const name = subagents > 0 ? steps[subagents - 1] : steps.at(-1)?.replace(/\.jsonl?$/i, '');
	const fromTranscript = idField({ name }, 'name');
	return fromTranscript ?? directoryId(payload);
}

/** The same happening delivered twice (two installations, a retry) has the same key. */
function dedupeKeyOf(sessionId: string, happening: Happening, payload: Payload): string | null {
	const promptId = idField(payload, 'prompt_id');
	switch (happening.kind) {
		case 'tool-call':
		case 'tool-result':
			// By kind, not by name: one call has one result, whichever event tells of it first.
			return happening.callId === null ? null : keyOf(sessionId, happening.kind, happening.callId);
		case 'prompt':
			return promptId === null ? null : keyOf(sessionId, 'prompt', promptId, digest(rawPrompt(payload)));
		case 'subagent-start':
		case 'subagent-end': {
			// A subagent can be resumed by a later prompt; that is a new start.
			const agentId = idField(payload, 'agent_id');
			return agentId === null ? null : keyOf(sessionId, happening.kind, agentId, promptId ?? '');
		}
		default:
			return null;
	}
}

function keyOf(...parts: readonly string[]): string {
	return parts.join('\n');
}

function prompt(payload: Payload): Happening {
	const text = rawPrompt(payload);
	// The client reports its own finished background work as a prompt. Nobody spoke: it must not count as progress.
	if (/^\s*<task-notification>/.test(text)) return OTHER;
	return { kind: 'prompt', text: shorten(text, LONGEST_TEXT) };
}

function rawPrompt(payload: Payload): string {
	return textField(payload, 'prompt') ?? '';
}

function toolCall(payload: Payload): Happening {
	return { kind: 'tool-call', ...callOf(payload) };
}

function callOf(from: unknown): Pick<ToolResult, 'callId' | 'tool' | 'input'> {
	return { callId: idField(from, 'tool_use_id'), tool: toolName(from), input: field(from, 'tool_input') };
}

type Outcome = Pick<ToolResult, 'result' | 'failed' | 'interrupted' | 'changedFile'>;

function toolResult(payload: Payload, outcome: Outcome): Happening {
	const duration = field(payload, 'duration_ms');
	const known = typeof duration === 'number' && Number.isFinite(duration) && duration >= 0;
	return { kind: 'tool-result', ...callOf(payload), ...outcome, durationMs: known ? duration : null };
}

function succeeded(payload: Payload): Outcome {
	const response = field(payload, 'tool_response');
	const text = resultText(response);
	return {
		result: text === undefined ? undefined : shorten(text, LONGEST_RESULT),
		// Failures have an event of their own; some MCP tools answer with a result that calls itself an error.
		failed: field(response, 'isError') === true || field(response, 'is_error') === true,
		interrupted: field(response, 'interrupted') === true,
		changedFile: changedFile(payload),
	};
}

function failed(payload: Payload): Outcome {
	const text = resultText(field(payload, 'error'));
	return {
		result: text === undefined ? undefined : shorten(text, LONGEST_RESULT),
		failed: true,
		interrupted: field(payload, 'is_interrupt') === true,
		changedFile: null,
	};
}

const FILE_WRITERS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

function changedFile(payload: Payload): string | null {
	if (!FILE_WRITERS.has(toolName(payload))) return null;
	const input = field(payload, 'tool_input');
	const named = textField(input, 'file_path') ?? textField(input, 'notebook_path');
	return named ?? textField(field(payload, 'tool_response'), 'filePath');
}

/**
 * A call that Claude Code itself rejected (unknown tool, invalid input, text to replace not found) sends neither
 * PreToolUse nor PostToolUse(Failure): only the batch tells of it, as `<tool_use_error>`. An agent that loops on one is
 * seen nowhere else. Everything else in a batch was already told call by call, but for this: that it was one turn. One
 * event can carry one of these: of several rejected calls in one batch the first is told.
 */
function toolBatch(payload: Payload): Happening {
	const calls = field(payload, 'tool_calls');
	if (!Array.isArray(calls)) return OTHER;
	for (const call of calls) {
		const text = resultText(field(call, 'tool_response'))?.trimStart();
		if (!text?.startsWith(REJECTED)) continue;
		const result = shorten(text.replace(REJECTED, '').replace(/<\/tool_use_error>\s*$/, ''), LONGEST_TEXT);
		return {
			kind: 'tool-result',
			...callOf(call),
			result,
			failed: true,
			interrupted: false,
			durationMs: null,
			changedFile: null,
		};
	}
	const callIds = calls.flatMap((call) => idField(call, 'tool_use_id') ?? []);
	return callIds.length < 2 ? OTHER : { kind: 'tool-batch', callIds };
}

const REJECTED = '<tool_use_error>';

function waiting(on: WaitingKind, text: string): Happening {
	return { kind: 'waiting', on, message: text };
}

function permissionRequest(payload: Payload): Happening {
	const tool = toolName(payload);
	const input = field(payload, 'tool_input');
	if (tool === 'AskUserQuestion') {
		const questions = field(input, 'questions');
		const first = Array.isArray(questions) ? textField(questions[0], 'question') : null;
		return waiting('question', oneLine(first ?? 'asks a question'));
	}
	const command = textField(input, 'command');
	if (command !== null) return waiting('permission', `wants to run ${tool} \`${oneLine(command)}\``);
	const object = ['file_path', 'notebook_path', 'url', 'path', 'description'].map((name) =>
		textField(input, name),
	);
	const target = object.find((found) => found !== null);
	return waiting(
		'permission',
		target ? `wants to use ${tool} on \`${oneLine(target)}\`` : `wants to use ${tool}`,
	);
}

const NOTIFICATIONS: ReadonlyMap<string, WaitingKind> = new Map<string, WaitingKind>([
	['permission_prompt', 'permission'],
	['idle_prompt', 'turn-done'],
	['elicitation_dialog', 'question'],
	['elicitation_url_dialog', 'question'],
	['agent_needs_input', 'question'],
]);

function notification(payload: Payload): Happening {
	const text = message(payload, 'message', '');
	const type = textField(payload, 'notification_type');
	const on = type === null ? waitingBefore(text) : NOTIFICATIONS.get(type);
	return on === undefined ? OTHER : waiting(on, text);
}

/** Older versions sent no type, only these two sentences. */
function waitingBefore(text: string): WaitingKind | undefined {
	if (/needs your permission/i.test(text)) return 'permission';
	return /waiting for your input/i.test(text) ? 'turn-done' : undefined;
}

/** The agent's own errors: its request was malformed or its answer too long. Everything else is the provider's. */
const OWN_ERRORS: ReadonlySet<string> = new Set(['invalid_request', 'max_output_tokens']);

function turnFailed(payload: Payload): Happening {
	const told = field(payload, 'error');
	const error =
		textField(payload, 'error') ?? textField(told, 'type') ?? textField(told, 'message') ?? 'unknown';
	return {
		kind: 'turn-failed',
		blame: OWN_ERRORS.has(error) ? 'agent' : 'provider',
		error: oneLine(error),
		message: message(payload, 'last_assistant_message', message(payload, 'error_details', '')),
	};
}

function told(payload: Payload, name: string, happening: (text: string) => Happening): Happening {
	const text = textField(payload, name);
	return text === null ? OTHER : happening(text);
}

function message(payload: Payload, name: string, otherwise: string): string {
	return shorten(textField(payload, name) ?? otherwise, LONGEST_TEXT);
}
