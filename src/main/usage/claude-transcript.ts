/** Usage of Claude Code sessions, read from their transcripts as these grow. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, LineTail, type TailOutcome } from './line-tail.ts';
import { MessageLedger, type ModelTotals } from './message-ledger.ts';
import { type PriceFunction, priceUsd } from './prices.ts';
import { type CountedMessage, mayReportUsage, readTranscriptLine } from './transcript-line.ts';

/** What could not be read or counted, since the file was last read from its start. */
export interface TranscriptProblems {
	/** Lines that were torn or were no JSON objects. */
	readonly invalidLines: number;
	/** Lines over the length limit, skipped. */
	readonly overlongLines: number;
	/** Counts that were no numbers of tokens, left out. */
	readonly invalidNumbers: number;
	/** Files that the system would not let us read, with its words; oldest first. */
	readonly unreadable: readonly string[];
}

export const NO_PROBLEMS: TranscriptProblems = {
	invalidLines: 0,
	overlongLines: 0,
	invalidNumbers: 0,
	unreadable: [],
};

export interface TranscriptUsage {
	readonly byModel: ReadonlyMap<string, ModelTotals>;
	/** The model of the newest response of the agent itself, subagents apart. */
	readonly lastModel: string | null;
	/** When that response was written, ms since the epoch. */
	readonly lastModelAt: number;
	readonly problems: TranscriptProblems;
}

export interface ReaderOptions {
	readonly price?: PriceFunction;
	/** Ms since the epoch, for responses that do not tell their time. */
	readonly now?: () => number;
	/** Lines longer than this are skipped and counted, bytes. */
	readonly longestLine?: number;
}

interface FollowedFile {
	readonly tail: LineTail;
	invalidLines: number;
	overlongLines: number;
	invalidNumbers: number;
	unreadable: string | null;
}

interface Session {
	/** The transcript and its subagents' transcripts, by path. */
	readonly files: Map<string, FollowedFile>;
	found: boolean;
	unreadableDirectory: string | null;
	lastModel: string | null;
	lastModelAt: number;
}

/** NUL is never part of JSON: power cuts leave runs of it between a torn line and the next. */
const NUL_RUN = /\0+/;
const CLOSING_BRACE = 0x7d;

/**
 * Reads transcripts by byte offset. One reader serves the whole floor, since a response that a resumed session
 * copied into its own file counts once, for the session in which it was seen first. One file is read at a time, so
 * that memory stays bounded by the longest line.
 */
export class ClaudeTranscriptReader {
	readonly #ledger: MessageLedger;
	readonly #sessions = new Map<string, Session>();
	readonly #now: () => number;
	readonly #longestLine: number | undefined;
	#turn: Promise<unknown> = Promise.resolve();

	constructor(options: ReaderOptions = {}) {
		this.#ledger = new MessageLedger(options.price ?? priceUsd);
		this.#now = options.now ?? Date.now;
		this.#longestLine = options.longestLine;
	}

	/**
	 * Reads what was appended to the session's transcript and to those of its subagents
	 * (`<session>/subagents/**`), and returns the session's totals. `null` while there is no such file. Never rejects:
	 * what cannot be read is told in `problems`.
	 */
	poll(path: string): Promise<TranscriptUsage | null> {
		const result = this.#turn.then(() => this.#poll(path));
		this.#turn = Promise.allSettled([result]);
		return result;
	}

	/** Lets go of a session that nobody asks about any more. */
	forget(path: string): void {
		this.#sessions.delete(path);
		this.#ledger.forget(path);
	}

