/** `agent-floor telemetry`: the lines that make Claude Code send its telemetry to this floor. */
import { parseArgs } from 'node:util';
import { type Command, dataDirectoryOf } from './command.ts';
import { RunningFloor } from './running-floor.ts';

export const telemetryCommand: Command = {
	name: 'telemetry',
	summary: "Print how Claude Code's telemetry is sent to the floor",
	usage:
		'Usage: agent-floor telemetry [--data=DIR]\n\nPrints lines for the shell from which Claude Code is started. They hold the agent token: whoever has it can speak to the floor in your name. Exit code 1 when no floor runs on the data directory.',
	async run({ args, env, homeDirectory, out, err }) {
		const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' } } });
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const floor = await RunningFloor.findOrSay(directory, err);
		if (!floor) return 1;
		const { url, agentToken } = floor.server;
		out(
			[
				'export CLAUDE_CODE_ENABLE_TELEMETRY=1',
				'export OTEL_METRICS_EXPORTER=otlp',
				'export OTEL_LOGS_EXPORTER=otlp',
				'export OTEL_EXPORTER_OTLP_PROTOCOL=http/json',
				`export OTEL_EXPORTER_OTLP_ENDPOINT=${url}/otlp`,
				`export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer ${agentToken}"`,
			].join('\n'),
		);
		return 0;
	},
};
