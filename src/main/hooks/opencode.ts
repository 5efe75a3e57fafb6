/**
 * opencode's dialect: what the floor's plugin (install/opencode-plugin.ts) tells of opencode's hooks and events, under
 * opencode's own names but for `session.seen`, `session.compacting`, `session.end`, `tool.execute.error` and `hello`.
 * Shapes as 1.18.33 sends them; docs: opencode.ai/docs/plugins. Replies: opencode-reply.ts.
 *
 * A subagent is a session of its own whose `parentID` leads to `rootID`, the agent's. A failed turn is told twice, as an
 * error and as idle; an aborted one as idle twice: the first of them counts.
 */
import type { EventContext, FloorEvent, Happening, ToolResult } from '../floor/events.ts';
import { resultText } from './claude-code-result.ts';
import type { Dialect, DialectContext, Payload } from './dialect.ts';
import { retryErrorOf, sessionErrorOf } from './opencode-error.ts';
import { opencodeReplies } from './opencode-reply.ts';
import { fileWrittenBy, opencodeCall } from './opencode-tools.ts';
import { opencodeUsage } from './opencode-usage.ts';
import {
	directoryId,
	field,
	idField,
	LONGEST_RESULT,
	LONGEST_TEXT,
	oneLine,
	shorten,
	textField,
} from './payload-fields.ts';

const CLIENT = 'opencode';

/** Sessions whose turn is over that are remembered; the oldest are forgotten first. */
const KEPT = 2_000;

/** Remembers sessions: each floor, and each replay, has its own. */
export function createOpencodeDialect(): Dialect {
	const ended = new Set<string>();
	return {
		client: CLIENT,
		...opencodeReplies,
		parse: (eventName, payload, context) => parse(ended, eventName, payload, context),
		usageOf: opencodeUsage,
	};
}

type Reader = (payload: Payload) => Happening;

const OTHER: Happening = { kind: 'other' };

/** Of an agent; all others, known or not, are `other`: a sign of life. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	['session.seen', (payload) => ({ kind: 'session-start', source: textField(payload, 'source') ?? '' })],
	['session.end', () => ({ kind: 'session-end', reason: 'exit' })],
	['session.deleted', () => ({ kind: 'session-end', reason: 'deleted' })],
	['chat.message', prompt],
	[
		'tool.execute.before',
		(payload) => ({ kind: 'tool-call', callId: idField(payload, 'callID'), ...opencodeCall(payload) }),
	],
	['tool.execute.after', succeeded],
	['tool.execute.error', failed],
	['permission.asked', permissionAsked],
	[
		'question.asked',
		(payload) => ({ kind: 'waiting', on: 'question', message: shortened(payload, 'question') }),
	],
	['session.idle', () => ({ kind: 'turn-end', message: '' })],
	['session.error', turnFailed],
	['session.status', retrying],
	['session.compacting', () => ({ kind: 'compact-start' })],
	['session.compacted', () => ({ kind: 'compact-end' })],
]);

/** Of a subagent, where they mean something else. */
const subagentReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	['session.seen', () => ({ kind: 'subagent-start' })],
	['session.idle', () => ({ kind: 'subagent-end' })],
	['session.deleted', () => ({ kind: 'subagent-end' })],
	// What it is told to do comes from its agent. Nobody spoke: it must not count as progress.
	['chat.message', () => OTHER],
	// The agent's turn goes on, and reads of it as the result of its task.
	['session.error', (payload) => subagentFailed(payload)],
	['session.compacting', () => OTHER],
	['session.compacted', () => OTHER],
]);

function parse(ended: Set<string>, eventName: string, payload: Payload, context: DialectContext): FloorEvent {
	const own = idField(payload, 'sessionID');
	const root = idField(payload, 'rootID') ?? idField(payload, 'parentID') ?? own;
	const isSubagent = own !== null && root !== own;
	const sessionId = root ?? directoryId(payload);
	const reader = (isSubagent ? subagentReaders.get(eventName) : undefined) ?? readers.get(eventName);
	const told = reader?.(payload) ?? OTHER;
	const delivery = idField(payload, 'delivery');
	const common: EventContext = {
		at: context.at,
		client: CLIENT,
		name: eventName,
		sessionId,
		subagentId: isSubagent ? own : null,
		subagentType: isSubagent ? textField(payload, 'agent') : null,
		directory: textField(payload, 'directory'),
		// Sessions lie in a database of all of them.
		transcriptPath: null,
		model: textField(payload, 'model'),
		process: context.process,
		dedupeKey: delivery === null ? null : [sessionId, eventName, delivery].join('\n'),
	};
	return { ...common, ...(isSubagent ? told : onceEnded(ended, sessionId, told)) };
}

