/** One repository's state file: what scripts write there is taken over, what is true for the machine is written there. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { visibleText } from '../../shared/untrusted-text.ts';
import { chainOf, deedsBetween, deedsOfUnseen, isOlder } from '../models/mirror.ts';
import type { ModelBreakers } from '../models/model-breakers.ts';
import { isSameChain } from '../models/model-chain.ts';
import type { ModelChain } from '../models/model-desk.ts';
import { isConfiguration } from '../models/state-fields.ts';
import {
	LARGEST_STATE_FILE_BYTES,
	type ParsedStateFile,
	parseStateFile,
	printStateFile,
} from '../models/state-file.ts';
import { defaultStateRecord, STATE_FILE, type StateRecord } from '../models/state-record.ts';
import { fileTarget } from '../store/file-target.ts';
import { type FileChange, type LockedFileOptions, updateLockedFile } from '../store/locked-file.ts';
import { readSmallFile } from '../store/small-file.ts';
import { storeErrorFrom, systemCodeOf } from '../store/store-error.ts';
import { Corrections } from './corrections.ts';
import { fileProblemWords } from './file-problem.ts';
import type { SavedMirror } from './saved-mirror.ts';
import { squadDirectoryOf } from './squad-directory.ts';

export type MirroringBreakers = Pick<ModelBreakers, 'repository' | 'adopt' | 'recordFor'>;

export interface MirrorOptions {
	readonly breakers: MirroringBreakers;
	readonly locksDirectory: string;
	/** ms since the epoch, as in the files. */
	readonly now: () => number;
	/** A sentence for the operator about that file; `null`: it is in order again. Told when it changes. */
	readonly onProblem: (file: string, problem: string | null) => void;
	/** How long others may keep the file's lock, ms. */
	readonly patienceMs?: number;
	/** How long a file may look half written, ms. */
	readonly tornPatienceMs?: number;
}

const meaning =
	'Shell loops that read this file themselves do not see what the others learn; agent-floor itself knows it all the same.';

/** What a look or a write found out. */
interface Outcome {
	/** What the file says now. */
	readonly seen: StateRecord | null;
	readonly problems: readonly string[];
}

export class ModelMirror {
	readonly directory: string;
	readonly file: string;
	readonly #options: MirrorOptions;
	#seen: StateRecord | null = null;
	#isOwn = false;
	#earlier: SavedMirror['earlier'] = { fallbacks: 0, recoveries: 0 };
	/** One look or write at a time. */
	#turn: Promise<unknown> = Promise.resolve();
	/** What is wrong, by what it came from: a good look does not make a bad write good. */
	readonly #problems = { setAside: '', reading: '', writing: '' };
	#told: string | null = null;
	readonly #corrections = new Corrections();

	constructor(directory: string, options: MirrorOptions) {
		this.directory = directory;
		this.file = join(directory, STATE_FILE);
		this.#options = options;
	}

