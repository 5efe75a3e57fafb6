import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cursorDialect } from '../../../src/main/hooks/cursor.ts';
import { CURSOR_EVENTS, desiredCursorHooks } from '../../../src/main/hooks/install/cursor-handlers.ts';
import {
	applyCursorHooks,
	type CursorHookTarget,
	cursorHooksFile,
	cursorProjectHooksFile,
	planCursorHooks,
} from '../../../src/main/hooks/install/cursor-hooks.ts';
import { settingsBytes } from './settings-texts.ts';

let home: string;
let file: string;
let target: CursorHookTarget;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-cursor-'));
	file = cursorHooksFile(home);
	await mkdir(dirname(file));
	target = { file, dataDirectory: '/home/a/data' };
});

afterEach(() => rm(home, { recursive: true, force: true }));

const install = (over: Partial<CursorHookTarget> = {}) => applyCursorHooks({ ...target, ...over }, false);
const uninstall = () => applyCursorHooks(target, true);
const plan = () => planCursorHooks(target, false);
const text = () => readFile(file, 'utf8');

const EXISTING = `{
  "version": 1,
  "hooks": {
    "beforeShellExecution": [{ "command": "./audit.sh" }],
    "preToolUse": [{ "command": "./check.sh", "matcher": "Shell", "failClosed": true }]
  }
}
`;

describe('the hooks file', () => {
	it('is where Cursor looks', () => {
		expect(cursorHooksFile('/home/a')).toBe('/home/a/.cursor/hooks.json');
		expect(cursorProjectHooksFile('/w/app')).toBe('/w/app/.cursor/hooks.json');
	});

	it('is written with its version, these keys and no more', async () => {
		await rm(dirname(file), { recursive: true });
		expect(await install()).toEqual({ file, status: 'installed', problem: '', diff: '' });
		const written = JSON.parse(await text());
		expect(Object.keys(written)).toEqual(['version', 'hooks']);
		expect(Object.keys(written.hooks)).toEqual([...CURSOR_EVENTS]);
		expect(written.hooks.preToolUse).toEqual([
			{ command: '"/home/a/data/hooks/forward" cursor preToolUse', timeout: expect.any(Number) },
		]);
		await uninstall();
		expect(await readdir(home)).toEqual([]);
	});

	it('asks for every event that the floor answers, and for one event of each call only', () => {
		const events: readonly string[] = CURSOR_EVENTS;
		expect(events.filter((event) => cursorDialect.answers(event))).toHaveLength(4);
		for (const event of ['beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile']) {
			expect(events).not.toContain(event);
		}
	});

	it('has timeouts in seconds: a minute and more before a tool', () => {
		for (const { event, handler } of desiredCursorHooks('/d', 'linux')) {
			expect(handler.timeout).toBeGreaterThan(event === 'preToolUse' ? 60 : 1);
			expect(handler.timeout).toBeLessThan(100);
		}
	});
});

describe('install and uninstall', () => {
	it('leave any file byte for byte as it was found, and nothing beside it', async () => {
		await fc.assert(
			fc.asyncProperty(settingsBytes, async (bytes) => {
				await writeFile(file, bytes);
				expect((await install()).status).not.toBe('absent');
				await uninstall();
				expect(await readFile(file)).toEqual(Buffer.from(bytes));
				expect(await readdir(dirname(file))).toEqual(['hooks.json']);
			}),
			{ numRuns: 15 },
		);
	});

	it('touch nothing of other people', async () => {
		await writeFile(file, EXISTING);
		await install();
		for (const line of EXISTING.split('\n').filter((each) => each.includes('.sh'))) {
			expect(await text()).toContain(line.trim().replace(/[\],]+$/, ''));
		}
		await uninstall();
		expect(await text()).toBe(EXISTING);
	});
});

describe('the plan', () => {
	it('says what Cursor would pass over', async () => {
		await writeFile(file, '{"hooks": {}}');
		expect((await plan()).problem).toMatch(/"version": 1/);
		await writeFile(file, EXISTING);
		await install();
		await writeFile(file, (await text()).replace('"postToolUse"', '"PostToolUse"'));
		expect(await plan()).toMatchObject({
			status: 'partly',
			problem: expect.stringContaining('"postToolUse" is meant'),
		});
		expect(await install()).toMatchObject({ status: 'installed', problem: '' });
	});
});
