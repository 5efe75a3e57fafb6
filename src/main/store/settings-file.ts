/** `<data>/settings.json`: read at start, changed by the window, the command line or by hand, without a restart. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import { ChannelError } from '../../shared/channels.ts';
import type { Disposable } from '../../shared/disposable.ts';
import { defaultSettings, type Settings, type SettingsPatch } from '../../shared/settings.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { FileWatch } from './file-watch.ts';
import { setAside } from './set-aside.ts';
import { mergeSettings, type RawSettings, readSettings, refusalOf } from './settings-merge.ts';
import { parseSettingsText, printSettings } from './settings-text.ts';
import { systemCodeOf } from './store-error.ts';

export interface SettingsFileOptions {
	/** For dated names, ms since the epoch. */
	readonly now?: () => number;
	/** How long a file may be half written before it is judged, ms. */
	readonly patienceMs?: number;
	readonly retryMs?: number;
	/** Between two looks at the file's time and size, ms. */
	readonly pollMs?: number;
}

type Found =
	| { readonly kind: 'missing' }
	| { readonly kind: 'settings'; readonly text: string; readonly raw: RawSettings }
	| { readonly kind: 'damaged'; readonly text: string; readonly problem: string }
	| { readonly kind: 'unreadable'; readonly problem: string };

/**
 * The floor's settings. What is not valid never takes effect: the last good value of that field holds, and `problems`
 * says so. Listeners must not throw.
 */
export class SettingsFile implements Disposable {
	readonly #file: string;
	readonly #directory: string;
	readonly #now: () => number;
	readonly #patienceMs: number;
	readonly #retryMs: number;
	readonly #watch: FileWatch;
	readonly #changeListeners = new Set<(settings: Settings) => void>();
	readonly #problemListeners = new Set<(problems: readonly string[]) => void>();
	/** One look or change at a time. */
	#turn: Promise<unknown> = Promise.resolve();
	#opened = false;
	#disposed = false;
	/** The text that was taken last; `null`: no file. */
	#text: string | null = null;
	#raw: RawSettings = {};
	#current: Settings = defaultSettings;
	/** What happened to the file since the start. */
	#incidents: readonly string[] = [];
	#fieldProblems: readonly string[] = [];
	#unreadable: string | null = null;

	private constructor(directory: string, options: SettingsFileOptions) {
		this.#directory = directory;
		this.#file = join(directory, 'settings.json');
		this.#now = options.now ?? Date.now;
		this.#patienceMs = options.patienceMs ?? 1000;
		this.#retryMs = options.retryMs ?? 100;
		this.#watch = new FileWatch(this.#file, options.pollMs ?? 1000, () => this.#inTurn(() => this.#look()));
	}

	/**
	 * Reads the file and follows it until disposed. A missing file means the defaults; one that is no JSON is set aside.
	 * Never rejects for what the file holds.
	 */
	static async open(directory: string, options: SettingsFileOptions = {}): Promise<SettingsFile> {
		const file = new SettingsFile(directory, options);
		await file.#inTurn(() => file.#look());
		file.#opened = true;
		file.#watch.start();
		return file;
	}

	/** What is in force. */
	get current(): Settings {
		return this.#current;
	}

