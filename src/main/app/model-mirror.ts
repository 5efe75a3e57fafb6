/** One repository's state file: what scripts write there is taken over, what is true for the machine is written there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { circuitMetricsSchema, circuitStateSchema } from '../../shared/models-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { timestampSchema } from '../../shared/words.ts';
import { chainOf, deedsBetween, deedsOfUnseen, isSameChain } from '../models/mirror.ts';
import type { ModelBreakers } from '../models/model-breakers.ts';
import type { ModelChain } from '../models/model-desk.ts';
import { type ParsedStateFile, parseStateFile, printStateFile } from '../models/state-file.ts';
import { defaultStateRecord, STATE_FILE, type StateRecord } from '../models/state-record.ts';
import { type FileChange, type LockedFileOptions, updateLockedFile } from '../store/locked-file.ts';
import { StoreError, systemCodeOf } from '../store/store-error.ts';

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

const recordSchema = z.object({
	state: circuitStateSchema,
	preferredModel: z.string(),
	fallbackChain: z.array(z.string()),
	currentFallbackIndex: z.number(),
	cooldownMinutes: z.number(),
	openedAt: timestampSchema.nullable(),
	halfOpenSuccesses: z.number(),
	consecutiveFailures: z.number(),
	metrics: circuitMetricsSchema,
	resumeAt: timestampSchema.nullable(),
});

/** What is remembered of a file over a restart. */
export const savedMirrorSchema = z.object({
	directory: z.string().min(1),
	/** What we read or wrote last; `null`: there was no file. */
	seen: recordSchema.nullable(),
	/** Its configuration is not the settings' one: it holds for this repository. */
	isOwn: z.boolean(),
	/** What the file had counted before it became a mirror. */
	earlier: z.object({ fallbacks: z.number(), recoveries: z.number() }),
});
export type SavedMirror = z.infer<typeof savedMirrorSchema>;

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
			if (!(await this.#isWritten())) await this.#update((present) => this.#written(present));
			return [];
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
			(error: unknown) => this.#tell(doing, wordsOf(error)),
		);
		this.#turn = result;
		return result;
	}

	#parse(bytes: Uint8Array | null): ParsedStateFile | null {
		return bytes && parseStateFile(bytes, this.#options.now());
	}

	async #read(): Promise<Uint8Array | null> {
		try {
			return await readFile(this.file);
		} catch (error) {
			if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error))) return null;
			const words = error instanceof Error ? error.message : String(error);
			const message = `Could not read ${this.file}: ${words}`;
			throw new StoreError({ code: 'failed', message, meaning, remedy: 'Make it readable for you.' }, error);
		}
	}

	async #update(change: (present: Uint8Array | null) => FileChange<Outcome>): Promise<readonly string[]> {
		const { locksDirectory, patienceMs, tornPatienceMs } = this.#options;
		const options: LockedFileOptions = {
			locksDirectory,
			forScripts: true,
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
		return { kind: 'keep', result: { seen: parsed.record, problems: parsed.problems } };
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

	#take(record: StateRecord | null): void {
		const { breakers, now } = this.#options;
		const { directory } = this;
		const last = this.#seen;
		this.#seen = record;
		if (record === null) {
			this.#isOwn = false;
			breakers.repository(directory, null);
			return;
		}
		const chain = chainOf(record);
		if (last === null || !isSameChain(chain, chainOf(last))) this.#configured(chain);
		if (last === null) {
			breakers.adopt(directory, deedsOfUnseen(record, now()));
			const { metrics } = breakers.recordFor(directory);
			this.#earlier = {
				fallbacks: Math.max(0, record.metrics.totalFallbacks - metrics.totalFallbacks),
				recoveries: Math.max(0, record.metrics.totalRecoveries - metrics.totalRecoveries),
			};
			return;
		}
		const deeds = deedsBetween(last, record).filter(({ kind }) => kind !== 'configured');
		// After a crash between two of our own writes the file is ahead of what we remember of it, not of the truth.
		if (deeds.length > 0 && !this.#says(record)) breakers.adopt(directory, deeds);
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
		const record = this.#options.breakers.recordFor(this.directory);
		// The default object itself: there is no chain for this directory, and a file would make one.
		if (record === defaultStateRecord) return null;
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

function wordsOf(error: unknown): string {
	if (error instanceof StoreError) return `${error.message} ${error.meaning} ${error.remedy}`;
	return error instanceof Error ? error.message : String(error);
}
