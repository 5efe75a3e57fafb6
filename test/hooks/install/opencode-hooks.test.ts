import {
	access,
	chmod,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	stat,
	symlink,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeForwardProgram } from '../../../src/main/hooks/install/forward-program.ts';
import {
	applyOpencodeHooks,
	type OpencodeHookTarget,
	planOpencodeHooks,
	projectOpencodePluginFile,
	userOpencodePluginFile,
} from '../../../src/main/hooks/install/opencode-hooks.ts';
import {
	floorConfigurationFile,
	isUntouchedPlugin,
	opencodePlugin,
} from '../../../src/main/hooks/install/opencode-plugin.ts';
import { thisMachine } from '../../../src/main/hooks/install/sight.ts';
import { hookPlanSchema } from '../../../src/shared/channels.ts';

let home: string;
let file: string;
let dataDirectory: string;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-opencode-'));
	file = userOpencodePluginFile({}, home);
	dataDirectory = join(home, 'data');
	const address = { baseUrl: 'http://127.0.0.1:47100', agentToken: 'token-1' };
	await writeForwardProgram(dataDirectory, address, process.platform);
});

afterEach(async () => {
	await rm(home, { recursive: true, force: true });
});

const target = (over: Partial<OpencodeHookTarget> = {}) => ({ file, dataDirectory, ...over });
const install = (over: Partial<OpencodeHookTarget> = {}) => applyOpencodeHooks(target(over), false);
const uninstall = (over: Partial<OpencodeHookTarget> = {}) => applyOpencodeHooks(target(over), true);
const plan = (remove = false) => planOpencodeHooks(target(), remove);
const text = () => readFile(file, 'utf8');
const beside = async () => (await readdir(dirname(file))).filter((name) => !file.endsWith(name));

async function found(content: string | Uint8Array): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, content);
}

describe('the plugin', () => {
	it('is a file of the floor’s own where opencode looks: XDG_CONFIG_HOME, or ~/.config, or the project', () => {
		const usual = '/home/a/.config/opencode/plugins/agent-floor.js';
		expect(userOpencodePluginFile({}, '/home/a')).toBe(usual);
		expect(userOpencodePluginFile({ XDG_CONFIG_HOME: '' }, '/home/a')).toBe(usual);
		expect(userOpencodePluginFile({ XDG_CONFIG_HOME: '/x' }, '/home/a')).toBe(
			'/x/opencode/plugins/agent-floor.js',
		);
		// It adds a directory; the others are read as well.
		expect(userOpencodePluginFile({ OPENCODE_CONFIG_DIR: '/x' }, '/home/a')).toBe(usual);
		expect(projectOpencodePluginFile('/w/app')).toBe('/w/app/.opencode/plugins/agent-floor.js');
	});

	it('holds no token and no port, and says where they stand, on Windows too', async () => {
		await install();
		expect(await text()).not.toContain('token-1');
		expect(await text()).not.toContain('47100');
		const named = floorConfigurationFile(dataDirectory, process.platform);
		expect(await text()).toContain(JSON.stringify(named));
		expect(await readFile(named, 'utf8')).toContain('token-1');
		expect(opencodePlugin('C:\\Data "x"', 'win32')).toContain(
			'const CONFIGURATION = "C:\\\\Data \\"x\\"\\\\hooks\\\\forward.curl";',
		);
	});

	it('knows itself in any data directory, and nothing else', () => {
		const plugin = opencodePlugin('/some/where', 'linux');
		expect(isUntouchedPlugin(plugin)).toBe(true);
		for (const other of [
			'',
			plugin.slice(1),
			plugin.trimEnd(),
			`${plugin}\n`,
			plugin.replace('consent', 'consenT'),
			plugin.replace(/[^\n]*\n$/, ''),
		]) {
			expect(isUntouchedPlugin(other)).toBe(false);
		}
	});
});

describe('install and uninstall', () => {
	it('make and remove the file, and its directories, where there were none', async () => {
		expect(await install()).toEqual({ file, status: 'installed', problem: '', diff: '' });
		expect(await beside()).toEqual([]);
		expect((await stat(file)).mode & 0o777).toBe(0o644);
		expect(await uninstall()).toEqual({ file, status: 'absent', problem: '', diff: '' });
		expect(await readdir(home)).toEqual(['data']);
	});

	it('twice change nothing the second time', async () => {
		await install();
		const { mtimeMs, ino } = await stat(file);
		await install();
		expect(await stat(file)).toMatchObject({ mtimeMs, ino });
		await uninstall();
		expect((await uninstall()).status).toBe('absent');
	});

	it('leave every other file and directory alone', async () => {
		const configuration = join(dirname(dirname(file)), 'opencode.json');
		await mkdir(dirname(file), { recursive: true });
		await writeFile(join(dirname(file), 'theirs.js'), 'export const Theirs = async () => ({})');
		await writeFile(configuration, '{}');
		await install();
		await uninstall();
		expect(await readdir(dirname(file))).toEqual(['theirs.js']);
		expect(await readFile(configuration, 'utf8')).toBe('{}');
	});

	it('bring another data directory up to date, as a fresh file, and remove it from there', async () => {
		await install({ dataDirectory: '/elsewhere/data' });
		expect(await plan()).toMatchObject({ status: 'partly', problem: expect.stringContaining('another') });
		expect((await plan()).diff).toContain('-const CONFIGURATION = "/elsewhere/data/hooks/forward.curl";');
		await install();
		expect(await text()).toBe(opencodePlugin(dataDirectory, process.platform));
		await install({ dataDirectory: '/elsewhere/data' });
		expect(await uninstall()).toMatchObject({ status: 'absent', problem: '' });
		await expect(access(file)).rejects.toThrow('ENOENT');
	});

	it('in a project make nothing above it', async () => {
		const inProject = projectOpencodePluginFile(join(home, 'typo'));
		await expect(install({ file: inProject })).rejects.toThrow('does not exist');
		await expect(access(join(home, 'typo'))).rejects.toThrow('ENOENT');
		await mkdir(join(home, 'app'));
		const there = projectOpencodePluginFile(join(home, 'app'));
		await install({ file: there });
		await uninstall({ file: there });
		expect(await readdir(join(home, 'app'))).toEqual([]);
	});
});

