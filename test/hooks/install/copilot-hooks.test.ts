import { execFile } from 'node:child_process';
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
	unlink,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desiredHooks, EVENTS } from '../../../src/main/hooks/install/copilot-handlers.ts';
import {
	applyCopilotHooks,
	type CopilotHookTarget,
	planCopilotHooks,
	projectCopilotHooksFile,
	userCopilotHooksFile,
} from '../../../src/main/hooks/install/copilot-hooks.ts';
import { writeForwardProgram } from '../../../src/main/hooks/install/forward-program.ts';
import { thisMachine } from '../../../src/main/hooks/install/sight.ts';
import { hookPlanSchema } from '../../../src/shared/channels.ts';

let home: string;
let file: string;
let dataDirectory: string;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-copilot-'));
	file = userCopilotHooksFile({}, home);
	dataDirectory = join(home, 'data');
	const target = { baseUrl: 'http://127.0.0.1:47100', agentToken: 'token-1' };
	await writeForwardProgram(dataDirectory, target, process.platform);
});

afterEach(async () => {
	await rm(home, { recursive: true, force: true });
});

const target = (over: Partial<CopilotHookTarget> = {}) => ({ file, dataDirectory, ...over });
const install = (over: Partial<CopilotHookTarget> = {}) => applyCopilotHooks(target(over), false);
const uninstall = (over: Partial<CopilotHookTarget> = {}) => applyCopilotHooks(target(over), true);
const plan = (remove = false) => planCopilotHooks(target(), remove);
const text = () => readFile(file, 'utf8');
const beside = async () => (await readdir(dirname(file))).filter((name) => !file.endsWith(name));
const edit = async (from: string | RegExp, to: string) => writeFile(file, (await text()).replace(from, to));

async function found(content: string): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, content);
}

const PERSONS =
	'{\r\n\t"hooks": { "agentStop": [{"type": "command", "bash": "say done"}], "preToolUse": [ ] },\r\n\t"version": 1\r\n}';

describe('the hooks file', () => {
	it('is a file of the floor’s own where Copilot CLI looks: COPILOT_HOME, or ~/.copilot, or the project', () => {
		expect(userCopilotHooksFile({}, '/home/a')).toBe('/home/a/.copilot/hooks/agent-floor.json');
		expect(userCopilotHooksFile({ COPILOT_HOME: '' }, '/home/a')).toBe(
			'/home/a/.copilot/hooks/agent-floor.json',
		);
		expect(userCopilotHooksFile({ COPILOT_HOME: '/c' }, '/home/a')).toBe('/c/hooks/agent-floor.json');
		// Measured: it changes nothing.
		expect(userCopilotHooksFile({ XDG_CONFIG_HOME: '/x' }, '/home/a')).toBe(
			'/home/a/.copilot/hooks/agent-floor.json',
		);
		expect(projectCopilotHooksFile('/w/app')).toBe('/w/app/.github/hooks/agent-floor.json');
	});

	it('asks for every event by its own name, with the time that it needs, and holds no token', async () => {
		await install();
		const content = JSON.parse(await text());
		expect(Object.keys(content)).toEqual(['version', 'hooks']);
		expect(content.version).toBe(1);
		expect(Object.keys(content.hooks)).toEqual([...EVENTS]);
		for (const event of EVENTS) {
			expect(content.hooks[event]).toEqual([
				{
					type: 'command',
					bash: expect.stringContaining(`"${dataDirectory}/hooks/forward" copilot-cli ${event} `),
					timeoutSec: event === 'preToolUse' ? 65 : expect.any(Number),
				},
			]);
			// Only before a tool may a person have to be asked.
			if (event !== 'preToolUse') expect(content.hooks[event][0].timeoutSec).toBeLessThanOrEqual(10);
		}
		expect(await text()).not.toContain('token-1');
	});

	it('on Windows has the commands of PowerShell', () => {
		const [first] = desiredHooks({ file, dataDirectory: 'C:\\Data' }, 'win32');
		expect(first?.handler).toEqual({
			type: 'command',
			powershell:
				"try { C:\\Data\\hooks\\forward.cmd copilot-cli sessionStart; if ($LASTEXITCODE -ne 0) { throw 'away' } } catch { $null = [Console]::In.ReadToEnd() }; exit 0",
			timeoutSec: 10,
		});
	});
});

