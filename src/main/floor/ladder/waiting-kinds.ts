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
/**
 * Keys and moves through a page or a program that is stopped (lower case, as the last words of a name): they answer that
 * they were done, and what they lead to is told by the next look.
 */
const MOVE_TOOL =
	/(?:^|[_.-])(?:press_?key|key_?press|send_?keys?|scroll(?:_(?:down|up|page|by|to))?|mouse_?wheel|swipe|page_(?:down|up)|step_(?:over|into|in|out))$/;
/** Tools whose whole purpose is to wait (lower case, as the last words of a name). */
const WAIT_TOOL = /(?:^|[_.-])(?:sleep|wait|wait_for|wait_agent|await|poll|monitor|command_status)$/;

/** Pauses as they are written, and units of the number in a second. Without one (a variable, a duration) it is a pause. */
const PAUSES: readonly (readonly [pattern: RegExp, perSecond: number])[] = [
	[/(?:^|[\s;&|('"])sleep\s+["']?(?:(\d+(?:\.\d+)?)s?(?![\w.])|[\d.]+[mhd]\b|\$|infinity\b)/gi, 1],
	[/\bstart-sleep\s+(?:-s(?:econds?)?\s+)?(?:(\d+(?:\.\d+)?)|\$|\(|-d(?:uration)?\s)/gi, 1],
	[/\bstart-sleep\s+-m(?:illiseconds|s)?\s+(?:(\d+)|\$)/gi, 1000],
	// Of Windows, which runs no command for so long.
	[/(?:^|[\s;&|(])timeout(?:\.exe)?\s+(?:\/t\s+)?(\d+)(?=\s*(?:\/nobreak|[&|;>)\n]|$))/gi, 1],
	[/\bping(?=[^&|;\n]*\s(?:127\.\d+\.\d+\.\d+|localhost|::1)\b)[^&|;\n]*?\s-[nc]\s*(\d+)/gi, 1],
	[/(?:^|[\s;&|(])read\s+(?:-\w+\s+)*?-\w*t\s*["']?(?:(\d+(?:\.\d+)?)|\$)/g, 1],
	[/\b(?:time|asyncio)\.sleep\(\s*(?:(\d+(?:\.\d+)?)|[a-z_])/gi, 1],
	[/\bthread\]?(?:\.|::)sleep\(\s*(\d+)/gi, 1000],
];
/** Programs that end when something else does, or follow it. */
const WATCH =
	/(?:^|[;&|(]\s*)(?:timeout\s+\S+\s+)?(?:wait\b|watch\s|tail\s[^|;&]*(?:-[a-zA-Z]*[fF]\b|--follow)|journalctl\s[^|;&]*-f\b|inotifywait\b|(?:kubectl|oc)\s+(?:wait|rollout\s+status)\b|gh\s+(?:run\s+watch|pr\s+checks\s[^|;&]*--watch)|(?:docker|podman)\s+wait\b|aws\s+[\w-]+\s+wait\b|argocd\s+app\s+wait\b|(?:(?:npx|bunx|(?:npm|pnpm|yarn)(?:\s+(?:exec|dlx))?)\s+(?:-\S+\s+)*)?wait-(?:on|port)\b|\S*wait-for-it(?:\.sh)?\s)/;
/** Asks how a pipeline or a process does. */
const LOOK =
	/(?:^|[;&|(]\s*)(?:gh\s+(?:run\s+(?:view|list)|pr\s+(?:checks|status))|glab\s+(?:ci|pipeline)\s+(?:status|list|view|get)|az\s+pipelines\s+(?:runs|build)\s+(?:show|list)|(?:kubectl|oc|docker(?:\s+compose|-compose)?|podman(?:\s+compose)?|heroku|flyctl|fly|vercel)\s+logs\b|(?:docker(?:\s+compose|-compose)?|podman(?:\s+compose)?)\s+ps\b|systemctl\s+(?:status|is-active)\b|journalctl\b|tail\s[^|;&]*(?:\.log\b|\.out\b|\/var\/log\/|\/proc\/))/;
/** How long something may take at most. */
const TIME_LIMIT = /[\w-]*(?:time_?-?out|max-time|deadline)[\w-]*(?:[\s=:]+|(?=\d))\S+/gi;
const SHORTEST_NAMED_WAIT_MS = 10_000;
/** Only the beginning of a command is looked at, and its end, where a wait often stands. */
const LOOKED_AT = 2_000;

/** `null`: neither. Never throws for plain data; `input` as the tool was given it. */
export function waitingKindOf(tool: string, input: unknown): WaitingKind | null {
	const name = tool.toLowerCase();
	if (OUTPUT_TOOLS.has(name) || MOVE_TOOL.test(name)) return 'looks';
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
	for (const [pattern, perSecond] of PAUSES) {
		for (const [, amount] of command.matchAll(pattern)) {
			if (amount === undefined || Number(amount) / perSecond >= SHORTEST_WAIT_S) return true;
		}
	}
	return false;
}

/**
 * It took the time that its input names, in seconds or milliseconds: so does a wait, however it is written. A limit of
 * time does not count, nor a pause shorter than 10 s, which any command may take by chance.
 */
export function tookWhatItNames(input: unknown, tookMs: number): boolean {
	if (!(tookMs >= SHORTEST_NAMED_WAIT_MS && Number.isFinite(tookMs))) return false;
	const text = (commandOf(input) ?? fieldsOf(input)).slice(0, LOOKED_AT).replace(TIME_LIMIT, ' ');
	for (const [number] of text.matchAll(/\d+(?:\.\d+)?/g)) {
		for (const unit of [1000, 1]) {
			const named = Number(number) * unit;
			if (named >= SHORTEST_NAMED_WAIT_MS && tookMs >= named - 1_500 && tookMs <= named * 1.05 + 1_500)
				return true;
		}
	}
	return false;
}

function fieldsOf(input: unknown): string {
	if (typeof input !== 'object' || input === null) return '';
	return Object.entries(input)
		.filter(([, value]) => typeof value === 'string' || typeof value === 'number')
		.map(([name, value]) => `${name}=${value}`)
		.join(' ');
}

function commandOf(input: unknown): string | null {
	if (typeof input === 'string') return input;
	if (typeof input !== 'object' || input === null) return null;
	const command: unknown = 'command' in input ? input.command : 'cmd' in input ? input.cmd : null;
	if (Array.isArray(command)) return command.filter((part) => typeof part === 'string').join(' ');
	return typeof command === 'string' ? command : null;
}
