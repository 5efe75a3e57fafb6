/**
 * Would a tool call destroy something or send it out? Asked only while the tier is not NORMAL, when every such call
 * needs the operator's consent (seed 003, pitfalls). Unlike the read-only judge it names what is known to be
 * destructive; what it cannot read it says so about, and the person decides.
 */
import { loadShellGrammar, type ReadCommandLine } from '../shell-grammar.ts';
import { destructionIn } from './command-line.ts';

/** What the call would do, as the end of "it …"; `null`: nothing of that kind is known. Never throws. */
export type DestructiveJudge = (tool: string, input: unknown) => string | null;

/** Verbs in the names of tools of MCP servers. */
const VERB =
	/(?:^|[_\-.])(?:delete|remove|drop|destroy|deploy|publish|push|merge|send|purge|truncate|terminate|reset|rollback|apply|release|transfer|wipe|uninstall)(?:$|[_\-.])/i;
const POWERSHELL =
	/(?:^|[^\w-])(?:remove-\w+|clear-\w+|stop-\w+|restart-\w+|rd|rmdir|del|erase|rm|format-volume|publish-\w+|push|invoke-(?:webrequest|restmethod|expression|command)|iex|irm|iwr|deploy)(?:$|[^\w-])/i;

/**
 * Loads the shell's grammar; after that a judgement is synchronous.
 * @throws when the grammar cannot be loaded (see `loadShellGrammar`).
 */
export async function createDestructiveJudge(given?: ReadCommandLine): Promise<DestructiveJudge> {
	const read = given ?? (await loadShellGrammar());
	return (tool, input) => judge(read, tool, input);
}

function judge(read: ReadCommandLine, tool: string, input: unknown): string | null {
	if (tool === 'Bash') {
		const command = commandOf(input);
		return command === null ? 'runs a command that is not known' : destructionIn(command, read);
	}
	if (tool === 'PowerShell') {
		const command = commandOf(input);
		if (command === null) return 'runs a command that is not known';
		return POWERSHELL.test(command) ? 'holds words of destructive PowerShell commands' : null;
	}
	const verb = tool.startsWith('mcp__') ? VERB.exec(tool.replace(/([a-z])([A-Z])/g, '$1_$2')) : null;
	return verb ? `says "${verb[0].replace(/[_\-.]/g, '').toLowerCase()}" in its name` : null;
}

function commandOf(input: unknown): string | null {
	if (typeof input !== 'object' || input === null) return null;
	const command: unknown = Object.getOwnPropertyDescriptor(input, 'command')?.value;
	return typeof command === 'string' ? command : null;
}
