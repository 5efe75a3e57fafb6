import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GEMINI_EVENTS } from '../../../src/main/hooks/install/gemini-handlers.ts';
import {
	applyGeminiHooks,
	type GeminiHookTarget,
	geminiProjectSettingsFile,
	geminiSettingsFile,
	planGeminiHooks,
} from '../../../src/main/hooks/install/gemini-hooks.ts';
import { ChannelError, hookPlanSchema } from '../../../src/shared/channels.ts';
import { settingsBytes } from './settings-texts.ts';

let home: string;
let file: string;
let target: GeminiHookTarget;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-gemini-'));
	file = geminiSettingsFile({}, home);
	await mkdir(dirname(file));
	target = { file, dataDirectory: '/home/a/data' };
});

afterEach(() => rm(home, { recursive: true, force: true }));

const install = (over: Partial<GeminiHookTarget> = {}) => applyGeminiHooks({ ...target, ...over }, false);
const uninstall = (over: Partial<GeminiHookTarget> = {}) => applyGeminiHooks({ ...target, ...over }, true);
const plan = (remove = false) => planGeminiHooks(target, remove);
const text = () => readFile(file, 'utf8');
const beside = async () => (await readdir(dirname(file))).filter((name) => name !== 'settings.json');

/** As people have it: comments, another hook of the same event, another tool's hooks. */
const EXISTING = `{
	// which account
	"security": { "auth": { "selectedType": "gemini-api-key" } },
	"hooks": {
		"BeforeTool": [
			{ "matcher": "write_.*", "hooks": [{ "type": "command", "command": "check.sh", "timeout": 500 }] }
		],
		"AfterModel": []
	}
}
`;

describe('the settings file', () => {
	it('is where Gemini CLI looks: in GEMINI_CLI_HOME, else in the home directory, or in the project', () => {
		expect(geminiSettingsFile({}, '/home/a')).toBe('/home/a/.gemini/settings.json');
		expect(geminiSettingsFile({ GEMINI_CLI_HOME: '' }, '/home/a')).toBe('/home/a/.gemini/settings.json');
		expect(geminiSettingsFile({ GEMINI_CLI_HOME: '/g' }, '/home/a')).toBe('/g/.gemini/settings.json');
		expect(geminiProjectSettingsFile('/w/app')).toBe('/w/app/.gemini/settings.json');
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
				expect(await beside()).toEqual([]);
			}),
			{ numRuns: 40 },
		);
	});

	it('make and remove the file, and its directory, where there was none', async () => {
		await rm(dirname(file), { recursive: true });
		expect(await install()).toEqual({ file, status: 'installed', problem: '', diff: '' });
		const { hooks } = JSON.parse(await text());
		expect(Object.keys(hooks)).toEqual([...GEMINI_EVENTS]);
		expect(hooks.BeforeTool).toEqual([
			{
				hooks: [
					expect.objectContaining({ name: 'agent-floor', type: 'command', timeout: expect.any(Number) }),
				],
			},
		]);
		await uninstall();
		expect(await readdir(home)).toEqual([]);
	});

	it('touch nothing of other people: their hooks, comments and layout stay', async () => {
		await writeFile(file, EXISTING);
		await install();
		const installed = await text();
		for (const line of EXISTING.split('\n').filter((each) => /check\.sh|account|selectedType/.test(each))) {
			expect(installed).toContain(line);
		}
		await writeFile(file, installed.replace('"timeout": 500', '"timeout": 900'));
		await uninstall();
		expect(await text()).toBe(EXISTING.replace('"timeout": 500', '"timeout": 900'));
	});

	it('bring the hooks of another data directory up to date, and still find the way back', async () => {
		await writeFile(file, EXISTING);
		await install({ dataDirectory: "/old/it's mine" });
		expect((await plan()).status).toBe('partly');
		expect(await install()).toMatchObject({ status: 'installed' });
		expect(await text()).not.toContain('/old/');
		await uninstall({ dataDirectory: '/whatever' });
		expect(await text()).toBe(EXISTING);
	});

	it.each(['record', 'backup'])('find the way back to the byte without the %s', async (lost) => {
		const found = '{\r\n\t"hooks": { }\r\n}';
		await writeFile(file, found);
		await install({ dataDirectory: '/old' });
		await install();
		const names = (await beside()).filter((name) => name.includes(lost));
		expect(names).toHaveLength(1);
		for (const name of names) await unlink(join(dirname(file), name));
		await uninstall();
		expect(await text()).toBe(found);
	});

	it('keep what the person changed in a handler of ours', async () => {
		await writeFile(file, '{}');
		await install({ dataDirectory: '/old' });
		await writeFile(
			file,
			(await text()).replace(/"timeout": 6\d+/, '"timeout": 90000, "description": "mine"'),
		);
		await install();
		expect(await text()).toContain('"timeout": 90000, "description": "mine"');
		expect((await plan()).status).toBe('installed');
	});

	it('follow a link to the file and keep it a link', async () => {
		const real = join(home, 'dotfiles.json');
		await writeFile(real, EXISTING);
		await symlink(real, file);
		await install();
		expect(await readFile(real, 'utf8')).toContain('gemini-cli BeforeTool');
		await uninstall();
		expect(await readFile(real, 'utf8')).toBe(EXISTING);
	});
});

