/** Everything that counts tokens, together: session files, the gateway's answers, telemetry; of agents and of the floor. */
import type { Disposable } from '../../shared/disposable.ts';
import type { Sighting } from '../../shared/sighting.ts';
import { type FloorUsage, NO_USAGE, type UsageAmount } from '../../shared/usage-view.ts';
import type { Agent } from '../floor/agent.ts';
import type { Floor } from '../floor/floor.ts';
import { startOfDay, startOfWeek } from '../usage/periods.ts';
import { addAmounts } from '../usage/reconcile.ts';
import { sessionFormats } from '../usage/session-formats.ts';
import { SessionUsage } from '../usage/session-usage.ts';
import { type ToldTrouble, UsageIndex, type UsageIndexOptions } from '../usage/usage-index.ts';
import { SessionCounters } from './session-counters.ts';

/** Between two looks at the programs' own directories, ms. */
const LOOK_EVERY_MS = 15_000;
/** The figures of the floor are added up again after this time, ms. */
const FRESH_MS = 500;
/** Sessions without hooks are shown for so long after their last sign of life, ms. */
const SEEN_MS = 12 * 60 * 60_000;
/** More of them than this nobody reads. */
const MOST_SEEN = 60;

export interface UsagePartsOptions
	extends Pick<UsageIndexOptions, 'env' | 'homeDirectory' | 'store' | 'isDemo'> {
	readonly floor: Floor;
	readonly now: () => number;
	/** All of its agents are played: theirs are the figures, and nobody's real sessions are read for a play. */
	readonly isDemoFloor: boolean;
	/** Names of the models that this machine serves. */
	readonly localModels: () => Iterable<string>;
	readonly onChange: () => void;
	readonly onTrouble: (told: ToldTrouble) => void;
	readonly onError: (where: string, error: unknown) => void;
}

interface Figures {
	readonly usage: FloorUsage;
	readonly sightings: Sighting[];
}

export class UsageParts {
	readonly counters: SessionCounters;
	/** Of the agents on the floor. */
	readonly agents: SessionUsage;
	readonly #options: UsagePartsOptions;
	readonly #index: UsageIndex;
	readonly #heard: Disposable;
	#local: ReadonlySet<string> = new Set();
	#figures: Figures | null = null;
	#figuresAt = Number.NEGATIVE_INFINITY;
	#timer: NodeJS.Timeout | null = null;
	#isStopped = false;

	constructor(options: UsagePartsOptions) {
		this.#options = options;
		const { now, env, homeDirectory, store, isDemo } = options;
		const isLocal = (model: string): boolean => this.#local.has(model);
		this.counters = new SessionCounters(isLocal);
		this.#index = new UsageIndex({
			formats: sessionFormats,
			now,
			isLocal,
			...(env && { env }),
			...(homeDirectory !== undefined && { homeDirectory }),
			...(store && { store }),
			...(isDemo && { isDemo }),
		});
		this.agents = new SessionUsage(this.#index, {
			now,
			otherCounts: (client, sessionId, at) => this.counters.counts(client, sessionId, at),
		});
		this.#heard = this.#index.onTrouble(options.onTrouble);
	}

	/** From now on the programs' directories are looked through, in the background. */
	start(): void {
		if (this.#options.isDemoFloor) return;
		const look = async (): Promise<void> => {
			this.#local = new Set(this.#options.localModels());
			await this.#index.look();
			if (this.#isStopped) return;
			this.#options.onChange();
			this.#timer = setTimeout(run, LOOK_EVERY_MS);
			this.#timer.unref();
		};
		const run = (): void => {
			look().catch((error: unknown) => this.#options.onError('reading session files', error));
		};
		run();
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#heard.dispose();
		await this.#index.stop();
	}

	view(): FloorUsage {
		return this.#current().usage;
	}

	/** Newest activity first. */
	sightings(): Sighting[] {
		return this.#current().sightings;
	}

	/** The window asks with every change of anything: the sums are made anew only now and then. */
	#current(): Figures {
		const now = this.#options.now();
		if (this.#figures !== null && Math.abs(now - this.#figuresAt) < FRESH_MS) return this.#figures;
		this.#figuresAt = now;
		this.#figures = { usage: this.#usage(now), sightings: this.#sightings(now) };
		return this.#figures;
	}

	#usage(now: number): FloorUsage {
		const { floor, isDemoFloor } = this.#options;
		const read = this.#index.machineUsage();
		// A play has no machine of its own: its agents are all there is.
		const machine = isDemoFloor ? { ...read, today: NO_USAGE, week: NO_USAGE } : read;
		const present = floor.agents().filter(({ demo }) => isDemoFloor || !demo);
		const used = present.flatMap(({ usage }) => usage ?? []);
		const unread = present.flatMap((agent) =>
			isDemoFloor ? (agent.usage ?? []) : (this.#unread(agent) ?? []),
		);
		return {
			...machine,
			asOf: used.reduce((newest, { asOf }) => Math.max(newest, asOf), 0),
			session: used.reduce<UsageAmount>(addAmounts, NO_USAGE),
			today: machine.today && unread.flatMap(({ today }) => today ?? []).reduce(addAmounts, machine.today),
			week: machine.week && unread.flatMap(({ week }) => week ?? []).reduce(addAmounts, machine.week),
			dayStartedAt: startOfDay(now),
			weekStartedAt: startOfWeek(now),
		};
	}

	/** What the gateway or telemetry counted of an agent beyond its files; `null`: nothing. */
	#unread({ client, sessionIds, usage }: Agent): { today: UsageAmount; week: UsageAmount } | null {
		if (usage === null || usage.source === 'transcript') return null;
		const read = this.#index.usageOf(client, sessionIds);
		return { today: beyond(usage.today, read.today), week: beyond(usage.week, read.week) };
	}

	#sightings(now: number): Sighting[] {
		const { floor } = this.#options;
		return this.#index
			.sessionsSince(now - SEEN_MS)
			.filter(({ client, sessionId }) => floor.agentOfSession(client, sessionId) === undefined)
			.slice(0, MOST_SEEN);
	}
}

/** The part of `counted` that is not in `read`, count by count. */
function beyond(counted: UsageAmount | null, read: UsageAmount): UsageAmount {
	if (counted === null) return NO_USAGE;
	const over = (of: (amount: UsageAmount) => number): number => Math.max(0, of(counted) - of(read));
	return {
		input: over(({ input }) => input),
		output: over(({ output }) => output),
		cacheRead: over(({ cacheRead }) => cacheRead),
		cacheCreation: over(({ cacheCreation }) => cacheCreation),
		work: over(({ work }) => work),
		localWork: over(({ localWork }) => localWork),
		costUsd: counted.costUsd === null ? null : over(({ costUsd }) => costUsd ?? 0),
		unpricedModels: counted.unpricedModels,
	};
}
