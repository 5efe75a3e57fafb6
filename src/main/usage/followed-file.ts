/** One session file that is read as it grows: how far, by what reader, and what could not be read. */
import type { BigIntStats } from 'node:fs';
import { FileTail, type TailPosition } from './file-tail.ts';
import { isObject } from './formats/json-values.ts';
import type { ResponseLedger } from './response-ledger.ts';
import type { Session, SessionBook } from './session-book.ts';
import type {
	LineReader,
	LogSink,
	ProviderTrouble,
	SessionFacts,
	SessionFormat,
	UsageReport,
} from './session-format.ts';
import type { StoredFile } from './usage-store.ts';

/** Younger than this counts as happening now, ms: trouble of that age is told at the first sight of a file as well. */
const NOW_MS = 120_000;

/** Where the file's contents go. */
export interface FileHost {
	readonly memory: { readonly ledger: ResponseLedger; readonly book: SessionBook };
	now(): number;
	/** Trouble that is no history. */
	onTrouble(file: FollowedFile, trouble: ProviderTrouble): void;
	/** So many bytes were read and counted. False: stop reading. */
	onChunk(file: FollowedFile, bytes: number): boolean;
}

export interface FollowedFileOptions {
	readonly path: string;
	readonly format: SessionFormat;
	readonly mode: 'lines' | 'document';
	readonly isSubagent: boolean;
	readonly session: Session;
	readonly longestLine?: number;
	readonly state?: FileState;
}

/** What is kept over a restart. */
export interface FileState {
	readonly position: TailPosition;
	/** Of its reader, at that position. */
	readonly memory: unknown;
	/** Ms since the epoch. */
	readonly bornAt: number;
	readonly changedAt: number;
	readonly size: number;
	readonly lines: number;
	readonly numbers: number;
	readonly overlong: number;
}

export class FollowedFile {
	readonly path: string;
	readonly format: SessionFormat;
	readonly session: Session;
	/** A subagent's: not the session's own. */
	readonly isSubagent: boolean;
	readonly #tail: FileTail;
	readonly #isDocument: boolean;
	/** Lines that were torn or were no JSON objects. */
	invalidLines: number;
	/** Lines over the length limit. */
	overlongLines: number;
	/** Counts that were no numbers of tokens. */
	invalidNumbers: number;
	/** The system's words, while it cannot be read. */
	unreadable: string | null = null;
	/** Last written then, ms since the epoch, and its size then, bytes. */
	changedAt: number;
	size: number;
	#bornAt: number | null;
	#memory: unknown;
	#reader: LineReader | null = null;
	/** It was read to its end since the start of this program: what follows is new. */
	#isCaughtUp = false;
	#troubleToldUntil = 0;
	#turn: Promise<unknown> = Promise.resolve();

