/** Which events of Copilot CLI the floor asks for, and the handler that each of them gets. */
import { forwardTimeout } from './forward-deadlines.ts';
import { forwardCommand } from './forward-program.ts';
import type { DesiredHook, Handler } from './hook-settings.ts';

/** Where the hooks live and whose forwarder they run. */
export interface CopilotHookTarget {
	/** The hooks file, which is the floor's own. */
	readonly file: string;
	/** The forwarder stands in it. */
	readonly dataDirectory: string;
}

const CLIENT = 'copilot-cli';

/**
 * The events that tell the floor something it acts on or shows; their spelling decides what the program sends, and one
 * that it does not know it drops without a word (github/copilot-cli#3872, #4520). Left out: userPromptTransformed and
 * preMcpToolCall, which say what others have said.
 */
export const EVENTS = [
	'sessionStart',
	'sessionEnd',
	'userPromptSubmitted',
	'preToolUse',
	'permissionRequest',
	'postToolUse',
	'postToolUseFailure',
	'notification',
	'agentStop',
	'subagentStart',
	'subagentStop',
	'preCompact',
	'errorOccurred',
] as const;

/** One handler per event, without a matcher: every tool and every kind. */
export function desiredHooks({ dataDirectory }: CopilotHookTarget, platform: NodeJS.Platform): DesiredHook[] {
	return EVENTS.map((event) => {
		const forward = forwardCommand(dataDirectory, platform, CLIENT, event);
		const command =
			platform === 'win32' ? { powershell: guardedPowershell(forward) } : { bash: guardedBash(forward) };
		return { event, handler: { type: 'command', ...command, timeoutSec: forwardTimeout(event) } };
	});
}

/** As they are installed: where a file has lists already, the order decides how the text comes out. */
export function inOrder(hooks: readonly DesiredHook[]): DesiredHook[] {
	const order: readonly string[] = EVENTS;
	return hooks.toSorted((one, other) => order.indexOf(one.event) - order.indexOf(other.event));
}

/**
 * Copilot CLI denies a tool whose hook fails, a missing program included (measured with 1.0.102: exit code 127). A data
 * directory that was moved away, or a project's file in somebody else's clone, must stop nobody. What the forwarder did
 * not take is drained, because a hook whose payload cannot be written fails as well.
 */
function guardedBash(forward: string): string {
	return `${forward} 2>/dev/null || { cat >/dev/null; true; }`;
}

function guardedPowershell(forward: string): string {
	return `try { ${forward}; if ($LASTEXITCODE -ne 0) { throw 'away' } } catch { $null = [Console]::In.ReadToEnd() }; exit 0`;
}

const FORWARD = new RegExp(`[\\\\/]hooks[\\\\/]forward(?:\\.cmd)?"? ${CLIENT} (\\w+)(?=[ ;]|$)`);

/** True for a handler of ours, of whatever installation and version. */
export function isOurs(handler: Handler): boolean {
	return [handler.bash, handler.powershell].some(
		(command) => typeof command === 'string' && FORWARD.test(command),
	);
}

/** True when `handler` runs the right forwarder; its timeout, its matcher and other fields are the person's. */
export function callsAsDesired(handler: Handler, desired: Handler): boolean {
	return ['type', 'bash', 'powershell'].every((name) => handler[name] === desired[name]);
}

/** `handler` made to call as desired, keeping what the person added to it. */
export function brought(handler: Handler, desired: Handler): Handler {
	const { type: _, bash: __, powershell: ___, timeoutSec, ...added } = handler;
	return { ...desired, ...(typeof timeoutSec === 'number' ? { timeoutSec } : {}), ...added };
}
