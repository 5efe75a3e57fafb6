/**
 * Gemini CLI's dialect. Events and fields: docs/hooks/reference.md of google-gemini/gemini-cli; what the program really
 * sends and obeys was measured with Gemini CLI 0.61.0 (replies: gemini-cli-reply.ts). Of these the hooks tell nothing:
 * a failed model call (after its retries the session only ends), a call of an unknown tool or with invalid input, a
 * turn that a person cancels, the model (but for the model events, which are not installed).
 */
import type { EventContext, FloorEvent, Happening, WaitingKind } from '../floor/events.ts';
import type { Dialect, DialectContext, Payload } from './dialect.ts';
import { type CallEvent, CallPairing, identityOf } from './gemini-cli-calls.ts';
import { geminiCliReplies } from './gemini-cli-reply.ts';
import { outcomeOf } from './gemini-cli-result.ts';
import { knownCall, SHELL_TOOL, writesFile } from './gemini-cli-tools.ts';
import {
	digest,
	directoryId,
	field,
	idField,
	LONGEST_TEXT,
	oneLine,
	shorten,
	textField,
	toolName,
} from './payload-fields.ts';

const CLIENT = 'gemini-cli';

const OTHER: Happening = { kind: 'other' };

type Reader = (payload: Payload, call: CallEvent, pairing: CallPairing) => Happening;

/** Events that say something to the floor. All others, known or not, are `other`: a sign of life. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	['SessionStart', (payload) => ({ kind: 'session-start', source: textField(payload, 'source') ?? '' })],
	['SessionEnd', sessionEnd],
	['BeforeAgent', prompt],
	['AfterAgent', turnEnd],
	['BeforeTool', toolCall],
	['AfterTool', toolResult],
	['Notification', notification],
	// PreCompress comes before every turn, to ask whether there is anything to compress, and nothing tells the end of a
	// compression: it is evidence of none.
]);

/** A dialect with a memory of its own: which calls of which session are still open. */
export function createGeminiCliDialect(): Dialect {
	const pairing = new CallPairing();
	return {
		client: CLIENT,
		...geminiCliReplies,
		parse: (eventName, payload, context) => parse(eventName, payload, context, pairing),
	};
}

function parse(
	eventName: string,
	payload: Payload,
	context: DialectContext,
	pairing: CallPairing,
): FloorEvent {
	const sessionId = sessionIdOf(payload);
	const call: CallEvent = {
		sessionId,
		tool: toolName(payload),
		input: field(payload, 'tool_input'),
		timestamp: idField(payload, 'timestamp'),
	};
	const happening = readers.get(eventName)?.(payload, call, pairing) ?? OTHER;
	const common: EventContext = {
		at: context.at,
		client: CLIENT,
		name: eventName,
		sessionId,
		subagentId: null,
		subagentType: null,
		directory: textField(payload, 'cwd'),
		transcriptPath: textField(payload, 'transcript_path'),
		model: textField(field(payload, 'llm_request'), 'model'),
		process: context.process,
		dedupeKey: dedupeKeyOf(happening, call),
	};
	return { ...common, ...happening };
}

/** `session_id`, else the transcript's name, else the directory, else "unattributed". */
export function sessionIdOf(payload: Payload): string {
	const told = idField(payload, 'session_id');
	if (told !== null) return told;
	const file = textField(payload, 'transcript_path')
		?.split(/[\\/]+/)
		.at(-1);
	const fromTranscript = idField({ name: file?.replace(/\.jsonl?$/i, '') }, 'name');
	return fromTranscript ?? directoryId(payload);
}

/** Two deliveries of one event carry one timestamp; a call that is repeated carries another. */
function dedupeKeyOf(happening: Happening, call: CallEvent): string | null {
	switch (happening.kind) {
		case 'tool-call':
			return keyOf(call.sessionId, identityOf('call', call));
		case 'tool-result':
			return keyOf(call.sessionId, identityOf('result', call));
		case 'prompt':
			return keyOf(call.sessionId, call.timestamp && `prompt:${call.timestamp}:${digest(happening.text)}`);
		default:
			return null;
	}
}

function keyOf(sessionId: string, identity: string | null): string | null {
	return identity === null ? null : `${sessionId}\n${identity}`;
}

function sessionEnd(payload: Payload, { sessionId }: CallEvent, pairing: CallPairing): Happening {
	pairing.forget(sessionId);
	return { kind: 'session-end', reason: textField(payload, 'reason') ?? '' };
}

function prompt(payload: Payload, { sessionId }: CallEvent, pairing: CallPairing): Happening {
	pairing.settle(sessionId);
	// What a hook of SessionStart said stands before the person's words.
	const text = (textField(payload, 'prompt') ?? '').replace(
		/^(?:<hook_context>[\s\S]*?<\/hook_context>\s*)+/,
		'',
	);
	return { kind: 'prompt', text: shorten(text, LONGEST_TEXT) };
}

function turnEnd(payload: Payload, { sessionId }: CallEvent, pairing: CallPairing): Happening {
	pairing.settle(sessionId);
	const text = textField(payload, 'prompt_response') ?? '';
	return { kind: 'turn-end', message: text === '[no response text]' ? '' : shorten(text, LONGEST_TEXT) };
}

function toolCall(payload: Payload, call: CallEvent, pairing: CallPairing): Happening {
	return { kind: 'tool-call', callId: pairing.started(call), ...knownCall(payload) };
}

function toolResult(payload: Payload, call: CallEvent, pairing: CallPairing): Happening {
	const { tool, input } = knownCall(payload);
	const response = field(payload, 'tool_response');
	const outcome = outcomeOf(response, call.tool === SHELL_TOOL);
	return {
		kind: 'tool-result',
		callId: pairing.ended(call),
		tool,
		input,
		...outcome,
		durationMs: null,
		changedFile: writesFile(tool) && !outcome.failed ? changedFile(input, response) : null,
	};
}

/** The input may name it relative to the work tree. */
function changedFile(input: unknown, response: unknown): string | null {
	return textField(field(response, 'returnDisplay'), 'filePath') ?? textField(input, 'file_path');
}

function notification(payload: Payload): Happening {
	if (textField(payload, 'notification_type') !== 'ToolPermission') return OTHER;
	const details = field(payload, 'details');
	const told = (name: string) => textField(details, name);
	switch (told('type')) {
		case 'exec':
			return permission('run', told('command') ?? told('rootCommand'), payload);
		case 'edit':
			return permission('edit', told('filePath') ?? told('fileName'), payload);
		case 'mcp':
			return permission('use', told('toolDisplayName') ?? told('toolName'), payload);
		case 'info':
			return permission('look up', told('prompt'), payload);
		case 'ask_user':
		case 'exit_plan_mode':
			return waiting('question', told('title') ?? 'asks a question');
		default:
			return permission('use', null, payload);
	}
}

function permission(verb: string, object: string | null, payload: Payload): Happening {
	const message = textField(payload, 'message') ?? 'asks for a permission';
	return waiting('permission', object === null ? message : `wants to ${verb} \`${oneLine(object)}\``);
}

function waiting(on: WaitingKind, text: string): Happening {
	return { kind: 'waiting', on, message: oneLine(text) };
}
