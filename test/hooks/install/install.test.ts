import { constants } from 'node:fs';
import {
	access,
	chmod,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	readlink,
	rm,
	stat,
	symlink,
	unlink,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMAND_EVENTS, HTTP_EVENTS } from '../../../src/main/hooks/install/claude-handlers.ts';
import {
	applyClaudeHooks,
	type ClaudeHookTarget,
	planClaudeHooks,
	projectSettingsFile,
	userSettingsFile,
} from '../../../src/main/hooks/install/install.ts';
import { hookPlanSchema } from '../../../src/shared/channels.ts';
import { settingsBytes } from './settings-texts.ts';

let home: string;
let file: string;
let target: ClaudeHookTarget;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-hooks-'));
	file = userSettingsFile({}, home);
	await mkdir(dirname(file));
	target = { file, baseUrl: 'http://127.0.0.1:47100', agentToken: 'token-1' };
});

afterEach(async () => {
	await rm(home, { recursive: true, force: true });
});

const install = (over: Partial<ClaudeHookTarget> = {}) => applyClaudeHooks({ ...target, ...over }, false);
const uninstall = (over: Partial<ClaudeHookTarget> = {}) => applyClaudeHooks({ ...target, ...over }, true);
const status = async (over: Partial<ClaudeHookTarget> = {}) =>
	(await planClaudeHooks({ ...target, ...over }, false)).status;
const text = () => readFile(file, 'utf8');
const remembered = async () => (await readdir(dirname(file))).filter((name) => name.includes('agent-floor'));
const removeRemembered = async (part: string) => {
	const names = (await remembered()).filter((name) => name.includes(part));
	expect(names).not.toEqual([]);
	for (const name of names) await unlink(join(dirname(file), name));
};

const EXISTING =
	'{\r\n\t"model": "x",\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\r\n}';

describe('the settings file', () => {
	it("is where Claude Code looks: CLAUDE_CONFIG_DIR, or ~/.claude, or the project's personal settings", () => {
		expect(userSettingsFile({}, '/home/a')).toBe('/home/a/.claude/settings.json');
		expect(userSettingsFile({ CLAUDE_CONFIG_DIR: '' }, '/home/a')).toBe('/home/a/.claude/settings.json');
		expect(userSettingsFile({ CLAUDE_CONFIG_DIR: '/etc/cc' }, '/home/a')).toBe('/etc/cc/settings.json');
		expect(projectSettingsFile('/w/app')).toBe('/w/app/.claude/settings.local.json');
	});
});

describe('install and uninstall', () => {
	it('leave any file byte for byte as it was found, and nothing beside it', async () => {
		await fc.assert(
			fc.asyncProperty(settingsBytes, fc.boolean(), async (bytes, twice) => {
				await writeFile(file, bytes);
				expect((await install()).status).not.toBe('absent');
				const once = await readFile(file);
				if (twice) {
					await install();
					expect(await readFile(file)).toEqual(once);
				}
				expect((await uninstall()).status).toBe('absent');
				expect(await readFile(file)).toEqual(Buffer.from(bytes));
				expect(await remembered()).toEqual([]);
			}),
			{ numRuns: 60 },
		);
	});

	it('make and remove the file, and its directory, where there was none', async () => {
		await rm(dirname(file), { recursive: true });
		expect(await install()).toEqual({ file, status: 'installed', problem: '', diff: '' });
		expect(Object.keys(JSON.parse(await text()).hooks)).toEqual([...COMMAND_EVENTS, ...HTTP_EVENTS]);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect((await uninstall()).status).toBe('absent');
		expect(await readdir(home)).toEqual([]);
	});

	it('keep a directory that was made for them once somebody else uses it', async () => {
		await rm(dirname(file), { recursive: true });
		await install();
		await writeFile(join(dirname(file), 'history.jsonl'), '');
		await uninstall();
		expect(await readdir(dirname(file))).toEqual(['history.jsonl']);
	});

	it('bring another port and token up to date, and still find the way back', async () => {
		await writeFile(file, EXISTING);
		await install({ baseUrl: 'http://127.0.0.1:50999', agentToken: 'old' });
		expect(await status()).toBe('partly');
		expect(await install()).toMatchObject({ status: 'installed' });
		expect(await text()).not.toMatch(/50999|old/);
		expect(await status({ agentToken: 'new' })).toBe('partly');
		await uninstall({ baseUrl: 'http://127.0.0.1:1', agentToken: 'whatever' });
		expect(await text()).toBe(EXISTING);
	});

	it('keep the copy of the file as it was found under a dated name, readable by whom the original was', async () => {
		await writeFile(file, EXISTING);
		await chmod(file, 0o640);
		await install();
		const [copy] = (await remembered()).filter((name) => name.includes('backup'));
		expect(copy).toMatch(/^settings\.json\.agent-floor-backup-\d{4}-\d\d-\d\dT[\d-]+Z$/);
		const path = join(dirname(file), copy ?? '');
		expect(await readFile(path, 'utf8')).toBe(EXISTING);
		expect((await stat(path)).mode & 0o777).toBe(0o640);
		expect((await stat(file)).mode & 0o777).toBe(0o640);
		for (const name of (await remembered()).filter((other) => other !== copy)) {
			expect((await stat(join(dirname(file), name))).mode & 0o777).toBe(0o600);
		}
	});

	it.each(['record', 'backup'])('find the way back to the byte without the %s', async (lost) => {
		// Taking the hooks out of the present file would not bring the space back.
		const found = '{\r\n\t"hooks": { }\r\n}';
		await writeFile(file, found);
		await install({ agentToken: 'old' });
		await install();
		await removeRemembered(lost);
		await uninstall();
		expect(await text()).toBe(found);
		expect(await remembered()).toEqual([]);
	});

	it('find the way back with neither, by taking out exactly what is ours', async () => {
		await writeFile(file, EXISTING);
		await install();
		await removeRemembered('agent-floor');
		await uninstall();
		expect(await text()).toBe(EXISTING);
	});

	it('treat a damaged record as none', async () => {
		await writeFile(file, EXISTING);
		await install();
		await writeFile(`${file}.agent-floor-record.json`, '{"version":1,"found":nu');
		await uninstall();
		expect(await text()).toBe(EXISTING);
	});

	it('remove the file that they made even when the record is lost', async () => {
		await install();
		await removeRemembered('record');
		await uninstall();
		await expect(access(file)).rejects.toThrow('ENOENT');
	});
});