describe('install and uninstall', () => {
	it('make and remove the file, and its directories, where there were none', async () => {
		expect(await install()).toEqual({ file, status: 'installed', problem: '', diff: '' });
		expect(await beside()).toEqual([]);
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
		await mkdir(dirname(file), { recursive: true });
		await writeFile(join(dirname(file), 'mine.json'), PERSONS);
		await install();
		expect(await beside()).toEqual(['mine.json']);
		await uninstall();
		expect(await readFile(join(dirname(file), 'mine.json'), 'utf8')).toBe(PERSONS);
		expect(await readdir(dirname(file))).toEqual(['mine.json']);
	});

	it('bring another data directory up to date, as a fresh file', async () => {
		await install({ dataDirectory: '/elsewhere/data' });
		expect((await plan()).status).toBe('partly');
		await install();
		const renewed = await text();
		await uninstall();
		await install();
		expect(await text()).toBe(renewed);
	});

	it('of an older version: the whole file is written anew, or removed', async () => {
		await install();
		const older = JSON.parse(await text());
		delete older.hooks.preCompact;
		older.hooks.agentStop[0].timeoutSec = 30;
		older.hooks.eventOfYesterday = older.hooks.agentStop;
		const asWritten = `${JSON.stringify(older, null, 2)}\n`;
		const hooks = JSON.stringify(older.hooks).replace(
			'copilot-cli agentStop',
			'copilot-cli eventOfYesterday',
		);
		await writeFile(file, asWritten);
		expect(hooks).toContain('eventOfYesterday');
		expect((await plan()).status).toBe('partly');
		await install();
		expect(Object.keys(JSON.parse(await text()).hooks)).toEqual([...EVENTS]);
		await writeFile(file, asWritten);
		expect(await uninstall()).toMatchObject({ status: 'absent', problem: '' });
		await expect(access(file)).rejects.toThrow('ENOENT');
	});

	it.each([PERSONS, '{}', '\uFEFF{"version": 1}', '{\n  // mine\n}\n', ' \n', '{"hooks":{}}'])(
		'leave a file of a person’s by that name byte for byte as it was: %j',
		async (content) => {
			await found(content);
			expect((await install()).status).not.toBe('absent');
			expect(await text()).not.toBe(content);
			expect((await beside()).map((name) => name.replace(/-backup-.*/, ''))).toEqual([
				'agent-floor.json.agent-floor',
			]);
			// Copilot CLI reads all files in the directory that end so.
			expect((await beside()).filter((name) => name.endsWith('.json'))).toEqual([]);
			await uninstall();
			expect(await text()).toBe(content);
			expect(await beside()).toEqual([]);
		},
	);

	it('take nothing else out of any file', async () => {
		const handler = fc.oneof(
			fc.record({ type: fc.constant('command'), bash: fc.string(), timeoutSec: fc.nat() }),
			fc.jsonValue(),
		);
		const content = fc
			.record(
				{
					version: fc.constant(1),
					hooks: fc.dictionary(fc.constantFrom('agentStop', 'preToolUse', 'x', 'stop'), fc.array(handler)),
					more: fc.jsonValue(),
				},
				{ requiredKeys: [] },
			)
			.chain((value) =>
				fc.constantFrom(undefined, 1, '\t').map((indent) => JSON.stringify(value, null, indent)),
			);
		await fc.assert(
			fc.asyncProperty(content, async (before) => {
				await found(before);
				await install();
				const hooks = JSON.parse(await text()).hooks;
				for (const event of EVENTS) expect(hooks[event].length).toBeGreaterThan(0);
				await uninstall();
				expect(await text()).toBe(before);
			}),
			{ numRuns: 60 },
		);
	});
});

