/** What the name of a tool, and the text of its input, tell about what it does. */
import { targetOf } from '../tool-target.ts';

/** Names under which the CLIs run a shell command (lower case). */
const SHELL_TOOLS: ReadonlySet<string> = new Set([
	'bash',
	'container.exec',
	'exec',
	'exec_command',
	'execute_command',
	'local_shell',
	'powershell',
	'pwsh',
	'run_command',
	'run_in_terminal',
	'run_shell_command',
	'run_terminal_cmd',
	'shell',
	'terminal',
]);

/** Tools that write down what the agent means to do (lower case): nothing of its task is done by that. */
const OWN_LISTS: ReadonlySet<string> = new Set([
	'taskcreate',
	'taskupdate',
	'think',
	'todo_write',
	'todowrite',
	'update_plan',
	'update_todo',
	'write_todos',
]);

/** Words in a tool's name that promise a change. */
const CHANGING_WORDS: ReadonlySet<string> = new Set(
	`add append apply approve archive assign cancel close comment commit copy create delete deploy disable drop edit enable insert
	install kill mark merge move notify patch post publish push put remove rename replace reply reset save send set
	start stop submit tag transition translate update upload upsert write yield`.split(/\s+/),
);

/** Signs of a change in a command line or a query; better one too many than one too few. */
const CHANGING_TEXT =
	/\b(?:POST|PUT|PATCH|DELETE|mutation|add|apply|commit|cp|create|delete|deploy|insert|install|ln|merge|mkdir|mv|patch|publish|push|rm|send|set|tee|touch|update|upload)\b|>(?!\s*(?:&|\/dev\/null))/i;
/** A request with a body (curl; "tail -f" has none), and words of SQL that mean something else in small letters. */
const SENDING_TEXT =
	/\s(?:-d|-F|--data|--form|--json)\b|\b(?:ALTER|CALL|DROP|EXEC(?:UTE)?|MERGE|REFRESH|TRUNCATE)\s/;

export function isShell(tool: string): boolean {
	return SHELL_TOOLS.has(tool.toLowerCase());
}

const SEARCHING_WORDS: ReadonlySet<string> = new Set(['find', 'glob', 'grep', 'lookup', 'search']);
const SEARCHING_COMMAND = /^\s*(?:ack|ag|fd|find|git\s+(?:grep|log)|grep|egrep|fgrep|rg)\s/;

const MEASURING_COMMAND =
	/\b(?:autocannon|bench(?:mark)?s?|fio|hyperfine|iperf3?|k6|perf\s+stat|pgbench|sysbench|vegeta|wrk2?)\b|(?:^|[;&|]\s*)(?:time|ab\s+-\S+)\s/;

/** The call takes a measurement. */
export function measures(tool: string, input: unknown): boolean {
	return isShell(tool) && MEASURING_COMMAND.test(targetOf(input));
}

/** The call looks for something by name or pattern. */
export function searches(tool: string, input: unknown): boolean {
	if (isShell(tool)) return SEARCHING_COMMAND.test(targetOf(input));
	return wordsOf(tool).some((word) => SEARCHING_WORDS.has(word));
}

export function keepsOwnList(tool: string): boolean {
	return OWN_LISTS.has(tool.toLowerCase());
}

/**
 * True when a success of this call may have changed something. Then an equal answer to a slightly different call is
 * weak evidence: ten records created one after the other all answer "ok".
 */
export function mayChangeThings(tool: string, inputText: string): boolean {
	return (
		wordsOf(tool).some((word) => CHANGING_WORDS.has(word)) ||
		CHANGING_TEXT.test(inputText) ||
		SENDING_TEXT.test(inputText)
	);
}

function wordsOf(tool: string): string[] {
	return tool
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[^a-z0-9]+/);
}
