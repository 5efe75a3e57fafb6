import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withHooks } from '../../../src/main/hooks/install/hook-settings.ts';
import {
	dataDirectoryIn,
	desiredQwenHooks,
	QWEN_EVENTS,
	qwenHooks,
} from '../../../src/main/hooks/install/qwen-handlers.ts';
import {
	applyQwenHooks,
	planQwenHooks,
	type QwenHookTarget,
	qwenProjectSettingsFile,
	qwenSettingsFile,
} from '../../../src/main/hooks/install/qwen-hooks.ts';
import { qwenCodeDialect } from '../../../src/main/hooks/qwen-code.ts';
import { settingsBytes } from './settings-texts.ts';

let home: string;
let file: string;
let target: QwenHookTarget;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-qwen-'));
	file = qwenSettingsFile({}, home);
	await mkdir(dirname(file));
	target = { file, dataDirectory: '/home/a/data' };
});

afterEach(() => rm(home, { recursive: true, force: true }));

const install = (over: Partial<QwenHookTarget> = {}) => applyQwenHooks({ ...target, ...over }, false);
const uninstall = (over: Partial<QwenHookTarget> = {}) => applyQwenHooks({ ...target, ...over }, true);
const plan = () => planQwenHooks(target, false);
const text = () => readFile(file, 'utf8');

describe('the settings file', () => {
	it('is where Qwen Code looks: in QWEN_HOME, else in the home directory, or in the project', () => {
		expect(qwenSettingsFile({}, '/home/a')).toBe('/home/a/.qwen/settings.json');
		expect(qwenSettingsFile({ QWEN_HOME: '' }, '/home/a')).toBe('/home/a/.qwen/settings.json');
		expect(qwenSettingsFile({ QWEN_HOME: '/q' }, '/home/a')).toBe('/q/settings.json');
		expect(qwenSettingsFile({ QWEN_HOME: '~/q' }, '/home/a')).toBe('/home/a/q/settings.json');
		expect(qwenSettingsFile({ QWEN_HOME: '~other' }, '/home/a')).toMatch(/~other\/settings\.json$/);
		expect(qwenProjectSettingsFile('/w/app')).toBe('/w/app/.qwen/settings.json');
	});
});

describe('the handlers', () => {
	it('are these, word for word, on each system', () => {
		const commandOf = (dataDirectory: string, platform: NodeJS.Platform) =>
			desiredQwenHooks(dataDirectory, platform).find(({ event }) => event === 'PreToolUse')?.handler.command;
		for (const platform of ['linux', 'darwin'] as const) {
			expect(commandOf('/home/a/data', platform)).toBe('"/home/a/data/hooks/forward" qwen-code PreToolUse');
		}
		expect(commandOf('C:\\Users\\a\\data', 'win32')).toBe(
			'C:\\Users\\a\\data\\hooks\\forward.cmd qwen-code PreToolUse',
		);
	});

	it('have timeouts in seconds, which milliseconds are taken for from 1000 on', () => {
		for (const { event, handler } of desiredQwenHooks('/d', 'linux')) {
			expect(handler.timeout).toBeGreaterThan(event === 'PreToolUse' ? 60 : 1);
			expect(handler.timeout).toBeLessThan(1000);
		}
	});

	it('ask for every event that the floor answers, and for none that comes while an answer streams', () => {
		const events: readonly string[] = QWEN_EVENTS;
		expect(events.filter((event) => qwenCodeDialect.answers(event))).toHaveLength(7);
		expect(events).not.toContain('MessageDisplay');
	});

	it.each(['linux', 'win32'] as const)('tell which data directory they are of (%s)', (platform) => {
		const step = fc.oneof(fc.constantFrom("'", '"', '$', '`', ' ', '\\', 'ü'), fc.string({ maxLength: 4 }));
		fc.assert(
			fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
				const name = `x${steps.join('').replaceAll('\0', '')}`;
				const isWindows = platform === 'win32';
				const data = isWindows ? win32.join('C:\\', name, 'data') : posix.join('/', name, 'data');
				const hooks = desiredQwenHooks(data, platform);
				expect(hooks.every(({ handler }) => qwenHooks.isOurs(handler))).toBe(true);
				expect(dataDirectoryIn(withHooks(qwenHooks, '', hooks), platform)).toBe(data);
			}),
		);
	});

	it.each([
		{ type: 'command', command: '"/d/hooks/forward" gemini-cli BeforeTool' },
		{ type: 'command', command: 'echo qwen-code PreToolUse' },
		{ type: 'http', url: 'http://127.0.0.1:1/hooks/qwen-code/PreToolUse' },
		{ type: 'command' },
	])('of somebody else are not ours: %j', (handler) => {
		expect(qwenHooks.isOurs(handler)).toBe(false);
	});
});

describe('install and uninstall', () => {
	it('leave any file byte for byte as it was found, and nothing beside it', async () => {
		await fc.assert(
			fc.asyncProperty(settingsBytes, async (bytes) => {
				await writeFile(file, bytes);
				expect((await install()).status).not.toBe('absent');
				const once = await readFile(file);
				await install();
				expect(await readFile(file)).toEqual(once);
				expect((await uninstall()).status).toBe('absent');
				expect(await readFile(file)).toEqual(Buffer.from(bytes));
				expect(await readdir(dirname(file))).toEqual(['settings.json']);
			}),
			{ numRuns: 15 },
		);
	});

	it('make and remove the file, and its directory, where there was none', async () => {
		await rm(dirname(file), { recursive: true });
		expect(await install()).toEqual({ file, status: 'installed', problem: '', diff: '' });
		expect(Object.keys(JSON.parse(await text()).hooks)).toEqual([...QWEN_EVENTS]);
		await uninstall();
		expect(await readdir(home)).toEqual([]);
	});

	it('bring the hooks of another data directory up to date and keep what the person added', async () => {
		await install({ dataDirectory: "/old/it's mine" });
		await writeFile(file, (await text()).replace(/"timeout": 6\d/, '"timeout": 90, "statusMessage": "mine"'));
		expect((await plan()).status).toBe('partly');
		expect(await install()).toMatchObject({ status: 'installed' });
		expect(await text()).not.toContain('/old/');
		expect(await text()).toContain('"timeout": 90, "statusMessage": "mine"');
	});

	it('keep the settings of a project out of commits', async () => {
		const run = promisify(execFile);
		const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
		const git = async (...args: string[]) => (await run('git', args, { cwd: home, env })).stdout;
		await git('init', '-q');
		await install({ inProject: true });
		expect(await git('status', '--porcelain')).toBe('');
		await uninstall({ inProject: true });
	});
});

describe('the plan', () => {
	it.each([
		['{"disableAllHooks": true}', /"disableAllHooks" is true/],
		['{\n  "model": {"name": "x"},\n}\n', /does not start with this file: .* at line 3, column 1\b/],
	])('says why Qwen Code would not run the hooks: %j', async (found, problem) => {
		await writeFile(file, found);
		expect((await plan()).problem).toMatch(problem);
		expect(await install()).toMatchObject({ status: 'partly', problem: expect.stringMatching(/^Qwen Code/) });
		await uninstall();
		expect(await text()).toBe(found);
	});

	it.each(['{"disableAllHooks": false}', '{"hooksConfig": {"enabled": false}}', '{ /* , */ }'])(
		'knows nothing in the way of %j',
		async (found) => {
			await writeFile(file, found);
			expect(await install()).toMatchObject({ status: 'installed', problem: '' });
		},
	);
});