/** The end of a turn that is over already says nothing new, and would hide why it ended. */
function onceEnded(ended: Set<string>, sessionId: string, told: Happening): Happening {
	switch (told.kind) {
		case 'turn-end':
		case 'turn-failed':
			if (ended.has(sessionId)) return OTHER;
			ended.add(sessionId);
			forgetOldest(ended);
			return told;
		case 'prompt':
		case 'tool-call':
		case 'provider-trouble':
			ended.delete(sessionId);
			return told;
		default:
			return told;
	}
}

function forgetOldest(ended: Set<string>): void {
	const oldest = ended.values().next();
	if (ended.size > KEPT && !oldest.done) ended.delete(oldest.value);
}

/** Without words it is the program's own: a compaction that goes on, a command that a file holds. */
function prompt(payload: Payload): Happening {
	const text = textField(payload, 'prompt');
	return text === null ? OTHER : { kind: 'prompt', text: shorten(text, LONGEST_TEXT) };
}

function succeeded(payload: Payload): ToolResult {
	const call = opencodeCall(payload);
	const text = resultText(field(payload, 'output') ?? field(payload, 'content'));
	const exit = field(payload, 'exit');
	const isFailure =
		field(payload, 'isError') === true ||
		// Its call was answered with what is wrong with it.
		textField(payload, 'tool') === 'invalid' ||
		(typeof exit === 'number' && exit !== 0);
	return {
		kind: 'tool-result',
		callId: idField(payload, 'callID'),
		...call,
		result: text === undefined ? undefined : shorten(text, LONGEST_RESULT),
		failed: isFailure,
		interrupted: false,
		durationMs: null,
		changedFile: isFailure ? null : fileWrittenBy(call),
	};
}

/** A person said no, or the turn was broken off: not the agent's error. */
const NOT_ITS_OWN = /^(?:The user (?:rejected|dismissed)|Tool execution aborted|Task cancelled)/;

function failed(payload: Payload): ToolResult {
	const error = textField(payload, 'error');
	return {
		kind: 'tool-result',
		callId: idField(payload, 'callID'),
		...opencodeCall(payload),
		result: error === null ? undefined : shorten(error, LONGEST_RESULT),
		failed: !NOT_ITS_OWN.test(error ?? ''),
		interrupted: false,
		durationMs: null,
		changedFile: null,
	};
}

function permissionAsked(payload: Payload): Happening {
	const patterns = field(payload, 'patterns');
	const what =
		textField(payload, 'command') ?? (Array.isArray(patterns) ? patterns.filter(isText).join(', ') : '');
	const permission = oneLine(textField(payload, 'permission') ?? 'a tool');
	const message =
		what === '' ? `wants to use ${permission}` : `wants to use ${permission}: \`${oneLine(what)}\``;
	return { kind: 'waiting', on: 'permission', message };
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function turnFailed(payload: Payload): Happening {
	const told = field(payload, 'error');
	// A person pressed Esc, or the floor stopped it: either way it is over.
	if (textField(told, 'name') === 'MessageAbortedError') return { kind: 'turn-end', message: '' };
	const { error, blame, message } = sessionErrorOf(told);
	return { kind: 'turn-failed', blame, error: oneLine(error), message: shorten(message, LONGEST_TEXT) };
}

function subagentFailed(payload: Payload): Happening {
	const told = field(payload, 'error');
	const { error, blame, message, status } = sessionErrorOf(told);
	if (blame === 'agent' || textField(told, 'name') === 'MessageAbortedError') return OTHER;
	return { kind: 'provider-trouble', error: oneLine(error), message: shorten(message, LONGEST_TEXT), status };
}

function retrying(payload: Payload): Happening {
	const told = field(payload, 'status');
	if (field(told, 'type') !== 'retry') return OTHER;
	const { error, message, status } = retryErrorOf(told);
	return { kind: 'provider-trouble', error, message: shorten(message, LONGEST_TEXT), status };
}

function shortened(payload: Payload, name: string): string {
	return shorten(textField(payload, name) ?? '', LONGEST_TEXT);
}
