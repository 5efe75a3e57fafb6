/**
 * Codex's dialect. Events and fields: developers.openai.com/codex/hooks and codex-rs/hooks/schema/generated; what the
 * program really sends and obeys was measured with codex-cli 0.171.0 (replies: codex-reply.ts).
 */
import type { FloorEvent, Happening, ToolResult } from '../floor/events.ts';
import { resultText } from './claude-code-result.ts';
import { claudeShapedContext } from './claude-shaped.ts';
import { codexReplies } from './codex-reply.ts';
import { codexCall, objectOf } from './codex-tools.ts';
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
} from './payload-fields.ts';

const CLIENT = 'codex';

export const codexDialect: Dialect = { client: CLIENT, ...codexReplies, parse };

type Reader = (payload: Payload) => Happening;

const OTHER: Happening = { kind: 'other' };

/** Events that say something to the floor. All others, known or not, are `other`: a sign of life. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	// Source "compact" comes after PostCompact.
	['SessionStart', (payload) => ({ kind: 'session-start', source: textField(payload, 'source') ?? '' })],
	['SessionEnd', (payload) => ({ kind: 'session-end', reason: textField(payload, 'reason') ?? '' })],
	['UserPromptSubmit', prompt],
	['PreToolUse', (payload) => ({ kind: 'tool-call', ...callOf(payload) })],
	['PostToolUse', toolResult],
	['PermissionRequest', permissionRequest],
	['Stop', turnEnd],
	// A person pressed Esc, or a hook ended the turn: either way it is over.
	['Interrupt', () => ({ kind: 'turn-end', message: '' })],
	// In the sources since mid 2026, not yet in a release that was measured.
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

const ROLLOUT = /rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl/i;

/** `session_id`, else the id in the rollout's name, else the directory, else "unattributed". */
function sessionIdOf(payload: Payload): string {
	const told = idField(payload, 'session_id');
	if (told !== null) return told;
	// Inside a subagent the rollout is the subagent's: its id would make it an agent of its own.
	const isOwn = idField(payload, 'agent_id') === null;
	const rollout = isOwn ? ROLLOUT.exec((textField(payload, 'transcript_path') ?? '').slice(-500)) : null;
	return rollout?.[1]?.toLowerCase() ?? directoryId(payload);
}

/** The same happening delivered twice (two installations, a retry) has the same key. */
function dedupeKeyOf(sessionId: string, happening: Happening, payload: Payload): string | null {
	const turn = idField(payload, 'turn_id');
	switch (happening.kind) {
		case 'tool-call':
		case 'tool-result':
			// Providers other than OpenAI's count their calls anew in each turn.
			return happening.callId === null ? null : keyOf(sessionId, happening.kind, turn, happening.callId);
		case 'prompt':
			return turn === null ? null : keyOf(sessionId, 'prompt', turn, digest(rawPrompt(payload)));
		case 'subagent-start':
		case 'subagent-end': {
			// A subagent can be given more to do: another turn.
			const agentId = idField(payload, 'agent_id');
			return agentId === null ? null : keyOf(sessionId, happening.kind, agentId, turn);
		}
		default:
			return null;
	}
}

function keyOf(...parts: readonly (string | null)[]): string {
	return parts.map((part) => part ?? '').join('\n');
}

function prompt(payload: Payload): Happening {
	// What a subagent is told to do comes from its agent. Nobody spoke: it must not count as progress.
	if (idField(payload, 'agent_id') !== null) return OTHER;
	return { kind: 'prompt', text: shorten(rawPrompt(payload), LONGEST_TEXT) };
}

function rawPrompt(payload: Payload): string {
	return textField(payload, 'prompt') ?? '';
}

function callOf(payload: Payload): Pick<ToolResult, 'callId' | 'tool' | 'input'> {
	const { tool, input } = codexCall(payload);
	return { callId: idField(payload, 'tool_use_id'), tool, input };
}

/** How `apply_patch` answers; the time it took must not make two equal answers differ. */
const MEASURED = /^Exit code: (-?\d+)\nWall time: [^\n]*\n(?:Output:\n)?/;

/** A shell's result does not say how it ended, so it never counts as failed. */
function toolResult(payload: Payload): Happening {
	const { tool, input, file } = codexCall(payload);
	const response = field(payload, 'tool_response');
	const text = resultText(response);
	const measured = tool === 'Edit' || tool === 'Write' ? MEASURED.exec(text ?? '') : null;
	const failed =
		field(response, 'isError') === true || (measured?.[1] !== undefined && Number(measured[1]) !== 0);
	const said = measured ? text?.slice(measured[0].length) : text;
	return {
		kind: 'tool-result',
		callId: idField(payload, 'tool_use_id'),
		tool,
		input,
		result: said === undefined ? undefined : shorten(said, LONGEST_RESULT),
		failed,
		interrupted: false,
		durationMs: null,
		changedFile: failed ? null : file,
	};
}

function permissionRequest(payload: Payload): Happening {
	const call = codexCall(payload);
	const object = objectOf(call);
	const wish =
		object === null
			? `wants to use ${call.tool}`
			: `wants to ${textField(call.input, 'command') === null ? 'use' : 'run'} ${call.tool} \`${oneLine(object)}\``;
	const why = textField(field(payload, 'tool_input'), 'description');
	return {
		kind: 'waiting',
		on: 'permission',
		message: why === null ? wish : `${wish}: ${oneLine(why)}`,
	};
}

function turnEnd(payload: Payload): Happening {
	return { kind: 'turn-end', message: message(payload, 'last_assistant_message') };
}

function turnFailed(payload: Payload): Happening {
	const error = textField(payload, 'error') ?? 'unknown';
	return {
		kind: 'turn-failed',
		// The agent's own making; everything else is the provider's.
		blame: error === 'invalid_request' ? 'agent' : 'provider',
		error: oneLine(error),
		message: message(payload, 'last_assistant_message') || message(payload, 'error_details'),
	};
}

function message(payload: Payload, name: string): string {
	return shorten(textField(payload, name) ?? '', LONGEST_TEXT);
}
