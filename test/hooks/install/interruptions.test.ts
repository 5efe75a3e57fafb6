import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, nodeDisk, type OpenFile } from '../../../src/main/hooks/install/disk.ts';
import {
	applyClaudeHooks,
	type ClaudeHookTarget,
	userSettingsFile,
} from '../../../src/main/hooks/install/install.ts';
import type { InstallHost } from '../../../src/main/hooks/install/sight.ts';
import { ChannelError } from '../../../src/shared/channels.ts';

const FOUND =
	'{\n  // mine\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "true"}]}]\n  }\n}\n';

let home: string;
let target: ClaudeHookTarget;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-interrupted-'));
	target = { file: userSettingsFile({}, home), baseUrl: 'http://127.0.0.1:47100', agentToken: 'token' };
	await mkdir(dirname(target.file));
});

afterEach(async () => {
	await rm(home, { recursive: true, force: true });
});

/** Real files without waiting for the platter: what is tried here is the order of the steps, hundreds of times. */
const quickDisk: Disk = {
	...nodeDisk,
	syncDirectory: async () => undefined,
	create: async (file) => ({ ...(await nodeDisk.create(file)), sync: async () => undefined }),
};

function hostWith(disk: Disk, now = Date.now): InstallHost {
	return { disk, platform: process.platform, now };
}

const quick = hostWith(quickDisk);

/** Long after whatever an interrupted writer left. */
const later = hostWith(quickDisk, () => Date.now() + 3_600_000);

async function content(): Promise<string | null> {
	return readFile(target.file, 'utf8').catch(() => null);
}

type Step = (name: string, path: string) => Promise<void> | void;

/** Every operation of the disk calls `before` first, and `during` on a write, which may leave half of it. */
function watched(before: Step, during: (file: OpenFile, bytes: Uint8Array) => Promise<void>): Disk {
	const guard =
		<A extends unknown[], R>(name: string, operation: (...args: A) => Promise<R>) =>
		async (...args: A): Promise<R> => {
			await before(name, String(args[0]));
			return operation(...args);
		};
	return {
		read: guard('read', quickDisk.read),
		facts: guard('facts', quickDisk.facts),
		readLink: guard('readLink', quickDisk.readLink),
		checkWritable: guard('checkWritable', quickDisk.checkWritable),
		names: guard('names', quickDisk.names),
		makeDirectory: guard('makeDirectory', quickDisk.makeDirectory),
		removeDirectory: guard('removeDirectory', quickDisk.removeDirectory),
		rename: guard('rename', quickDisk.rename),
		remove: guard('remove', quickDisk.remove),
		syncDirectory: guard('syncDirectory', quickDisk.syncDirectory),
		create: guard('create', async (path) => {
			const file = await quickDisk.create(path);
			return {
				write: (bytes) => during(file, bytes),
				chmod: guard('chmod', file.chmod),
				chown: guard('chown', file.chown),
				sync: guard('sync', file.sync),
				// The system closes what a dead process held open.
				close: () => file.close(),
			};
		}),
	};
}

class Killed extends Error {}

/** The process dies at operation number `at` and does nothing any more; a write gets half of its bytes out. */
function dyingAt(at: number): { disk: Disk; died: () => boolean } {
	let count = 0;
	const step = () => {
		if (++count >= at) throw new Killed();
	};
	const disk = watched(step, async (file, bytes) => {
		if (count + 1 >= at) await file.write(bytes.subarray(0, bytes.length / 2));
		step();
		await file.write(bytes);
	});
	return { disk, died: () => count >= at };
}

/** Operation number `at` fails, as on a full or failing disk; the process lives on. */
function failingAt(at: number): { disk: Disk; failed: () => boolean } {
	let count = 0;
	const step = () => {
		if (++count === at) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
	};
	const disk = watched(step, async (file, bytes) => {
		step();
		await file.write(bytes);
	});
	return { disk, failed: () => count >= at };
}

interface Situation {
	readonly name: string;
	readonly found: string | null;
	prepare(): Promise<unknown>;
	readonly remove: boolean;
}

const situations: Situation[] = [
	{ name: 'installing', found: FOUND, prepare: async () => undefined, remove: false },
	{ name: 'installing where there is no file', found: null, prepare: async () => undefined, remove: false },
	{
		name: 'bringing up to date',
		found: FOUND,
		prepare: () => applyClaudeHooks({ ...target, agentToken: 'old' }, false, quick),
		remove: false,
	},
	{ name: 'uninstalling', found: FOUND, prepare: () => applyClaudeHooks(target, false, quick), remove: true },
	{
		name: 'uninstalling what was no file',
		found: null,
		prepare: () => applyClaudeHooks(target, false, quick),
		remove: true,
	},
];

async function setUp(situation: Situation): Promise<string | null> {
	await rm(dirname(target.file), { recursive: true });
	await mkdir(dirname(target.file));
	if (situation.found !== null) await writeFile(target.file, situation.found);
	await situation.prepare();
	return content();
}

/** Whatever happened before: installing works, and uninstalling gives back what was found, with nothing beside it. */
async function expectWayBack(found: string | null): Promise<void> {
	await applyClaudeHooks(target, false, later);
	expect(await content()).toContain('Bearer token');
	await applyClaudeHooks(target, true, later);
	expect(await content()).toBe(found);
	expect(await readdir(dirname(target.file))).toEqual(found === null ? [] : ['settings.json']);
}

