/** `agent-floor export`: recorded events and usage as lines that `replay` reads. */
import { parseArgs } from 'node:util';
import { createDialects } from '../hooks/dialects.ts';
import { inTime, interleaved } from '../replay/usage-lines.ts';
import { exportEvents, exportUsage } from '../store/event-export.ts';
import { StoreError } from '../store/store-error.ts';
import { isObject } from '../usage/formats/json-values.ts';
import { keptResponses } from '../usage/kept-responses.ts';
import type { HeardResponse } from '../usage/usage-answers.ts';
import { type Command, dataDirectoryOf, UsageError } from './command.ts';

const HOUR_MS = 3_600_000;

export const exportCommand: Command = {
	name: 'export',
	summary: 'Print the recorded events and usage of the last hours, for replay',
	usage: `Usage: agent-floor export [--hours=N] [--data=DIR]

  --hours=N   how far back (default 24)

One JSON line an event, and one each time that an agent's usage grew, as \`agent-floor replay\` reads them. Usage begins at
nothing at the start of that time. The lines hold what agents were asked and did.`,
	async run({ args, env, homeDirectory, out, err }) {
		const { values } = parseArgs({
			args: [...args],
			options: { hours: { type: 'string', default: '24' }, data: { type: 'string' } },
		});
		const hours = Number(values.hours);
		if (!(hours > 0)) throw new UsageError('--hours takes a number above 0');
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const since = Date.now() - hours * HOUR_MS;
		const { responses, problem } = await usageSince(directory, since);
		const dialects = new Map(createDialects().map((dialect) => [dialect.client, dialect]));
		// Usage of a session without hooks makes no agent on a floor, and none in a replay.
		const hooked = new Set<string>();
		let unreadable = 0;
		for (const next of interleaved(exportEvents(directory, since), responses)) {
			if ('usage' in next) {
				if (hooked.has(next.sessionId)) out(next.usage);
				continue;
			}
			const { at, client, event, body } = next.event;
			const parsed = parse(body);
			if (parsed === undefined) unreadable += 1;
			else {
				out(JSON.stringify({ at, client, event, body: parsed }));
				const dialect = isObject(parsed) && dialects.get(client);
				if (dialect) hooked.add(dialect.parse(event, parsed, { at, process: null }).sessionId);
			}
		}
		if (problem !== '') err(problem);
		if (unreadable > 0) err(`${unreadable} events with a body that is no JSON were left out.`);
		return 0;
	},
};

/** Oldest first. Events are of use without it. */
async function usageSince(
	directory: string,
	since: number,
): Promise<{ readonly responses: readonly HeardResponse[]; readonly problem: string }> {
	try {
		const responses = await exportUsage(directory, (usage) => keptResponses(usage, since));
		if (responses !== null) return { responses: responses.sort(inTime), problem: '' };
		const problem = 'Usage is left out: it is damaged, or kept by another version of Agent Floor.';
		return { responses: [], problem };
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		return { responses: [], problem: `Usage is left out: ${error.message}` };
	}
}

function parse(body: string): unknown {
	try {
		return JSON.parse(body.replace(/^\ufeff/, ''));
	} catch {
		// Counted by the caller.
		return undefined;
	}
}
