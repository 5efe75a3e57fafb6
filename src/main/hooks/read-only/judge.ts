/**
 * Is a tool call provably read-only? Read-only means: it changes nothing on this machine but what it prints, and it
 * reaches nothing outside. Whatever is not known to be so is not, and `why` says what stood in the way.
 */
import type { ReadOnlyJudge } from '../../floor/standing.ts';
import { loadShellGrammar, type ReadCommandLine } from '../shell-grammar.ts';
import { judgeCommandLine } from './command-line.ts';
import { quoted, Refused } from './refused.ts';

/** Tools of Claude Code that only read, or only speak to the operator or to the session itself. */
const READING_TOOLS: ReadonlyMap<string, string> = new Map([
	...(
		[
			'Read',
			'Glob',
			'Grep',
			'LS',
			'LSP',
			'NotebookRead',
			'ListMcpResourcesTool',
			'ReadMcpResourceTool',
		] as const
	).map((tool) => [tool, 'it reads'] as const),
	...(
		['BashOutput', 'TaskOutput', 'AgentOutput', 'TaskList', 'TaskGet', 'CronList', 'ListAgents'] as const
	).map((tool) => [tool, 'it reads what the session already has'] as const),
	// A to-do list lives in the session; it touches no file of the operator, and planning is what a stuck agent needs.
	...(['TodoRead', 'TodoWrite', 'TaskCreate', 'TaskUpdate'] as const).map(
		(tool) => [tool, 'it keeps the list of the session'] as const,
	),
	// How an agent says what blocks it, hands in its answer, or learns which tools there are.
	...(['AskUserQuestion', 'ExitPlanMode', 'EnterPlanMode', 'StructuredOutput', 'ToolSearch'] as const).map(
		(tool) => [tool, 'it speaks to the operator or the session'] as const,
	),
]);

/** Refused for a reason that deserves its own words. */
const REFUSED_TOOLS: ReadonlyMap<string, string> = new Map([
	['Agent', 'a subagent would go on working'],
	['Task', 'a subagent would go on working'],
	['Workflow', 'it would set other agents to work'],
	['WebFetch', 'a request leaves this machine and can change something elsewhere'],
	['WebSearch', 'a request leaves this machine'],
	['PowerShell', 'PowerShell commands cannot be proved to only read; use Read, Glob, Grep or a Bash command'],
	['Skill', 'a skill can run commands'],
]);

/**
 * Loads the shell's grammar; after that a judgement is synchronous and never throws.
 * @throws when the grammar cannot be loaded (see `loadShellGrammar`).
 */
export async function createReadOnlyJudge(given?: ReadCommandLine): Promise<ReadOnlyJudge> {
	const read = given ?? (await loadShellGrammar());
	return (tool, input) => {
		const reads = READING_TOOLS.get(tool);
		if (reads !== undefined) return { readOnly: true, why: reads };
		if (tool === 'Bash') return judgeBash(read, input);
		return { readOnly: false, why: REFUSED_TOOLS.get(tool) ?? `${quoted(tool)} is not known to only read` };
	};
}

function judgeBash(read: ReadCommandLine, input: unknown): ReturnType<ReadOnlyJudge> {
	const given = (name: string): unknown =>
		typeof input === 'object' && input !== null
			? Object.getOwnPropertyDescriptor(input, name)?.value
			: undefined;
	const command = given('command');
	if (typeof command !== 'string') return { readOnly: false, why: 'its command is not known' };
	const background = given('run_in_background');
	if (background !== undefined && background !== false) {
		return { readOnly: false, why: 'it would go on running in the background' };
	}
	try {
		read(command, (root) => judgeCommandLine(command, root));
		return { readOnly: true, why: 'every program in it only reads' };
	} catch (error) {
		if (error instanceof Refused) return { readOnly: false, why: error.message };
		// Whatever went wrong, the call is not proved: refused, and said.
		return {
			readOnly: false,
			why: `the command could not be judged (${error instanceof Error ? error.message : String(error)})`,
		};
	}
}
