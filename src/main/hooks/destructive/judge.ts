/**
 * Would a tool call destroy something or send it out? Asked only while the tier is not NORMAL, when every such call
 * needs the operator's consent (seed 003, pitfalls). Unlike the read-only judge it names what is known to be
 * destructive; what it cannot read it says so about, and the person decides.
 *
 * It is a guard against mistakes of agents, not a sandbox. Deliberately not covered:
 * - what a script, a Makefile or a binary does inside: only its name tells (`./deploy.sh`, `make release`);
 * - values of variables, aliases and functions that were set elsewhere, also in this line (`a=/x; $a/tool`), and
 *   variables that programs obey (`GIT_EDITOR=… git commit`);
 * - overwriting by programs that do other work: `cp a b`, `mv a b`, `sed -i`, `tee`, `make > file`;
 * - what Git's reflog or a lock file brings back: `commit --amend`, `rebase`, plain `reset`, `npm uninstall`;
 * - processes (`kill`, `pkill`), packages of the machine (`apt`, `brew`), reading secrets and sending by plain GET;
 * - programs that run others and are not in the tables (`expect`, `pdsh`, sed's `e`), and input given by `0<`;
 * - code that hides its calls: code on the line is searched for known calls, not run;
 * - tools other than shells, unless an MCP tool's name says it or its input holds a command or SQL.
 */
import { loadShellGrammar, type ReadCommandLine } from '../shell-grammar.ts';
import { destructionIn } from './command-line.ts';
import { inPowerShell, STATEMENT } from './telltale.ts';

/** What the call would do, as the end of "it …"; `null`: nothing of that kind is known. Never throws. */
export type DestructiveJudge = (tool: string, input: unknown) => string | null;

/** Verbs in the names of tools of MCP servers. */
const VERB =
	/(?:^|[_\-.])(?:delete|remove|drop|destroy|deploy|publish|push|merge|send|purge|truncate|terminate|reset|rollback|apply|release|transfer|wipe|uninstall)(?:$|[_\-.])/i;

/** Longest SQL that is searched. */
const LONGEST_SQL = 100_000;

/**
 * Loads the shell's grammar; after that a judgement is synchronous.
 * @throws when the grammar cannot be loaded (see `loadShellGrammar`).
 */
export async function createDestructiveJudge(given?: ReadCommandLine): Promise<DestructiveJudge> {
	const read = given ?? (await loadShellGrammar());
	return (tool, input) => judge(read, tool, input);
}

function judge(read: ReadCommandLine, tool: string, input: unknown): string | null {
	const command = commandOf(input);
	if (tool === 'Bash')
		return command === null ? 'runs a command that is not known' : destructionIn(command, read);
	if (tool === 'PowerShell')
		return command === null ? 'runs a command that is not known' : inPowerShell(command);
	const verb = tool.startsWith('mcp__') ? VERB.exec(tool.replace(/([a-z])([A-Z])/g, '$1_$2')) : null;
	if (verb) return `says "${verb[0].replace(/[_\-.]/g, '').toLowerCase()}" in its name`;
	return (
		(command === null ? null : destructionIn(command, read)) ??
		(tool.startsWith('mcp__') ? inSql(input) : null)
	);
}

/** Tools that run SQL take it as `query` or `sql`. */
function inSql(input: unknown): string | null {
	const text = textField(input, 'sql') ?? textField(input, 'query');
	return text !== null && STATEMENT.test(text.slice(0, LONGEST_SQL)) ? 'changes or deletes data' : null;
}

/** Shells take their line as `command`, some tools as `cmd`. */
const commandOf = (input: unknown): string | null => textField(input, 'command') ?? textField(input, 'cmd');

/** A list of words is a command as well (`["bash", "-lc", "git push"]`). */
function textField(input: unknown, name: string): string | null {
	if (typeof input !== 'object' || input === null) return null;
	const value: unknown = Object.getOwnPropertyDescriptor(input, name)?.value;
	if (typeof value === 'string') return value;
	if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return null;
	return value.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}
