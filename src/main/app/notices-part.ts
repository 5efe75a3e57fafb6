/** Runs the planner of notices on every change, and when something is due; keeps what was told; tells all windows. */
import type { AgentView } from '../../shared/agent-view.ts';
import type { Disposable } from '../../shared/disposable.ts';
import { emptyFailoverView, type FailoverView } from '../../shared/failover-view.ts';
import type { Settings } from '../../shared/settings.ts';
import type { FloorDelta, Incident } from '../../shared/snapshot.ts';
import type { Schedule } from '../failover/call.ts';
import type { Floor } from '../floor/floor.ts';
import type { NoticeFloor } from '../notices/matters.ts';
import { NoticePlanner } from '../notices/notice-planner.ts';
import { COOLDOWN_MS } from '../notices/told-memory.ts';
import type { NoticeTable } from '../store/notice-table.ts';
import type { Publisher } from './publisher.ts';

/** Changes within this time are looked at together, ms. */
const LOOK_AFTER_MS = 250;
/** Agents that ended while the floor was down are found out meanwhile, and what is left comes as one notice. ms */
const SETTLE_MS = 5_000;

export interface NoticesPartOptions {
	readonly floor: Pick<Floor, 'agent'>;
	readonly publisher: Pick<Publisher, 'snapshot' | 'subscribe' | 'push'>;
	readonly table: NoticeTable;
	/** Incidents that were open when the last run ended. */
	readonly openBefore: readonly Incident[];
	readonly rules: () => Settings['notifications'];
	/** Wall clock, ms. */
	readonly now: () => number;
	readonly schedule: Schedule;
	readonly onError: (where: string, error: unknown) => void;
}

export class NoticesPart implements Disposable {
	readonly #options: NoticesPartOptions;
	readonly #planner: NoticePlanner;
	readonly #agents = new Map<string, AgentView>();
	/** Open ones. */
	readonly #incidents = new Map<string, Incident>();
	#failover: FailoverView = emptyFailoverView;
	#subscription: Disposable | null = null;
	/** Nobody looks before then, ms; `null`: not at all (before the start, after the end). */
	#settledAt: number | null = null;
	#lookAt: number | null = null;
	#cancelLook: () => void = () => {};

	/** Nothing is told before `start`. */
	constructor(options: NoticesPartOptions) {
		this.#options = options;
		this.#planner = new NoticePlanner({
			told: this.#kept('reading what you were told', () => options.table.told()) ?? new Map(),
			openIncidents: options.openBefore,
			startedAt: options.now(),
		});
	}

	/** From here on the floor is looked at. */
	start(): void {
		const { publisher, now } = this.#options;
		this.#settledAt = now() + SETTLE_MS;
		this.#take(publisher.snapshot());
		this.#subscription = publisher.subscribe('floor:delta', (delta) => {
			this.#take(delta);
			this.changed();
		});
		this.changed();
	}

	/** The settings may say otherwise now. */
	changed(): void {
		this.#lookIn(LOOK_AFTER_MS);
	}

	/** A desktop could not show the notice of this key. */
	notShown(key: string): void {
		const { now, table } = this.#options;
		const forgotten = this.#planner.notShown(key, now());
		this.#kept('forgetting what was not shown', () => table.forget(forgotten));
		this.#lookIn(COOLDOWN_MS);
	}

	dispose(): void {
		this.#settledAt = null;
		this.#cancelLook();
		this.#subscription?.dispose();
	}

	#take({ agents, incidents, failover, ...rest }: Partial<FloorDelta>): void {
		for (const agent of agents ?? []) this.#agents.set(agent.id, agent);
		for (const id of rest.removedAgentIds ?? []) this.#agents.delete(id);
		for (const incident of incidents ?? []) {
			if (incident.endedAt === null) this.#incidents.set(incident.id, incident);
			else this.#incidents.delete(incident.id);
		}
		this.#failover = failover ?? this.#failover;
	}

	/** Looks after that many ms, or earlier if that is planned already. */
	#lookIn(ms: number): void {
		if (this.#settledAt === null) return;
		const { now, schedule } = this.#options;
		const present = now();
		const at = Math.max(present + ms, this.#settledAt);
		if (this.#lookAt !== null && this.#lookAt <= at) return;
		this.#cancelLook();
		this.#lookAt = at;
		this.#cancelLook = schedule(at - present, () => this.#look());
	}

	#look(): void {
		this.#lookAt = null;
		this.#settledAt = Number.NEGATIVE_INFINITY;
		const { publisher, table, rules, now } = this.#options;
		const at = now();
		const { show, withdraw, told, forgotten, askAgainAt } = this.#planner.plan(this.#floor(), rules(), at);
		// Kept first: whoever dies in between says it once less, not every time.
		this.#kept('remembering what you are told', () => {
			table.remember(told, at);
			table.forget(forgotten);
		});
		if (askAgainAt !== null) this.#lookIn(askAgainAt - at);
		if (show.length + withdraw.length > 0) {
			publisher.push('floor:notices', { show: [...show], withdraw: [...withdraw] });
		}
	}

	#floor(): NoticeFloor {
		const endedTurns = new Map<string, { startedAt: number; endedAt: number }>();
		for (const id of this.#agents.keys()) {
			const turn = this.#options.floor.agent(id)?.turn;
			if (turn && turn.endedAt !== null) endedTurns.set(id, { ...turn, endedAt: turn.endedAt });
		}
		return {
			agents: [...this.#agents.values()],
			incidents: [...this.#incidents.values()],
			failover: this.#failover,
			endedTurns,
		};
	}

	/** A disk that refuses keeps nobody from being told. */
	#kept<T>(doing: string, work: () => T): T | undefined {
		try {
			return work();
		} catch (error) {
			this.#options.onError(doing, error);
			return undefined;
		}
	}
}
