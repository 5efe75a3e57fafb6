/**
 * Rows on their way to the disk. The path of a hook only ever appends to memory; a transaction every quarter of a
 * second writes what has come together.
 */
import type { Disposable } from '../../shared/disposable.ts';
import { StoreError, type StoreErrorCode, storeErrorFrom } from './store-error.ts';

/** Told when writing begins to fail, when it works again, and at the end if rows were lost then. */
export interface QueueTrouble {
	/** `null`: it works again. */
	readonly error: StoreError | null;
	/** Rows lost since the floor started. */
	readonly dropped: number;
}

export interface EventQueueOptions<Row> {
	/** Writes all rows or none, and throws when it cannot. */
	readonly write: (rows: readonly Row[]) => void;
	/** Memory that a row takes, bytes. */
	readonly bytesOf: (row: Row) => number;
	readonly onTrouble: (trouble: QueueTrouble) => void;
	/** Rows wait this long for company, ms. */
	readonly flushAfterMs?: number;
	/** Rows in one transaction; so many are not kept waiting. */
	readonly batchRows?: number;
	/** Bytes in one transaction, at least one row; so many are not kept waiting. */
	readonly batchBytes?: number;
	/** Rows that may wait; more are dropped and counted. */
	readonly mostRows?: number;
	/** Bytes that may wait; more are dropped and counted. */
	readonly mostBytes?: number;
	/** Pause after a write that failed, ms. */
	readonly retryAfterMs?: number;
}

/** Troubles of the disk rather than of one row: the rows are kept and tried again. */
const ofTheDisk: ReadonlySet<StoreErrorCode> = new Set(['disk-full', 'not-writable', 'busy', 'corrupt']);

/** Bounded write-behind. Nothing in here throws at its caller. `dispose` writes what still waits. */
export class EventQueue<Row> implements Disposable {
	readonly #options: Required<EventQueueOptions<Row>>;
	#waiting: Row[] = [];
	#waitingBytes = 0;
	#dropped = 0;
	#trouble: StoreError | null = null;
	#timer: NodeJS.Timeout | null = null;
	#immediate: NodeJS.Immediate | null = null;
	#disposed = false;

	constructor(options: EventQueueOptions<Row>) {
		this.#options = {
			flushAfterMs: 250,
			batchRows: 500,
			batchBytes: 1024 * 1024,
			mostRows: 20_000,
			mostBytes: 64 * 1024 * 1024,
			retryAfterMs: 5000,
			...options,
		};
	}

	/** Rows lost since the floor started. */
	get dropped(): number {
		return this.#dropped;
	}

	/** Takes a row along. Constant time, no I/O. */
	add(row: Row): void {
		const bytes = this.#options.bytesOf(row);
		const full =
			this.#waiting.length >= this.#options.mostRows ||
			(this.#waitingBytes + bytes > this.#options.mostBytes && this.#waiting.length > 0);
		if (this.#disposed || full) {
			this.#dropped += 1;
			if (full) this.#enterTrouble(this.#trouble ?? overloaded());
			return;
		}
		this.#waiting.push(row);
		this.#waitingBytes += bytes;
		this.#schedule();
	}

	/** Writes all that waits now, and says whether it did. */
	flush(): boolean {
		while (this.#waiting.length > 0) if (!this.#writeBatch()) return false;
		return true;
	}

	/** Writes what waits, for the last time; what cannot be written is counted and reported. */
	dispose(): void {
		if (this.#disposed) return;
		const written = this.flush();
		this.#disposed = true;
		this.#clearTimers();
		if (written) return;
		this.#dropped += this.#waiting.length;
		this.#waiting = [];
		this.#options.onTrouble({ error: this.#trouble, dropped: this.#dropped });
	}

	#schedule(): void {
		if (this.#trouble) {
			this.#startTimer(this.#options.retryAfterMs);
		} else if (
			this.#waiting.length < this.#options.batchRows &&
			this.#waitingBytes < this.#options.batchBytes
		) {
			this.#startTimer(this.#options.flushAfterMs);
		} else {
			// Not here: whoever adds a row is answering an agent.
			this.#immediate ??= setImmediate(() => this.#onTime());
		}
	}

	#startTimer(after: number): void {
		this.#timer ??= setTimeout(() => this.#onTime(), after).unref();
	}

	/** One transaction, then the loop may do other things before the next. */
	#onTime(): void {
		this.#clearTimers();
		this.#writeBatch();
		if (this.#waiting.length > 0) this.#schedule();
	}

	#clearTimers(): void {
		if (this.#timer) clearTimeout(this.#timer);
		if (this.#immediate) clearImmediate(this.#immediate);
		this.#timer = null;
		this.#immediate = null;
	}

	#writeBatch(): boolean {
		const batch = this.#nextBatch();
		try {
			this.#options.write(batch);
		} catch (error) {
			const trouble = writeError(error);
			if (ofTheDisk.has(trouble.code)) {
				this.#enterTrouble(trouble);
				return false;
			}
			return this.#writeOneByOne(batch);
		}
		this.#take(batch.length);
		this.#leaveTrouble();
		return true;
	}

	#nextBatch(): Row[] {
		const { batchRows, batchBytes, bytesOf } = this.#options;
		let bytes = 0;
		const end = this.#waiting.findIndex((row, index) => {
			bytes += bytesOf(row);
			return index >= batchRows || (index > 0 && bytes > batchBytes);
		});
		return end === -1 ? this.#waiting.slice() : this.#waiting.slice(0, end);
	}

	/** One of the rows cannot be stored: the others must not suffer for it. */
	#writeOneByOne(batch: readonly Row[]): boolean {
		for (const row of batch) {
			try {
				this.#options.write([row]);
			} catch (error) {
				const trouble = writeError(error);
				this.#enterTrouble(trouble);
				if (ofTheDisk.has(trouble.code)) return false;
				this.#dropped += 1;
			}
			this.#take(1);
		}
		return true;
	}

	#take(count: number): void {
		for (const row of this.#waiting.splice(0, count)) this.#waitingBytes -= this.#options.bytesOf(row);
	}

	#enterTrouble(error: StoreError): void {
		const isNew = this.#trouble === null;
		this.#trouble = error;
		if (isNew) this.#options.onTrouble({ error, dropped: this.#dropped });
	}

	#leaveTrouble(): void {
		if (!this.#trouble) return;
		this.#trouble = null;
		this.#options.onTrouble({ error: null, dropped: this.#dropped });
	}
}

const MEANING = 'Agents are watched and answered as before, but their events are missing from what is kept.';

function writeError(error: unknown): StoreError {
	return storeErrorFrom(error, 'write events to the database', MEANING);
}

function overloaded(): StoreError {
	return new StoreError({
		code: 'overloaded',
		message: 'More events came than the disk could take, and some were dropped.',
		meaning: MEANING,
		remedy: 'Nothing; if it stays, the disk is too slow for so many agents.',
	});
}
