/** What every command of `agent-floor` gets and gives back. */
import { resolveDataDirectory } from '../store/data-directory.ts';

export interface CommandContext {
	/** Arguments after the command's own words. */
	readonly args: readonly string[];
	readonly env: NodeJS.ProcessEnv;
	readonly homeDirectory: string;
	readonly workingDirectory: string;
	/** Results only. */
	readonly out: (text: string) => void;
	/** Everything else. */
	readonly err: (text: string) => void;
	/** A floor that has the data directory and is silent may be just starting: waited for as long, ms (default 3 s). */
	readonly floorPatienceMs?: number;
}

/**
 * 0 done · 1 the answer is no (not installed, something is wrong) · 2 used wrongly or failed · 3 every model of the chain
 * is limited: wait.
 */
export type ExitCode = 0 | 1 | 2 | 3;

/** How a command ends: an exit code, or the signal that ended the program which ran in our place. */
export type CommandEnd = ExitCode | number | NodeJS.Signals;

export interface Command {
	readonly name: string;
	readonly usage: string;
	readonly summary: string;
	/** Of the arguments those that are ours; absent: all. */
	readonly ownArguments?: (args: readonly string[]) => readonly string[];
	/** Resolves with an `ExitCode`, or with the end of the program that ran in our place. */
	run(context: CommandContext): Promise<CommandEnd>;
}

/** Used wrongly: the message and the usage are shown, exit code 2. */
export class UsageError extends Error {}

/** The data directory that a command is about; `flag` is what `--data` said. */
export function dataDirectoryOf(
	{ env, homeDirectory }: Pick<CommandContext, 'env' | 'homeDirectory'>,
	flag: string | undefined,
): string {
	return resolveDataDirectory({ flag, env, platform: process.platform, homeDirectory });
}
