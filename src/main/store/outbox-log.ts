/**
 * The outbox on the disk: `<data>/.aide/outbox.log`, one JSON object a line, only ever appended to. The last line of a
 * key is what is true of it. What was acknowledged is on the disk; what was refused is not.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { type DiskCalls, LogFile, realDisk } from './log-file.ts';
import { type LogLines, readLogLines } from './log-lines.ts';
import { type StoreError, storeErrorFrom } from './store-error.ts';

export const OUTBOX_FILE = join('.aide', 'outbox.log');
/** A line begins with its key: that is how it is found again in a damaged file. */
const LINE_START = '{"idempotency_key"';
/** Lines that wait for the disk are written together, up to so many characters. */
const BATCH_LENGTH = 8 * 1024 * 1024;

export interface LogLine {
	readonly idempotency_key: string;
}

export interface OutboxLogOptions<Line> {
	/** The data directory. It has one owner: the floor that claimed it. */
	readonly directory: string;
	readonly schema: z.ZodType<Line>;
	/** Told what was set aside, in words for the operator. */
	readonly onDamage: (problem: string) => void;
	/** For dated names, ms since the epoch. */
	readonly now?: () => number;
	readonly disk?: DiskCalls;
}

type Damage = Omit<LogLines<unknown>, 'lines'>;

type Keep<Line> = (lines: readonly Line[]) => readonly Line[];

/** Lines to be added, or what a compaction leaves. */
type Work<Line> =
	| { readonly kind: 'append'; readonly lines: readonly Line[]; readonly text: string }
	| { readonly kind: 'compact'; readonly keep: Keep<Line> };

type Job<Line> = Work<Line> & {
	readonly resolve: () => void;
	readonly reject: (error: StoreError) => void;
};

/** Calls are carried out one after another; appends that wait for each other share one write. */
export class OutboxLog<Line extends LogLine> {
	readonly #options: OutboxLogOptions<Line>;
	readonly #path: string;
	readonly #file: LogFile;
	readonly #now: () => number;
	/** Key → its last line. */
	#last = new Map<string, Line>();
	/** Key → bytes of its last line. */
	#sizes = new Map<string, number>();
	/** What the first write has to repair; `null` before the file was read. */
	#damage: Damage | null = null;
	#isRepaired = false;
	#jobs: Job<Line>[] = [];
	#working: Promise<void> | null = null;
	#isClosed = false;

	constructor(options: OutboxLogOptions<Line>) {
		this.#options = options;
		this.#path = join(options.directory, OUTBOX_FILE);
		this.#file = new LogFile(this.#path, options.disk ?? realDisk);
		this.#now = options.now ?? Date.now;
	}

	/** Bytes of the file that later lines have made worthless. */
	get waste(): number {
		let live = 0;
		for (const size of this.#sizes.values()) live += size;
		return Math.max(0, this.#file.size - live);
	}

	/**
	 * The last line of each key, in order of their first. Changes nothing on the disk, whatever stands there; the first
	 * `append` repairs it. Rejects with a `StoreError` when the file is there and cannot be read.
	 */
	async read(): Promise<Line[]> {
		try {
			await this.#readOnce();
		} catch (error) {
			throw this.#error(error, 'read');
		}
		return [...this.#last.values()];
	}

	/** Resolves when the lines are on the disk, all of them. Rejects with a `StoreError`: they count as never written. */
	append(lines: readonly Line[]): Promise<void> {
		return this.#add({ kind: 'append', lines, text: lines.map(textOf).join('') });
	}

	/**
	 * Replaces the file, all at once, by those last lines that `keep` returns. Never while an append is under way.
	 * Rejects with a `StoreError`: every line is still there.
	 */
	compact(keep: Keep<Line>): Promise<void> {
		return this.#add({ kind: 'compact', keep });
	}

	/** Waits for what is under way; later calls are refused. */
	async close(): Promise<void> {
		this.#isClosed = true;
		while (this.#working) await this.#working;
		await this.#file.close();
	}

	#add(work: Work<Line>): Promise<void> {
		if (this.#isClosed) return Promise.reject(this.#error(new Error('the floor is stopping'), 'write'));
		return new Promise((resolve, reject) => {
			this.#jobs.push({ ...work, resolve, reject });
			this.#working ??= this.#work();
		});
	}

	async #work(): Promise<void> {
		for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
			if (job.kind === 'compact') {
				const { keep } = job;
				await this.#settle([job], 'compact', () => this.#replace(keep([...this.#last.values()])));
				continue;
			}
			const batch = [job];
			let length = job.text.length;
			for (let next = this.#jobs[0]; next?.kind === 'append' && length < BATCH_LENGTH; next = this.#jobs[0]) {
				this.#jobs.shift();
				batch.push(next);
				length += next.text.length;
			}
			await this.#settle(batch, 'write', async () => {
				await this.#file.append(Buffer.from(batch.map(({ text }) => text).join('')));
				this.#take(batch.flatMap(({ lines }) => lines));
			});
		}
		// In the same turn in which nothing was found to do: a job that comes now starts a new round.
		this.#working = null;
	}

