/**
 * Loads a cold model before it gets a prompt: with a time budget of its own, once for all who wait for it, and going on
 * when the request that wanted it is gone, because the next one will want it too.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelFit } from '../../shared/capability.ts';
import { parseEntries } from './llamacpp.ts';
import { errorTextOf, isSuccess, LocalHttp, type LocalTarget, type Reply } from './local-http.ts';
import { LocalServerError } from './local-server-error.ts';
import { kindNames } from './reading.ts';

/** What of a model is needed to load it. */
export type WarmableModel = Pick<ModelFit, 'id' | 'serverId' | 'serverKind' | 'model' | 'name'>;

export interface WarmOptions {
	/** For the whole load, ms. Of several callers the first one's counts. */
	readonly budgetMs?: number;
	/** Ends this caller's waiting, not the load. */
	readonly signal?: AbortSignal;
	/**
	 * Tokens of context to load it with; the server's own choice when absent. Ollama loads the model again with its own
	 * choice when a later request does not ask for the same number: set it on the server instead where that can be.
	 */
	readonly contextTokens?: number;
}

/** `on-request`: this server loads models with their first request, and cannot be asked to before. */
export type WarmOutcome = 'loaded' | 'on-request';

export interface WarmState {
	readonly modelId: string;
	readonly state: 'loading' | 'loaded' | 'failed';
	/** One line: what is going on, or why it failed. */
	readonly text: string;
	/** Wall clock, ms. */
	readonly since: number;
}

export interface ModelWarmerOptions {
	/** `LocalModels.targetOf`. */
	readonly targetOf: (serverId: string) => LocalTarget | null;
	/** Wall clock, ms. */
	readonly now: () => number;
	/** Every change of a load. */
	readonly onState?: (state: WarmState) => void;
	/** Between two questions to a llama.cpp server that loads, ms. For tests. */
	readonly pollMs?: number;
}

export const WARM_BUDGET_MS = 5 * 60_000;
/** A loaded model stays for this long without a request (Ollama). */
const KEEP_ALIVE = '30m';

interface Load {
	readonly model: WarmableModel;
	readonly target: LocalTarget;
	readonly contextTokens: number | undefined;
	readonly signal: AbortSignal;
}

export class ModelWarmer {
	readonly #options: ModelWarmerOptions;
	readonly #http = new LocalHttp();
	readonly #end = new AbortController();
	/** Loads under way, by model id. */
	readonly #loads = new Map<string, { readonly promise: Promise<WarmOutcome>; state: WarmState }>();

	constructor(options: ModelWarmerOptions) {
		this.#options = options;
	}

