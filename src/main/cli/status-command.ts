/** `agent-floor status`: who is on the floor. */
import { parseArgs } from 'node:util';
import type { AgentView } from '../../shared/agent-view.ts';
import { limitedChains } from '../../shared/attention.ts';
import { limitWords } from '../../shared/model-words.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { type Command, dataDirectoryOf } from './command.ts';
import { RunningFloor, type SilentFloor } from './running-floor.ts';

export const statusCommand: Command = {
	name: 'status',
	summary: 'Say whether the floor runs, and list its agents',
	usage:
		'Usage: agent-floor status [--json] [--data=DIR]\n\nExit code 1 when no floor runs on the data directory, or none answers.',
	async run({ args, env, homeDirectory, out }) {
		const { values } = parseArgs({
			args: [...args],
			options: { json: { type: 'boolean', default: false }, data: { type: 'string' } },
		});
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const floor = await RunningFloor.seek(directory);
		if (!(floor instanceof RunningFloor)) {
			// `null`: cannot be told.
			const running = floor === null ? false : null;
			out(
				values.json ? JSON.stringify({ running, dataDirectory: directory }) : absenceWords(directory, floor),
			);
			return 1;
		}
		const snapshot = await floor.request('floor:snapshot', undefined);
		if (values.json) {
			out(JSON.stringify({ running: true, url: floor.server.url, pid: floor.server.pid, ...snapshot }));
			return 0;
		}
		const { version, tier, tierReason } = snapshot.status;
		out(`Agent Floor ${version} at ${floor.server.url} (pid ${floor.server.pid})`);
		if (tier !== 'NORMAL') out(`${tier}: ${visibleText(tierReason, { limit: 600 })}`);
		for (const chain of limitedChains(snapshot.models)) out(limitWords(chain, snapshot.at));
		if (snapshot.agents.length === 0) out('No agents yet.');
		for (const agent of snapshot.agents) out(row(agent));
		return 0;
	},
};

function absenceWords(directory: string, floor: SilentFloor | null): string {
	if (floor === null) return `No floor runs on ${directory}.`;
	const { url, pid } = floor.silent;
	return `Cannot tell whether a floor runs on ${directory}: what is at ${url} (pid ${pid}) does not answer. Agents may go unwatched meanwhile. Ask again; if it stays so, end that process and start the floor anew.`;
}

function row({ name, client, state, standing, levelReason, order }: AgentView): string {
	const why = order ? `${order.kind} by you` : levelReason;
	const waits = state.reason === '' ? state.kind : `${state.kind}: ${state.reason}`;
	const words = `${waits}${why === '' ? '' : `  (${why})`}`;
	// Names, reasons and messages come from agents: a terminal obeys what it is sent.
	return `  ${visibleText(name, { limit: 60 }).padEnd(24)} ${visibleText(client, { limit: 40 }).padEnd(12)} ${standing.padEnd(12)} ${visibleText(words)}`;
}
