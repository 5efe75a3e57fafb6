/** Does a call wait for something, or look at something that runs elsewhere? Such calls have a budget of their own. */
import { isShell } from './tool-kinds.ts';

/**
 * `waits`: time passes in it on purpose. `looks`: asks how something goes that runs elsewhere. A look of another kind
 * counts as one when it comes right after a wait. A command that is asked for its state again and again without a wait
 * is a call like any other.
 */
export type WaitingKind = 'waits' | 'looks';

/** Pauses shorter than this are part of what a command does, s. */
const SHORTEST_WAIT_S = 3;

/** Tools that hand out what a process or another agent has printed since (lower case). */
const OUTPUT_TOOLS: ReadonlySet<string> = new Set([
	'agentoutput',
	'agentoutputtool',
	'bashoutput',
	'bashoutputtool',
	'get_command_status',
	'get_terminal_output',
	'get_task_output',
	'read_terminal_output',
	'read_thread_terminal',
	'taskoutput',
	'taskoutputtool',
]);
/** Tools whose whole purpose is to wait (lower case, as the last words of a name). */
const WAIT_TOOL = /(?:^|[_.-])(?:sleep|wait|wait_for|wait_agent|await|poll|monitor|command_status)$/;

const PAUSE =
	/(?:^|[\s;&|(])(?:sleep|start-sleep(?:\s+-(?:s|seconds|milliseconds))?|timeout\s+\/t)\s+(\d+(?:\.\d+)?)(m|h|d)?/gi;
/** Programs that end when something else does, or follow it. */
const WATCH =
	/(?:^|[;&|(]\s*)(?:timeout\s+\S+\s+)?(?:wait\b|watch\s|tail\s[^|;&]*(?:-[a-zA-Z]*[fF]\b|--follow)|journalctl\s[^|;&]*-f\b|inotifywait\b|kubectl\s+(?:wait|rollout\s+status)\b|gh\s+(?:run\s+watch|pr\s+checks\s[^|;&]*--watch)|docker\s+wait\b|wait-on\b)/;
/** Asks how a pipeline or a process does. */
const LOOK =
	/(?:^|[;&|(]\s*)(?:gh\s+(?:run\s+(?:view|list)|pr\s+(?:checks|status))|glab\s+(?:ci|pipeline)\s+(?:status|list|view|get)|az\s+pipelines\s+(?:runs|build)\s+(?:show|list)|(?:kubectl|docker(?:\s+compose|-compose)?|podman|heroku|flyctl|fly|vercel)\s+logs\b|journalctl\b|tail\s[^|;&]*(?:\.log\b|\.out\b|\/var\/log\/|\/proc\/))/;
/** Only the beginning of a command is looked at, and its end, where a wait often stands. */
const LOOKED_AT = 2_000;

/** `null`: neither. Never throws for plain data; `input` as the tool was given it. */
export function waitingKindOf(tool: string, input: unknown): WaitingKind | null {
	const name = tool.toLowerCase();
	if (OUTPUT_TOOLS.has(name)) return 'looks';
	if (WAIT_TOOL.test(name)) return 'waits';
	if (!isShell(name)) return null;
	const command = commandOf(input);
	if (command === null) return null;
	const text =
		command.length > LOOKED_AT * 2 ? `${command.slice(0, LOOKED_AT)}\n${command.slice(-LOOKED_AT)}` : command;
	if (pauses(text) || WATCH.test(text)) return 'waits';
	return LOOK.test(text) ? 'looks' : null;
}

function pauses(command: string): boolean {
	for (const [, amount, unit] of command.matchAll(PAUSE)) {
		if (unit !== undefined || Number(amount) >= SHORTEST_WAIT_S) return true;
	}
	return false;
}

function commandOf(input: unknown): string | null {
	if (typeof input === 'string') return input;
	if (typeof input !== 'object' || input === null) return null;
	const command: unknown = 'command' in input ? input.command : 'cmd' in input ? input.cmd : null;
	if (Array.isArray(command)) return command.filter((part) => typeof part === 'string').join(' ');
	return typeof command === 'string' ? command : null;
}
