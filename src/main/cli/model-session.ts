/** One caller's dealings with the model breakers: asks, waits, reports, and says on standard error what it means. */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
	ModelCaller,
	ModelChainView,
	ModelChoiceView,
	ModelReport,
	ModelsView,
} from '../../shared/models-view.ts';
import { StoreError } from '../store/store-error.ts';
import type { ModelAuthority } from './model-authority.ts';
import { usableName } from './model-name.ts';
import {
	chainOf,
	isChainOf,
	limitedWords,
	probeWords,
	reportedChain,
	reportWords,
	unnamedWords,
} from './model-words.ts';

/** Somebody else may find sooner that a model answers again: looked at this often while waiting, ms. */
const LONGEST_SLEEP_MS = 30_000;
const SHORTEST_SLEEP_MS = 1_000;

export class ModelSession {
	readonly #authority: ModelAuthority;
	readonly #caller: ModelCaller;
	readonly #err: (text: string) => void;

	constructor(authority: ModelAuthority, caller: ModelCaller, err: (text: string) => void) {
		this.#authority = authority;
		this.#caller = caller;
		this.#err = err;
	}

	/**
	 * `model` is `null` when the whole chain is limited; that was said then. With `wait` it sleeps until one is free. Rejects
	 * with an `UnusableName`.
	 */
	async ask(wait: boolean): Promise<ModelChoiceView> {
		let saidUntil: number | null = null;
		for (;;) {
			const choice = await this.#authority.current(this.#caller);
			if (choice.model !== null) {
				usableName(choice.model);
				if (choice.isProbe) this.#say(probeWords(choice.model, await this.#chain(choice), Date.now()));
				await this.#remarkUnnamed();
				return choice;
			}
			const now = Date.now();
			const until = choice.resumeAt ?? now + LONGEST_SLEEP_MS;
			if (saidUntil === null || Math.abs(until - saidUntil) > SHORTEST_SLEEP_MS) {
				const words = limitedWords(choice, await this.#chain(choice), now);
				this.#err(wait ? `${words} Waiting.` : words);
				saidUntil = until;
			}
			if (!wait) return choice;
			await sleep(Math.min(Math.max(until - now, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS));
		}
	}

	/** Returns what is to be used from now on. */
	async report(
		outcome: Pick<ModelReport, 'outcome' | 'model' | 'retryAfterMs' | 'said'>,
	): Promise<ModelChoiceView> {
		const report: ModelReport = { ...this.#caller, ...outcome };
		const { choice, before, after } = await this.#authority.report(report);
		const chainIn = (view: ModelsView) => reportedChain(view, report, choice);
		const words = reportWords(report, chainIn(before), chainIn(after), choice, Date.now());
		if (words !== '') this.#say(words);
		return choice;
	}

	/** A name that was mistyped is used as well. */
	async #remarkUnnamed(): Promise<void> {
		const { preferredModel, provider, directory } = this.#caller;
		if (preferredModel === undefined) return;
		const { chains } = await this.#authority.view(directory).catch((error: unknown) => {
			// Without the machine-wide state nobody knows all chains.
			if (error instanceof StoreError) return { chains: null };
			throw error;
		});
		if (chains === null || chains.some((chain) => isChainOf(chain, preferredModel, provider))) return;
		this.#err(unnamedWords(preferredModel, provider));
	}

	async #chain(choice: ModelChoiceView): Promise<ModelChainView | null> {
		return chainOf(await this.#authority.view(this.#caller.directory), choice, this.#caller);
	}

	#say(words: string): void {
		this.#err(`[circuit-breaker] ${words}`);
	}
}
