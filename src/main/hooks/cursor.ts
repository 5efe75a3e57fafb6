/**
 * Cursor's dialect, by its public description (cursor.com/docs/agent/hooks): the program runs only with an account, so
 * that none of this was measured.
 *
 * Cursor tells of a command twice, by preToolUse and by beforeShellExecution, and of a call of an MCP server and a file
 * that is read as well. The second has no id of the call: it says nothing to the floor, so that no call counts twice.
 */
import type { EventContext, FloorEvent, Happening } from '../floor/events.ts';
import { resultText } from './claude-code-result.ts';
import { cursorReplies } from './cursor-reply.ts';
import { fileWrittenBy, knownCall, parsed } from './cursor-tools.ts';
import type { Dialect, DialectContext, Payload } from './dialect.ts';
import {
	digest,
	directoryId,
	field,
	idField,
	LONGEST_RESULT,
	LONGEST_TEXT,
	shorten,
	textField,
} from './payload-fields.ts';

const CLIENT = 'cursor';

export const cursorDialect: Dialect = { client: CLIENT, ...cursorReplies, parse };

const OTHER: Happening = { kind: 'other' };

type Reader = (payload: Payload) => Happening;

/** Events that say something to the floor. All others, known or not, are `other`: a sign of life. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	['sessionStart', () => ({ kind: 'session-start', source: '' })],
	['sessionEnd', (payload) => ({ kind: 'session-end', reason: textField(payload, 'reason') ?? '' })],
	['beforeSubmitPrompt', (payload) => ({ kind: 'prompt', text: words(payload, 'prompt') })],
	['preToolUse', (payload) => ({ kind: 'tool-call', callId: callIdOf(payload), ...callOf(payload) })],
	['postToolUse', succeeded],
	['postToolUseFailure', failed],
	['afterFileEdit', fileChanged],
	['stop', turnEnd],
	// preCompact: nothing tells the end of a compaction, so that its beginning cannot be used.
]);

function parse(eventName: string, payload: Payload, context: DialectContext): FloorEvent {
	const happening = readers.get(eventName)?.(payload) ?? OTHER;
	const sessionId =
		idField(payload, 'conversation_id') ??
		idField(payload, 'session_id') ??
		directoryId({ cwd: directoryOf(payload) });
	const common: EventContext = {
		at: context.at,
		client: CLIENT,
		name: eventName,
		sessionId,
		subagentId: null,
		subagentType: null,
		directory: directoryOf(payload),
		transcriptPath: textField(payload, 'transcript_path'),
		model: textField(payload, 'model'),
		// It is that of the editor, with all its windows and agents: nothing that one agent's stop may end.
		process: null,
		dedupeKey: dedupeKeyOf(sessionId, happening, payload),
	};
	return { ...common, ...happening };
}

/** The project, not the directory that a command runs in. */
function directoryOf(payload: Payload): string | null {
	const roots = field(payload, 'workspace_roots');
	const root = Array.isArray(roots) ? textField({ root: roots[0] }, 'root') : null;
	return root ?? textField(payload, 'cwd');
}

/** The same happening delivered twice (the user's and a project's hooks) has the same key. */
function dedupeKeyOf(sessionId: string, happening: Happening, payload: Payload): string | null {
	switch (happening.kind) {
		case 'tool-call':
		case 'tool-result':
			return happening.callId && [sessionId, happening.kind, happening.callId].join('\n');
		case 'prompt': {
			const generation = idField(payload, 'generation_id');
			return generation && [sessionId, 'prompt', generation, digest(happening.text)].join('\n');
		}
		default:
			return null;
	}
}

function callIdOf(payload: Payload): string | null {
	return idField(payload, 'tool_use_id');
}

function callOf(payload: Payload) {
	return knownCall(payload, directoryOf(payload));
}

/** `tool_output` is JSON text: of a command `{"exitCode", "stdout", …}`. */
function succeeded(payload: Payload): Happening {
	const output = parsed(field(payload, 'tool_output'));
	const exitCode = field(output, 'exitCode');
	const isFailure = typeof exitCode === 'number' && exitCode !== 0;
	const text = resultText(output);
	const call = callOf(payload);
	return {
		kind: 'tool-result',
		callId: callIdOf(payload),
		...call,
		result:
			text === undefined
				? undefined
				: shorten(isFailure ? `${text}\nExit Code: ${exitCode}` : text, LONGEST_RESULT),
		failed: isFailure,
		interrupted: false,
		durationMs: durationOf(payload),
		changedFile: isFailure ? null : fileWrittenBy(call),
	};
}

function failed(payload: Payload): Happening {
	const text = textField(payload, 'error_message') ?? textField(payload, 'failure_type');
	return {
		kind: 'tool-result',
		callId: callIdOf(payload),
		...callOf(payload),
		result: text === null ? undefined : shorten(text, LONGEST_RESULT),
		failed: true,
		interrupted: field(payload, 'is_interrupt') === true,
		durationMs: durationOf(payload),
		changedFile: null,
	};
}

function durationOf(payload: Payload): number | null {
	const duration = field(payload, 'duration');
	return typeof duration === 'number' && Number.isFinite(duration) && duration >= 0 ? duration : null;
}

function fileChanged(payload: Payload): Happening {
	const path = textField(payload, 'file_path');
	return path === null ? OTHER : { kind: 'file-changed', path };
}

/** `completed`, `aborted` (by the person) or `error`, of which no more is told: it is nobody's fault that the floor knows. */
function turnEnd(payload: Payload): Happening {
	if (textField(payload, 'status') !== 'error') return { kind: 'turn-end', message: '' };
	return { kind: 'turn-failed', blame: 'provider', error: 'error', message: words(payload, 'error_message') };
}

function words(payload: Payload, name: string): string {
	return shorten(textField(payload, name) ?? '', LONGEST_TEXT);
}