	/** Loads under way. */
	states(): WarmState[] {
		return [...this.#loads.values()].map((load) => load.state);
	}

	/** Resolves when the model can answer. Rejects with a `LocalServerError`. */
	warm(model: WarmableModel, options: WarmOptions = {}): Promise<WarmOutcome> {
		const underWay = this.#loads.get(model.id)?.promise ?? this.#begin(model, options);
		return waitFor(underWay, options.signal, model.name);
	}

	/** Ends every load. Idempotent. */
	dispose(): void {
		this.#end.abort();
	}

	#begin(model: WarmableModel, options: WarmOptions): Promise<WarmOutcome> {
		const since = this.#options.now();
		const tell = (state: WarmState['state'], text: string): WarmState => {
			const told = { modelId: model.id, state, text, since };
			this.#options.onState?.(told);
			return told;
		};
		const promise = this.#load(model, options).then(
			(outcome) => {
				this.#loads.delete(model.id);
				tell(
					'loaded',
					outcome === 'loaded' ? `${model.name} is loaded` : `${model.name} loads when it is asked`,
				);
				return outcome;
			},
			(error: unknown) => {
				this.#loads.delete(model.id);
				tell('failed', error instanceof Error ? error.message : String(error));
				throw error;
			},
		);
		// The failure is told by `onState`; a caller who has left is no reason for an unhandled rejection.
		promise.catch(() => undefined);
		this.#loads.set(model.id, { promise, state: tell('loading', `loading ${model.name}`) });
		return promise;
	}

	async #load(model: WarmableModel, options: WarmOptions): Promise<WarmOutcome> {
		const target = this.#options.targetOf(model.serverId);
		if (target === null) {
			throw new LocalServerError(
				'absent',
				`${model.name} cannot be loaded: its server "${model.serverId}" is not in the settings any more.`,
			);
		}
		const budgetMs = options.budgetMs ?? WARM_BUDGET_MS;
		const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(budgetMs)]);
		const load = { model, target, contextTokens: options.contextTokens, signal };
		try {
			return await this.#loadFrom(load);
		} catch (error) {
			if (this.#end.signal.aborted) throw aborted(model.name);
			if (signal.aborted) throw tooSlow(model.name, budgetMs);
			throw error;
		}
	}

	#loadFrom(load: Load): Promise<WarmOutcome> {
		switch (load.model.serverKind) {
			case 'ollama':
				return this.#loadByGenerate(load);
			case 'lmstudio':
				return this.#loadByManager(load);
			case 'llamacpp':
				return this.#loadByRouter(load);
			case 'vllm':
				return Promise.resolve('loaded');
			case 'openai':
				return Promise.resolve('on-request');
		}
	}

	/** Ollama: a generation without a prompt loads and does nothing else. */
	async #loadByGenerate(load: Load): Promise<WarmOutcome> {
		const { model, contextTokens } = load;
		const options = contextTokens === undefined ? {} : { options: { num_ctx: contextTokens } };
		const body = { model: model.model, stream: false, keep_alive: KEEP_ALIVE, ...options };
		const reply = await this.#post(load, '/api/generate', body);
		if (!succeeded(reply)) throw refusal(load, reply);
		return 'loaded';
	}

	/** LM Studio 0.4; an older one loads with the first request. */
	async #loadByManager(load: Load): Promise<WarmOutcome> {
		const { model, contextTokens } = load;
		const context = contextTokens === undefined ? {} : { context_length: contextTokens };
		const reply = await this.#post(load, '/api/v1/models/load', { model: model.model, ...context });
		if (isUnknownEndpoint(reply)) return 'on-request';
		if (!succeeded(reply)) throw refusal(load, reply);
		return 'loaded';
	}

	/** llama.cpp: a router is told to load and then watched; a server of one model is only watched. */
	async #loadByRouter(load: Load): Promise<WarmOutcome> {
		const reply = await this.#post(load, '/models/load', { model: load.model.model });
		// A router that has it already says so with an error: its list tells.
		const isRouter = reply.kind === 'json' && !isUnknownEndpoint(reply);
		if (reply.kind === 'refused' || reply.kind === 'failed') throw refusal(load, reply);
		for (;;) {
			if (await (isRouter ? this.#isLoadedByRouter(load, reply) : this.#isHealthy(load))) return 'loaded';
			await sleep(this.#options.pollMs ?? 500, undefined, { signal: load.signal });
		}
	}

	async #isLoadedByRouter(load: Load, first: Reply): Promise<boolean> {
		const reply = await this.#get(load, '/models');
		const entry =
			reply.kind === 'json' ? parseEntries(reply.json)?.find(({ id }) => id === load.model.model) : undefined;
		if (!entry) throw refusal(load, succeeded(first) ? reply : first);
		if (entry.status?.value === 'loaded' || entry.status?.value === 'sleeping') return true;
		if (entry.status?.value === 'loading') return false;
		if (!succeeded(first)) throw refusal(load, first);
		if (entry.status?.failed !== true) return false;
		throw refusal(load, reply, `its process ended with exit code ${entry.status.exit_code ?? 'unknown'}`);
	}

	async #isHealthy(load: Load): Promise<boolean> {
		const reply = await this.#get(load, '/health');
		if (reply.kind === 'refused' || reply.kind === 'failed') throw refusal(load, reply);
		if (reply.status !== 503 && !isSuccess(reply.status)) throw refusal(load, reply);
		return isSuccess(reply.status);
	}

	#post({ target, signal }: Load, path: string, body: object): Promise<Reply> {
		return this.#http.ask({ ...target, path, body, signal });
	}

	#get({ target, signal }: Load, path: string): Promise<Reply> {
		return this.#http.ask({ ...target, path, signal });
	}
}

/** A 2xx without an error in it: LM Studio reports some errors with status 200. */
function succeeded(reply: Reply): boolean {
	return reply.kind === 'json' && isSuccess(reply.status) && errorTextOf(reply) === '';
}

function isUnknownEndpoint(reply: Reply): boolean {
	if (reply.kind === 'other') return reply.status === 404 || reply.status === 405 || reply.status === 501;
	if (reply.kind !== 'json') return false;
	const said = errorTextOf(reply);
	return /unexpected endpoint/i.test(said) || (reply.status === 404 && !/model/i.test(said));
}

function refusal({ model }: Load, reply: Reply, said = errorTextOf(reply)): LocalServerError {
	const server = kindNames[model.serverKind];
	if (reply.kind === 'refused') {
		const message = `${model.name} cannot be loaded: its server ("${model.serverId}") does not answer (${reply.code}). Start it, or choose another model.`;
		return new LocalServerError('absent', message, said);
	}
	if (reply.kind !== 'failed' && reply.status === 404) {
		const message = `${model.name} is not on this server any more ("${model.serverId}"). Choose another model, or pull it again.`;
		return new LocalServerError('no-such-model', message, said);
	}
	const words = said === '' ? 'it did not say why' : said;
	const message = `${model.name} could not be loaded by ${server}: ${words}. Choose a smaller model, or free memory and try again.`;
	return new LocalServerError('failed', message, said);
}

function tooSlow(name: string, budgetMs: number): LocalServerError {
	const span = `${Math.round(budgetMs / 1000)} s`;
	return new LocalServerError(
		'timeout',
		`${name} was not loaded within ${span}. Its server may still be loading it: try again, or choose another model.`,
	);
}

function aborted(name: string): LocalServerError {
	return new LocalServerError('aborted', `Nobody waits for ${name} any more.`);
}

/** The promise, until the signal: the rest of it goes on without this caller. */
function waitFor<T>(promise: Promise<T>, signal: AbortSignal | undefined, name: string): Promise<T> {
	if (signal === undefined) return promise;
	return new Promise((resolve, reject) => {
		const leave = () => reject(aborted(name));
		if (signal.aborted) leave();
		signal.addEventListener('abort', leave, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
	});
}