describe('uninstall after somebody edited the file', () => {
	it('takes out our entries and leaves the edits', async () => {
		await writeFile(file, EXISTING);
		await install();
		await writeFile(file, (await text()).replace('"model": "x"', '"model": "y", // better\r\n\t"env": {}'));
		await uninstall();
		expect(await text()).toBe(EXISTING.replace('"model": "x"', '"model": "y", // better\r\n\t"env": {}'));
		// What was found differs from what is left now: the copy stays.
		expect((await remembered()).map((name) => name.includes('backup'))).toEqual([true]);
	});

	it('as Claude Code does, which writes the whole file anew', async () => {
		await writeFile(file, EXISTING);
		await install();
		await writeFile(file, JSON.stringify({ ...JSON.parse(await text()), theme: 'dark' }, null, 2));
		expect(await install()).toMatchObject({ status: 'installed' });
		await uninstall();
		expect(await text()).toBe(JSON.stringify({ ...JSON.parse(EXISTING), theme: 'dark' }, null, 2));
	});

	it('keeps empty containers that were found and takes those that were made', async () => {
		await writeFile(file, '{\n  "hooks": {\n    "Stop": []\n  }\n}\n');
		await install();
		await writeFile(file, (await text()).replace(/\n}\n$/, ',\n  "a": 1\n}\n'));
		await uninstall();
		expect(JSON.parse(await text())).toEqual({ hooks: { Stop: [] }, a: 1 });
	});

	it('removes a file that it made when nothing else is in it', async () => {
		await install();
		await writeFile(file, JSON.stringify(JSON.parse(await text())));
		await uninstall();
		await expect(access(file)).rejects.toThrow('ENOENT');
	});

	it('leaves a file alone from which somebody took the hooks by hand', async () => {
		await writeFile(file, EXISTING);
		await install();
		await writeFile(file, '{}');
		await uninstall();
		expect(await text()).toBe('{}');
	});

	it('has nothing to do where the file is gone', async () => {
		await writeFile(file, EXISTING);
		await install();
		await unlink(file);
		expect((await uninstall()).status).toBe('absent');
		await expect(access(file)).rejects.toThrow('ENOENT');
	});
});