	/** What is wrong with the file, in sentences for the operator; empty when all is well. */
	get problems(): readonly string[] {
		const unreadable = this.#unreadable === null ? [] : [this.#unreadable];
		return [...this.#incidents, ...unreadable, ...this.#fieldProblems];
	}

	/** Called after a change of what is in force. */
	onChange(listener: (settings: Settings) => void): Disposable {
		this.#changeListeners.add(listener);
		return { dispose: () => this.#changeListeners.delete(listener) };
	}

	/** Called when `problems` have changed. */
	onProblems(listener: (problems: readonly string[]) => void): Disposable {
		this.#problemListeners.add(listener);
		return { dispose: () => this.#problemListeners.delete(listener) };
	}

	/**
	 * Merges `patch` into the file and returns what is in force then. `null` takes a field out. All or nothing: rejects
	 * with a `ChannelError` `invalid-argument` naming field, value and what is allowed, or `refused-file`.
	 */
	update(patch: SettingsPatch): Promise<Settings> {
		return this.#inTurn(async () => {
			await this.#look();
			if (this.#unreadable !== null) throw this.#refused(this.#unreadable);
			const refusal = refusalOf(this.#raw, patch);
			if (refusal) throw notAllowed(refusal);
			await this.#write(mergeSettings(this.#raw, patch));
			return this.#current;
		});
	}

	/** What the settings would be. Throws as `update` would; nothing is written. */
	wouldBe(patch: SettingsPatch): Settings {
		const refusal = refusalOf(this.#raw, patch);
		if (refusal) throw notAllowed(refusal);
		return readSettings(mergeSettings(this.#raw, patch), this.#current).settings;
	}

	dispose(): void {
		this.#disposed = true;
		this.#watch.dispose();
		this.#changeListeners.clear();
		this.#problemListeners.clear();
	}

	#inTurn<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#turn.then(work);
		this.#turn = Promise.allSettled([result]);
		return result;
	}

	/** Takes what the file holds now; waits a little when it seems to be half written. */
	async #look(): Promise<void> {
		const deadline = performance.now() + this.#patienceMs;
		for (;;) {
			const found = await this.#find();
			if (this.#disposed) return;
			if (found.kind === 'settings' || (found.kind === 'missing' && this.#text === null)) {
				if (this.#unreadable !== null || !this.#opened || textOf(found) !== this.#text) this.#take(found);
				return;
			}
			if (found.kind === 'damaged' && found.text === this.#text) return;
			if (performance.now() >= deadline) return this.#judge(found);
			await sleep(this.#retryMs);
		}
	}

	async #find(): Promise<Found> {
		try {
			const text = await readFile(this.#file, 'utf8');
			const parsed = parseSettingsText(text);
			return parsed.ok
				? { kind: 'settings', text, raw: parsed.raw }
				: { kind: 'damaged', text, problem: parsed.problem };
		} catch (error) {
			if (systemCodeOf(error) === 'ENOENT') return { kind: 'missing' };
			return { kind: 'unreadable', problem: wordsOf(error) };
		}
	}

	#take(found: Found & { kind: 'settings' | 'missing' }): void {
		const problemsBefore = this.problems;
		this.#unreadable = null;
		this.#text = textOf(found);
		this.#raw = found.kind === 'settings' ? found.raw : {};
		const { settings, problems } = readSettings(this.#raw, this.#opened ? this.#current : null);
		this.#fieldProblems = problems;
		const changed = !isDeepStrictEqual(settings, this.#current);
		this.#current = settings;
		if (changed) for (const listener of this.#changeListeners) listener(settings);
		this.#tellProblems(problemsBefore);
	}

	/** It was not half written: it is gone, damaged or closed to us. */
	async #judge(found: Exclude<Found, { kind: 'settings' }>): Promise<void> {
		if (found.kind === 'missing') {
			this.#take(found);
			return this.#tell(
				`${this.#file} was removed. The default settings are in force. Set your limits again.`,
			);
		}
		const problemsBefore = this.problems;
		const inForce = this.#opened
			? 'Its last good settings stay in force'
			: 'The default settings are in force';
		if (found.kind === 'unreadable') {
			this.#unreadable = `${this.#file} could not be read (${found.problem}). ${inForce}. Make it readable for you.`;
			return this.#tellProblems(problemsBefore);
		}
		const what = `${this.#file} is not valid JSON (${found.problem})`;
		try {
			const aside = setAside(this.#file, [], this.#now());
			this.#text = null;
			this.#tell(`${what} and was set aside as ${aside}. ${inForce}. Check your limits.`);
		} catch (error) {
			this.#text = found.text;
			this.#tell(`${what}, and could not be set aside (${wordsOf(error)}). ${inForce}. Correct the file.`);
			return;
		}
		try {
			if (this.#opened) await this.#write(this.#raw);
		} catch (error) {
			this.#tell(wordsOf(error));
		}
	}

	/** Writes, reads back, and takes what was written. Rejects with a `ChannelError`. */
	async #write(raw: RawSettings): Promise<void> {
		const text = printSettings(raw);
		let written: string;
		try {
			prepareDataDirectory(this.#directory);
			await writeFileAtomic(this.#file, text, (await isThere(this.#file)) ? {} : { mode: 0o600 });
			written = await readFile(this.#file, 'utf8');
		} catch (error) {
			throw this.#refused(wordsOf(error));
		}
		if (written !== text) throw this.#refused('another program changed it at the same moment');
		this.#take({ kind: 'settings', text, raw });
	}

	#tell(incident: string): void {
		const problemsBefore = this.problems;
		this.#incidents = [...this.#incidents, incident];
		this.#tellProblems(problemsBefore);
	}

	#tellProblems(before: readonly string[]): void {
		const now = this.problems;
		if (isDeepStrictEqual(now, before)) return;
		for (const listener of this.#problemListeners) listener(now);
	}

	#refused(words: string): ChannelError {
		return new ChannelError({
			code: 'refused-file',
			message: `${this.#file} could not be changed: ${words}`,
			meaning: 'The settings are as they were.',
			remedy: 'Check the file and its directory, then try again.',
		});
	}
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function textOf(found: Found & { kind: 'settings' | 'missing' }): string | null {
	return found.kind === 'settings' ? found.text : null;
}

async function isThere(file: string): Promise<boolean> {
	try {
		await stat(file);
		return true;
	} catch (error) {
		if (systemCodeOf(error) === 'ENOENT') return false;
		throw error;
	}
}

function notAllowed(refusal: string): ChannelError {
	return new ChannelError({
		code: 'invalid-argument',
		message: refusal,
		meaning: 'No setting was changed.',
		remedy: 'Give a value that is allowed.',
	});
}
