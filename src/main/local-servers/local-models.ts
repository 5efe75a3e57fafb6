/**
 * The local models of this machine, as known now. What is asked of it is answered from memory; servers are looked at in
 * the background, and never while a popup waits for the operator (seed 003, pitfalls).
 */
import type { LocalServerView, ModelFit } from '../../shared/capability.ts';
import type { LocalServerSettings } from '../../shared/failover-settings.ts';
import { isThisMachine, tokenOf, withoutCredentials } from './address.ts';
import { DeviceWatch, readDeviceMemory } from './device.ts';
import { deviceFit } from './device-fit.ts';
import type { DeviceMemory } from './device-memory.ts';
import { LocalHttp, type LocalTarget } from './local-http.ts';
import { modelTags } from './model-tags.ts';
import { createReader } from './readers.ts';
import type { ModelFacts, ServerReader, ServerReading } from './reading.ts';

/** Runs `work` once after `ms`; the returned function calls it off. */
type Schedule = (ms: number, work: () => void) => () => void;

export interface LocalModelsOptions {
	/** From the settings as they are now; read again at every look. */
	readonly servers: () => readonly LocalServerSettings[];
	/** Wall clock, ms. */
	readonly now: () => number;
	/**
	 * After every look, at servers or at the machine. `isNews` is false when nothing but ages changed.
	 */
	readonly onChange: (isNews: boolean) => void;
	/** A fault of the floor itself; what servers do wrong stands in `servers()`. */
	readonly onError: (error: Error) => void;
	/** True while a session is answered locally: servers are then looked at as often as when one runs. */
	readonly isFailedOver?: () => boolean;
	/** For tests; the defaults are real. */
	readonly environment?: NodeJS.ProcessEnv;
	readonly schedule?: Schedule;
	readonly random?: () => number;
	readonly readDevice?: () => Promise<DeviceMemory>;
	/** The time of one look at one server. */
	readonly timeLimit?: () => AbortSignal;
}

/** One look at one server, ms. */
export const SERVER_TIMEOUT_MS = 1_500;
/** Between two looks, ms: while a server runs or a session is answered locally, and otherwise. */
export const BUSY_RHYTHM_MS = 15_000;
export const QUIET_RHYTHM_MS = 60_000;
/** Share of a rhythm by which a look may come earlier or later. */
const JITTER = 0.1;
/** A server that is gone for less than this is thought to come back: its models stay listed, with their age. */
export const KEPT_MS = 60_000;

interface Known {
	readonly settings: LocalServerSettings;
	readonly reader: ServerReader;
	reading: ServerReading | null;
	checkedAt: number | null;
	/** The last models that it had, and when. */
	models: readonly ModelFacts[];
	modelsAt: number | null;
}

export class LocalModels {
	readonly #options: LocalModelsOptions;
	readonly #http = new LocalHttp();
	readonly #device: DeviceWatch;
	readonly #schedule: Schedule;
	readonly #end = new AbortController();
	/** In the order of the settings. */
	#known = new Map<string, Known>();
	#refreshing: Promise<void> | null = null;
	#cancelBeat: (() => void) | null = null;
	#isPaused = false;
	#isStarted = false;
	#lastNews = '';

	constructor(options: LocalModelsOptions) {
		this.#options = options;
		this.#schedule = options.schedule ?? scheduleTimer;
		this.#device = new DeviceWatch(options.readDevice ?? readDeviceMemory, options.now);
		this.#adoptSettings();
	}

