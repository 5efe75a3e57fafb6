/** A command line of `agent-floor`: finds the command, runs it, explains what went wrong. */
import { ChannelError } from '../../shared/channels.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { StoreError } from '../store/store-error.ts';
import { type Command, type CommandContext, type CommandEnd, UsageError } from './command.ts';
import { doctorCommand } from './doctor-command.ts';
import { exportCommand } from './export-command.ts';
import { failoverCommand } from './failover-command.ts';
import { gatewayCommand } from './gateway-command.ts';
import { hooksCommand } from './hooks-command.ts';
import { insightsCommand } from './insights-command.ts';
import { modelCommand } from './model-command.ts';
import { openCommand } from './open-command.ts';
import { replayCommand } from './replay-command.ts';
import { runCommand } from './run-command.ts';
import { settingsCommand } from './settings-command.ts';
import { statusCommand } from './status-command.ts';
import { telemetryCommand } from './telemetry-command.ts';
import { usageCommand } from './usage-command.ts';

const commands: readonly Command[] = [
	statusCommand,
	usageCommand,
	insightsCommand,
	openCommand,
	hooksCommand,
	gatewayCommand,
	telemetryCommand,
	failoverCommand,
	modelCommand,
	runCommand,
	settingsCommand,
	exportCommand,
	replayCommand,
	doctorCommand,
];

/** No sentence of ours is as long, ours with a list of settings problems included. */
const ERROR_LIMIT = 20_000;

/** Runs one command line. Never rejects. */
export async function runCommandLine(
	args: readonly string[],
	place: Omit<CommandContext, 'args'>,
): Promise<CommandEnd> {
	// Names of files and models, and what a floor or a provider said, stand in these sentences: a terminal obeys.
	const err = (text: string): void => place.err(visibleText(text, { multiline: true, limit: ERROR_LIMIT }));
	const context = { ...place, err };
	const [name = 'help', ...rest] = args;
	if (name === 'help' || name === '--help' || name === '-h') {
		context.out(help());
		return 0;
	}
	const command = commands.find((candidate) => candidate.name === name);
	if (!command) {
		context.err(`agent-floor: there is no command "${name}".\n\n${help()}`);
		return 2;
	}
	if (asksForHelp(command, rest)) {
		context.out(`${command.summary}\n\n${command.usage}`);
		return 0;
	}
	try {
		return await command.run({ ...context, args: rest });
	} catch (error) {
		context.err(explain(error, command));
		return 2;
	}
}

/** What follows the name of a program that is to be run belongs to that program. */
function asksForHelp(command: Command, args: readonly string[]): boolean {
	const own = command.ownArguments?.(args) ?? args;
	return own.includes('--help') || own.includes('-h');
}

function help(): string {
	const width = Math.max(...commands.map((command) => command.name.length));
	const rows = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
	return `Usage: agent-floor <command> [options]\n\n${rows.join('\n')}\n\nagent-floor <command> --help tells more. --data=DIR names another data directory.`;
}

function explain(error: unknown, command: Command): string {
	if (error instanceof UsageError) return usageWords(command, error.message);
	// parseArgs says what was wrong with a flag in its message.
	const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
	if (error instanceof Error && code.startsWith('ERR_PARSE_ARGS')) {
		return usageWords(command, error.message);
	}
	if (error instanceof ChannelError) {
		return `${error.data.message}\n${error.data.meaning}\n${error.data.remedy}`;
	}
	if (error instanceof StoreError) return `${error.message}\n${error.meaning}\n${error.remedy}`;
	return `agent-floor ${command.name} failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** One line: the help of some commands would push it off the screen. */
function usageWords({ name }: Command, message: string): string {
	const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
	return `agent-floor ${name}: ${sentence} \`agent-floor ${name} --help\` tells more.`;
}
