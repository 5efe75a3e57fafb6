/**
 * One reader of the session files of all programs: those that it finds below the programs' own directories, and those
 * that somebody names. What it counted is kept over a restart, so that only what is new is ever read.
 */
import { homedir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Disposable } from '../../shared/disposable.ts';
import { dayAfter, localDay, localZone } from '../../shared/local-day.ts';
import type { Sighting } from '../../shared/sighting.ts';
import type { FloorUsage } from '../../shared/usage-view.ts';
import { type FoundFile, type Listing, listFiles } from './discovery.ts';
import { type FileHost, FollowedFile, type FollowedFileOptions } from './followed-file.ts';
import { priceUsd } from './prices.ts';
import type { LedgerOptions } from './response-ledger.ts';
import type { ProviderTrouble, SessionFormat } from './session-format.ts';
import {
	type AnswerSources,
	type HeardResponse,
	machineTotals,
	modelsOf,
	problemSentences,
	programsOf,
	responsesSince,
	type SessionsUsage,
	type SessionWork,
	sessionsSince,
	usageOf,
	workSince,
} from './usage-answers.ts';
import { type RememberedFile, UsageMemory } from './usage-memory.ts';
import type { UsageStore } from './usage-store.ts';

export interface UsageIndexOptions {
	readonly formats: readonly SessionFormat[];
	/** Where the programs keep their sessions; this process's if not given. */
	readonly env?: NodeJS.ProcessEnv;
	readonly homeDirectory?: string;
	/** Ms since the epoch. */
	readonly now?: () => number;
	readonly price?: LedgerOptions['price'];
	/** A model that this machine serves: it is free. */
	readonly isLocal?: (model: string) => boolean;
	/** A file of a demonstration: it counts for its session, and not for the machine. */
	readonly isDemo?: (path: string) => boolean;
	/** Without one nothing is kept over a restart. */
	readonly store?: UsageStore;
	/** Lines longer than this are skipped and counted, bytes. */
	readonly longestLine?: number;
}

/** Trouble at a provider, just now, as the program's own file tells it. */
export interface ToldTrouble {
	readonly client: string;
	/** The agent's, also where a subagent met it. */
	readonly sessionId: string;
	readonly file: string;
	readonly trouble: ProviderTrouble;
}

/** Usage of the whole machine: see `FloorUsage`. */
export type MachineUsage = Pick<FloorUsage, 'today' | 'week' | 'programs' | 'reading' | 'problems'>;

/** Responses of earlier days are kept only as a part of their session's total. */
const KEPT_DAYS = 35;
/** A backlog below this is read in no time, and not worth a word, bytes. */
const WORTH_TELLING = 16 * 1024 * 1024;
const RETIRED_AT_ONCE = 2_000;

export class UsageIndex {
	readonly #options: UsageIndexOptions;
	readonly #now: () => number;
	readonly #memory: UsageMemory;
	readonly #host: FileHost;
	readonly #files = new Map<string, FollowedFile>();
	readonly #listeners = new Set<(told: ToldTrouble) => void>();
	#bytesRead = 0;
	/** All directories were looked through once. */
	#isListed = false;
	#reading: MachineUsage['reading'] = null;
	#listingProblems: readonly string[] = [];
	/** The day for which old responses were let go of. */
	#retiredFor = '';
	/** In which the days of all responses are told. */
	#zone = localZone();
	#isStopped = false;
	#restored: Promise<void> | null = null;
	#round: Promise<void> | null = null;
	/** Files that somebody names are read one after the other, so that memory stays bounded by the longest line. */
	#namedTurn: Promise<unknown> = Promise.resolve();

