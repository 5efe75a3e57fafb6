import {
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type OutboxEntry, outboxEntrySchema, withState } from '../../src/main/failover/outbox-entry.ts';
import type { DiskCalls } from '../../src/main/store/log-file.ts';
import { OUTBOX_FILE, OutboxLog } from '../../src/main/store/outbox-log.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { hookEntry, turnEntry } from '../failover/outbox-entries.ts';
import { temporaryDirectory } from './temporary-directory.ts';

interface Opened {
	readonly log: OutboxLog<OutboxEntry>;
	readonly damage: string[];
}

function openLog(directory: string, disk?: DiskCalls): Opened {
	const damage: string[] = [];
	const log = new OutboxLog({
		directory,
		schema: outboxEntrySchema,
		onDamage: (problem) => damage.push(problem),
		now: () => Date.UTC(2026, 10, 30),
		...(disk && { disk }),
	});
	onTestFinished(() => log.close());
	return { log, damage };
}

const fileOf = (directory: string) => join(directory, OUTBOX_FILE);
const textOf = (entry: OutboxEntry) => `${JSON.stringify(entry)}\n`;

function write(directory: string, content: string | Uint8Array): string {
	const file = fileOf(directory);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, content);
	return file;
}

function changed(entry: OutboxEntry, state: OutboxEntry['state']): OutboxEntry {
	return withState(entry, state, { attempts: 1, detail: '', at: entry.created_at, next_attempt_at: null });
}

/** Every line of the file is one entry, and nothing else stands in it. */
function linesOf(directory: string): OutboxEntry[] {
	const text = readFileSync(fileOf(directory), 'utf8');
	expect(text === '' || text.endsWith('\n')).toBe(true);
	return text
		.split('\n')
		.slice(0, -1)
		.filter((line) => line !== '')
		.map((line) => outboxEntrySchema.parse(JSON.parse(line)));
}

describe('the log', () => {
	it('begins in a directory of its own, readable for its owner only, with exactly the fields of the seed', async () => {
		const directory = temporaryDirectory();
		const { log } = openLog(directory);
		const entry = turnEntry();
		await log.append([entry]);
		expect(statSync(fileOf(directory)).mode & 0o777).toBe(0o600);
		expect(statSync(join(directory, '.aide')).mode & 0o777).toBe(0o700);
		const [line] = linesOf(directory);
		expect(Object.keys(line ?? {})).toEqual(['idempotency_key', 'created_at', 'kind', 'payload', 'state']);
		expect(line).toEqual(entry);
		expect(entry.created_at).toBe('1970-01-01T00:00:01.000Z');
	});

	it('takes its mode back when a copy has lost it', async () => {
		const directory = temporaryDirectory();
		const entry = turnEntry();
		chmodSync(write(directory, textOf(entry)), 0o644);
		await openLog(directory).log.append([turnEntry()]);
		expect(statSync(fileOf(directory)).mode & 0o777).toBe(0o600);
	});

	it('gives the last line of each key, in order of their first', async () => {
		const directory = temporaryDirectory();
		const [a, b, c] = [turnEntry(), hookEntry(), turnEntry()];
		const { log } = openLog(directory);
		await log.append([a, b, c]);
		await log.append([changed(a, 'sent'), changed(b, 'failed')]);
		await log.append([changed(a, 'reconciled')]);
		const expected = [changed(a, 'reconciled'), changed(b, 'failed'), c];
		expect(await openLog(directory).log.read()).toEqual(expected);
		expect(await log.read()).toEqual(expected);
		expect(linesOf(directory)).toHaveLength(6);
	});

	it('is empty where there is none, and reading makes none', async () => {
		const directory = temporaryDirectory();
		expect(await openLog(directory).log.read()).toEqual([]);
		expect(readdirSync(directory)).toEqual([]);
	});

	it('writes many appends at once without mixing them', async () => {
		const directory = temporaryDirectory();
		const { log } = openLog(directory);
		const entries = Array.from({ length: 200 }, (_, index) =>
			turnEntry({ body: JSON.stringify('é💥\u2028\ud83d'.repeat(index)) }),
		);
		await Promise.all(entries.map((entry) => log.append([entry])));
		expect(linesOf(directory)).toEqual(entries);
	});

	it('refuses what comes after it was closed', async () => {
		const { log } = openLog(temporaryDirectory());
		await log.append([turnEntry()]);
		const last = log.append([turnEntry()]);
		await log.close();
		await last;
		await expect(log.append([turnEntry()])).rejects.toBeInstanceOf(StoreError);
	});
});