describe('the plan', () => {
	it('shows the diff and changes nothing', async () => {
		await writeFile(file, EXISTING);
		const planned = await plan();
		expect(hookPlanSchema.parse(planned)).toMatchObject({ status: 'absent', problem: '' });
		expect(planned.diff).toContain('gemini-cli BeforeTool');
		// What goes comes back, with the comma that it needs now.
		const lines = (sign: string) => planned.diff.split('\n').filter((line) => line.startsWith(`${sign}\t`));
		for (const removed of lines('-')) expect(lines('+')).toContain(`+${removed.slice(1)},`);
		expect(await text()).toBe(EXISTING);
		expect(await beside()).toEqual([]);
		await install();
		expect(await plan()).toMatchObject({ status: 'installed', diff: '' });
		expect((await plan(true)).diff).toContain('gemini-cli BeforeTool');
	});

	it('says why Gemini CLI would not run the hooks', async () => {
		const problems = [
			['{"hooksConfig": {"enabled": false}}', /"hooksConfig.enabled" is false/],
			['{"hooksConfig": {"disabled": ["x", "agent-floor"]}}', /names "agent-floor"/],
			['{\n  "model": {"name": "x"},\n}\n', /does not start with this file: .* at line 3, column 1\b/],
		] as const;
		for (const [found, problem] of problems) {
			await writeFile(file, found);
			expect((await plan()).problem).toMatch(problem);
			expect(await install()).toMatchObject({
				status: 'partly',
				problem: expect.stringMatching(/^Gemini CLI/),
			});
			await uninstall();
			expect(await text()).toBe(found);
		}
	});

	it('knows nothing in the way of these', async () => {
		const harmless = [
			'{"hooksConfig": {"enabled": true, "disabled": ["x"]}}',
			'{"hooksConfig": []}',
			'{ /* , */ }',
		];
		for (const found of harmless) {
			await writeFile(file, found);
			expect(await install()).toMatchObject({ status: 'installed', problem: '' });
			await uninstall();
		}
	});
});

describe('a file that cannot be read', () => {
	it.each([
		['{"hooks": {\n  "BeforeTool": [}', 'line 2, column 18'],
		['[]', 'line 1, column 1'],
		['{\n"hooks": []}', 'line 2, column 10'],
		['{"hooks": {"AfterTool": {}}}', 'line 1, column 25'],
	])('is refused with its place and stays as it is: %j', async (found, place) => {
		await writeFile(file, found);
		expect(await plan()).toMatchObject({
			status: 'unreadable',
			problem: expect.stringContaining(place),
			diff: '',
		});
		const refused = await install().catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(ChannelError);
		expect(refused).toMatchObject({
			data: { code: 'refused-file', message: expect.stringMatching(/^Gemini CLI's settings/) },
		});
		expect(await text()).toBe(found);
		expect(await beside()).toEqual([]);
	});

	it('because it is read-only is refused', async () => {
		await writeFile(file, '{}');
		await chmod(file, 0o444);
		await expect(install()).rejects.toThrow(/read-only/);
		expect(await text()).toBe('{}');
	});
});

describe('the settings of a project', () => {
	it('stay out of commits while the hooks are in them', async () => {
		const run = promisify(execFile);
		const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
		const git = async (...args: string[]) => (await run('git', args, { cwd: home, env })).stdout;
		await git('init', '-q');
		const exclusions = join(home, '.git', 'info', 'exclude');
		const before = await readFile(exclusions, 'utf8');
		await install({ inProject: true });
		expect(await git('status', '--porcelain')).toBe('');
		expect(await readFile(exclusions, 'utf8')).toContain('# agent-floor: names a path of this machine');
		await uninstall({ inProject: true });
		expect(await readFile(exclusions, 'utf8')).toBe(before);
	});
});
