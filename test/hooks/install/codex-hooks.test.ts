import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
	CODEX_EVENTS,
	type CodexSurroundings,
	codexHooks,
	desiredCodexHooks,
	hookHashes,
	hookKey,
} from '../../../src/main/hooks/install/codex-handlers.ts';
import {
	applyCodexHooks,
	type CodexHookTarget,
	codexHooksFile,
	planCodexHooks,
} from '../../../src/main/hooks/install/codex-hooks.ts';
import { type HookKind, ownHandlers } from '../../../src/main/hooks/install/hook-settings.ts';
import { settingsBytes } from './settings-texts.ts';

const NOTHING: CodexSurroundings = { config: null, files: [], byteOrderMark: false };

let home: string;
let file: string;
let target: CodexHookTarget;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-codex-'));
	file = codexHooksFile({}, home);
	await mkdir(dirname(file));
	target = { file, dataDirectory: '/data/agent floor' };
});

afterEach(async () => {
	await rm(home, { recursive: true, force: true });
});

const install = (over: Partial<CodexHookTarget> = {}) => applyCodexHooks({ ...target, ...over }, false);
const uninstall = (over: Partial<CodexHookTarget> = {}) => applyCodexHooks({ ...target, ...over }, true);
const plan = (remove = false) => planCodexHooks(target, remove);
const text = () => readFile(file, 'utf8');
const config = (lines: string) => writeFile(join(dirname(file), 'config.toml'), lines);

/** What `/hooks` of Codex writes when a person trusts everything. */
async function trustAll(under = file): Promise<string> {
	const own = ownHandlers(codexHooks(NOTHING), await text());
	return own
		.map(
			(handler) =>
				`[hooks.state.${JSON.stringify(hookKey(under, handler))}]\ntrusted_hash = "${hookHashes(handler)[0]}"\n`,
		)
		.join('\n');
}