describe('after a crash', () => {
	it('a last line that was cut at any byte is repaired at the first append, never on reading', async () => {
		const directory = temporaryDirectory();
		const [first, second, third] = [turnEntry(), hookEntry({ body: '"é💥"' }), turnEntry()];
		const whole = Buffer.from(textOf(first) + textOf(second));
		const begin = Buffer.byteLength(textOf(first));
		for (let cut = begin; cut <= whole.length; cut += 1) {
			const file = write(directory, whole.subarray(0, cut));
			const { log, damage } = openLog(directory);
			// The line is whole as soon as only its newline is missing.
			const survives = cut >= whole.length - 1;
			expect(await log.read()).toEqual(survives ? [first, second] : [first]);
			expect(readFileSync(file)).toEqual(whole.subarray(0, cut));
			await log.append([third]);
			expect(linesOf(directory)).toEqual(survives ? [first, second, third] : [first, third]);
			expect(damage).toEqual([]);
			await log.close();
		}
	});

	it('one cut in the first line leaves an empty log', async () => {
		const directory = temporaryDirectory();
		write(directory, textOf(turnEntry()).slice(0, 40));
		const { log } = openLog(directory);
		const entry = turnEntry();
		await log.append([entry]);
		expect(linesOf(directory)).toEqual([entry]);
	});

	const [a, b, c] = [turnEntry({ body: '"é\\"}{💥"' }), hookEntry(), turnEntry()];
	const torn = textOf(b).slice(0, 60);
	const half = Buffer.from(textOf(b)).subarray(0, 90);
	const damaged: readonly [string, (string | Uint8Array)[], OutboxEntry[]][] = [
		['a line of another program', [textOf(a), 'hello\n', textOf(c)], [a, c]],
		['JSON of another program', [textOf(a), '{"type":"user"}\n', '[1]\n', textOf(c)], [a, c]],
		[
			'an entry with a field beside the seed’s',
			[textOf(a), textOf(b).replace('{', '{"x":1,'), textOf(c)],
			[a, c],
		],
		['two lines fused', [textOf(a).trimEnd(), textOf(b), textOf(c)], [a, b, c]],
		['three lines fused', [textOf(a).trimEnd(), textOf(b).trimEnd(), textOf(c)], [a, b, c]],
		['a torn line fused with the next', [textOf(a), torn, textOf(c)], [a, c]],
		['a block of zeros before a line', [textOf(a), new Uint8Array(4096), textOf(c)], [a, c]],
		['a block of zeros as a line', [textOf(a), new Uint8Array(512), '\n', textOf(c)], [a, c]],
		['a block of zeros after a line', [textOf(a), textOf(c).trimEnd(), new Uint8Array(512), '\n'], [a, c]],
		['half of a character', [textOf(a), Uint8Array.of(0xc3), '\n', textOf(c)], [a, c]],
		['half of a character in a fused line', [half, Uint8Array.of(0xf0, 0x9f), textOf(c)], [c]],
		['a fused line that is torn at the end of the file', [textOf(a).trimEnd(), torn], [a]],
		['JSON of another program at the end, without its newline', [textOf(a), '{"type":"user"}'], [a]],
	];
	it.each(damaged)(
		'%s is set aside and reported, and no good line is lost',
		async (_what, parts, expected) => {
			const directory = temporaryDirectory();
			const before = Buffer.concat(parts.map((part) => Buffer.from(part)));
			const file = write(directory, before);
			const { log, damage } = openLog(directory);
			expect(await log.read()).toEqual(expected);
			expect({ content: readFileSync(file), damage }).toEqual({ content: before, damage: [] });
			const news = turnEntry();
			await log.append([news]);
			expect(linesOf(directory)).toEqual([...expected, news]);
			const aside = readdirSync(dirname(file)).filter((name) => name.includes('.corrupt-'));
			expect(aside).toEqual(['outbox.log.corrupt-2026-11-30T00-00-00']);
			expect(damage).toEqual([expect.stringContaining(aside[0] ?? '?')]);
			// Every byte of the old file stands in the new one or in the one that was set aside.
			const kept = Buffer.concat([readFileSync(file), readFileSync(join(dirname(file), aside[0] ?? ''))]);
			for (const line of before.toString('latin1').split('\n'))
				expect(kept.includes(line, 0, 'latin1')).toBe(true);
			await log.append([turnEntry()]);
			expect(damage).toHaveLength(1);
		},
	);

	it('zeros at the end of the file are cut off', async () => {
		const directory = temporaryDirectory();
		write(directory, Buffer.concat([Buffer.from(textOf(a)), Buffer.alloc(4096)]));
		const { log, damage } = openLog(directory);
		await log.append([c]);
		expect({ lines: linesOf(directory), damage }).toEqual({ lines: [a, c], damage: [] });
	});

	it('lines with carriage returns and blank lines are as good as others', async () => {
		const directory = temporaryDirectory();
		write(directory, `${textOf(a).trimEnd()}\r\n\n  \r\n${textOf(c)}`);
		const { log, damage } = openLog(directory);
		expect({ lines: await log.read(), damage }).toEqual({ lines: [a, c], damage: [] });
	});

	it('any damage between good lines costs none of them', async () => {
		const good = fc.constantFrom(a, b, c);
		const bad = fc.oneof(
			fc
				.uint8Array({ minLength: 1, maxLength: 50 })
				.map((bytes) => Buffer.from(bytes.map((byte) => byte || 1))),
			fc.nat(200).map((length) => Buffer.from(textOf(a)).subarray(0, length)),
			fc.integer({ min: 1, max: 100 }).map((length) => Buffer.alloc(length)),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.oneof({ weight: 2, arbitrary: good }, bad), { maxLength: 12 }),
				async (parts) => {
					const directory = temporaryDirectory();
					const bytes = parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(textOf(part))));
					write(directory, Buffer.concat(bytes));
					const expected = new Set(
						parts.flatMap((part) => (Buffer.isBuffer(part) ? [] : [part.idempotency_key])),
					);
					const { log } = openLog(directory);
					expect(new Set((await log.read()).map((entry) => entry.idempotency_key))).toEqual(expected);
					const news = turnEntry();
					await log.append([news]);
					expect(new Set(linesOf(directory).map((entry) => entry.idempotency_key))).toEqual(
						new Set([...expected, news.idempotency_key]),
					);
					await log.close();
				},
			),
			{ numRuns: 60 },
		);
	});
});