	/** Takes over what is in the file. Never rejects: what is wrong goes to `onProblem`. */
	sync(): Promise<void> {
		return this.#inTurn('reading', async () => {
			const parsed = this.#parse(await this.#read());
			if (parsed?.ok === false) return this.#update((present) => this.#judged(present));
			this.#take(parsed?.record ?? null);
			return parsed?.problems ?? [];
		});
	}

	/** Puts what is true now into the file, if it says anything else. Never rejects. */
	write(): Promise<void> {
		return this.#inTurn('writing', async () => {
			if ((await this.#isWritten()) || !this.#mayWrite()) return [];
			return this.#update((present) => this.#written(present));
		});
	}

	saved(): SavedMirror {
		const { directory } = this;
		const seen = this.#seen && { ...this.#seen, fallbackChain: [...this.#seen.fallbackChain] };
		return { directory, seen, isOwn: this.#isOwn, earlier: this.#earlier };
	}

	restore({ seen, isOwn, earlier }: SavedMirror): void {
		this.#seen = seen;
		this.#isOwn = isOwn;
		this.#earlier = earlier;
		if (seen && isOwn) this.#options.breakers.repository(this.directory, chainOf(seen));
	}

	/** `work` resolves to what is wrong, in sentences. */
	#inTurn(doing: 'reading' | 'writing', work: () => Promise<readonly string[]>): Promise<void> {
		const result = this.#turn.then(work).then(
			(problems) => this.#tell(doing, problems.join(' ')),
			(error: unknown) => this.#tell(doing, fileProblemWords(error)),
		);
		this.#turn = result;
		return result;
	}

	#parse(bytes: Uint8Array | null): ParsedStateFile | null {
		return bytes && parseStateFile(bytes, this.#options.now());
	}

	/** `null`: there is no file. Without a lock. */
	async #read(): Promise<Uint8Array | null> {
		try {
			const { path } = fileTarget(this.file, { within: this.#repository(), meaning });
			return await readSmallFile(path, { largestBytes: LARGEST_STATE_FILE_BYTES, meaning });
		} catch (error) {
			if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error))) return null;
			throw storeErrorFrom(error, `find ${this.file}`, meaning);
		}
	}

	/** Links are followed within it: what comes with a repository must not reach out of it. */
	#repository(): string {
		return squadDirectoryOf(this.directory).repository;
	}

	async #update(change: (present: Uint8Array | null) => FileChange<Outcome>): Promise<readonly string[]> {
		const { locksDirectory, patienceMs, tornPatienceMs } = this.#options;
		const options: LockedFileOptions = {
			locksDirectory,
			forScripts: true,
			within: this.#repository(),
			largestBytes: LARGEST_STATE_FILE_BYTES,
			meaning,
			...(patienceMs !== undefined && { patienceMs }),
			...(tornPatienceMs !== undefined && { tornPatienceMs }),
		};
		const { result, setAside } = await updateLockedFile(this.file, options, change);
		this.#seen = result.seen;
		if (setAside) {
			const words = `${this.file} ${setAside.problem} and was set aside as ${setAside.name}. What is known was written anew.`;
			this.#tell('setAside', words);
		}
		return result.problems;
	}

	/** The file as it is; torn or foreign, it is set aside and written anew. */
	#judged(present: Uint8Array | null): FileChange<Outcome> {
		const parsed = this.#parse(present);
		if (parsed?.ok !== true) return this.#written(present);
		this.#take(parsed.record);
		return { kind: 'keep', result: { seen: this.#seen, problems: parsed.problems } };
	}

	#written(present: Uint8Array | null): FileChange<Outcome> {
		const parsed = this.#parse(present);
		if (parsed?.ok === false) return { kind: 'damaged', problem: parsed.problem };
		// What a script wrote since the last look comes first.
		this.#take(parsed?.record ?? null);
		const bytes = this.#printed(present);
		if (bytes === null) return { kind: 'keep', result: { seen: this.#seen, problems: [] } };
		// As it will be read: dates lose what is less than a millisecond.
		const again = this.#parse(bytes);
		const result = { seen: again?.ok ? again.record : null, problems: [] };
		const isThere = present !== null && Buffer.from(present).equals(bytes);
		return isThere ? { kind: 'keep', result } : { kind: 'write', bytes, result };
	}

	/** Without a lock: the file says what it should, and no script wrote since the last look. */
	async #isWritten(): Promise<boolean> {
		const present = await this.#read();
		const parsed = this.#parse(present);
		if (present === null || parsed?.ok !== true || !isDeepStrictEqual(parsed.record, this.#seen))
			return false;
		const bytes = this.#printed(present);
		return bytes === null || Buffer.from(present).equals(bytes);
	}

	/** What others did to the file in the meantime may be put right again, unless they do it all the time. */
	#mayWrite(): boolean {
		return this.#corrections.mayWrite(JSON.stringify(this.#wanted()), this.#options.now());
	}

	#take(record: StateRecord | null): void {
		const { breakers, now } = this.#options;
		const { directory } = this;
		const last = this.#seen;
		if (record === null) {
			this.#seen = null;
			this.#isOwn = false;
			breakers.repository(directory, null);
			return;
		}
		const isOld = last !== null && isOlder(record, last);
		// An older one is written over: what it was last is still what the next one is compared with.
		this.#seen = isOld ? { ...last, ...configOf(record) } : record;
		const chain = chainOf(record);
		if (last === null || !isSameChain(chain, chainOf(last))) this.#configured(chain);
		else this.#remind();
		if (isOld) return;
		const deeds = last === null ? deedsOfUnseen(record, now()) : deedsBetween(last, record, now());
		const news = deeds.filter(({ kind }) => kind !== 'configured');
		// After a crash between two of our own writes the file is ahead of what we remember of it, not of the truth.
		if (news.length > 0 && !this.#says(record)) breakers.adopt(directory, news);
		const { metrics } = breakers.recordFor(directory);
		const { fallbacks, recoveries } = this.#earlier;
		// The file's counts never go down, whatever others have counted there.
		this.#earlier = {
			fallbacks: Math.max(fallbacks, record.metrics.totalFallbacks - metrics.totalFallbacks),
			recoveries: Math.max(recoveries, record.metrics.totalRecoveries - metrics.totalRecoveries),
		};
	}

	/** The breakers forget the repositories that they have not heard of for longest. */
	#remind(): void {
		const chain = this.#isOwn && this.#seen ? chainOf(this.#seen) : null;
		this.#options.breakers.repository(this.directory, chain);
	}

	/** A file that says what the settings say follows them; one that says something else holds for its repository. */
	#configured(chain: ModelChain): void {
		const { breakers } = this.#options;
		breakers.repository(this.directory, null);
		const known = breakers.recordFor(this.directory);
		this.#isOwn = known === defaultStateRecord || !isSameChain(chain, chainOf(known));
		if (this.#isOwn) breakers.repository(this.directory, chain);
	}

	/** It is what we would write. */
	#says(record: StateRecord): boolean {
		const bytes = printStateFile(record, null);
		return Buffer.from(bytes).equals(this.#printed(bytes) ?? Buffer.of());
	}

	#printed(present: Uint8Array | null): Uint8Array | null {
		const wanted = this.#wanted();
		return wanted && printStateFile(wanted, present);
	}

	/** What the file should say; `null`: nothing is known that it could say. */
	#wanted(): StateRecord | null {
		this.#remind();
		const record = this.#options.breakers.recordFor(this.directory);
		// The default object itself: there is no chain for this directory, and a file would make one.
		if (record === defaultStateRecord || !isConfiguration(record)) return null;
		const { metrics } = record;
		const seen = this.#seen?.metrics;
		return {
			...record,
			...(this.#isOwn && this.#seen ? configOf(this.#seen) : {}),
			metrics: {
				totalFallbacks: metrics.totalFallbacks + this.#earlier.fallbacks,
				totalRecoveries: metrics.totalRecoveries + this.#earlier.recoveries,
				lastFallbackAt: later(metrics.lastFallbackAt, seen?.lastFallbackAt ?? null),
				lastRecoveryAt: later(metrics.lastRecoveryAt, seen?.lastRecoveryAt ?? null),
			},
		};
	}

	#tell(from: 'setAside' | 'reading' | 'writing', words: string): void {
		this.#problems[from] = words;
		const { setAside, reading, writing } = this.#problems;
		const whole = [setAside, reading, writing === reading ? '' : writing]
			.filter((part) => part !== '')
			.join(' ');
		const next = whole === '' ? null : visibleText(whole, { limit: 2000 });
		if (next === this.#told) return;
		this.#told = next;
		this.#options.onProblem(this.file, next);
	}
}

function configOf({ preferredModel, fallbackChain, cooldownMinutes }: StateRecord) {
	return { preferredModel, fallbackChain, cooldownMinutes };
}

function later(one: number | null, other: number | null): number | null {
	return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