	async #poll(path: string): Promise<TranscriptUsage | null> {
		const session = this.#sessions.get(path) ?? newSession();
		this.#sessions.set(path, session);
		session.found = (await this.#follow(session, path, path)) || session.found;
		for (const subagent of await this.#subagentFiles(session, path)) {
			session.found = (await this.#follow(session, subagent, path)) || session.found;
		}
		if (!session.found) {
			this.#sessions.delete(path);
			return null;
		}
		return {
			byModel: this.#ledger.totalsOf(path),
			lastModel: session.lastModel,
			lastModelAt: session.lastModelAt,
			problems: problemsOf(session),
		};
	}

	/** Reads on in one file; true when it is there. */
	async #follow(session: Session, file: string, owner: string): Promise<boolean> {
		const followed = session.files.get(file) ?? this.#newFile(file);
		session.files.set(file, followed);
		const before = { invalidLines: followed.invalidLines, invalidNumbers: followed.invalidNumbers };
		let outcome: TailOutcome;
		try {
			outcome = await followed.tail.poll((line) => this.#count(session, followed, line, file, owner));
			followed.unreadable = null;
		} catch (error) {
			followed.unreadable = error instanceof Error ? error.message : String(error);
			return true;
		} finally {
			this.#ledger.settle();
		}
		if (outcome.restarted) {
			followed.invalidLines -= before.invalidLines;
			followed.invalidNumbers -= before.invalidNumbers;
			followed.overlongLines = 0;
		}
		followed.overlongLines += outcome.overlong;
		return outcome.found;
	}

	#newFile(file: string): FollowedFile {
		const tail = new LineTail(file, {
			onChunk: () => this.#ledger.settle(),
			...(this.#longestLine === undefined ? {} : { longestLine: this.#longestLine }),
		});
		return { tail, invalidLines: 0, overlongLines: 0, invalidNumbers: 0, unreadable: null };
	}

	#count(session: Session, followed: FollowedFile, line: Buffer, file: string, owner: string): void {
		if (!mayReportUsage(line)) {
			if (!looksWhole(line)) followed.invalidLines += 1;
			return;
		}
		const text = line.toString('utf8').replace(/^\uFEFF/, '');
		let torn = false;
		for (const part of text.split(NUL_RUN)) {
			if (part === '') continue;
			const reading = readTranscriptLine(part);
			if (reading === 'invalid') torn = true;
			else if (reading !== 'nothing') this.#report(session, followed, reading, file, owner);
		}
		if (torn) followed.invalidLines += 1;
	}

	#report(session: Session, followed: FollowedFile, read: CountedMessage, file: string, owner: string): void {
		const { key, model, usage, invalidNumbers } = read;
		const at = read.at ?? this.#now();
		followed.invalidNumbers += invalidNumbers;
		this.#ledger.report(owner, { key, model, at, usage });
		if (file === owner && !read.sidechain && at >= session.lastModelAt) {
			session.lastModel = model;
			session.lastModelAt = at;
		}
	}

	/** Transcripts of the session's subagents: `<session>/subagents/agent-*.jsonl` and, in folders there, workflows'. */
	async #subagentFiles(session: Session, path: string): Promise<string[]> {
		const folder = join(path.replace(/\.jsonl$/, ''), 'subagents');
		let entries: Dirent[];
		try {
			entries = await readdir(folder, { recursive: true, withFileTypes: true });
			session.unreadableDirectory = null;
		} catch (error) {
			session.unreadableDirectory = isMissing(error)
				? null
				: error instanceof Error
					? error.message
					: String(error);
			return [];
		}
		return entries
			.filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
			.map((entry) => join(entry.parentPath, entry.name))
			.sort();
	}
}

function newSession(): Session {
	return { files: new Map(), found: false, unreadableDirectory: null, lastModel: null, lastModelAt: 0 };
}

/** A line that was written to its end: empty, or closed by a brace (a carriage return may follow). */
function looksWhole(line: Buffer): boolean {
	let last = line.length - 1;
	while (last >= 0 && (line[last] === 0x0d || line[last] === 0x20)) last -= 1;
	return last < 0 || line[last] === CLOSING_BRACE;
}

function problemsOf(session: Session): TranscriptProblems {
	const files = [...session.files.values()];
	const sum = (of: (file: FollowedFile) => number) => files.reduce((total, file) => total + of(file), 0);
	return {
		invalidLines: sum((file) => file.invalidLines),
		overlongLines: sum((file) => file.overlongLines),
		invalidNumbers: sum((file) => file.invalidNumbers),
		unreadable: [session.unreadableDirectory, ...files.map((file) => file.unreadable)].filter(
			(words) => words !== null,
		),
	};
}