type Call = 'open' | 'write' | 'sync' | 'truncate' | 'rename';

/** A real disk that refuses the next calls of one kind, or takes writes only in part. */
function faultyDisk() {
	const faults: { call: Call; code: string; written?: number }[] = [];
	let mostBytes = Number.POSITIVE_INFINITY;
	const check = (call: Call) => {
		const at = faults.findIndex((fault) => fault.call === call);
		if (at === -1) return;
		const [fault] = faults.splice(at, 1);
		throw Object.assign(new Error(`${fault?.code}: ${call} refused`), { code: fault?.code });
	};
	const disk: DiskCalls = {
		open: async (file, flags, mode) => {
			check('open');
			return faulty(await open(file, flags, mode));
		},
		rename: async (from, to) => {
			check('rename');
			await rename(from, to);
		},
	};
	const faulty = (handle: FileHandle): FileHandle =>
		new Proxy(handle, {
			get(target, name) {
				if (name === 'write') {
					return async (bytes: Buffer, from: number, length: number, at: number) => {
						// Half of it is on the disk before the rest is refused.
						if (faults.some(({ call }) => call === 'write')) await target.write(bytes, from, length >> 1, at);
						check('write');
						return target.write(bytes, from, Math.min(length, mostBytes), at);
					};
				}
				if (name === 'sync' || name === 'truncate') {
					return async (size: number) => {
						check(name);
						await (name === 'sync' ? target.sync() : target.truncate(size));
					};
				}
				const member: unknown = Reflect.get(target, name, target);
				return typeof member === 'function' ? member.bind(target) : member;
			},
		});
	return {
		disk,
		refuse: (call: Call, code: string, times = 1) => {
			for (let count = 0; count < times; count += 1) faults.push({ call, code });
		},
		takeAtMost: (bytes: number) => {
			mostBytes = bytes;
		},
		pending: () => faults.length,
	};
}

