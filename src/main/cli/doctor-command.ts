/** `agent-floor doctor`: what is in order and what is not, one line each, with the cure. */
import { parseArgs } from 'node:util';
import { visibleText } from '../../shared/untrusted-text.ts';
import { planClaudeHooks, userSettingsFile } from '../hooks/install/install.ts';
import { findBrowser } from '../machine/browsers.ts';
import { prepareDataDirectory } from '../store/data-directory.ts';
import { SettingsFile } from '../store/settings-file.ts';
import { loadToken } from '../store/tokens.ts';
import { version } from '../version.ts';
import { type Command, dataDirectoryOf } from './command.ts';
import { RunningFloor } from './running-floor.ts';

interface Finding {
	readonly ok: boolean;
	readonly text: string;
}

export const doctorCommand: Command = {
	name: 'doctor',
	summary: 'Check the installation, the floor and the connection to Claude Code',
	usage: 'Usage: agent-floor doctor [--data=DIR]\n\nExit code 1 when something needs attention.',
	async run({ args, env, homeDirectory, out }) {
		const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' } } });
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		prepareDataDirectory(directory);
		const floor = await RunningFloor.find(directory);
		const settings = await SettingsFile.open(directory);
		settings.dispose();
		const port = settings.current.port === 0 ? 47100 : settings.current.port;
		const hooks = await planClaudeHooks(
			{
				file: userSettingsFile(env, homeDirectory),
				baseUrl: floor?.server.url ?? `http://127.0.0.1:${port}`,
				agentToken: loadToken(directory, 'agent-token'),
			},
			false,
		);
		const browser = await findBrowser();
		const findings: Finding[] = [
			{ ok: true, text: `Agent Floor ${version} on Node ${process.version}, data in ${directory}` },
			floor
				? { ok: true, text: `the floor runs at ${floor.server.url} (pid ${floor.server.pid})` }
				: { ok: false, text: 'the floor is not running; start it with npm start' },
			...(settings.problems.length === 0
				? [{ ok: true, text: 'settings.json is in order' }]
				: settings.problems.map((problem) => ({ ok: false, text: problem }))),
			hooksFinding(hooks.status, hooks.file, hooks.problem),
			...proxyFindings(env),
			browser
				? { ok: true, text: `a browser for the window: ${browser.name} (${browser.executable})` }
				: {
						ok: false,
						text: 'no Chromium, Chrome, Edge or Brave found: the window opens only by its address',
					},
		];
		for (const { ok, text } of findings) {
			out(`${ok ? 'ok    ' : 'check '} ${visibleText(text, { limit: 1_000 })}`);
		}
		return findings.every((finding) => finding.ok) ? 0 : 1;
	},
};

/** Claude Code sends its hooks through a proxy unless it is told that this machine needs none. */
function proxyFindings(env: NodeJS.ProcessEnv): Finding[] {
	const proxy = env.HTTP_PROXY ?? env.http_proxy;
	if (!proxy) return [];
	const exempt = (env.NO_PROXY ?? env.no_proxy ?? '').split(',').map((host) => host.trim());
	if (exempt.includes('127.0.0.1') || exempt.includes('*')) return [];
	return [{ ok: false, text: 'HTTP_PROXY is set: hooks never arrive unless NO_PROXY holds 127.0.0.1' }];
}

function hooksFinding(status: string, file: string, problem: string): Finding {
	if (status === 'installed') return { ok: true, text: `Claude Code is connected (${file})` };
	if (status === 'unreadable') return { ok: false, text: `${file} cannot be read: ${problem}` };
	const how = status === 'partly' ? 'partly connected or to another address' : 'not connected';
	return { ok: false, text: `Claude Code is ${how} (${file}); run: agent-floor hooks install` };
}
