/** Everything that counts tokens, together: session files, the gateway's answers, telemetry; of agents and of the floor. */
import type { Disposable } from '../../shared/disposable.ts';
import { localDay } from '../../shared/local-day.ts';
import { MOST_SIGHTINGS, type Sighting } from '../../shared/sighting.ts';
import { type FloorUsage, NO_USAGE, type UsageAmount } from '../../shared/usage-view.ts';
import type { Agent } from '../floor/agent.ts';
import type { Floor } from '../floor/floor.ts';
import { LocalModelNames } from '../usage/local-models.ts';
import { startOfDay, startOfWeek } from '../usage/periods.ts';
import { addAmounts, reconcile } from '../usage/reconcile.ts';
import { sessionFormats } from '../usage/session-formats.ts';
import { countOf, SessionUsage } from '../usage/session-usage.ts';
import type { HeardResponse, SessionWork } from '../usage/usage-answers.ts';
import { type ToldTrouble, UsageIndex, type UsageIndexOptions } from '../usage/usage-index.ts';
import type { EvidenceStore, UsageStore } from '../usage/usage-store.ts';
import { SessionCounters } from './session-counters.ts';

/** Between two looks at the programs' own directories, ms. */
const LOOK_EVERY_MS = 15_000;
/** The figures of the floor are added up again after this time, ms. */
const FRESH_MS = 500;
/** Sessions without hooks are shown for so long after their last sign of life, ms. */
const SEEN_MS = 12 * 60 * 60_000;

export interface UsagePartsOptions extends Pick<UsageIndexOptions, 'env' | 'homeDirectory' | 'isDemo'> {
	readonly floor: Floor;
	readonly now: () => number;
	/** Without one nothing is kept over a restart. */
	readonly store?: UsageStore & EvidenceStore;
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
	readonly #local: LocalModelNames;
	#figures: Figures | null = null;
	#figuresAt = Number.NEGATIVE_INFINITY;
	#timer: NodeJS.Timeout | null = null;
	#isStopped = false;

	constructor(options: UsagePartsOptions) {
		this.#options = options;
		const { now, env, homeDirectory, store, isDemo } = options;
		const { localModels: current, onError } = options;
		this.#local = new LocalModelNames({ current, now, onError, ...(store && { store }) });
		const isLocal = (model: string): boolean => this.#local.has(model);
		this.counters = new SessionCounters(isLocal, { onError, ...(store && { store }) });
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
			this.#local.look();
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
		if (!this.#options.isDemoFloor) this.#local.look();
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
		const unread: readonly Unread[] = isDemoFloor
			? present.flatMap(({ client, usage }) =>
					usage ? [{ client, today: usage.today, week: usage.week }] : [],
				)
			: this.#unread(present, now);
		return {
			...machine,
			programs: rowsOf(machine.programs, unread),
			asOf: used.reduce((newest, { asOf }) => Math.max(newest, asOf), 0),
			session: used.reduce<UsageAmount>(addAmounts, NO_USAGE),
			today: machine.today && unread.flatMap(({ today }) => today ?? []).reduce(addUnread, machine.today),
			week: machine.week && unread.flatMap(({ week }) => week ?? []).reduce(addUnread, machine.week),
			dayStartedAt: startOfDay(now),
			weekStartedAt: startOfWeek(now),
		};
	}

	/** What the gateway or telemetry counted beyond the files, and what it cost really: of each session by itself. */
	#unread(present: readonly Agent[], now: number): UnreadSession[] {
		const { floor } = this.#options;
		const ofAgents = present.flatMap(({ id, client, sessionId }) =>
			this.agents.countedBeside(id, client).map((counted) => ({ client, sessionId, ...counted })),
		);
		const ofOthers = this.counters.withStandIns(now).flatMap(({ client, sessionId, count }) => {
			if (floor.agentOfSession(client, sessionId) !== undefined) return [];
			const read = this.#index.usageOf(client, [sessionId]);
			const usage = read.isEmpty ? null : reconcile([countOf(read, null, now), count], now);
			return usage === null ? [] : [{ client, sessionId, read, usage }];
		});
		return [...ofAgents, ...ofOthers].map(({ client, sessionId, read, usage }) => ({
			client,
			sessionId,
			today: beyond(usage.today, read.today),
			week: beyond(usage.week, read.week),
		}));
	}