describe('a disk that refuses', () => {
	const cases: readonly [Call, string, string, number?][] = [
		['write', 'ENOSPC', 'disk-full'],
		['write', 'EIO', 'failed'],
		['write', 'EDQUOT', 'disk-full'],
		['sync', 'EIO', 'failed'],
		['sync', 'ENOSPC', 'disk-full'],
		// The line can not even be taken back.
		['sync', 'EIO', 'failed', 2],
	];
	it.each(cases)(
		'at %s with %s: nothing is acknowledged, nothing is fused, the next append is whole',
		async (call, code, typed, times = 1) => {
			const directory = temporaryDirectory();
			const { disk, refuse, pending } = faultyDisk();
			const { log, damage } = openLog(directory, disk);
			const [first, refused, later] = [turnEntry(), turnEntry(), turnEntry()];
			await log.append([first]);
			refuse(call, code, times);
			const error = await log.append([refused]).catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(StoreError);
			expect(error).toMatchObject({ code: typed, message: expect.stringContaining('outbox.log') });
			expect(pending()).toBe(0);
			expect(await log.read()).toEqual([first]);
			await log.append([later]);
			expect(linesOf(directory)).toEqual([first, later]);
			expect(damage).toEqual([]);
		},
	);

	it('is tried again from the start when the first write of all failed', async () => {
		for (const call of ['open', 'sync', 'truncate'] as const) {
			const directory = temporaryDirectory();
			const { disk, refuse } = faultyDisk();
			const { log, damage } = openLog(directory, disk);
			refuse(call, 'EIO');
			await expect(log.append([turnEntry()])).rejects.toBeInstanceOf(StoreError);
			const entry = turnEntry();
			await log.append([entry]);
			expect({ lines: linesOf(directory), damage }).toEqual({ lines: [entry], damage: [] });
		}
	});

	it('refuses all that was written together, and only that', async () => {
		const directory = temporaryDirectory();
		const { disk, refuse } = faultyDisk();
		const { log } = openLog(directory, disk);
		await log.append([turnEntry()]);
		refuse('sync', 'ENOSPC');
		const results = await Promise.allSettled([1, 2, 3].map(() => log.append([turnEntry()])));
		const kept = results.filter(({ status }) => status === 'fulfilled').length;
		expect(kept).toBeLessThan(3);
		expect(linesOf(directory)).toHaveLength(1 + kept);
	});

	it('may take fewer bytes than it was given', async () => {
		const directory = temporaryDirectory();
		const { disk, takeAtMost } = faultyDisk();
		const { log } = openLog(directory, disk);
		takeAtMost(7);
		const entries = [turnEntry({ body: '"é💥"' }), turnEntry()];
		await log.append(entries);
		expect(linesOf(directory)).toEqual(entries);
	});

	it('that takes nothing at all is an error, not an endless loop', async () => {
		const { disk, takeAtMost } = faultyDisk();
		takeAtMost(0);
		await expect(openLog(temporaryDirectory(), disk).log.append([turnEntry()])).rejects.toBeInstanceOf(
			StoreError,
		);
	});

	it.skipIf(process.platform === 'win32')('is no device that never ends', async () => {
		const directory = temporaryDirectory();
		mkdirSync(join(directory, '.aide'));
		symlinkSync('/dev/zero', fileOf(directory));
		await expect(openLog(directory).log.append([turnEntry()])).rejects.toMatchObject({
			code: 'not-writable',
		});
	});

	it('cannot be read at all: nothing is queued blindly', async () => {
		const directory = temporaryDirectory();
		mkdirSync(fileOf(directory), { recursive: true });
		const { log } = openLog(directory);
		await expect(log.read()).rejects.toMatchObject({ code: 'not-writable' });
		await expect(log.append([turnEntry()])).rejects.toBeInstanceOf(StoreError);
		rmSync(fileOf(directory), { recursive: true });
		const entry = turnEntry();
		await log.append([entry]);
		expect(linesOf(directory)).toEqual([entry]);
	});
});

