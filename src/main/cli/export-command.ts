/** `agent-floor export`: recorded events as lines that `replay` reads. */
import { parseArgs } from 'node:util';
import { exportEvents } from '../store/event-export.ts';
import { type Command, dataDirectoryOf, UsageError } from './command.ts';

const HOUR_MS = 3_600_000;

export const exportCommand: Command = {
	name: 'export',
	summary: 'Print the recorded events of the last hours, for replay',
	usage: `Usage: agent-floor export [--hours=N] [--data=DIR]

  --hours=N   how far back (default 24)

One JSON line an event, as \`agent-floor replay\` reads it. The lines hold what agents were asked and did.`,
	async run({ args, env, homeDirectory, out, err }) {
		const { values } = parseArgs({
			args: [...args],
			options: { hours: { type: 'string', default: '24' }, data: { type: 'string' } },
		});
		const hours = Number(values.hours);
		if (!(hours > 0)) throw new UsageError('--hours takes a number above 0');
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		let unreadable = 0;
		for (const { at, client, event, body } of exportEvents(directory, Date.now() - hours * HOUR_MS)) {
			const parsed = parse(body);
			if (parsed === undefined) unreadable += 1;
			else out(JSON.stringify({ at, client, event, body: parsed }));
		}
		if (unreadable > 0) err(`${unreadable} events with a body that is no JSON were left out.`);
		return 0;
	},
};

function parse(body: string): unknown {
	try {
		return JSON.parse(body.replace(/^\ufeff/, ''));
	} catch {
		// Counted by the caller.
		return undefined;
	}
}