	/** Work of all sessions since that day (`YYYY-MM-DD`): what files tell, and what of today they do not. */
	workSince(day: string): {
		read: Iterable<SessionWork>;
		beside: { client: string; sessionId: string; model: string; amount: UsageAmount }[];
		notes: string[];
	} {
		const { floor, isDemoFloor, now } = this.#options;
		const { today: machineToday, reading, problems } = this.#index.machineUsage();
		const present = floor.agents().filter(({ demo }) => isDemoFloor || !demo);
		const modelOf = (client: string, sessionId: string) =>
			floor.agentOfSession(client, sessionId)?.model ?? '';
		const unread = isDemoFloor
			? present.flatMap(({ client, sessionId, usage }) =>
					usage?.today ? [{ client, sessionId, today: usage.today, week: null }] : [],
				)
			: this.#unread(present, now());
		const beside = unread.flatMap(({ client, sessionId, today }) =>
			today === null || isNone(today)
				? []
				: [{ client, sessionId, model: modelOf(client, sessionId), amount: today }],
		);
		const isEarlier = day < localDay(now()) && unread.some((one) => workOf(one.week) > workOf(one.today));
		const isUnlisted = !isDemoFloor && machineToday === null;
		return {
			read: isDemoFloor ? [] : this.#index.workSince(day),
			beside,
			notes: [
				...(isUnlisted ? ['Session files were not looked for yet: figures grow.'] : []),
				...(reading === null ? [] : ['Session files are still being read: figures grow.']),
				...(isEarlier
					? ['Earlier days lack what only the gateway or telemetry counted: it is kept for today alone.']
					: []),
				...problems,
			],
		};
	}

	/** Responses of all sessions from that time (ms) on, in no order; none on a played floor. */
	responsesSince(at: number): Iterable<HeardResponse> {
		return this.#options.isDemoFloor ? [] : this.#index.responsesSince(at);
	}

	/** What the session files say of an agent, by model. */
	modelsOf({ client, sessionIds }: Agent): ReturnType<UsageIndex['modelsOf']> {
		return this.#index.modelsOf(client, sessionIds);
	}

	#sightings(now: number): Sighting[] {
		const { floor } = this.#options;
		return this.#index
			.sessionsSince(now - SEEN_MS)
			.filter(({ client, sessionId }) => floor.agentOfSession(client, sessionId) === undefined)
			.slice(0, MOST_SIGHTINGS);
	}
}

/** What is to be added to what the files of a program say. */
interface Unread {
	readonly client: string;
	readonly today: UsageAmount | null;
	readonly week: UsageAmount | null;
}

/** Whose it is. */
interface UnreadSession extends Unread {
	readonly sessionId: string;
}

/** The part of `counted` that is not in `read`, count by count. Who counted all of it knows its cost better. */
function beyond(counted: UsageAmount | null, read: UsageAmount): UsageAmount {
	if (counted === null) return NO_USAGE;
	const isAll = counted.work >= read.work;
	const over = (of: (amount: UsageAmount) => number): number => Math.max(0, of(counted) - of(read));
	const better = (of: (amount: UsageAmount) => number): number => (isAll ? of(counted) - of(read) : over(of));
	return {
		input: over(({ input }) => input),
		output: over(({ output }) => output),
		cacheRead: over(({ cacheRead }) => cacheRead),
		cacheCreation: over(({ cacheCreation }) => cacheCreation),
		work: over(({ work }) => work),
		localWork: better(({ localWork }) => localWork),
		costUsd: counted.costUsd === null ? null : better(({ costUsd }) => costUsd ?? 0),
		unpricedModels: counted.unpricedModels,
	};
}

function isNone({ work, cacheRead, costUsd }: UsageAmount): boolean {
	return work === 0 && cacheRead === 0 && costUsd === null;
}

function workOf(amount: UsageAmount | null): number {
	return amount?.work ?? 0;
}

/** Money that turns out not to have been spent never makes a sum less than nothing, by a rounding. */
function addUnread(known: UsageAmount, more: UsageAmount): UsageAmount {
	const sum = addAmounts(known, more);
	return { ...sum, costUsd: sum.costUsd === null ? null : Math.max(0, sum.costUsd) };
}

/** One row for each program, also for those that keep no files: together they are the whole. */
function rowsOf(programs: FloorUsage['programs'], unread: readonly Unread[]): FloorUsage['programs'] {
	const others = new Set(unread.map(({ client }) => client));
	for (const { client } of programs) others.delete(client);
	const none = { files: 0, bytes: 0, today: NO_USAGE, week: NO_USAGE };
	return [...programs, ...[...others].sort().map((client) => ({ client, ...none }))].map((row) => {
		const more = unread.filter(({ client }) => client === row.client);
		return {
			...row,
			today: more.flatMap(({ today }) => today ?? []).reduce(addUnread, row.today),
			week: more.flatMap(({ week }) => week ?? []).reduce(addUnread, row.week),
		};
	});
}