	async #settle(jobs: readonly Job<Line>[], doing: string, work: () => Promise<void>): Promise<void> {
		try {
			await this.#makeReady();
			await work();
			for (const { resolve } of jobs) resolve();
		} catch (error) {
			const typed = this.#error(error, doing);
			for (const { reject } of jobs) reject(typed);
		}
	}

	async #readOnce(): Promise<Damage> {
		if (this.#damage) return this.#damage;
		const bytes = await this.#file.read();
		const { lines, ...damage } = readLogLines(
			bytes,
			LINE_START,
			(value) => this.#options.schema.safeParse(value).data ?? null,
		);
		this.#take(lines);
		this.#damage = damage;
		return damage;
	}

	/** Opens and repairs the file at the first write; before every later one looks whether another hand has changed it. */
	async #makeReady(): Promise<void> {
		const damage = await this.#readOnce();
		await this.#file.makeDirectory();
		const stranger = await this.#file.findStranger(this.#now());
		if (stranger !== null) this.#options.onDamage(stranger);
		const isFirst = !this.#isRepaired && !this.#file.isDoubtful;
		if (isFirst && damage.foreign.length > 0) await this.#keepForeign(damage.foreign);
		if (this.#file.isDoubtful) await this.#replace([...this.#last.values()]);
		else if (isFirst && damage.tail === 'torn') await this.#file.open(damage.wholeUntil, '');
		else if (isFirst && damage.tail === 'unended') await this.#file.open(this.#file.size, '\n');
		else if (!this.#file.isOpen) await this.#file.open(this.#file.size, '');
		this.#isRepaired = true;
	}

	/** What is not ours leaves the log, but not the disk. */
	async #keepForeign(foreign: readonly Uint8Array[]): Promise<void> {
		const stamp = new Date(this.#now()).toISOString().slice(0, 19).replaceAll(':', '-');
		const aside = `${this.#path}.corrupt-${stamp}`;
		const handle = await open(aside, 'a', 0o600);
		try {
			await handle.appendFile(Buffer.concat(foreign.flatMap((part) => [part, Buffer.from('\n')])));
			await handle.sync();
		} finally {
			await handle.close();
		}
		this.#file.distrust();
		const lines = foreign.length === 1 ? 'One line' : `${foreign.length} lines`;
		this.#options.onDamage(
			`${lines} of ${this.#path} could not be read and were set aside in ${aside}. Every entry that could be read ` +
				'is still queued. Look into that file for what is missing.',
		);
	}

	async #replace(lines: readonly Line[]): Promise<void> {
		await this.#file.replace(Buffer.from(lines.map(textOf).join('')));
		this.#last = new Map();
		this.#sizes = new Map();
		this.#take(lines);
	}

	#take(lines: readonly Line[]): void {
		for (const line of lines) {
			this.#last.set(line.idempotency_key, line);
			this.#sizes.set(line.idempotency_key, Buffer.byteLength(textOf(line)));
		}
	}

	#error(error: unknown, doing: string): StoreError {
		return storeErrorFrom(
			error,
			`${doing} the outbox ${this.#path}`,
			'Nothing was queued by this; what was queued before stays as it is.',
		);
	}
}

/** One line; JSON has no raw newline in it. */
function textOf(line: LogLine): string {
	const { idempotency_key, ...rest } = line;
	return `${JSON.stringify({ idempotency_key, ...rest })}\n`;
}
