/**
 * The machine-wide state of the model breakers, `<data>/model-breakers.json`. A floor loads it once and keeps it in
 * memory; a command without a floor has it to itself for as long as it works.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Disposable } from '../../shared/disposable.ts';
import type { ModelsSettings } from '../../shared/models-settings.ts';
import { ModelBreakers } from '../models/model-breakers.ts';
import { prepareDataDirectory } from '../store/data-directory.ts';
import { isDataDirectoryClaimed } from '../store/directory-claim.ts';
import {
	type FileChange,
	type LockedFileOptions,
	updateLockedFile,
	withLockedFile,
} from '../store/locked-file.ts';
import { StoreError } from '../store/store-error.ts';
import { fileProblemWords } from './file-problem.ts';
import { ModelMirrors } from './model-mirrors.ts';

const BOOK_FILE = 'model-breakers.json';
/** Changes that come together are written together, ms. */
const COALESCE_MS = 5;
/** After a write that failed, ms. */
const RETRY_MS = 5_000;
/** How long a script may keep a repository's file from a command, ms. */
const COMMAND_PATIENCE_MS = 2_000;
const LARGEST_BOOK_BYTES = 67_108_864;

/** Told about a file: what is wrong, in sentences for the operator; `null`: it is in order again. */
export type OnModelFileProblem = (file: string, problem: string | null) => void;

/** Locks of the repositories' state files and of the book. */
export function modelLocksDirectory(dataDirectory: string): string {
	return join(dataDirectory, 'locks');
}

export interface ModelBookOptions {
	readonly dataDirectory: string;
	readonly breakers: ModelBreakers;
	readonly mirrors: ModelMirrors;
	readonly onProblem: OnModelFileProblem;
}

/**
 * The floor's. It has claimed the data directory before it opens the book, and keeps the claim until the book is
 * closed: a command looks for that claim while it holds the book's lock, so one of the two always sees the other.
 */
export class ModelBook {
	readonly #file: string;
	readonly #options: ModelBookOptions;
	readonly #listening: Disposable;
	#timer: NodeJS.Timeout | null = null;
	#turn: Promise<unknown> = Promise.resolve();
	#text: string | null = null;
	/** What was found at the start; it stays told. */
	#found = '';
	#told: string | null = null;

	private constructor(options: ModelBookOptions) {
		this.#options = options;
		this.#file = join(options.dataDirectory, BOOK_FILE);
		this.#listening = options.breakers.onChange(() => this.#saveIn(COALESCE_MS));
	}

	/** Loads the book into breakers and mirrors. Never rejects: what is wrong goes to `onProblem`. */
	static async open(options: ModelBookOptions): Promise<ModelBook> {
		const book = new ModelBook(options);
		try {
			const { dataDirectory, breakers, mirrors } = options;
			const { result, setAside } = await updateLockedFile(book.#file, lockOptions(dataDirectory), loaded);
			book.#found = [asideWords(book.#file, setAside), ...restore(result, breakers, mirrors)]
				.join(' ')
				.trim();
			book.#tell('');
		} catch (error) {
			book.#tell(fileProblemWords(error));
		}
		return book;
	}

	/** Writes what is still to be written; the mirrors are closed before. */
	async close(): Promise<void> {
		this.#listening.dispose();
		await this.#save();
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
	}

	#saveIn(ms: number): void {
		this.#timer ??= setTimeout(() => void this.#save(), ms).unref();
	}

	#save(): Promise<void> {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		const result = this.#turn.then(async () => {
			const { dataDirectory, breakers, mirrors } = this.#options;
			const text = printed(breakers, mirrors);
			if (text === this.#text) return;
			try {
				await updateLockedFile(this.#file, lockOptions(dataDirectory), () => written(text));
				this.#text = text;
				this.#tell('');
			} catch (error) {
				this.#tell(fileProblemWords(error));
				this.#saveIn(RETRY_MS);
			}
		});
		this.#turn = result;
		return result;
	}

	#tell(problem: string): void {
		const whole = [this.#found, problem].filter((part) => part !== '').join(' ');
		const next = whole === '' ? null : whole;
		if (next === this.#told) return;
		this.#told = next;
		this.#options.onProblem(this.#file, next);
	}
}

