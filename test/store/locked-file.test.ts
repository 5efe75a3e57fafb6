import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isKernelLocked, kernelLock, tryKernelLock } from '../../src/main/store/kernel-lock.ts';
import {
	type FileChange,
	type LockedFileOptions,
	updateLockedFile,
	withLockedFile,
} from '../../src/main/store/locked-file.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { temporaryDirectory } from './temporary-directory.ts';

function setUp(text?: string, more: Partial<LockedFileOptions> = {}) {
	const root = temporaryDirectory();
	const directory = join(root, 'repository');
	mkdirSync(directory);
	const file = join(directory, 'state.json');
	if (text !== undefined) writeFileSync(file, text);
	const locksDirectory = join(root, 'data', 'locks');
	const options: LockedFileOptions = {
		locksDirectory,
		meaning: 'The state was not kept.',
		tornPatienceMs: 0,
		now: () => Date.parse('2026-11-30T10:42:00Z'),
		...more,
	};
	return { directory, file, locksDirectory, options, lock: `${file}.lock` };
}

const write = (text: string): FileChange<null> => ({ kind: 'write', bytes: Buffer.from(text), result: null });
const read = (file: string): string => readFileSync(file, 'utf8');
const add = (bytes: Uint8Array | null): FileChange<null> => write(`${Number(Buffer.from(bytes ?? '')) + 1}`);

async function refusal(update: Promise<unknown>): Promise<StoreError> {
	const thrown = await update.catch((error: unknown) => error);
	if (thrown instanceof StoreError) return thrown;
	throw new Error(`no StoreError: ${String(thrown)}`);
}

/** A process that existed, and does not any more. */
async function deadPid(): Promise<number> {
	const child = spawn(process.execPath, ['-e', '']);
	await once(child, 'exit');
	return child.pid ?? 0;
}

