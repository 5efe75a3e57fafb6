/** `agent-floor usage`: tokens and cost of today, this week and the sessions on the floor. */
import { parseArgs } from 'node:util';
import { agoWords, clientWords, costWords, exactNumber } from '../../shared/format.ts';
import type { FloorSnapshot } from '../../shared/snapshot.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { UsageAmount } from '../../shared/usage-view.ts';
import { type Command, dataDirectoryOf } from './command.ts';
import { RunningFloor } from './running-floor.ts';

export const usageCommand: Command = {
	name: 'usage',
	summary: 'Print tokens and cost: today, this week, by program and by agent',
	usage:
		'Usage: agent-floor usage [--json] [--data=DIR]\n\nWork tokens are input + output + cache creation: what caps count. Today and this week are those of all sessions on this machine, also of programs that are not connected. Exit code 1 when no floor runs on the data directory.',
	async run({ args, env, homeDirectory, out, err }) {
		const { values } = parseArgs({
			args: [...args],
			options: { json: { type: 'boolean', default: false }, data: { type: 'string' } },
		});
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const floor = await RunningFloor.findOrSay(directory, err);
		if (!floor) return 1;
		const snapshot = await floor.request('floor:snapshot', undefined);
		if (values.json) {
			const agents = snapshot.agents.map(({ id, client, name, usage }) => ({ id, client, name, usage }));
			out(JSON.stringify({ ...snapshot.usage, agents, sightings: snapshot.sightings }));
		} else for (const line of linesOf(snapshot)) out(line);
		return 0;
	},
};

function linesOf({ usage, agents, sightings, at }: FloorSnapshot): string[] {
	const { today, week, session, reading, problems, programs } = usage;
	const lines = [
		usage.asOf === 0 ? 'Nothing was counted yet.' : `Counted ${agoWords(usage.asOf, at)}.`,
		line('Today, this machine', today),
		line('This week', week),
		line('Sessions on the floor', usage.asOf === 0 ? null : session),
	];
	if (reading !== null) {
		const [read, total] = [reading.bytes, reading.totalBytes].map((bytes) =>
			exactNumber(Math.round(bytes / 1e6)),
		);
		lines.push(`Session files are being read: ${read} of ${total} MB. Figures still grow.`);
	}
	if (programs.length > 0) lines.push('', 'By program:');
	for (const { client, today: day, week: days } of programs) {
		lines.push(`  ${line(`${clientWords(client)}, today`, day)}`, `  ${line('  this week', days)}`);
	}
	if (agents.length > 0) lines.push('', 'On the floor, by session:');
	for (const { name, usage: used } of agents) lines.push(`  ${line(visibleText(name, { limit: 40 }), used)}`);
	if (sightings.length > 0) lines.push('', 'Seen, not connected:');
	for (const { client, directory, lastActivityAt, work } of sightings) {
		const where = directory === null ? 'directory not known' : visibleText(directory, { limit: 80 });
		const tokens = work === null ? 'not read yet' : `${exactNumber(work)} work tokens`;
		lines.push(`  ${clientWords(client)}  ${where}  ${agoWords(lastActivityAt, at)}  ${tokens}`);
	}
	for (const problem of problems) lines.push('', `Left out: ${visibleText(problem)}`);
	return lines;
}

/** "Today   12 400 work tokens  $1.20". */
function line(what: string, amount: UsageAmount | null): string {
	const name = what.padEnd(24);
	if (amount === null) return `${name}not known yet`;
	const free = amount.localWork > 0 ? ` (${exactNumber(amount.localWork)} served on this machine, free)` : '';
	const unpriced =
		amount.unpricedModels.length > 0
			? `, no price known for ${visibleText(amount.unpricedModels.join(', '), { limit: 200 })}`
			: '';
	return `${name}${exactNumber(amount.work)} work tokens${free}, ${costWords(amount)}${unpriced}`;
}
