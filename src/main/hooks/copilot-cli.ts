/**
 * Copilot CLI's dialect. Events and fields: docs.github.com (Copilot, hooks reference) and the types of
 * `@github/copilot-sdk`; what the program really sends and obeys was measured with Copilot CLI 1.0.102 (replies:
 * copilot-cli-reply.ts). The event's name stands nowhere in the payload, and no call has an id.
 */
import type { EventContext, FloorEvent, Happening, ToolResult, WaitingKind } from '../floor/events.ts';
import { modelErrorOf } from './copilot-cli-error.ts';
import { copilotCliReplies } from './copilot-cli-reply.ts';
import { outcomeOf } from './copilot-cli-result.ts';
import { CopilotSessions } from './copilot-cli-sessions.ts';
import { callOf, fileWrittenBy, isOfShell } from './copilot-cli-tools.ts';
import type { Dialect, DialectContext, Payload } from './dialect.ts';
import {
	digest,
	field,
	jsonText,
	LONGEST_RESULT,
	LONGEST_TEXT,
	oneLine,
	shorten,
	textField,
} from './payload-fields.ts';

const CLIENT = 'copilot-cli';

/** Remembers which session each subagent works for; two of them know nothing of each other. */
export function createCopilotCliDialect(): Dialect {
	const sessions = new CopilotSessions();
	return {
		client: CLIENT,
		...copilotCliReplies,
		parse: (eventName, payload, context) => parse(sessions, eventName, payload, context),
	};
}

type Reader = (payload: Payload) => Happening;

const OTHER: Happening = { kind: 'other' };

/** Events that say something to the floor. All others, known or not, are `other`: a sign of life. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	['sessionStart', (payload) => ({ kind: 'session-start', source: textField(payload, 'source') ?? '' })],
	['sessionEnd', (payload) => ({ kind: 'session-end', reason: textField(payload, 'reason') ?? '' })],
	['userPromptSubmitted', prompt],
	['preToolUse', (payload) => ({ kind: 'tool-call', callId: null, ...callOf(payload) })],
	['postToolUse', succeeded],
	['postToolUseFailure', (payload) => failed(payload, field(payload, 'error'))],
	['notification', notification],
	['agentStop', () => ({ kind: 'turn-end', message: '' })],
	['errorOccurred', errorOccurred],
	// Nothing tells when a compaction is over, and the agent works on meanwhile. Told as its end, it earns the grace
	// that a compaction gets, and no card says "compacting" for ever.
	['preCompact', () => ({ kind: 'compact-end' })],
	['subagentStart', () => ({ kind: 'subagent-start' })],
	['subagentStop', () => ({ kind: 'subagent-end' })],
	// permissionRequest is `other`: it comes with every command, also where nobody is asked because all is allowed.
	// When somebody is, a notification says so.
]);

function parse(
	sessions: CopilotSessions,
	eventName: string,
	payload: Payload,
	context: DialectContext,
): FloorEvent {
	const happening = readers.get(eventName)?.(payload) ?? OTHER;
	const origin = sessions.originOf(payload);
	const common: EventContext = {
		at: context.at,
		client: CLIENT,
		name: eventName,
		...origin,
		subagentType: textField(payload, 'agentType'),
		directory: textField(payload, 'cwd'),
		transcriptPath: textField(payload, 'transcriptPath'),
		model: textField(payload, 'model'),
		process: context.process,
		dedupeKey: dedupeKeyOf(origin, eventName, payload),
	};
	return { ...common, ...happening };
}

/**
 * Two installations (user and project) are told of one happening with one `timestamp`, in milliseconds. That is no
 * identity of a call: it never pairs a call with its result.
 */
function dedupeKeyOf(
	{ sessionId, subagentId }: { readonly sessionId: string; readonly subagentId: string | null },
	eventName: string,
	payload: Payload,
): string | null {
	const timestamp = field(payload, 'timestamp');
	if (typeof timestamp !== 'number' || !Number.isFinite(timestamp)) return null;
	const about = ['toolName', 'toolArgs', 'prompt', 'error', 'message'].map((name) => field(payload, name));
	return [sessionId, subagentId ?? '', eventName, timestamp, digest(jsonText(about) ?? '')].join('\n');
}

/** What the program says to its model in a person's place: nobody spoke, so it must not count as progress. */
const OWN_PROMPTS =
	/^\s*(?:<system_notification>|You have not yet marked the task as complete using the task_complete tool)/;

function prompt(payload: Payload): Happening {
	const text = textField(payload, 'prompt') ?? '';
	// A subagent's prompt is the agent's doing.
	if (textField(payload, 'agentId') !== null || OWN_PROMPTS.test(text)) return OTHER;
	return { kind: 'prompt', text: shorten(text, LONGEST_TEXT) };
}

function succeeded(payload: Payload): ToolResult {
	const call = callOf(payload);
	const { text, failed } = outcomeOf(payload, isOfShell(payload));
	return {
		kind: 'tool-result',
		callId: null,
		...call,
		result: text === undefined ? undefined : shorten(text, LONGEST_RESULT),
		failed,
		interrupted: false,
		durationMs: null,
		changedFile: failed ? null : fileWrittenBy(call),
	};
}

function failed(payload: Payload, error: unknown): ToolResult {
	const text = typeof error === 'string' ? error : textField(error, 'message');
	return {
		kind: 'tool-result',
		callId: null,
		...callOf(payload),
		result: text === null ? undefined : shorten(text, LONGEST_RESULT),
		failed: true,
		interrupted: false,
		durationMs: null,
		changedFile: null,
	};
}

const NOTIFICATIONS: ReadonlyMap<string, WaitingKind> = new Map<string, WaitingKind>([
	['permission_prompt', 'permission'],
	['elicitation_dialog', 'question'],
	// agent_idle and agent_completed tell of subagents, shell_completed of commands in the background.
]);

function notification(payload: Payload): Happening {
	const on = NOTIFICATIONS.get(textField(payload, 'notification_type') ?? '');
	if (on === undefined) return OTHER;
	const text = textField(payload, 'message') ?? textField(payload, 'title') ?? '';
	return { kind: 'waiting', on, message: shorten(text, LONGEST_TEXT) };
}

function errorOccurred(payload: Payload): Happening {
	const told = field(payload, 'error');
	switch (field(payload, 'errorContext')) {
		case 'model_call': {
			const { error, blame, message } = modelErrorOf(told);
			return {
				kind: 'turn-failed',
				blame,
				error: oneLine(error),
				message: shorten(message, LONGEST_TEXT),
			};
		}
		case 'tool_execution':
			return failed(payload, told);
		default:
			// The program's own faults and a person's typing errors are neither the agent's nor the provider's.
			return OTHER;
	}
}
