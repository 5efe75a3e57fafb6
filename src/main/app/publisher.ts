/** Snapshot first, then deltas with a sequence number: collects what changed and tells every window the same. */
import { randomUUID } from 'node:crypto';
import type { PushChannel, PushPayload } from '../../shared/channels.ts';
import type { Disposable } from '../../shared/disposable.ts';
import type { FailoverView } from '../../shared/failover-view.ts';
import type { ModelsView } from '../../shared/models-view.ts';
import type { Sighting } from '../../shared/sighting.ts';
import type { FloorDelta, FloorSnapshot, FloorStatus, Incident } from '../../shared/snapshot.ts';
import type { FloorUsage } from '../../shared/usage-view.ts';
import type { Floor } from '../floor/floor.ts';

/** Changes are gathered this long before they are told, ms: a busy floor sends few, whole deltas. */
const GATHER_MS = 100;

/** Agents in one delta: a beat changes thousands at once, and a window must draw a frame between two messages. */
export const MOST_AGENTS = 100;

/** Between two deltas of what is too much for one, ms. */
const NEXT_MS = 30;

type Listener = (payload: unknown) => void;

export interface PublisherOptions {
	readonly floor: Floor;
	readonly status: () => FloorStatus;
	readonly failover: () => FailoverView;
	readonly models: () => ModelsView;
	readonly usage: () => FloorUsage;
	readonly sightings: () => Sighting[];
	readonly now: () => number;
}

/** A part of the picture that is told whole, and only when it is not what was told last. */
class WholePart<T> {
	readonly #read: () => T;
	#told = '';

	constructor(read: () => T) {
		this.#read = read;
	}

	/** What is to be told; undefined: nothing has changed. */
	news(): T | undefined {
		const value = this.#read();
		const text = JSON.stringify(value);
		if (text === this.#told) return undefined;
		this.#told = text;
		return value;
	}
}

export class Publisher implements Disposable {
	readonly #epoch = randomUUID();
	readonly #options: PublisherOptions;
	readonly #listeners = new Map<PushChannel, Set<Listener>>();
	readonly #incidents = new Map<string, Incident>();
	readonly #status: WholePart<FloorStatus>;
	readonly #failover: WholePart<FailoverView>;
	readonly #models: WholePart<ModelsView>;
	readonly #usage: WholePart<FloorUsage>;
	readonly #sightings: WholePart<Sighting[]>;
	#sequence = 0;
	#timer: NodeJS.Timeout | null = null;

	constructor(options: PublisherOptions) {
		this.#options = options;
		this.#status = new WholePart(options.status);
		this.#failover = new WholePart(options.failover);
		this.#models = new WholePart(options.models);
		this.#usage = new WholePart(options.usage);
		this.#sightings = new WholePart(options.sightings);
	}

	/** Something changed: a delta follows soon. */
	readonly schedule = (): void => {
		this.#tellIn(GATHER_MS);
	};

	incidentChanged(incident: Incident): void {
		this.#incidents.set(incident.id, incident);
		this.schedule();
	}

	/** The whole picture. Pending changes are told first, so that its sequence number is exact. */
	snapshot(): FloorSnapshot {
		this.flush();
		const { floor, status, failover, models, usage, sightings, now } = this.#options;
		const at = now();
		return {
			epoch: this.#epoch,
			sequence: this.#sequence,
			at,
			status: status(),
			agents: floor.views(at),
			incidents: floor.incidents.all(),
			failover: failover(),
			models: models(),
			usage: usage(),
			sightings: sightings(),
		};
	}

	/** Tells all there is, in as many deltas as it takes. */
	flush(): void {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		while (this.#tell());
	}

	#tellIn(milliseconds: number): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = null;
			if (this.#tell()) this.#tellIn(NEXT_MS);
		}, milliseconds);
	}

	/** Tells one delta. True: there is more. */
	#tell(): boolean {
		const { floor, now } = this.#options;
		const at = now();
		const { agents, removedAgentIds, more } = floor.takeChanges(at, MOST_AGENTS);
		const incidents = [...this.#incidents.values()];
		this.#incidents.clear();
		const status = this.#status.news();
		const failover = this.#failover.news();
		const models = this.#models.news();
		const usage = this.#usage.news();
		const sightings = this.#sightings.news();
		const wholes = { status, failover, models, usage, sightings };
		const isNews = Object.values(wholes).some((whole) => whole !== undefined);
		if (agents.length + removedAgentIds.length + incidents.length === 0 && !isNews) return more;
		this.#sequence += 1;
		const delta: FloorDelta = {
			epoch: this.#epoch,
			sequence: this.#sequence,
			at,
			...(status && { status }),
			...(agents.length > 0 && { agents }),
			...(removedAgentIds.length > 0 && { removedAgentIds }),
			...(incidents.length > 0 && { incidents }),
			...(failover && { failover }),
			...(models && { models }),
			...(usage && { usage }),
			...(sightings && { sightings }),
		};
		this.push('floor:delta', delta);
		return more;
	}

	push<C extends PushChannel>(channel: C, payload: PushPayload<C>): void {
		for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
	}

	subscribe<C extends PushChannel>(channel: C, listener: (payload: PushPayload<C>) => void): Disposable {
		const listeners = this.#listeners.get(channel) ?? new Set<Listener>();
		this.#listeners.set(channel, listeners);
		// The map is keyed by channel, so each set only ever gets payloads of its own channel.
		const untyped = listener as Listener;
		listeners.add(untyped);
		return { dispose: () => listeners.delete(untyped) };
	}

	dispose(): void {
		this.flush();
		this.#listeners.clear();
	}
}