describe('a person’s changes', () => {
	it('stay when the hooks go, and the note says so', async () => {
		await install();
		const mine = '"agentStop": [\n      {\n        "type": "command",\n        "bash": "say done"\n      },';
		await edit('"agentStop": [', mine);
		expect(await plan(true)).toMatchObject({ status: 'installed' });
		expect(await uninstall()).toMatchObject({ status: 'absent', problem: expect.stringContaining('stays') });
		expect(JSON.parse(await text())).toEqual({
			version: 1,
			hooks: { agentStop: [{ type: 'command', bash: 'say done' }] },
		});
		// Nothing of ours is in it any more: nothing to say, nothing to do.
		expect(await uninstall()).toMatchObject({ status: 'absent', problem: '' });
	});

	it('stay when the hooks are brought up to date', async () => {
		await install({ dataDirectory: '/elsewhere' });
		await edit('"timeoutSec": 65', '"timeoutSec": 20,\n        "matcher": "bash"');
		await install();
		const { preToolUse } = JSON.parse(await text()).hooks;
		expect(preToolUse).toMatchObject([{ timeoutSec: 20, matcher: 'bash' }]);
		expect(await text()).not.toContain('/elsewhere');
		expect((await plan()).status).toBe('installed');
	});

	it('in the layout alone are no reason to keep a file that holds nothing else', async () => {
		await install();
		await writeFile(file, JSON.stringify(JSON.parse(await text())));
		expect(await uninstall()).toMatchObject({ status: 'absent', problem: '' });
		await expect(access(file)).rejects.toThrow('ENOENT');
	});

	it('that removed a hook make it "partly", and installing brings it back', async () => {
		await install();
		const content = JSON.parse(await text());
		delete content.hooks.postToolUse;
		await writeFile(file, JSON.stringify(content));
		expect((await plan()).status).toBe('partly');
		expect((await install()).status).toBe('installed');
	});
});