describe('another hand', () => {
	const changes: readonly [string, (file: string) => void, boolean][] = [
		['removes the file', (file) => rmSync(file), false],
		['removes the directory', (file) => rmSync(dirname(file), { recursive: true }), false],
		['appends to it', (file) => writeFileSync(file, 'mine', { flag: 'a' }), true],
		['empties it', (file) => writeFileSync(file, ''), true],
		[
			'replaces it by a copy',
			(file) => {
				const text = readFileSync(file);
				writeFileSync(`${file}.copy`, text);
				renameSync(`${file}.copy`, file);
			},
			true,
		],
	];
	for (const when of ['before the first append', 'later'] as const) {
		it.each(changes)(
			`that %s, ${when}, loses nothing that was acknowledged`,
			async (_what, change, leavesFile) => {
				const directory = temporaryDirectory();
				const [first, second] = [turnEntry(), turnEntry()];
				const file = write(directory, textOf(first));
				const { log, damage } = openLog(directory);
				await log.read();
				const expected = [first];
				if (when === 'later') {
					await log.append([second]);
					expected.push(second);
				}
				const before = readFileSync(file);
				change(file);
				const news = turnEntry();
				await log.append([news]);
				expect(linesOf(directory)).toEqual([...expected, news]);
				expect(damage).toHaveLength(1);
				const aside = readdirSync(dirname(file)).filter((name) => name.includes('.corrupt-'));
				expect(aside).toHaveLength(leavesFile ? 1 : 0);
				expect(before.length).toBeGreaterThan(0);
			},
		);
	}
});

describe('compaction', () => {
	it('leaves the last lines that are to be kept, at once', async () => {
		const directory = temporaryDirectory();
		const { log } = openLog(directory);
		const [a, b, c] = [turnEntry(), turnEntry(), turnEntry()];
		await log.append([a, b, c, changed(a, 'sent'), changed(a, 'reconciled'), changed(b, 'sent')]);
		expect(log.waste).toBe([a, b, changed(a, 'sent')].map(textOf).join('').length);
		await log.compact((lines) => lines.filter(({ state }) => state !== 'reconciled'));
		expect(linesOf(directory)).toEqual([changed(b, 'sent'), c]);
		expect(log.waste).toBe(0);
		expect(statSync(fileOf(directory)).mode & 0o777).toBe(0o600);
		await log.append([changed(b, 'reconciled')]);
		expect(linesOf(directory)).toEqual([changed(b, 'sent'), c, changed(b, 'reconciled')]);
		expect(readdirSync(join(directory, '.aide'))).toEqual(['outbox.log']);
	});

	it('waits for the appends before it and is waited for by those after it', async () => {
		const directory = temporaryDirectory();
		const { log } = openLog(directory);
		const entries = Array.from({ length: 30 }, () => turnEntry());
		const seen: number[] = [];
		await Promise.all(
			entries.flatMap((entry) => [
				log.append([entry]),
				log.compact((lines) => {
					seen.push(lines.length);
					return lines;
				}),
			]),
		);
		expect(seen).toEqual(entries.map((_, index) => index + 1));
		expect(linesOf(directory)).toEqual(entries);
	});

	const refusals: readonly [Call, string, number, boolean][] = [
		['open', 'EMFILE', 1, false],
		['write', 'ENOSPC', 1, false],
		['sync', 'EIO', 1, false],
		['rename', 'EXDEV', 1, false],
		['rename', 'EPERM', 9, false],
		['rename', 'EPERM', 2, true],
		['rename', 'EBUSY', 1, true],
	];
	it.each(refusals)('refused at %s with %s, %i times, loses no line', async (call, code, times, succeeds) => {
		const directory = temporaryDirectory();
		const { disk, refuse } = faultyDisk();
		const { log, damage } = openLog(directory, disk);
		const [a, b, c] = [turnEntry(), turnEntry(), turnEntry()];
		await log.append([a]);
		await log.append([b]);
		refuse(call, code, times);
		const compacted = await log
			.compact(() => [b])
			.then(
				() => true,
				(error: unknown) => error instanceof StoreError && false,
			);
		expect(compacted).toBe(succeeds);
		expect(linesOf(directory)).toEqual(succeeds ? [b] : [a, b]);
		await log.append([c]);
		expect(linesOf(directory)).toEqual(succeeds ? [b, c] : [a, b, c]);
		expect({ damage, files: readdirSync(join(directory, '.aide')) }).toEqual({
			damage: [],
			files: ['outbox.log'],
		});
	});

	it('that a crash cut short left a file beside: it is no part of the log', async () => {
		const directory = temporaryDirectory();
		const [a, b] = [turnEntry(), turnEntry()];
		const file = write(directory, textOf(a));
		writeFileSync(`${file}.new`, textOf(b).slice(0, 50));
		const { log } = openLog(directory);
		expect(await log.read()).toEqual([a]);
		await log.compact((lines) => lines);
		expect({ lines: linesOf(directory), files: readdirSync(dirname(file)) }).toEqual({
			lines: [a],
			files: ['outbox.log'],
		});
	});
});
