/** `agent-floor hooks`: connect and disconnect Claude Code. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { HookPlan } from '../../shared/channels.ts';
import {
	applyClaudeHooks,
	planClaudeHooks,
	projectSettingsFile,
	userSettingsFile,
} from '../hooks/install/install.ts';
import { prepareDataDirectory } from '../store/data-directory.ts';
import { SettingsFile } from '../store/settings-file.ts';
import { loadToken } from '../store/tokens.ts';
import { type Command, type CommandContext, dataDirectoryOf, type ExitCode, UsageError } from './command.ts';
import { RunningFloor } from './running-floor.ts';

export const hooksCommand: Command = {
	name: 'hooks',
	summary: 'Connect Claude Code to the floor, disconnect it, or say how it stands',
	usage: `Usage: agent-floor hooks install|uninstall|status [--dry-run] [--project[=DIR]] [--data=DIR]

  install     add the floor's hooks to ~/.claude/settings.json (a backup is kept beside it)
  uninstall   take them out again; a file that nobody else changed is as it was, byte for byte
  status      exit code 0 when they are in place, 1 when not
  --dry-run   print the diff, change nothing
  --project   only for one project: .claude/settings.local.json in DIR (default: here). It is the
              local file because the hooks hold this machine's token, which must not be committed.`,
	async run(context) {
		const { values, positionals } = parseArgs({
			args: splitProject(context.args),
			allowPositionals: true,
			options: {
				'dry-run': { type: 'boolean', default: false },
				project: { type: 'string' },
				data: { type: 'string' },
			},
		});
		const [verb, ...more] = positionals;
		if (more.length > 0 || !(verb === 'install' || verb === 'uninstall' || verb === 'status')) {
			throw new UsageError('install, uninstall or status');
		}
		const { env, homeDirectory, workingDirectory } = context;
		const file =
			values.project === undefined
				? userSettingsFile(env, homeDirectory)
				: projectSettingsFile(resolve(workingDirectory, values.project));
		const data = dataDirectoryOf({ env, homeDirectory }, values.data);
		const target = { file, ...(await addressOf(data)) };
		const remove = verb === 'uninstall';
		if (verb === 'status') return say(context, await planClaudeHooks(target, false), 'status');
		if (values['dry-run']) return say(context, await planClaudeHooks(target, remove), 'dry-run');
		return say(context, await applyClaudeHooks(target, remove), remove ? 'uninstall' : 'install');
	},
};

/** Where the hooks must point: the floor that runs, or the one that will. */
async function addressOf(data: string): Promise<{ baseUrl: string; agentToken: string }> {
	prepareDataDirectory(data);
	const agentToken = loadToken(data, 'agent-token');
	const floor = await RunningFloor.find(data);
	if (floor) return { baseUrl: floor.server.url, agentToken };
	const settings = await SettingsFile.open(data);
	const port = settings.current.port;
	settings.dispose();
	return { baseUrl: `http://127.0.0.1:${port === 0 ? 47100 : port}`, agentToken };
}

function say({ out, err }: CommandContext, plan: HookPlan, asked: string): ExitCode {
	if (plan.status === 'unreadable') {
		err(`${plan.file} was not changed: ${plan.problem}`);
		return 2;
	}
	if (asked === 'dry-run') {
		out(plan.diff === '' ? `${plan.file}: nothing to change.` : plan.diff.trimEnd());
		return 0;
	}
	const words = { installed: 'connected', partly: 'partly connected', absent: 'not connected' }[plan.status];
	out(`Claude Code is ${words} (${plan.file}).`);
	if (plan.status === 'partly' && plan.problem !== '') out(plan.problem);
	else if (plan.status === 'partly')
		out('Some hooks are missing or point elsewhere. Run: agent-floor hooks install');
	if (asked === 'install' && plan.status === 'installed')
		out('Sessions that run already take the hooks when they are started again.');
	if (asked === 'uninstall') return plan.status === 'absent' ? 0 : 1;
	return plan.status === 'installed' ? 0 : 1;
}

/** `--project` alone means here; parseArgs knows no optional value. */
function splitProject(args: readonly string[]): string[] {
	return args.map((argument, index) => {
		if (argument !== '--project') return argument;
		const next = args[index + 1];
		return next === undefined || next.startsWith('--') || isVerb(next) ? '--project=.' : '--project';
	});
}

function isVerb(word: string): boolean {
	return word === 'install' || word === 'uninstall' || word === 'status';
}