describe('what Copilot CLI would pass over without a word is never called installed', () => {
	it.each([
		['"version": 1', '"version": 1, // one', 'strict JSON'],
		['"version": 1', '"version": 2', '"version" is not 1'],
		['"version": 1', '"version": 1, "disableAllHooks": true', 'disableAllHooks'],
		['"postToolUse"', '"posttooluse"', '"postToolUse" is meant'],
		['"postToolUse"', '"PostToolUse"', '"postToolUse" is meant'],
		[/^/, '\uFEFF', 'byte order mark'],
	])('%j → %j', async (from, to, problem) => {
		await install();
		await edit(from, to);
		expect(await plan()).toMatchObject({ status: 'partly', problem: expect.stringContaining(problem) });
	});

	it('nor hooks whose forwarder is missing', async () => {
		await rm(dataDirectory, { recursive: true });
		expect(await install()).toMatchObject({
			status: 'partly',
			problem: expect.stringContaining('forwarder'),
		});
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
});

describe('a file that cannot be used is refused with the reason, and left as it is', () => {
	it.each([
		['{\n  "a": 1,\n  "b"\n}\n', 'Colon expected at line 4, column 1'],
		['{"hooks": [] }', '"hooks" is an array, not an object, at line 1, column 11'],
		['{"hooks": {"agentStop": 1} }', '"hooks.agentStop" is a number, not a list, at line 1, column 25'],
	])('%j', async (content, problem) => {
		await found(content);
		expect(await plan()).toEqual({ file, status: 'unreadable', problem, diff: '' });
		await expect(install()).rejects.toMatchObject({
			data: {
				code: 'refused-file',
				message: expect.stringContaining(`Copilot CLI's settings ${file} cannot be changed: ${problem}`),
				remedy: expect.stringMatching(/Correct line \d+, column \d+/),
			},
		});
		expect(await text()).toBe(content);
		expect(await beside()).toEqual([]);
	});

	it('a read-only file, text in another encoding, a project that does not exist', async () => {
		await found(PERSONS);
		await chmod(file, 0o444);
		await expect(install()).rejects.toThrow('read-only');
		expect(await text()).toBe(PERSONS);
		await chmod(file, 0o644);
		const utf16 = Buffer.from('\uFEFF{"a":1}', 'utf16le');
		await writeFile(file, utf16);
		await expect(install()).rejects.toThrow('not UTF-8 text');
		expect(await readFile(file)).toEqual(utf16);
		const missing = projectCopilotHooksFile(join(home, 'typo'));
		await expect(install({ file: missing })).rejects.toThrow('does not exist');
		await expect(access(join(home, 'typo'))).rejects.toThrow('ENOENT');
	});
});

describe('when something goes wrong on the way', () => {
	it('another program’s change in the last moment is not lost', async () => {
		await found('{"version": 1}');
		let changes = 0;
		const disk: typeof thisMachine.disk = {
			...thisMachine.disk,
			create: async (path) => {
				if (path.includes('unfinished') && !path.includes('backup') && changes++ === 0) {
					await writeFile(file, '{"version": 1, "theirs": true}');
				}
				return thisMachine.disk.create(path);
			},
		};
		await applyCopilotHooks(target(), false, { ...thisMachine, disk });
		expect(JSON.parse(await text())).toMatchObject({ theirs: true, hooks: { agentStop: [{}] } });
		await uninstall();
		expect(await text()).toBe('{"version": 1, "theirs": true}');
	});

	it('a writer that died at any step left the old file or the new one, and the way back is there', async () => {
		for (let at = 1; at < 60; at++) {
			await rm(dirname(dirname(file)), { recursive: true, force: true });
			await found(PERSONS);
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
			const ended = await applyCopilotHooks(target(), false, host).then(
				() => true,
				(error: unknown) => {
					expect(String(error)).toContain('killed');
					return false;
				},
			);
			const left = await text();
			expect(left === PERSONS || left.includes('copilot-cli preToolUse')).toBe(true);
			await install();
			await uninstall();
			expect(await text()).toBe(PERSONS);
			if (ended) return;
		}
		throw new Error('it never came to its end');
	});
});

describe.skipIf(process.platform === 'win32')('a hooks file that is a link', () => {
	it('stays a link', async () => {
		await mkdir(dirname(file), { recursive: true });
		await writeFile(join(home, 'dotfiles.json'), PERSONS);
		await symlink('../../dotfiles.json', file);
		await install();
		expect((await lstat(file)).isSymbolicLink()).toBe(true);
		expect(await readFile(join(home, 'dotfiles.json'), 'utf8')).toContain('copilot-cli preToolUse');
		await uninstall();
		expect((await lstat(file)).isSymbolicLink()).toBe(true);
		expect(await readFile(join(home, 'dotfiles.json'), 'utf8')).toBe(PERSONS);
	});
});

describe.skipIf(process.platform === 'win32')('the command of a hook, as bash runs it', () => {
	const run = (directory: string, payload: string) =>
		new Promise<{ code: unknown; out: string; err: string }>((resolve, reject) => {
			const hook = desiredHooks({ file, dataDirectory: directory }, 'linux').find(
				({ event }) => event === 'preToolUse',
			);
			const child = execFile(
				'bash',
				['--norc', '--noprofile', '-c', String(hook?.handler.bash)],
				(error, out, err) => resolve({ code: error?.code ?? 0, out, err }),
			);
			child.stdin?.on('error', reject);
			child.stdin?.end(payload);
		});
	const nothing = { code: 0, out: '', err: '' };
	const large = JSON.stringify({ toolArgs: 'x'.repeat(1_000_000) });

	it('does nothing, drains the payload and succeeds where the forwarder is missing', async () => {
		expect(await run('/no/such "directory" $HOME `x`', large)).toEqual(nothing);
	});

	it('also where it may not be run, or fails', async () => {
		const forward = join(dataDirectory, 'hooks', 'forward');
		await writeFile(forward, '#!/bin/sh\necho broken >&2\nexit 2\n');
		expect(await run(dataDirectory, '{}')).toEqual(nothing);
		await unlink(forward);
		await writeFile(forward, 'x', { mode: 0o600 });
		expect(await run(dataDirectory, large)).toEqual(nothing);
	});

	it('hands on what the forwarder prints, and its arguments', async () => {
		const forward = join(dataDirectory, 'hooks', 'forward');
		await writeFile(forward, '#!/bin/sh\ncat >/dev/null\nprintf \'{"additionalContext":"%s"}\\n\' "$1 $2"\n');
		expect(await run(dataDirectory, large)).toEqual({
			...nothing,
			out: '{"additionalContext":"copilot-cli preToolUse"}\n',
		});
	});
});
