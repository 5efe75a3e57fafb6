/** `agent-floor hooks`: connect and disconnect agent programs. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { HookPlan } from '../../shared/channels.ts';
import { clientWords } from '../../shared/format.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { type HookClient, hookClientSchema } from '../../shared/words.ts';
import { writeForwardProgram } from '../hooks/install/forward-program.ts';
import { type HookPlace, hookClients } from '../hooks/install/hook-clients.ts';
import { prepareDataDirectory } from '../store/data-directory.ts';
import { SettingsFile } from '../store/settings-file.ts';
import { loadToken } from '../store/tokens.ts';
import { type Command, type CommandContext, dataDirectoryOf, type ExitCode, UsageError } from './command.ts';
import { RunningFloor } from './running-floor.ts';

export const hooksCommand: Command = {
	name: 'hooks',
	summary: 'Connect an agent program to the floor, disconnect it, or say how it stands',
	usage: `Usage: agent-floor hooks install|uninstall|status [PROGRAM] [--dry-run] [--project[=DIR]] [--data=DIR]

PROGRAM is claude-code (the default), codex, gemini-cli, copilot-cli, opencode, qwen-code or cursor.

  install     add the floor's hooks to the program's own file (a backup is kept beside it)
  uninstall   take them out again; a file that nobody else changed is as it was, byte for byte
  status      exit code 0 when they are in place, 1 when not
  --dry-run   print the diff, change nothing
  --project   only for one project in DIR (default: here). For Claude Code it is the local file,
              because its hooks hold this machine's token, which must not be committed; the others'
              hold the path of a program on this machine and do nothing anywhere else.`,
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
		const [verb, program = 'claude-code', ...more] = positionals;
		const client = hookClientSchema.safeParse(program).data;
		if (client === undefined) throw new UsageError(`there is no program "${program}"`);
		if (more.length > 0 || !(verb === 'install' || verb === 'uninstall' || verb === 'status')) {
			throw new UsageError('install, uninstall or status');
		}
		const { env, homeDirectory, workingDirectory } = context;
		const installer = hookClients[client];
		const inProject = values.project !== undefined;
		const file = inProject
			? installer.projectFile(resolve(workingDirectory, values.project ?? '.'))
			: installer.userFile(env, homeDirectory);
		if (file === null) throw new UsageError(`${clientWords(client)} has no file of hooks for one project`);
		const dataDirectory = resolve(dataDirectoryOf({ env, homeDirectory }, values.data));
		const target: HookPlace = { file, inProject, dataDirectory, ...(await addressOf(dataDirectory)) };
		const remove = verb === 'uninstall';
		if (verb === 'status') return say(context, client, await installer.plan(target, false), 'status');
		if (values['dry-run']) return say(context, client, await installer.plan(target, remove), 'dry-run');
		if (installer.needsForwarder && !remove)
			await writeForwardProgram(dataDirectory, target, process.platform);
		return say(context, client, await installer.apply(target, remove), remove ? 'uninstall' : 'install');
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

function say({ out, err }: CommandContext, client: HookClient, plan: HookPlan, asked: string): ExitCode {
	if (plan.status === 'unreadable') {
		err(`${plan.file} was not changed: ${plan.problem}`);
		return 2;
	}
	if (asked === 'dry-run') {
		out(plan.diff === '' ? `${plan.file}: nothing to change.` : plan.diff.trimEnd());
		return 0;
	}
	const words = { installed: 'connected', partly: 'partly connected', absent: 'not connected' }[plan.status];
	out(`${clientWords(client)} is ${words} (${plan.file}).`);
	if (plan.status === 'partly' && plan.problem !== '') out(visibleText(plan.problem, { limit: 600 }));
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
