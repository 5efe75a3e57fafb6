/** Which events of Claude Code the floor asks for, and the handler that each of them gets. */
import { type FloorAddress, refuseUnwritable } from './floor-address.ts';
import { forwarderHandler, isForwarder } from './forwarder.ts';
import type { DesiredHook, Handler } from './hook-settings.ts';

export type { DesiredHook, Handler } from './hook-settings.ts';

/** Where the hooks live and whom they call; hooks are also removed that carry another token. */
export interface ClaudeHookTarget extends FloorAddress {
	/** The settings file to edit. */
	readonly file: string;
}

/**
 * The events that tell the floor something it acts on or shows. Left out: what fires for every message
 * (MessageDisplay), and what only a watched file or a team would need. All are known to Claude Code since April 2026
 * (PostToolBatch is the youngest). A newer one must not be added lightly: a version that does not know an event stops
 * every interactive start with a warning that the person has to answer (measured with 2.1.197).
 */
export const HTTP_EVENTS = [
	'UserPromptSubmit',
	'PreToolUse',
	'PermissionRequest',
	'PostToolUse',
	'PostToolUseFailure',
	// Halts after failures and denials too, and is the only event of a call that the client itself refused.
	'PostToolBatch',
	'Notification',
	'Elicitation',
	'ElicitationResult',
	'SubagentStart',
	'SubagentStop',
	'Stop',
	'StopFailure',
	'PreCompact',
	'PostCompact',
	'CwdChanged',
] as const;

/**
 * The events that go through the forwarder. SessionStart: `http` handlers of it are skipped. SessionEnd: when the
 * floor is down, an `http` handler of it prints an error on the terminal that the session leaves (measured).
 */
export const COMMAND_EVENTS = ['SessionStart', 'SessionEnd'] as const;

/** Seconds before Claude Code goes on without an answer. The floor answers in milliseconds. */
const TIMEOUT_SECONDS = 5;
/**
 * Before a tool the operator may have to be asked for their consent, which takes a person's time. The URL says how
 * long, so that the floor answers before the client goes on without an answer.
 */
const CONSENT_SECONDS = 60;
/** All SessionEnd hooks share a budget of 1.5 s, which the longest timeout stretches: just what the forwarder takes. */
const SESSION_END_TIMEOUT_SECONDS = 2;

const HOOK_PATH = '/hooks/claude-code/';

/**
 * One handler per event, without a matcher: every tool and every kind.
 * @throws RangeError for a base URL or a token that cannot be written into a header, a URL and a shell line as it is.
 */
export function desiredHooks(
	target: ClaudeHookTarget,
	platform: NodeJS.Platform,
	authorizationFile: string,
): DesiredHook[] {
	refuseUnwritable(target);
	const urlOf = (event: string) => `${target.baseUrl}${HOOK_PATH}${event}`;
	const commands = COMMAND_EVENTS.map((event): DesiredHook => {
		const forwarder = forwarderHandler(platform, { url: urlOf(event), authorizationFile });
		const timeout = event === 'SessionEnd' ? SESSION_END_TIMEOUT_SECONDS : TIMEOUT_SECONDS;
		return { event, handler: { type: 'command', ...forwarder, timeout } };
	});
	const headers = { Authorization: `Bearer ${target.agentToken}` };
	const http = HTTP_EVENTS.map((event): DesiredHook => {
		const url = urlOf(event);
		if (event !== 'PreToolUse')
			return { event, handler: { type: 'http', url, timeout: TIMEOUT_SECONDS, headers } };
		return {
			event,
			handler: { type: 'http', url: within(url, CONSENT_SECONDS), timeout: CONSENT_SECONDS, headers },
		};
	});
	return [...commands, ...http];
}

/** True for a handler of ours, of whatever installation, port and version. */
export function isOurs(handler: Handler): boolean {
	if (handler.type === 'http') return typeof handler.url === 'string' && isOurUrl(handler.url);
	return handler.type === 'command' && typeof handler.command === 'string' && isForwarder(handler.command);
}

function isOurUrl(text: string): boolean {
	const url = URL.parse(text);
	return (
		url !== null &&
		['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) &&
		url.pathname.startsWith(HOOK_PATH)
	);
}

/** True when `handler` calls the right floor with the right token; its timeout and extra fields are the person's. */
export function callsAsDesired(handler: Handler, desired: Handler): boolean {
	if (handler.type !== desired.type) return false;
	if (desired.type === 'command') {
		return handler.command === desired.command && handler.shell === desired.shell;
	}
	return (
		handler.url === ownUrl(handler, desired) &&
		authorizationOf(handler.headers) === authorizationOf(desired.headers)
	);
}

/** The header that carries the token, whatever it holds. */
export function authorizationOf(headers: unknown): unknown {
	return typeof headers === 'object' && headers !== null && 'Authorization' in headers
		? headers.Authorization
		: undefined;
}

/** `handler` made to call as desired, keeping what the person added to it. */
export function brought(handler: Handler, desired: Handler): Handler {
	if (handler.type !== desired.type) return desired;
	const headers = { ...fieldsOf(handler.headers), ...fieldsOf(desired.headers) };
	return {
		...handler,
		...desired,
		...(keepsTimeout(handler, desired) ? { timeout: handler.timeout } : {}),
		...(desired.type === 'http' ? { url: ownUrl(handler, desired), headers } : {}),
	};
}

/** A person's own timeout is kept and the URL says it; one of ours from before there was consent is not. */
function keepsTimeout(handler: Handler, desired: Handler): boolean {
	if (typeof handler.timeout !== 'number') return false;
	return (
		withinOf(desired.url) === null || withinOf(handler.url) !== null || handler.timeout !== TIMEOUT_SECONDS
	);
}

/** The desired URL with the timeout that this handler has. */
function ownUrl(handler: Handler, desired: Handler): unknown {
	if (typeof desired.url !== 'string' || withinOf(desired.url) === null) return desired.url;
	return keepsTimeout(handler, desired) ? within(desired.url, Number(handler.timeout)) : desired.url;
}

function within(url: string, seconds: number): string {
	return `${url.split('?')[0]}?within=${seconds}`;
}

function withinOf(url: unknown): string | null {
	return typeof url === 'string' ? (URL.parse(url)?.searchParams.get('within') ?? null) : null;
}

function fieldsOf(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? { ...value } : {};
}