export interface CommandBookOptions {
	readonly settings: ModelsSettings;
	readonly onProblem: OnModelFileProblem;
	readonly now?: () => number;
	readonly random?: () => number;
	/** How long other commands may keep the book, ms. */
	readonly patienceMs?: number;
}

export type CommandBookResult<T> =
	| { readonly kind: 'done'; readonly value: T }
	/** A floor has the data directory: it is to be asked instead, and nothing was done. */
	| { readonly kind: 'floor-runs' };

/**
 * A command's, when no floor runs: alone with the book it looks at every repository's state file that is known, does
 * `work`, writes the files, keeps the book. Rejects with a `StoreError`, or with what `work` rejects with; nothing is
 * kept then.
 */
export async function withModelBook<T>(
	dataDirectory: string,
	options: CommandBookOptions,
	work: (breakers: ModelBreakers, mirrors: ModelMirrors) => T | Promise<T>,
): Promise<CommandBookResult<T>> {
	const { settings, onProblem, now = Date.now, random = Math.random, patienceMs } = options;
	const file = join(dataDirectory, BOOK_FILE);
	prepare(dataDirectory);
	const locking = { ...lockOptions(dataDirectory), ...(patienceMs !== undefined && { patienceMs }) };
	return withLockedFile(file, locking, async (held) => {
		if (isDataDirectoryClaimed(dataDirectory)) return { kind: 'floor-runs' };
		const breakers = new ModelBreakers({ settings: () => settings, now, random });
		const mirrors = new ModelMirrors({
			breakers,
			now,
			onProblem,
			locksDirectory: modelLocksDirectory(dataDirectory),
			patienceMs: COMMAND_PATIENCE_MS,
		});
		const { result, setAside } = await held.update(loaded);
		const problem = [asideWords(file, setAside), ...restore(result, breakers, mirrors)].join(' ').trim();
		if (problem !== '') onProblem(file, problem);
		await mirrors.syncAll();
		const value = await work(breakers, mirrors);
		await mirrors.writeAll();
		mirrors.dispose();
		// Last: should this process end before, the files are ahead of the book, and are taken over from there.
		await held.update(() => written(printed(breakers, mirrors)));
		return { kind: 'done', value };
	});
}

const meaning =
	'What is known about rate-limited models may be forgotten: a model may be tried again too early, or avoided too long.';

function lockOptions(dataDirectory: string): LockedFileOptions {
	return {
		locksDirectory: modelLocksDirectory(dataDirectory),
		largestBytes: LARGEST_BOOK_BYTES,
		meaning,
		mode: 0o600,
		tornPatienceMs: 0,
	};
}

function prepare(dataDirectory: string): void {
	try {
		prepareDataDirectory(dataDirectory);
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		const { code, message, remedy } = error;
		throw new StoreError({ code, message, remedy, meaning }, error);
	}
}

const bookSchema = z.looseObject({ breakers: z.looseObject({}), mirrors: z.unknown() });
type SavedModelBook = z.infer<typeof bookSchema>;

function loaded(bytes: Uint8Array | null): FileChange<SavedModelBook | null> {
	if (bytes === null) return { kind: 'keep', result: null };
	try {
		const book = bookSchema.safeParse(JSON.parse(Buffer.from(bytes).toString()));
		if (book.success) return { kind: 'keep', result: book.data };
		return { kind: 'damaged', problem: 'is not what was written there' };
	} catch (error) {
		return {
			kind: 'damaged',
			problem: `is no whole JSON (${error instanceof Error ? error.message : error})`,
		};
	}
}

/** Returns what could not be used. */
function restore(book: SavedModelBook | null, breakers: ModelBreakers, mirrors: ModelMirrors): string[] {
	if (book === null) return [];
	const problems = breakers.restore(book.breakers);
	mirrors.restore(book.mirrors);
	return problems;
}

function printed(breakers: ModelBreakers, mirrors: ModelMirrors): string {
	return `${JSON.stringify({ breakers: breakers.saved(), mirrors: mirrors.saved() })}\n`;
}

function written(text: string): FileChange<null> {
	return { kind: 'write', bytes: Buffer.from(text), result: null };
}

function asideWords(file: string, aside: { readonly name: string; readonly problem: string } | null): string {
	return aside === null ? '' : `${file} ${aside.problem} and was set aside as ${aside.name}. ${meaning}`;
}