	/** Chat models of all servers, from memory. Of a server that is gone only for a moment too: see `servers()`. */
	models(): ModelFit[] {
		const now = this.#options.now();
		return this.#current().flatMap((known) => {
			const at = known.modelsAt;
			if (at === null || (!isUp(known.reading) && now - at > KEPT_MS)) return [];
			return known.models.map((model) => this.#fitOf(known, model, at));
		});
	}

	/** Every server of the settings with what is known of it, from memory. */
	servers(): LocalServerView[] {
		return this.#current().map(({ settings, reading, checkedAt, models }) => ({
			id: settings.id,
			kind: settings.kind,
			baseUrl: withoutCredentials(settings.baseUrl),
			state: reading?.state ?? 'unknown',
			problem: reading === null || reading.state === 'absent' ? '' : reading.problem,
			version: isUp(reading) ? reading.version : null,
			models: isUp(reading) ? models.length : 0,
			checkedAt,
		}));
	}

	/** As in the settings; `null` for a server that is not there. */
	baseUrlOf(serverId: string): string | null {
		return this.targetOf(serverId)?.baseUrl ?? null;
	}

	/** The same with the server's token, which is for a request's header only. */
	targetOf(serverId: string): LocalTarget | null {
		const server = this.#options.servers().find(({ id }) => id === serverId);
		return server === undefined ? null : { baseUrl: server.baseUrl, token: this.#tokenOf(server) };
	}

	/**
	 * Looks at all servers now, together. One look at a time: a second call joins it. While paused it does nothing, but
	 * for the operator (`isAsked`); the machine itself is not looked at then either.
	 */
	refresh(isAsked = false): Promise<void> {
		if ((this.#isPaused && !isAsked) || this.#end.signal.aborted) return Promise.resolve();
		this.#refreshing ??= this.#look()
			.catch((error: unknown) => this.#options.onError(asError(error)))
			.finally(() => {
				this.#refreshing = null;
			});
		return this.#refreshing;
	}

	/** Begins to look in the background, now and then again and again. Idempotent. */
	start(): void {
		if (this.#isStarted) return;
		this.#isStarted = true;
		this.#beat();
	}

	/**
	 * True: nothing new is asked, neither of servers nor of the machine, until false. A look under way goes on: it began
	 * before and is short.
	 */
	pause(isPaused: boolean): void {
		if (this.#isPaused === isPaused) return;
		this.#isPaused = isPaused;
		if (!isPaused && this.#isStarted) this.#beat();
	}

	/** Ends every request and looks no more. Idempotent. */
	dispose(): void {
		this.#cancelBeat?.();
		this.#cancelBeat = null;
		if (this.#end.signal.aborted) return;
		this.#end.abort();
		this.#http.close().catch((error: unknown) => this.#options.onError(asError(error)));
	}

	#beat(): void {
		this.#cancelBeat?.();
		this.#cancelBeat = null;
		this.refresh().finally(() => {
			if (this.#end.signal.aborted || this.#isPaused) return;
			this.#cancelBeat?.();
			this.#cancelBeat = this.#schedule(this.#rhythm(), () => this.#beat());
		});
	}

	#rhythm(): number {
		const isBusy =
			(this.#options.isFailedOver?.() ?? false) || this.#current().some(({ reading }) => isUp(reading));
		const random = this.#options.random ?? Math.random;
		return (isBusy ? BUSY_RHYTHM_MS : QUIET_RHYTHM_MS) * (1 + JITTER * (2 * random() - 1));
	}

	async #look(): Promise<void> {
		let unseen: Known[] = [];
		do {
			this.#adoptSettings();
			await Promise.all([...this.#known.values()].map((known) => this.#lookAt(known)));
			if (this.#end.signal.aborted) return;
			// The settings brought a server while this went on.
			unseen = this.#current().filter((known) => known.checkedAt === null);
		} while (unseen.length > 0 && !this.#isPaused);
		this.#tell();
		this.#lookAtDevice();
	}

	async #lookAt(known: Known): Promise<void> {
		const time = this.#options.timeLimit?.() ?? AbortSignal.timeout(SERVER_TIMEOUT_MS);
		const signal = AbortSignal.any([this.#end.signal, time]);
		const reading = await known.reader.read(signal).catch((error: unknown): ServerReading => {
			this.#options.onError(asError(error));
			return { state: 'unreadable', problem: 'The floor could not read its answer; the fault is logged.' };
		});
		// What ended with the program says nothing of the server.
		if (this.#end.signal.aborted) return;
		known.reading = reading;
		known.checkedAt = this.#options.now();
		if (!isUp(reading)) return;
		known.models = reading.models;
		known.modelsAt = known.checkedAt;
	}

	/** Beside the looks at servers, which need not wait for it; only where there is a model to fit on the machine. */
	#lookAtDevice(): void {
		if (this.#isPaused || !this.#current().some((known) => known.models.length > 0)) return;
		const before = this.#device.memory;
		this.#device
			.refresh()
			.then(() => {
				if (this.#device.memory !== before && !this.#end.signal.aborted) this.#tell();
			})
			.catch((error: unknown) => this.#options.onError(asError(error)));
	}

	#tell(): void {
		const models = this.models().map(withoutAge);
		const news = JSON.stringify([models, this.servers().map(withoutAge)]);
		const isNews = news !== this.#lastNews;
		this.#lastNews = news;
		this.#options.onChange(isNews);
	}

	/** What is known of the servers that the settings name now; one that was never looked at is unknown. */
	#current(): Known[] {
		this.#adoptSettings();
		return [...this.#known.values()];
	}

	/** A server whose address, kind or token's name has changed is another one. The first of an id counts. */
	#adoptSettings(): void {
		const next = new Map<string, Known>();
		for (const settings of this.#options.servers()) {
			if (next.has(settings.id)) continue;
			const known = this.#known.get(settings.id);
			const isSame = known !== undefined && isSameServer(known.settings, settings);
			next.set(settings.id, isSame ? known : this.#newServer(settings));
		}
		this.#known = next;
	}

	#tokenOf(settings: LocalServerSettings): string | null {
		return tokenOf(settings, this.#options.environment ?? process.env);
	}

	#newServer(settings: LocalServerSettings): Known {
		const { kind, baseUrl } = settings;
		const reader = createReader(kind, { http: this.#http, baseUrl, token: this.#tokenOf(settings) });
		return { settings, reader, reading: null, checkedAt: null, models: [], modelsAt: null };
	}

	#fitOf({ settings, reading }: Known, facts: ModelFacts, checkedAt: number): ModelFit {
		// A server that is not there has nothing loaded, and nobody knows what it will load when it is back.
		const loaded = isUp(reading) ? facts.loaded : null;
		const { fit, reason } = deviceFit(
			{
				...facts,
				loaded,
				isHere: isThisMachine(settings.baseUrl),
				isReserved: settings.kind === 'vllm',
			},
			this.#device.memory,
		);
		return {
			id: `${settings.id}/${facts.model}`,
			serverId: settings.id,
			serverKind: settings.kind,
			model: facts.model,
			name: facts.name,
			context: facts.context,
			loaded,
			sizeBytes: facts.sizeBytes,
			tools: facts.tools,
			tags: modelTags({ name: facts.model, thinking: facts.thinking, tools: facts.tools }),
			fit,
			fitReason: reason,
			checkedAt,
		};
	}
}

type Up = Extract<ServerReading, { models: readonly ModelFacts[] }>;

function isUp(reading: ServerReading | null): reading is Up {
	return reading !== null && 'models' in reading;
}

function isSameServer(one: LocalServerSettings, other: LocalServerSettings): boolean {
	return (
		one.kind === other.kind && one.baseUrl === other.baseUrl && one.credentialEnv === other.credentialEnv
	);
}

function withoutAge<T extends { readonly checkedAt: number | null }>(thing: T): Omit<T, 'checkedAt'> {
	const { checkedAt: _age, ...rest } = thing;
	return rest;
}

function scheduleTimer(ms: number, work: () => void): () => void {
	const timer = setTimeout(work, ms);
	timer.unref();
	return () => clearTimeout(timer);
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