describe('an update of a locked file', () => {
	it('makes a file, gives its result, and leaves nothing beside it', async () => {
		const { file, directory, options } = setUp();
		const { result, setAside } = await updateLockedFile(file, options, (bytes) => {
			expect(bytes).toBeNull();
			return { kind: 'write', bytes: Buffer.from('new'), result: 7 };
		});
		expect([result, setAside, read(file)]).toEqual([7, null, 'new']);
		expect(readdirSync(directory)).toEqual(['state.json']);
		expect(statSync(file).mode & 0o777).toBe(0o644);
	});

	it('touches nothing when there is nothing to change', async () => {
		const { file, directory, options } = setUp('same');
		const before = statSync(file);
		await updateLockedFile(file, options, () => ({ kind: 'keep', result: null }));
		expect(statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
		expect(readdirSync(directory)).toEqual(['state.json']);
	});

	it('keeps the mode, and follows links to the one file', async () => {
		const { file, directory, options } = setUp('0');
		chmodSync(file, 0o640);
		const link = join(directory, 'link.json');
		symlinkSync(file, link);
		await Promise.all([updateLockedFile(link, options, add), updateLockedFile(file, options, add)]);
		expect(lstatSync(link).isSymbolicLink()).toBe(true);
		expect(read(file)).toBe('2');
		expect(statSync(file).mode & 0o777).toBe(0o640);
		expect(readdirSync(options.locksDirectory)).toHaveLength(1);
	});

	it('is alone: many at the same time in one process all count', async () => {
		const { file, options } = setUp('0', { forScripts: true });
		await Promise.all(Array.from({ length: 40 }, () => updateLockedFile(file, options, add)));
		expect(read(file)).toBe('40');
	});

	it('lets the next one go on after a change that failed', async () => {
		const { file, options, directory } = setUp('0', { forScripts: true });
		const broken = updateLockedFile(file, options, () => {
			throw new Error('broken');
		});
		await expect(broken).rejects.toThrow('broken');
		await updateLockedFile(file, options, add);
		expect(read(file)).toBe('1');
		expect(readdirSync(directory)).toEqual(['state.json']);
	});

	it.each(['', 'scripts'])(
		'counts in 4 processes at once, one after the other killed (%s)',
		async (flags) => {
			const { file, locksDirectory, directory } = setUp('0\n');
			const script = join(import.meta.dirname, 'updating-process.ts');
			let acknowledged = 0;
			let killed = 0;
			const run = async (times: number, killAfter: number | null): Promise<void> => {
				const child = spawn(process.execPath, [script, file, locksDirectory, String(times), flags], {
					stdio: ['ignore', 'pipe', 'inherit'],
				});
				onTestFinished(() => void child.kill('SIGKILL'));
				let said = 0;
				child.stdout.on('data', (data) => {
					said += [...String(data).matchAll(/^\d+$/gm)].length;
					if (killAfter !== null && said >= killAfter) child.kill('SIGKILL');
				});
				const [code, signal] = await once(child, 'close');
				expect(signal === 'SIGKILL' || code === 0).toBe(true);
				if (signal === 'SIGKILL') killed += 1;
				acknowledged += said;
			};
			await Promise.all([run(25, null), run(25, null), run(1000, 3), run(1000, 5)]);
			const counted = Number(read(file));
			expect(killed).toBe(2);
			expect(acknowledged).toBeGreaterThanOrEqual(58);
			// What was written but not told any more when the process was killed: one update each at most.
			expect(counted - acknowledged).toBeGreaterThanOrEqual(0);
			expect(counted - acknowledged).toBeLessThanOrEqual(killed);
			await updateLockedFile(file, { locksDirectory, meaning: '', forScripts: true }, add);
			expect(readdirSync(directory).filter((name) => name.endsWith('.lock'))).toEqual([]);
		},
	);

	it('is asked again when a program that takes no lock wrote in between', async () => {
		const { file, options } = setUp('1');
		let asked = 0;
		await updateLockedFile(file, options, (bytes) => {
			asked += 1;
			if (asked === 1) writeFileSync(file, '41');
			return add(bytes);
		});
		expect([asked, read(file)]).toEqual([2, '42']);
	});

	it('gives up on a file that another program writes all the time', async () => {
		const { file, options } = setUp('1');
		let number = 100;
		const busy = updateLockedFile(file, options, (bytes) => {
			number += 1;
			writeFileSync(file, String(number));
			return add(bytes);
		});
		expect(await refusal(busy)).toMatchObject({ code: 'busy', meaning: 'The state was not kept.' });
	});

	it('removes what killed processes left beside it, once it is old, and nothing else', async () => {
		const { file, directory, options } = setUp('0');
		const [old, fresh, other] = ['state.json.123456', 'state.json.654321', 'state.json.bak'].map((name) => {
			const path = join(directory, name);
			writeFileSync(path, 'x');
			if (!name.endsWith('654321')) utimesSync(path, new Date(0), new Date(0));
			return path;
		});
		await updateLockedFile(file, options, add);
		expect([old, fresh, other].map((path) => existsSync(path ?? ''))).toEqual([false, true, true]);
	});
});

describe('a damaged file', () => {
	const change = (bytes: Uint8Array | null): FileChange<string> => {
		const text = Buffer.from(bytes ?? '').toString();
		if (bytes !== null && !text.endsWith('}')) return { kind: 'damaged', problem: 'has no end' };
		return { kind: 'write', bytes: Buffer.from('{new}'), result: text };
	};

	it('is set aside under a dated name, and the update begins anew', async () => {
		const { file, options } = setUp('{"half');
		const { result, setAside } = await updateLockedFile(file, options, change);
		const name = `${file}.corrupt-2026-11-30T10-42-00`;
		expect([result, setAside]).toEqual(['', { name, problem: 'has no end' }]);
		expect([read(file), read(name)]).toEqual(['{new}', '{"half']);
	});

	it('is waited for: a script may be writing it right now', async () => {
		const { file, directory, options } = setUp('{"half', { tornPatienceMs: 10_000 });
		let asked = 0;
		const { result, setAside } = await updateLockedFile(file, options, (bytes) => {
			asked += 1;
			if (asked === 3) writeFileSync(file, '{"half a moment later"}');
			return change(bytes);
		});
		expect([result, setAside]).toEqual(['{"half a moment later"}', null]);
		expect(readdirSync(directory)).toEqual(['state.json']);
	});

	it('is reported also when the update took several tries', async () => {
		const { file, options } = setUp('{"half');
		let asked = 0;
		const { setAside } = await updateLockedFile(file, options, (bytes) => {
			asked += 1;
			if (asked === 2) writeFileSync(file, '{whole}');
			return change(bytes);
		});
		expect(setAside).toMatchObject({ problem: 'has no end' });
	});
});

describe('a link', () => {
	it('leads to a damaged file: that stays where and as it is, and the update is refused', async () => {
		const { file, directory, options } = setUp();
		const other = join(directory, 'main.ts');
		writeFileSync(other, 'not a state file');
		symlinkSync(other, file);
		const update = updateLockedFile(file, options, () => ({ kind: 'damaged', problem: 'is something else' }));
		const error = await refusal(update);
		expect(error.message).toBe(`A link leads to ${other}, which is something else. It was left as it is.`);
		expect(readdirSync(directory).sort()).toEqual(['main.ts', 'state.json']);
		expect(read(other)).toBe('not a state file');
	});
});

describe('what cannot be', () => {
	it.each([
		['a directory that is gone', (file: string) => rmSync(join(file, '..'), { recursive: true })],
		['a directory in the file’s place', (file: string) => mkdirSync(file)],
		[
			'a file in the directory’s place',
			(file: string) => {
				rmSync(join(file, '..'), { recursive: true });
				writeFileSync(join(file, '..'), '');
			},
		],
		['a link that leads in a circle', (file: string) => symlinkSync(file, file)],
	])('%s is a typed error that says what it costs and what to do', async (what, prepare) => {
		for (const forScripts of [false, true]) {
			const { file, options } = setUp(undefined, { forScripts });
			prepare(file);
			const error = await refusal(updateLockedFile(file, options, add));
			expect(error).toMatchObject({ code: 'not-writable', meaning: 'The state was not kept.' });
			expect(error.message).toContain('repository');
			expect(error.message).toMatch(/[^.]\.$/);
			if (!what.includes('gone')) expect(error.remedy).toMatch(/^Move away what stands/);
		}
	});

	it('a lock that another keeps is a typed error after the patience is over', async () => {
		const { file, options, locksDirectory } = setUp('0');
		await updateLockedFile(file, options, add);
		const [name = ''] = readdirSync(locksDirectory);
		const other = await kernelLock(join(locksDirectory, name), { patienceMs: 0 });
		const error = await refusal(updateLockedFile(file, { ...options, patienceMs: 30 }, add));
		expect(error).toMatchObject({ code: 'busy' });
		other.dispose();
		await updateLockedFile(file, options, add);
		expect(read(file)).toBe('2');
	});

	it('a lock whose file was taken away is noticed', async () => {
		const { file, options, locksDirectory } = setUp('0');
		const lost = withLockedFile(file, options, (held) => {
			rmSync(locksDirectory, { recursive: true });
			return held.update(add);
		});
		expect(await refusal(lost)).toMatchObject({ code: 'failed', meaning: 'The state was not kept.' });
		await updateLockedFile(file, options, add);
	});

	it('locks that cannot be made are a typed error, and the file is as it was', async () => {
		const { file, options } = setUp('0');
		writeFileSync(join(options.locksDirectory, '..', '..', 'data'), '');
		expect(await refusal(updateLockedFile(file, options, add))).toMatchObject({ code: 'not-writable' });
		expect(read(file)).toBe('0');
	});
});

describe('the lock that scripts know', () => {
	const forScripts = { forScripts: true, now: Date.now };

	it('is held while the file is changed, signed, and gone afterwards', async () => {
		const { file, lock, options } = setUp('0', forScripts);
		await updateLockedFile(file, options, (bytes) => {
			const [pid, host] = read(join(lock, 'owner')).split(' ');
			expect([pid, host]).toEqual([String(process.pid), hostname()]);
			return add(bytes);
		});
		expect(existsSync(lock)).toBe(false);
	});

	it('is waited for while a script has it', async () => {
		const { file, lock, options } = setUp('0', forScripts);
		mkdirSync(lock);
		let isDone = false;
		const update = updateLockedFile(file, options, add).then(() => {
			isDone = true;
		});
		await sleep(100);
		expect(isDone).toBe(false);
		writeFileSync(file, '10');
		rmSync(lock, { recursive: true });
		await update;
		expect(read(file)).toBe('11');
	});

	it('is a typed error when a script keeps it, and stays the script’s', async () => {
		const { file, lock, options } = setUp('0', { ...forScripts, patienceMs: 50 });
		mkdirSync(lock);
		const error = await refusal(updateLockedFile(file, options, add));
		expect(error).toMatchObject({ code: 'busy', message: expect.stringContaining(lock) });
		expect(existsSync(lock)).toBe(true);
		expect(read(file)).toBe('0');
	});

	it('is taken over at once from a process of this machine that is gone', async () => {
		const { file, directory, lock, options } = setUp('0', { ...forScripts, patienceMs: 0 });
		mkdirSync(lock);
		writeFileSync(join(lock, 'owner'), `${await deadPid()} ${hostname()} x\n`);
		await updateLockedFile(file, options, add);
		expect(readdirSync(directory)).toEqual(['state.json']);
	});

	it.each([
		['of another machine', 'elsewhere'],
		['that lives', hostname()],
	])('is not taken from a process %s', async (_what, host) => {
		const { file, lock, options } = setUp('0', { ...forScripts, patienceMs: 30 });
		mkdirSync(lock);
		writeFileSync(join(lock, 'owner'), `${host === hostname() ? process.pid : await deadPid()} ${host} x\n`);
		expect(await refusal(updateLockedFile(file, options, add))).toMatchObject({ code: 'busy' });
	});

	it.each([-20_000, 3_600_000])('is taken over when it is too old, by either clock (%i ms)', async (ms) => {
		const { file, lock, options } = setUp('0', { ...forScripts, patienceMs: 0 });
		mkdirSync(lock);
		const then = new Date(Date.now() + ms);
		utimesSync(lock, then, then);
		await updateLockedFile(file, options, add);
		expect(existsSync(lock)).toBe(false);
	});

	it.each<[string, (lock: string, elsewhere: string) => void]>([
		['a link to nothing', (lock) => symlinkSync('/nothing/of/that/name', lock)],
		['a link to a directory', (lock, elsewhere) => symlinkSync(elsewhere, lock)],
		['a file', (lock) => writeFileSync(lock, '')],
		[
			'a directory whose owner is a device',
			(lock) => {
				mkdirSync(lock);
				symlinkSync('/dev/zero', join(lock, 'owner'));
			},
		],
		[
			'a directory whose owner is huge',
			(lock) => {
				mkdirSync(lock);
				writeFileSync(join(lock, 'owner'), '1'.repeat(2_000));
			},
		],
	])(
		'may be %s: waited for like any other, then taken over, and nothing behind it is touched',
		async (_what, make) => {
			const { file, lock, directory, options } = setUp('0', { ...forScripts, patienceMs: 30 });
			const elsewhere = temporaryDirectory();
			writeFileSync(join(elsewhere, 'owner'), 'somebody');
			make(lock, elsewhere);
			expect(await refusal(updateLockedFile(file, options, add))).toMatchObject({ code: 'busy' });
			await updateLockedFile(file, { ...options, now: () => Date.now() + 60_000 }, add);
			expect([read(file), readdirSync(directory)]).toEqual(['1', ['state.json']]);
			expect(read(join(elsewhere, 'owner'))).toBe('somebody');
		},
	);

	it('that was lost while we slept is noticed: the update is done anew, and the other’s lock stays until it is done', async () => {
		const { file, lock, options } = setUp('0', forScripts);
		let asked = 0;
		let release = (): void => {};
		await updateLockedFile(file, options, (bytes) => {
			asked += 1;
			if (asked > 1) {
				expect(read(join(lock, 'owner'))).toContain(String(process.pid));
				return add(bytes);
			}
			// As a script would after ten seconds: takes the lock over, and needs a while for its own update.
			renameSync(lock, `${lock}.old`);
			rmSync(`${lock}.old`, { recursive: true });
			mkdirSync(lock);
			release = () => {
				expect(existsSync(lock)).toBe(true);
				expect(read(file)).toBe('0');
				writeFileSync(file, '70');
				rmSync(lock, { recursive: true });
			};
			setTimeout(() => release(), 60);
			return add(bytes);
		});
		expect([asked, read(file)]).toEqual([2, '71']);
	});

	it('that was lost while it was written is noticed afterwards: what another wrote then gets the change too', async () => {
		const { file, lock, options } = setUp('0', forScripts);
		let looks = 0;
		await updateLockedFile(file, options, (bytes) => {
			if (looks > 0) return add(bytes);
			return {
				kind: 'write',
				result: null,
				get bytes() {
					looks += 1;
					// First when it is written, then when it has been read back.
					if (looks === 1) rmSync(lock, { recursive: true });
					else writeFileSync(file, '50');
					return Buffer.from('1');
				},
			};
		});
		expect(read(file)).toBe('51');
		expect(existsSync(lock)).toBe(false);
	});

	it('that was lost when all was written is no second update', async () => {
		const { file, lock, options } = setUp('0', forScripts);
		let asked = 0;
		let isLost = false;
		await updateLockedFile(file, options, (bytes) => {
			asked += 1;
			return {
				kind: 'write',
				result: null,
				// Read when the last look at the lock is over: the write itself cannot be stopped any more.
				get bytes() {
					if (!isLost) rmSync(lock, { recursive: true });
					isLost = true;
					return Buffer.from(`${Number(Buffer.from(bytes ?? '')) + 1}`);
				},
			};
		});
		expect([asked, read(file)]).toEqual([1, '1']);
	});
});

describe('the lock of the system', () => {
	it('is one process’s at a time, can be asked about, and leaves an empty file', () => {
		const directory = temporaryDirectory();
		const lockFile = join(directory, 'locks', 'x.lock');
		expect(isKernelLocked(lockFile)).toBe(false);
		expect(existsSync(lockFile)).toBe(false);
		const lock = tryKernelLock(lockFile);
		expect([lock?.isWhole(), isKernelLocked(lockFile), tryKernelLock(lockFile)]).toEqual([true, true, null]);
		lock?.dispose();
		expect(isKernelLocked(lockFile)).toBe(false);
		expect(readdirSync(join(directory, 'locks'))).toEqual(['x.lock']);
		expect(statSync(lockFile).size).toBe(0);
	});

	it('can be taken while others look whether they can have it', () => {
		const lockFile = join(temporaryDirectory(), 'x.lock');
		const looking = new SqliteDatabase(lockFile);
		onTestFinished(() => void looking.close());
		looking.exec('BEGIN');
		looking.prepare('SELECT count(*) FROM sqlite_schema').get();
		const lock = tryKernelLock(lockFile);
		expect(lock).not.toBeNull();
		lock?.dispose();
	});
});
