/** `agent-floor gateway`: how each client is pointed at the gateway. */
import { parseArgs } from 'node:util';
import type { GatewayGuide } from '../../shared/failover-view.ts';
import { type Command, dataDirectoryOf, UsageError } from './command.ts';
import { RunningFloor } from './running-floor.ts';

export const gatewayCommand: Command = {
	name: 'gateway',
	summary: 'Print how each client is pointed at the gateway',
	usage:
		'Usage: agent-floor gateway [CLIENT] [--json] [--data=DIR]\n\nCLIENT: claude-code, codex, copilot-cli … The lines hold the agent token: whoever has it can speak to the gateway in your name. Exit code 1 when no floor runs on the data directory.',
	async run({ args, env, homeDirectory, out, err }) {
		const { values, positionals } = parseArgs({
			args: [...args],
			allowPositionals: true,
			options: { json: { type: 'boolean', default: false }, data: { type: 'string' } },
		});
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const floor = await RunningFloor.findOrSay(directory, err);
		if (!floor) return 1;
		const all = await floor.request('gateway:guide', undefined);
		const [wanted] = positionals;
		const guides = wanted === undefined ? all : all.filter(({ client }) => slug(client) === slug(wanted));
		if (guides.length === 0) {
			const known = all.map(({ client }) => slug(client)).join(', ');
			throw new UsageError(`no client "${wanted}" is known; there are ${known}`);
		}
		if (values.json) out(JSON.stringify(guides));
		else for (const guide of guides) out(inWords(guide));
		return 0;
	},
};

function inWords({ client, how, lines }: GatewayGuide): string {
	return `${client}\n  ${how}\n${lines === '' ? '' : `\n${indented(lines)}\n`}`;
}

function slug(client: string): string {
	return client.toLowerCase().replaceAll(' ', '-');
}

function indented(lines: string): string {
	return lines
		.split('\n')
		.map((line) => (line === '' ? '' : `    ${line}`))
		.join('\n');
}