	constructor({ path, format, mode, isSubagent, session, longestLine, state }: FollowedFileOptions) {
		this.path = path;
		this.format = format;
		this.session = session;
		this.isSubagent = isSubagent;
		this.#isDocument = mode === 'document';
		this.#tail = new FileTail(path, {
			mode,
			...(longestLine === undefined ? {} : { longestLine }),
			...(state === undefined ? {} : { position: state.position }),
		});
		this.#memory = state?.memory ?? null;
		this.#bornAt = state?.bornAt ?? null;
		this.changedAt = state?.changedAt ?? 0;
		this.size = state?.size ?? 0;
		this.invalidLines = state?.lines ?? 0;
		this.invalidNumbers = state?.numbers ?? 0;
		this.overlongLines = state?.overlong ?? 0;
	}

	/** Part of it was counted. */
	get isRead(): boolean {
		return this.#bornAt !== null;
	}

	/** Resolves when nobody reads it. */
	get idle(): Promise<unknown> {
		return this.#turn;
	}

	/** Takes in a look at the file; the bytes that are still to be read of it. */
	noteStats(stats: BigIntStats): number {
		this.changedAt = Number(stats.mtimeMs);
		this.size = Number(stats.size);
		return this.#tail.isAsSeen(stats) ? 0 : Math.max(1, this.#tail.missing(this.size));
	}

	/** Reads what is new. False: it is not there. Never rejects: see `unreadable`. */
	read(host: FileHost): Promise<boolean> {
		const result = this.#turn.then(() => this.#read(host));
		this.#turn = result;
		return result;
	}

	stored(): StoredFile {
		const position = this.#tail.position;
		const state: FileState = {
			position,
			memory: position.offset === 0 || this.#isDocument ? null : (this.#reader?.memory() ?? this.#memory),
			bornAt: this.#bornAt ?? 0,
			changedAt: this.changedAt,
			size: this.size,
			lines: this.invalidLines,
			numbers: this.invalidNumbers,
			overlong: this.overlongLines,
		};
		return { path: this.path, session: this.session.id, state: JSON.stringify(state) };
	}

	async #read(host: FileHost): Promise<boolean> {
		try {
			const { found, overlong } = await this.#tail.poll({
				begin: (isAgain, stats) => this.#begin(host, isAgain, stats),
				line: (line) => this.#reader?.line(line),
				chunk: (bytes) => host.onChunk(this, bytes),
			});
			this.overlongLines += overlong;
			this.unreadable = null;
			this.#isCaughtUp ||= found && this.#tail.position.seen !== null;
			return found;
		} catch (error) {
			this.unreadable = error instanceof Error ? error.message : String(error);
			return true;
		} finally {
			this.#memory = this.#reader === null ? this.#memory : this.#reader.memory();
			this.#reader = null;
		}
	}

	async #begin(host: FileHost, isAgain: boolean, stats: BigIntStats): Promise<void> {
		const isFirst = this.#bornAt === null;
		this.noteStats(stats);
		// Where the system knows no birth it says 0 or the last change; a copied file keeps its older time of writing.
		const birth = Number(stats.birthtimeMs) || this.changedAt;
		this.#bornAt ??= Math.min(birth, this.changedAt);
		if (isAgain) {
			this.invalidLines = 0;
			this.invalidNumbers = 0;
			this.overlongLines = 0;
		}
		const isHistory = isFirst ? host.now() - this.#bornAt > NOW_MS : isAgain && !this.#isDocument;
		if (isHistory) this.session.earlierWork += 1;
		const isFromStart = isFirst || isAgain || this.#isDocument;
		const isNews = this.#isCaughtUp && !isAgain;
		const sink = this.#sinkOf(host, this.#bornAt, isNews);
		this.#reader = await this.format.open(this.path, sink, isFromStart ? null : this.#memory);
	}

	#sinkOf(host: FileHost, bornAt: number, isNews: boolean): LogSink {
		const { session } = this;
		return {
			response: ({ key, model, at: told, sidechain, usage }: UsageReport) => {
				const at = Math.min(told ?? this.changedAt, host.now());
				host.memory.ledger.report(session.id, { key, model, at, usage, bornAt });
				if (!sidechain && !this.isSubagent) host.memory.book.answered(session, model, at);
			},
			trouble: (trouble) => {
				const { at } = trouble;
				const isYoung = at !== null && host.now() - at < NOW_MS && at > this.#troubleToldUntil;
				if (!isNews && !isYoung) return;
				this.#troubleToldUntil = Math.max(this.#troubleToldUntil, at ?? 0);
				host.onTrouble(this, trouble);
			},
			about: (facts: SessionFacts) => host.memory.book.learn(session, facts, !this.isSubagent),
			unreadable: (what) => {
				if (what === 'line') this.invalidLines += 1;
				else this.invalidNumbers += 1;
			},
		};
	}
}

/** Throws at what `FollowedFile.stored` did not write. */
export function fileStateOf(text: string): FileState {
	const state: unknown = JSON.parse(text);
	if (!isObject(state) || !isPosition(state.position)) throw new Error('a file is not as it was stored');
	const number = (value: unknown): number => {
		if (typeof value === 'number') return value;
		throw new Error('a file is not as it was stored');
	};
	return {
		position: state.position,
		memory: state.memory ?? null,
		bornAt: number(state.bornAt),
		changedAt: number(state.changedAt),
		size: number(state.size),
		lines: number(state.lines),
		numbers: number(state.numbers),
		overlong: number(state.overlong),
	};
}

function isPosition(value: unknown): value is TailPosition {
	if (!isObject(value)) return false;
	const { offset, skipping, anchor, inode, seen } = value;
	const isSeen =
		seen === null || (isObject(seen) && typeof seen.size === 'number' && typeof seen.changedNs === 'string');
	return (
		Number.isSafeInteger(offset) &&
		Number(offset) >= 0 &&
		typeof skipping === 'boolean' &&
		typeof anchor === 'string' &&
		typeof inode === 'string' &&
		isSeen
	);
}
