/** `agent-floor open`: the window's address. */
import { parseArgs } from 'node:util';
import { type Command, dataDirectoryOf } from './command.ts';
import { RunningFloor } from './running-floor.ts';

export const openCommand: Command = {
	name: 'open',
	summary: 'Print the address that opens the window in a browser',
	usage:
		'Usage: agent-floor open [--data=DIR]\n\nThe address holds the operator token: whoever has it can steer and stop agents.',
	async run({ args, env, homeDirectory, out, err }) {
		const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' } } });
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const floor = await RunningFloor.findOrSay(directory, err);
		if (!floor) return 1;
		out(floor.address);
		return 0;
	},
};