describe.each(situations)('$name', { timeout: 120_000 }, (situation) => {
	it('may be killed at any step: the file is the old one or the new one, and the way back is there', async () => {
		await setUp(situation);
		await applyClaudeHooks(target, situation.remove, quick);
		const after = await content();
		let deaths = 0;
		for (let at = 1; ; at++) {
			const before = await setUp(situation);
			const { disk, died } = dyingAt(at);
			const outcome = await applyClaudeHooks(target, situation.remove, hostWith(disk)).catch(
				(error) => error,
			);
			if (!died()) break;
			deaths++;
			expect(outcome).toBeInstanceOf(Killed);
			expect([before, after]).toContain(await content());
			await expectWayBack(situation.found);
		}
		expect(deaths).toBeGreaterThan(20);
	});

	it('may fail at any step: it says so, leaves no unfinished file, and can be done again', async () => {
		await setUp(situation);
		await applyClaudeHooks(target, situation.remove, quick);
		const after = await content();
		for (let at = 1; ; at++) {
			const before = await setUp(situation);
			const { disk, failed } = failingAt(at);
			const outcome = await applyClaudeHooks(target, situation.remove, hostWith(disk)).catch(
				(error) => error,
			);
			if (!failed()) break;
			expect(outcome).toBeInstanceOf(ChannelError);
			expect(outcome.data).toMatchObject({
				code: 'refused-file',
				message: expect.stringContaining('the disk is full'),
			});
			expect([before, after]).toContain(await content());
			expect((await readdir(dirname(target.file))).filter((name) => name.includes('unfinished'))).toEqual([]);
			await expectWayBack(situation.found);
		}
	});
});

describe('another program that writes the file at the same time', () => {
	/** `write` runs after the installer has looked and before it replaces the file. */
	function interleaved(write: () => Promise<void>): InstallHost {
		const step: Step = async (name, path) => {
			if (name === 'create' && path.startsWith(`${target.file}.agent-floor-unfinished`)) await write();
		};
		return hostWith(watched(step, (file, bytes) => file.write(bytes)));
	}

	it('loses nothing: its change is merged', async () => {
		await writeFile(target.file, '{"model":"x"}');
		let turns = 0;
		const host = interleaved(async () => {
			if (++turns <= 3) await writeFile(target.file, `{"model":"x","turn":${turns}}`);
		});
		expect(await applyClaudeHooks(target, false, host)).toMatchObject({ status: 'installed' });
		expect(JSON.parse((await content()) ?? '')).toMatchObject({ model: 'x', turn: 3, hooks: { Stop: [{}] } });
		await applyClaudeHooks(target, true, quick);
		expect(await content()).toBe('{"model":"x","turn":3}');
	});

	it.each([false, true])('right after the change loses nothing either (removing: %s)', async (remove) => {
		const found = '{"model":"x","hooks":{}}';
		await writeFile(target.file, found);
		if (remove) await applyClaudeHooks(target, false, quick);
		const stale = JSON.parse((await content()) ?? '');
		let renamed = false;
		const step: Step = async (name, path) => {
			if (name === 'rename' && path.startsWith(`${target.file}.agent-floor-unfinished`)) renamed = true;
			if (name !== 'syncDirectory' || !renamed) return;
			renamed = false;
			if (stale.turn === undefined) await writeFile(target.file, JSON.stringify({ ...stale, turn: 1 }));
			stale.turn = 1;
		};
		const host = hostWith(watched(step, (file, bytes) => file.write(bytes)));
		await applyClaudeHooks(target, remove, host);
		expect(JSON.parse((await content()) ?? '')).toMatchObject({ model: 'x', turn: 1 });
		await applyClaudeHooks(target, true, quick);
		expect(JSON.parse((await content()) ?? '')).toEqual({ model: 'x', turn: 1, hooks: {} });
	});

	it('has the last word if it never stops, and the person is told', async () => {
		await writeFile(target.file, '{}');
		let turns = 0;
		const host = interleaved(() => writeFile(target.file, `{"turn":${++turns}}`));
		await expect(applyClaudeHooks(target, false, host)).rejects.toThrow('another program keeps writing it');
		expect(await content()).toBe(`{"turn":${turns}}`);
	});

	it('may make the file unreadable: then it stays as it is', async () => {
		await writeFile(target.file, '{}');
		const host = interleaved(() => writeFile(target.file, '{"half":'));
		await expect(applyClaudeHooks(target, false, host)).rejects.toThrow('line 1, column 9');
		expect(await content()).toBe('{"half":');
	});

	it('may be another installer: what others wrote is kept, ours is there once, and the way back is exact', async () => {
		await writeFile(target.file, FOUND);
		const floors = Array.from({ length: 12 }, (_, index) => ({
			...target,
			baseUrl: `http://127.0.0.1:${50_000 + (index % 3)}`,
		}));
		await Promise.allSettled(floors.map((floor) => applyClaudeHooks(floor, false, quick)));
		const text = (await content()) ?? '';
		expect(text).toContain('// mine');
		expect(text).toContain('"command": "true"');
		expect(text.match(/\/hooks\/claude-code\/PreToolUse/g)).toHaveLength(1);
		await applyClaudeHooks(target, true, quick);
		expect(await content()).toBe(FOUND);
	});
});