	constructor(options: UsageIndexOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
		this.#memory = new UsageMemory(options.store ?? null, options.price ?? priceUsd);
		this.#host = {
			memory: this.#memory,
			now: this.#now,
			onTrouble: (file, trouble) => this.#tell(file, trouble),
			onChunk: (file, bytes) => this.#noteChunk(file, bytes),
		};
	}

	/** Bytes read of session files since the start. */
	get bytesRead(): number {
		return this.#bytesRead;
	}

	/** Told of trouble that is no history: what was written since its file is known, or is younger than two minutes. */
	onTrouble(listener: (told: ToldTrouble) => void): Disposable {
		this.#listeners.add(listener);
		return { dispose: () => this.#listeners.delete(listener) };
	}

	/**
	 * Looks for files below the programs' directories and reads what is new, newest first. To be called again and again; a
	 * call during another one joins it. Never rejects.
	 */
	look(): Promise<void> {
		this.#round ??= this.#look().finally(() => {
			this.#round = null;
		});
		return this.#round;
	}

	/**
	 * Reads what is new in that file of `client`, wherever it lies, and in those of its subagents; the session it is of.
	 * `null`: it is not there, or no session file of a program that is known. Never rejects: answers tell of problems.
	 */
	async follow(path: string, client: string): Promise<string | null> {
		await this.#takenBack();
		const format = this.#options.formats.find((each) => each.client === client);
		const file = format === undefined ? null : this.#fileAt(path, format);
		if (format === undefined || file === null) return null;
		// A huge one that is being read in the background must not keep the other named ones waiting.
		await file.idle;
		const result = this.#namedTurn.then(() => this.#readNamed(file, format));
		this.#namedTurn = Promise.allSettled([result]);
		return result;
	}

	/** Usage of those sessions together, each response once. */
	usageOf(client: string, sessionIds: Iterable<string>): SessionsUsage {
		return usageOf(this.#sources(), client, sessionIds);
	}

	/** Usage of those sessions by model, the most work first. */
	modelsOf(client: string, sessionIds: Iterable<string>): ReturnType<typeof modelsOf> {
		return modelsOf(this.#sources(), client, sessionIds);
	}

	/** Work of all sessions since that day (`YYYY-MM-DD`), by session, model and day. */
	workSince(day: string): Iterable<SessionWork> {
		return workSince(this.#sources(), day);
	}

	/** Responses of all sessions from that time (ms) on, in no order. */
	responsesSince(at: number): Iterable<HeardResponse> {
		return responsesSince(this.#sources(), at);
	}

	machineUsage(): MachineUsage {
		const sources = this.#sources();
		const problems = [...this.#memory.problems, ...this.#listingProblems, ...problemSentences(sources)];
		const reading = this.#reading;
		if (!this.#isListed) return { today: null, week: null, programs: [], reading, problems };
		const { today, week } = machineTotals(sources);
		return { today, week, programs: programsOf(sources), reading, problems };
	}

	/** Sessions whose files were written since then, newest first; subagents and demonstrations apart. */
	sessionsSince(since: number): Sighting[] {
		return sessionsSince(this.#sources(), since);
	}

	/** Ends what is being read at the next chunk and stores what was counted. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		await Promise.allSettled([this.#round, this.#namedTurn, this.#restored]);
		if (this.#restored !== null) this.#memory.store();
	}

	#sources(): AnswerSources {
		const { ledger, book } = this.#memory;
		const { formats, isLocal = () => false } = this.#options;
		const zone = localZone();
		if (zone !== this.#zone) ledger.redate();
		this.#zone = zone;
		return { ledger, book, files: this.#files, formats, isLocal, now: this.#now() };
	}

	#takenBack(): Promise<void> {
		this.#restored ??= this.#memory.takeBack().then((files) => {
			for (const file of files) this.#remember(file);
		});
		return this.#restored;
	}

	#remember({ path, session: id, state }: RememberedFile): void {
		const session = this.#memory.book.session(id);
		const format = this.#options.formats.find(({ client }) => client === session?.client);
		const known = format?.identify(path);
		if (session === undefined || format === undefined || !known) return;
		const { mode, isSubagent } = known;
		this.#files.set(path, this.#newFile({ path, format, mode, isSubagent, session, state }));
	}

	/** The file at a path, made known if it is one of the program's. */
	#fileAt(path: string, format: SessionFormat): FollowedFile | null {
		const followed = this.#files.get(path);
		if (followed !== undefined) return followed;
		const known = format.identify(path);
		if (known === null) return null;
		const { mode, isSubagent, sessionId } = known;
		const isDemo = this.#options.isDemo?.(path) ?? false;
		const session = this.#memory.book.of(format.client, sessionId, isDemo);
		const file = this.#newFile({ path, format, mode, isSubagent, session });
		this.#files.set(path, file);
		return file;
	}

	#newFile(options: FollowedFileOptions): FollowedFile {
		const { longestLine } = this.#options;
		return new FollowedFile({ ...options, ...(longestLine === undefined ? {} : { longestLine }) });
	}

	async #readNamed(file: FollowedFile, format: SessionFormat): Promise<string | null> {
		const isThere = await file.read(this.#host);
		const folder = format.subagents?.(file.path) ?? null;
		const subagents = folder === null ? [] : (await list(folder, format)).files;
		for (const { path, stats } of subagents) {
			const subagent = this.#fileAt(path, format);
			if (subagent !== null && subagent.noteStats(stats) > 0) await subagent.read(this.#host);
		}
		this.#memory.store();
		if (isThere || file.isRead || subagents.length > 0) return file.session.sessionId;
		this.#files.delete(file.path);
		return null;
	}

	async #look(): Promise<void> {
		await this.#takenBack();
		const listed = await this.#listAll();
		const backlog = listed
			.map(({ found, file }) => ({ file, changedAt: file.changedAt, bytes: file.noteStats(found.stats) }))
			.filter(({ bytes }) => bytes > 0)
			.sort((a, b) => b.changedAt - a.changedAt);
		const totalBytes = backlog.reduce((sum, { bytes }) => sum + bytes, 0);
		if (totalBytes >= WORTH_TELLING) this.#reading = { bytes: 0, totalBytes, since: this.#now() };
		this.#isListed = true;
		for (const { file } of backlog) if (!this.#isStopped) await file.read(this.#host);
		this.#reading = null;
		if (!this.#isStopped) {
			this.#memory.allRead();
			await this.#letGoOfFiles(new Set(listed.map(({ file }) => file)));
			await this.#letGoOfResponses();
		}
		this.#memory.store();
	}

	async #listAll(): Promise<{ found: FoundFile; file: FollowedFile }[]> {
		const { formats, env = process.env, homeDirectory = homedir() } = this.#options;
		const problems: string[] = [];
		const listed: { found: FoundFile; file: FollowedFile }[] = [];
		for (const format of formats) {
			for (const root of new Set(format.roots(env, homeDirectory))) {
				const listing = await list(root, format);
				problems.push(...listing.problems);
				for (const found of listing.files) {
					const file = this.#fileAt(found.path, format);
					if (file !== null) listed.push({ found, file });
				}
			}
		}
		this.#listingProblems = problems;
		return listed;
	}

	/** Those that nobody lists any more: read where they are still there, and forgotten where not. Their totals stay. */
	async #letGoOfFiles(listed: ReadonlySet<FollowedFile>): Promise<void> {
		for (const [path, file] of this.#files) {
			if (listed.has(file) || this.#isStopped || (await file.read(this.#host))) continue;
			this.#files.delete(path);
			this.#memory.forgetFile(file);
		}
	}

	/** Once a day, those that are too old; they stay in the totals of their sessions. */
	async #letGoOfResponses(): Promise<void> {
		const today = localDay(this.#now());
		if (this.#retiredFor === today) return;
		// A clock that is far ahead must not let go of everything: only newer work makes work old.
		const newest = localDay(Math.min(this.#now(), this.#memory.ledger.newestAt));
		const oldest = dayAfter(newest, 1 - KEPT_DAYS);
		let from: number | null = 0;
		while (from !== null && !this.#isStopped) {
			from = this.#memory.ledger.retire(oldest, from, RETIRED_AT_ONCE);
			this.#memory.store();
			await setImmediate();
		}
		this.#retiredFor = today;
	}

	#tell({ session, path, format }: FollowedFile, trouble: ProviderTrouble): void {
		const sessionId = this.#memory.book.rootIdOf(session);
		const told = { client: format.client, sessionId, file: path, trouble };
		for (const listener of this.#listeners) listener(told);
	}

	#noteChunk(file: FollowedFile, bytes: number): boolean {
		this.#bytesRead += bytes;
		const reading = this.#reading;
		if (reading !== null) {
			const read = Math.min(reading.totalBytes, reading.bytes + bytes);
			this.#reading = { ...reading, bytes: read };
		}
		this.#memory.noteChunk(file, bytes);
		return !this.#isStopped;
	}
}

function list(directory: string, format: SessionFormat): Promise<Listing> {
	const isWanted = (path: string): boolean => format.identify(path) !== null;
	return listFiles(directory, { depth: format.depth, isWanted });
}
