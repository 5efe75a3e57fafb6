/** What the index knows of responses and sessions: taken back from the store at the start, stored again as it grows. */
import { setImmediate } from 'node:timers/promises';
import { type FileState, type FollowedFile, fileStateOf } from './followed-file.ts';
import { type LedgerOptions, ResponseLedger } from './response-ledger.ts';
import { SessionBook } from './session-book.ts';
import type { StoredSum, UsageStore } from './usage-store.ts';

/** Changes whenever what is stored means something else: then everything is read anew. */
export const USAGE_LAYOUT = 'responses-2';
/** Rows taken at once: a few milliseconds. */
const PAGE = 500;
/** After that much was read or counted, it is stored. */
const STORE_AFTER_BYTES = 8 * 1024 * 1024;
const STORE_AFTER_RESPONSES = 1_000;

/** A file that was read before. */
export interface RememberedFile {
	readonly path: string;
	/** `Session.id` */
	readonly session: number;
	readonly state: FileState;
}

export class UsageMemory {
	readonly #store: UsageStore | null;
	readonly #price: LedgerOptions['price'];
	book = new SessionBook();
	ledger: ResponseLedger;
	/** Files whose state changed since it was stored. */
	readonly #changedFiles = new Set<FollowedFile>();
	readonly #removedFiles = new Set<string>();
	#unstoredBytes = 0;
	#restoreProblem: string | null = null;
	#writeProblem: string | null = null;

	/** `store` null: nothing is kept over a restart. */
	constructor(store: UsageStore | null, price: LedgerOptions['price']) {
		this.#store = store;
		this.#price = price;
		this.ledger = this.#newLedger();
	}

	/** What the disk refused, a sentence each. */
	get problems(): string[] {
		return [this.#restoreProblem, this.#writeProblem].filter((problem) => problem !== null);
	}

	/** Once, before anything is counted. The files that were read before. Never rejects. */
	async takeBack(): Promise<RememberedFile[]> {
		const store = this.#store;
		if (store === null) return [];
		try {
			if (store.layout() === USAGE_LAYOUT) return await this.#restore(store);
			store.clear(USAGE_LAYOUT);
		} catch (error) {
			this.book = new SessionBook();
			this.ledger = this.#newLedger();
			this.#restoreProblem = `What had been counted could not be taken back (${wordsOf(error)}), so all files are read anew.`;
			this.#guarded(() => store.clear(USAGE_LAYOUT));
		}
		return [];
	}

	/** All files were read: nothing is missing any more. */
	allRead(): void {
		this.#restoreProblem = null;
	}

	/** So many bytes of the file were read and reported. */
	noteChunk(file: FollowedFile, bytes: number): void {
		this.ledger.settle();
		this.#changedFiles.add(file);
		this.#unstoredBytes += bytes;
		const isMuch =
			this.#unstoredBytes >= STORE_AFTER_BYTES || this.ledger.changedRows >= STORE_AFTER_RESPONSES;
		if (isMuch) this.store();
	}

	forgetFile(file: FollowedFile): void {
		this.#changedFiles.delete(file);
		this.#removedFiles.add(file.path);
	}

	/** Stores what changed, all or none. A disk that refuses costs only the next start some time. */
	store(): void {
		this.#unstoredBytes = 0;
		const { ledger, book } = this;
		ledger.settle();
		const files = this.#changedFiles;
		const removed = this.#removedFiles;
		if (!ledger.hasChanges && !book.hasChanges && files.size === 0 && removed.size === 0) return;
		this.#guarded(() => {
			this.#store?.save({
				...ledger.changes(),
				sessions: book.changes(),
				files: [...files].map((file) => file.stored()),
				removedFiles: [...removed],
			});
			ledger.taken();
			book.taken();
			files.clear();
			removed.clear();
		});
	}

	async #restore(store: UsageStore): Promise<RememberedFile[]> {
		const { book, ledger } = this;
		for await (const session of pages(store.sessions.bind(store), -1, ({ id }) => id)) book.restore(session);
		const isKnown = (session: number): boolean => book.session(session) !== undefined;
		const files: RememberedFile[] = [];
		for await (const file of pages(store.files.bind(store), '', ({ path }) => path)) {
			if (!isKnown(file.session)) throw new Error(`${file.path} is of no session`);
			files.push({ path: file.path, session: file.session, state: fileStateOf(file.state) });
		}
		for (const sum of store.sums()) {
			if (!isKnown(sum.session) || !hasNumbers(sum)) throw new Error('a sum is not as it was stored');
			ledger.restoreSum(sum);
		}
		// A row stands empty only where a response was let go of. Higher ones are damage: the table would be filled up to them.
		let mostRow = 0;
		for await (const { key } of pages(store.retired.bind(store), -1, ({ place }) => place)) {
			ledger.restoreRetired(key);
			mostRow += 1;
		}
		for await (const response of pages(store.responses.bind(store), -1, ({ row }) => row)) {
			if (
				!isKnown(response.session) ||
				!hasNumbers(response) ||
				!hasMoments(response) ||
				response.row > mostRow
			) {
				throw new Error('a response is not as it was stored');
			}
			ledger.restore(response);
			mostRow += 1;
		}
		return files;
	}

	#newLedger(): ResponseLedger {
		const idOf = (session: number): string => this.book.session(session)?.sessionId ?? '';
		return new ResponseLedger({
			price: this.#price,
			sessions: {
				clientOf: (session) => this.book.session(session)?.client ?? '',
				isCounted: (session) => this.book.session(session)?.isDemo === false,
				isBefore: (session, other) => idOf(session) < idOf(other),
			},
		});
	}

	#guarded(write: () => void): void {
		try {
			write();
			this.#writeProblem = null;
		} catch (error) {
			this.#writeProblem = `What is counted cannot be stored (${wordsOf(error)}), so the next start reads files again. Nothing is missing in these figures.`;
		}
	}
}

async function* pages<Row, Key>(
	page: (after: Key, limit: number) => Row[],
	first: Key,
	keyOf: (row: Row) => Key,
): AsyncGenerator<Row> {
	let after = first;
	for (;;) {
		const rows = page(after, PAGE);
		yield* rows;
		const last = rows.at(-1);
		if (last === undefined || rows.length < PAGE) return;
		after = keyOf(last);
		await setImmediate();
	}
}

/** A damaged row must blame nobody: none of its numbers is below 0, or no number at all. */
function hasNumbers(
	row: Omit<StoredSum, 'model' | 'priced' | 'unpriced' | 'nanoUsd'> & { nanoUsd: number | null },
): boolean {
	const { input, output, cacheRead, cacheCreation, nanoUsd } = row;
	return [input, output, cacheRead, cacheCreation, nanoUsd ?? 0].every(
		(count) => Number.isFinite(count) && count >= 0,
	);
}

/** Nor is any of its moments one that no calendar has. */
function hasMoments({ at, bornAt }: { readonly at: number; readonly bornAt: number }): boolean {
	return !Number.isNaN(new Date(at).getTime()) && !Number.isNaN(new Date(bornAt).getTime());
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
