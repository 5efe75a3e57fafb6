/** A command line run in this process, on a data directory; what it printed comes back. */
import type { CommandContext, CommandEnd } from '../../src/main/cli/command.ts';
import { runCommandLine } from '../../src/main/cli/command-line.ts';

export interface Printed {
	readonly code: CommandEnd;
	readonly out: string;
	readonly err: string;
}

export const run = (dataDirectory: string, ...args: readonly string[]): Promise<Printed> =>
	runIn({}, dataDirectory, ...args);

/** Where something of the place matters. */
export async function runIn(
	place: Partial<Pick<CommandContext, 'env' | 'floorPatienceMs'>>,
	dataDirectory: string,
	...args: readonly string[]
): Promise<Printed> {
	const [name = 'help', ...rest] = args;
	const out: string[] = [];
	const err: string[] = [];
	const code = await runCommandLine([name, `--data=${dataDirectory}`, ...rest], {
		env: {},
		homeDirectory: dataDirectory,
		workingDirectory: dataDirectory,
		out: (text) => out.push(text),
		err: (text) => err.push(text),
		...place,
	});
	return { code, out: out.join('\n'), err: err.join('\n') };
}