describe('the hash that Codex trusts', () => {
	/** From `hooks/list` of the app server of codex-cli 0.171.0. */
	test.each([
		[
			'PreToolUse',
			{ hooks: [{ type: 'command', command: 'echo hello' }] },
			'0684b2ebe1d899d846e337766117415c82a7afdd19a583995fac15777e53c5cc',
		],
		[
			'PreToolUse',
			{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo hello', timeout: 65 }] },
			'c3e5f926ddd326403278239866a4a9f855e5dd157643c6e85c6c5be166f9ed2f',
		],
		[
			'PreToolUse',
			{
				matcher: 'Bash',
				hooks: [
					{
						type: 'command',
						command: 'x',
						timeout: 3,
						statusMessage: 'm',
						async: true,
						additionalContextLimit: 100,
					},
				],
			},
			'd1287d2f62bc3bbe31805dbc798feb13d7b2fcb5de080e4952bfe48032f6cb95',
		],
		[
			'SessionStart',
			{ matcher: '', hooks: [{ type: 'command', command: 'echo ünicode "q" \\ /' }] },
			'8ad44e28a362d987e1faf2fb15adf50dd9c15ca17e7b03d2bdab729fe18e7282',
		],
		[
			'SessionEnd',
			{ hooks: [{ type: 'command', command: 'echo hello', timeout: 9 }] },
			'74234ae4f895db8da404b501b474079a476e2b059e6449d6842ae93f3b342fef',
		],
		[
			'Stop',
			{ matcher: 'x', hooks: [{ type: 'command', command: 'echo hello' }] },
			'b17846e5b9fcf932448a537996b5e9e212cf40709442d6d0d9d562ed19e040be',
		],
	])('%s %j', (event, group, hash) => {
		const everyone: HookKind = { ...codexHooks(NOTHING), isOurs: () => true };
		const [handler] = ownHandlers(everyone, JSON.stringify({ hooks: { [event]: [group] } }));
		expect(handler && hookHashes(handler)).toContain(`sha256:${hash}`);
	});

	it('of the floor’s hooks never changes, or everybody would be asked again', () => {
		const hooks = Object.fromEntries(
			desiredCodexHooks('/data', 'linux').map(({ event, handler }) => [event, [{ hooks: [handler] }]]),
		);
		const own = ownHandlers(codexHooks(NOTHING), JSON.stringify({ hooks }));
		expect(own.map((handler) => [handler.event, handler.fields.timeout, handler.fields.command])).toEqual([
			['SessionStart', 10, '"/data/hooks/forward" codex SessionStart'],
			['UserPromptSubmit', 5, '"/data/hooks/forward" codex UserPromptSubmit'],
			['PreToolUse', 65, '"/data/hooks/forward" codex PreToolUse'],
			['PermissionRequest', 5, '"/data/hooks/forward" codex PermissionRequest'],
			['PostToolUse', 5, '"/data/hooks/forward" codex PostToolUse'],
			['PreCompact', 5, '"/data/hooks/forward" codex PreCompact'],
			['PostCompact', 5, '"/data/hooks/forward" codex PostCompact'],
			['SubagentStart', 5, '"/data/hooks/forward" codex SubagentStart'],
			['SubagentStop', 5, '"/data/hooks/forward" codex SubagentStop'],
			['Stop', 5, '"/data/hooks/forward" codex Stop'],
			['Interrupt', 2, '"/data/hooks/forward" codex Interrupt'],
			['SessionEnd', 2, '"/data/hooks/forward" codex SessionEnd'],
		]);
		for (const { fields } of own) expect(Object.keys(fields)).toEqual(['type', 'command', 'timeout']);
	});
});

describe('the file', () => {
	it('is where Codex looks: CODEX_HOME, or ~/.codex', () => {
		expect(codexHooksFile({}, '/home/a')).toBe('/home/a/.codex/hooks.json');
		expect(codexHooksFile({ CODEX_HOME: '' }, '/home/a')).toBe('/home/a/.codex/hooks.json');
		expect(codexHooksFile({ CODEX_HOME: '/etc/cx' }, '/home/a')).toBe('/etc/cx/hooks.json');
	});
});

describe('install and uninstall', () => {
	it('leave any file byte for byte as it was found, and nothing beside it', async () => {
		await fc.assert(
			fc.asyncProperty(settingsBytes, fc.boolean(), async (bytes, twice) => {
				await writeFile(file, bytes);
				expect((await install()).status).not.toBe('absent');
				const once = await readFile(file);
				if (twice) await install();
				expect(await readFile(file)).toEqual(once);
				expect((await uninstall()).status).toBe('absent');
				expect(await readFile(file)).toEqual(Buffer.from(bytes));
				expect(await readdir(dirname(file))).toEqual(['hooks.json']);
			}),
			{ numRuns: 40 },
		);
	});

	it('make and remove the file, and its directory, where there was none', async () => {
		await rm(dirname(file), { recursive: true });
		expect(await install()).toMatchObject({ file, status: 'partly', diff: '' });
		expect(Object.keys(JSON.parse(await text()).hooks)).toEqual([...CODEX_EVENTS]);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect((await uninstall()).status).toBe('absent');
		expect(await readdir(home)).toEqual([]);
	});

	it('go behind other people’s hooks, whose places Codex trusts', async () => {
		const theirs = { matcher: 'Bash', hooks: [{ type: 'command', command: 'their-check' }] };
		await writeFile(file, JSON.stringify({ hooks: { PreToolUse: [theirs], Stop: [] } }, null, 2));
		await install();
		const { hooks } = JSON.parse(await text());
		expect(hooks.PreToolUse[0]).toEqual(theirs);
		expect(hooks.PreToolUse[1].hooks[0].command).toBe('"/data/agent floor/hooks/forward" codex PreToolUse');
		expect(hooks.Stop).toHaveLength(1);
	});

	it('never touch config.toml', async () => {
		await config('# mine\nmodel = "x"\n');
		await install();
		await uninstall();
		expect(await readFile(join(dirname(file), 'config.toml'), 'utf8')).toBe('# mine\nmodel = "x"\n');
		expect(await readdir(dirname(file))).toEqual(['config.toml']);
	});

	it('bring another floor’s hooks to this one where they stand, and find the way back', async () => {
		const found = '{\r\n\t"hooks": { }\r\n}';
		await writeFile(file, found);
		await install({ dataDirectory: '/old "data" $x' });
		expect((await plan()).status).toBe('partly');
		const lost = (await readdir(dirname(file))).filter((name) => name.includes('record'));
		for (const name of lost) await rm(join(dirname(file), name));
		await install();
		expect(await text()).not.toContain('old');
		expect(Object.keys(JSON.parse(await text()).hooks)).toHaveLength(CODEX_EVENTS.length);
		await uninstall();
		expect(await text()).toBe(found);
	});

	it('keep a person’s timeout, and take back what would make a hook powerless', async () => {
		await install();
		const mine = JSON.parse(await text());
		Object.assign(mine.hooks.PreToolUse[0].hooks[0], { timeout: 90, statusMessage: 'asking' });
		Object.assign(mine.hooks.Stop[0].hooks[0], { async: true, commandWindows: 'x' });
		await writeFile(file, JSON.stringify(mine));
		expect((await plan()).diff).not.toBe('');
		await install();
		const { hooks } = JSON.parse(await text());
		expect(hooks.PreToolUse[0].hooks[0]).toMatchObject({ timeout: 90, statusMessage: 'asking' });
		expect(Object.keys(hooks.Stop[0].hooks[0])).toEqual(['type', 'command', 'timeout']);
	});

	test.each([
		['{"hooks": 7}', 'line 1, column 11'],
		['{"hooks": {"Stop": {}}}', 'line 1, column 20'],
		['{\n  "hooks": {,}\n}', 'line 2'],
	])('refuse %s with its place, and leave it', async (given, place) => {
		await writeFile(file, given);
		expect(await plan()).toMatchObject({ status: 'unreadable', problem: expect.stringContaining(place) });
		await expect(install()).rejects.toMatchObject({
			data: { code: 'refused-file', message: expect.stringContaining('Codex') },
		});
		expect(await text()).toBe(given);
		expect(await readdir(dirname(file))).toEqual(['hooks.json']);
	});

	it('refuse a read-only file', async () => {
		await writeFile(file, '{}');
		await chmod(file, 0o400);
		await expect(install()).rejects.toMatchObject({ data: { code: 'refused-file' } });
		expect(await text()).toBe('{}');
	});
});

describe('status', () => {
	it('says that Codex waits for the person’s trust, and is content with it', async () => {
		expect(await plan()).toMatchObject({ status: 'absent', problem: '' });
		const installed = await install();
		expect(installed).toMatchObject({
			status: 'partly',
			problem: expect.stringMatching(/does not run the hooks of Agent Floor until you trust them.*\/hooks/),
		});
		await config(await trustAll());
		expect(await plan()).toEqual({ file, status: 'installed', problem: '', diff: '' });
		expect(await install()).toEqual({ file, status: 'installed', problem: '', diff: '' });
	});

	it('names the hooks whose trust was lost: another timeout is another hook', async () => {
		await install();
		await config(await trustAll());
		await writeFile(file, (await text()).replace('"timeout": 65', '"timeout": 66'));
		expect(await plan()).toMatchObject({
			status: 'partly',
			problem: expect.stringContaining('does not run PreToolUse of Agent Floor until'),
		});
	});

	it('sees that another hook before ours took its place', async () => {
		await install();
		await config(await trustAll());
		const { hooks } = JSON.parse(await text());
		hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'true' }] });
		await writeFile(file, JSON.stringify({ hooks }));
		expect(await plan()).toMatchObject({
			status: 'partly',
			problem: expect.stringContaining('does not run Stop of Agent Floor until'),
		});
	});

	it.skipIf(process.platform === 'win32')(
		'knows the file by the name that its links lead to, too',
		async () => {
			await symlink(dirname(file), join(home, 'link'));
			const linked = codexHooksFile({ CODEX_HOME: join(home, 'link') }, home);
			await install();
			await config(await trustAll());
			expect(await planCodexHooks({ ...target, file: linked }, false)).toMatchObject({ status: 'installed' });
		},
	);

	it('says that hooks are off, or that these are', async () => {
		await install();
		const trusted = await trustAll();
		await config(`[features]\nhooks = false\n${trusted}`);
		expect(await plan()).toMatchObject({
			status: 'partly',
			problem: expect.stringContaining('features.hooks'),
		});
		await config(trusted.replace('trusted_hash', 'enabled = false\ntrusted_hash'));
		expect(await plan()).toMatchObject({
			status: 'partly',
			problem: 'Codex does not run SessionStart of Agent Floor: switched off in its /hooks.',
		});
	});

	it.each([
		['\uFEFF{}', 'byte order mark'],
		['{"hooks": {}} // mine', 'comment'],
		['{"version": 1}', '"version"'],
	])('says why Codex ignores the file: %j', async (given, why) => {
		await writeFile(file, given);
		await install();
		await config(await trustAll().catch(() => ''));
		expect(await plan()).toMatchObject({ status: 'partly', problem: expect.stringContaining(why) });
		await uninstall();
		expect(await text()).toBe(given);
	});

	it('does not claim to know where config.toml cannot be read, and installs all the same', async () => {
		await config('model = \n');
		expect(await install()).toMatchObject({
			status: 'partly',
			problem: expect.stringMatching(/not known.*config\.toml.*line 1, column 9/),
		});
		expect((await uninstall()).status).toBe('absent');
	});
});