describe('a file that is not as the floor wrote it is refused, and left byte for byte', () => {
	const mine = opencodePlugin('/some/where', 'linux');
	it.each<[string, string | Uint8Array]>([
		['a plugin of somebody else', 'export const Mine = async () => ({});\n'],
		['an empty file', ''],
		[
			'ours, changed by hand',
			mine.replace('async (opencode) => {', 'async (opencode) => {\n\tconsole.log(1);'),
		],
		['ours behind a byte order mark', `\uFEFF${mine}`],
	])('%s', async (_what, content) => {
		await found(content);
		const problem = expect.stringContaining('not as Agent Floor wrote it');
		expect(await plan()).toEqual({ file, status: 'unreadable', problem, diff: '' });
		expect(await plan(true)).toMatchObject({ status: 'unreadable', diff: '' });
		for (const act of [install, uninstall]) {
			await expect(act()).rejects.toMatchObject({
				data: { code: 'refused-file', message: problem, remedy: expect.stringContaining('move it away') },
			});
		}
		expect(await text()).toBe(content);
		expect(await beside()).toEqual([]);
	});

	it('one that is no text, or read-only', async () => {
		const bytes = Buffer.from([0xff, 0xfe, 0x41, 0x00]);
		await found(bytes);
		expect((await plan()).status).toBe('unreadable');
		await expect(install()).rejects.toThrow(file);
		expect(await readFile(file)).toEqual(bytes);
		await rm(file);
		await install({ dataDirectory: '/elsewhere' });
		await chmod(file, 0o444);
		await expect(install()).rejects.toThrow('read-only');
		expect(await text()).toContain('/elsewhere');
	});
});

describe('planning', () => {
	it('changes nothing on the disk and shows what applying would change', async () => {
		const before = await plan();
		expect(hookPlanSchema.parse(before)).toEqual(before);
		expect(before).toMatchObject({ file, status: 'absent', problem: '' });
		expect(before.diff).toMatch(/^--- \/dev\/null\n\+\+\+ /);
		expect(await readdir(home)).toEqual(['data']);
		await install();
		expect(await plan()).toEqual({ file, status: 'installed', problem: '', diff: '' });
		expect((await plan(true)).diff).toContain('+++ /dev/null\n');
	});

	it('never calls installed what could not find the floor', async () => {
		await rm(dataDirectory, { recursive: true });
		expect(await install()).toMatchObject({
			status: 'partly',
			problem: expect.stringContaining('start Agent Floor'),
		});
	});
});

describe('when something goes wrong on the way', () => {
	it('another program’s file that comes in the last moment is refused, not lost', async () => {
		const disk: typeof thisMachine.disk = {
			...thisMachine.disk,
			create: async (path) => {
				await writeFile(file, 'theirs');
				return thisMachine.disk.create(path);
			},
		};
		await expect(applyOpencodeHooks(target(), false, { ...thisMachine, disk })).rejects.toThrow(
			'not as Agent Floor wrote it',
		);
		expect(await text()).toBe('theirs');
		expect(await beside()).toEqual([]);
	});

	it('a writer that died at any step left the old file or the new one, and nothing that opencode would run', async () => {
		const older = opencodePlugin('/elsewhere', process.platform);
		for (let at = 1; at < 60; at++) {
			await rm(join(home, '.config'), { recursive: true, force: true });
			await found(older);
			let steps = 0;
			const dying =
				<A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
				(...args: A): Promise<R> => {
					steps += 1;
					return steps >= at ? Promise.reject(new Error('killed')) : operation(...args);
				};
			const { disk } = thisMachine;
			const host = {
				...thisMachine,
				disk: {
					...disk,
					create: dying(disk.create),
					rename: dying(disk.rename),
					remove: dying(disk.remove),
					facts: dying(disk.facts),
					read: dying(disk.read),
					syncDirectory: dying(async () => undefined),
				},
			};
			const ended = await applyOpencodeHooks(target(), false, host).then(
				() => true,
				(error: unknown) => {
					expect(String(error)).toContain('killed');
					return false;
				},
			);
			expect([older, opencodePlugin(dataDirectory, process.platform)]).toContain(await text());
			expect((await beside()).filter((name) => /\.[jt]s$/.test(name))).toEqual([]);
			await install();
			await uninstall();
			await expect(access(file)).rejects.toThrow('ENOENT');
			if (ended) return;
		}
		throw new Error('it never came to its end');
	});
});

describe.skipIf(process.platform === 'win32')('a plugin that is a link', () => {
	it('stays one: what it leads to is written', async () => {
		const dotfiles = join(home, 'dotfiles.js');
		await writeFile(dotfiles, opencodePlugin('/elsewhere', process.platform));
		await mkdir(dirname(file), { recursive: true });
		await symlink(dotfiles, file);
		await install();
		expect((await lstat(file)).isSymbolicLink()).toBe(true);
		expect(await readFile(dotfiles, 'utf8')).toBe(opencodePlugin(dataDirectory, process.platform));
	});
});