describe('planning', () => {
	it('changes nothing on the disk and shows what applying would change', async () => {
		await writeFile(file, EXISTING);
		const plan = await planClaudeHooks(target, false);
		expect(hookPlanSchema.parse(plan)).toEqual(plan);
		expect(plan).toMatchObject({ file, status: 'absent', problem: '' });
		expect(plan.diff).toContain(`--- ${file}\n+++ ${file}\n@@ -1,4 +1,`);
		expect(plan.diff).toContain('+\t\t"UserPromptSubmit": [');
		expect(await readdir(dirname(file))).toEqual(['settings.json']);
		expect(await text()).toBe(EXISTING);
		await install();
		expect(await planClaudeHooks(target, false)).toEqual({
			file,
			status: 'installed',
			problem: '',
			diff: '',
		});
		expect((await planClaudeHooks(target, true)).diff).toContain('-\t\t"UserPromptSubmit": [');
	});

	it('says that a file would be made and removed', async () => {
		expect((await planClaudeHooks(target, false)).diff).toMatch(/^--- \/dev\/null\n\+\+\+ /);
		await install();
		expect((await planClaudeHooks(target, true)).diff).toContain('+++ /dev/null\n');
	});

	it('never calls hooks installed that cannot run', async () => {
		await writeFile(file, '{\n  "disableAllHooks": true\n}\n');
		const applied = await install();
		expect(applied).toMatchObject({ status: 'partly', problem: expect.stringContaining('disableAllHooks') });
		await writeFile(file, '{\n  // mine\n}\n');
		expect(await install()).toMatchObject({
			status: 'partly',
			problem: expect.stringContaining('strict JSON'),
		});
	});

	it('misses the file that lets the forwarder in, and applying writes it again', async () => {
		await install();
		await removeRemembered('authorization');
		expect(await status()).toBe('partly');
		expect(await install()).toMatchObject({ status: 'installed' });
	});
});

describe('a file that cannot be used is refused with the reason, and left as it is', () => {
	it.each([
		['{\n  "a": 1,\n  "b"\n}\n', 'Colon expected at line 4, column 1'],
		['{"hooks": [] }', '"hooks" is an array, not an object, at line 1, column 11'],
		['{"hooks": {"Stop": 1} }', '"hooks.Stop" is a number, not a list, at line 1, column 20'],
		['{"a": 1', 'Close brace expected at line 1, column 8'],
	])('%j', async (content, problem) => {
		await writeFile(file, content);
		expect(await planClaudeHooks(target, false)).toEqual({ file, status: 'unreadable', problem, diff: '' });
		await expect(install()).rejects.toMatchObject({
			data: {
				code: 'refused-file',
				message: expect.stringContaining(problem),
				remedy: expect.stringMatching(/Correct line \d+, column \d+/),
			},
		});
		expect(await text()).toBe(content);
		expect(await remembered()).toEqual([]);
	});

	it('text in another encoding', async () => {
		const utf16 = Buffer.from('\uFEFF{"a":1}', 'utf16le');
		await writeFile(file, utf16);
		expect(await planClaudeHooks(target, false)).toMatchObject({
			status: 'unreadable',
			problem: 'not UTF-8 text at line 1, column 1',
		});
		await expect(install()).rejects.toThrow('not UTF-8 text');
		expect(await readFile(file)).toEqual(utf16);
	});

	it('a read-only file', async () => {
		await writeFile(file, EXISTING);
		await chmod(file, 0o444);
		await expect(install()).rejects.toMatchObject({
			data: { code: 'refused-file', message: expect.stringContaining('read-only') },
		});
		expect(await text()).toBe(EXISTING);
		expect(await remembered()).toEqual([]);
	});

	it('a directory in its place, a link to itself, a project that does not exist', async () => {
		await mkdir(file);
		await expect(install()).rejects.toThrow('it is a directory');
		await rm(file, { recursive: true });
		await symlink(file, file);
		await expect(install()).rejects.toThrow('leads to itself');
		expect((await planClaudeHooks(target, false)).status).toBe('unreadable');
		const missing = projectSettingsFile(join(home, 'typo'));
		await expect(install({ file: missing })).rejects.toThrow('does not exist');
		await expect(access(join(home, 'typo'))).rejects.toThrow('ENOENT');
	});
});

describe.skipIf(process.platform === 'win32')('a settings file that is a link', () => {
	it('stays a link, and what the installer remembers stands beside it, not beside its target', async () => {
		const dotfiles = join(home, 'dotfiles');
		await mkdir(dotfiles);
		await writeFile(join(dotfiles, 'claude.json'), EXISTING, { mode: 0o644 });
		await symlink('../dotfiles/claude.json', file);
		await install();
		expect((await lstat(file)).isSymbolicLink()).toBe(true);
		expect(await readdir(dotfiles)).toEqual(['claude.json']);
		expect(await readFile(join(dotfiles, 'claude.json'), 'utf8')).toContain('/hooks/claude-code/');
		await uninstall();
		expect(await readlink(file)).toBe('../dotfiles/claude.json');
		expect(await readFile(join(dotfiles, 'claude.json'), 'utf8')).toBe(EXISTING);
		expect(await remembered()).toEqual([]);
	});

	it('may lead to a file that does not exist yet', async () => {
		const made = join(home, 'made.json');
		await symlink(made, file);
		await install();
		expect((await lstat(made)).isFile()).toBe(true);
		await uninstall();
		await expect(access(made, constants.F_OK)).rejects.toThrow('ENOENT');
		expect(await readlink(file)).toBe(made);
	});
});
