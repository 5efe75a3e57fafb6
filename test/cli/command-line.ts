/** A command line run in this process, on a data directory; what it printed comes back. */
import type { CommandEnd } from '../../src/main/cli/command.ts';
import { runCommandLine } from '../../src/main/cli/command-line.ts';

export interface Printed {
	readonly code: CommandEnd;
	readonly out: string;
	readonly err: string;
}

export async function run(dataDirectory: string, ...args: readonly string[]): Promise<Printed> {
	const out: string[] = [];
	const err: string[] = [];
	const code = await runCommandLine([...args, `--data=${dataDirectory}`], {
		env: {},
		homeDirectory: dataDirectory,
		workingDirectory: dataDirectory,
		out: (text) => out.push(text),
		err: (text) => err.push(text),
	});
	return { code, out: out.join('\n'), err: err.join('\n') };
}
