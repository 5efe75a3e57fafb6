/** Who calls: client, session and subagent, read from what the client says about itself. Pure; all of it untrusted. */
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from './protocol.ts';

export interface CallerSession {
	/** As in hooks: "claude-code", "codex" … */
	readonly client: string;
	readonly sessionKey: string;
	/** False: it names neither session nor label, so its key is shared by all programs of its kind. */
	readonly isAttributed: boolean;
	/** Set inside a subagent; it belongs to the session's agent. */
	readonly subagentId: string | null;
	/** What people call it while the floor knows no better name. */
	readonly name: string;
}

const KEY_LIMIT = 200;
const clients: readonly (readonly [RegExp, string])[] = [
	[/^claude[-_ ]?(?:cli|code)/i, 'claude-code'],
	[/^codex/i, 'codex'],
	[/copilot/i, 'copilot-cli'],
	[/^gemini/i, 'gemini-cli'],
	[/^qwen/i, 'qwen-code'],
	[/opencode/i, 'opencode'],
];
/** In order of how surely they name a session. */
const sessionHeaders = [
	'x-claude-code-session-id',
	'x-agent-floor-session',
	'session-id',
	'session_id',
	'x-session-id',
	'conversation_id',
	'conversation-id',
] as const;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

export function clientOf(userAgent: string | undefined): string {
	const known = clients.find(([pattern]) => pattern.test(userAgent ?? ''));
	if (known) return known[1];
	return /^[\w.-]{1,40}/.exec(userAgent ?? '')?.[0].toLowerCase() ?? 'unknown';
}

export function sessionOf(
	headers: IncomingHttpHeaders,
	body: JsonObject,
	label: string | null,
): CallerSession {
	// Programs built on a client's SDK have a name of their own; the session is that client's all the same.
	const isClaude = text(headers['x-claude-code-session-id']) !== null;
	const client = isClaude ? 'claude-code' : clientOf(headers['user-agent']);
	const subagentId = text(headers['x-claude-code-agent-id']);
	const told = toldSession(headers) ?? sessionInBody(body);
	const name = label ?? (told === null ? `unattributed ${client}` : `${client} ${told.slice(0, 8)}`);
	const isAttributed = label !== null || told !== null;
	return { client, subagentId, sessionKey: told ?? name, isAttributed, name };
}

function toldSession(headers: IncomingHttpHeaders): string | null {
	for (const name of sessionHeaders) {
		const value = text(headers[name]);
		if (value !== null) return value;
	}
	return null;
}

/** Only what has the form of a session: both fields are also used for cache shards and for accounts. */
function sessionInBody(body: JsonObject): string | null {
	const key = uuid.exec(text(body.prompt_cache_key) ?? '');
	if (key) return key[0];
	const { metadata } = body;
	if (typeof metadata !== 'object' || metadata === null || !('user_id' in metadata)) return null;
	const user = typeof metadata.user_id === 'string' ? metadata.user_id : '';
	// "user_…_account_…_session_<uuid>", in newer versions JSON with a session_id.
	return /session(?:_id)?["':\s_]+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i.exec(user)?.[1] ?? null;
}

function text(value: unknown): string | null {
	const given = Array.isArray(value) ? value[0] : value;
	if (typeof given !== 'string') return null;
	const trimmed = given.trim().slice(0, KEY_LIMIT);
	return trimmed === '' ? null : trimmed;
}
