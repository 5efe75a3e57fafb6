/** Snapshot first, then deltas with a sequence number: collects what changed and tells every window the same. */
import { randomUUID } from 'node:crypto';
import type { PushChannel, PushPayload } from '../../shared/channels.ts';
import type { Disposable } from '../../shared/disposable.ts';
import type { FailoverView } from '../../shared/failover-view.ts';
import type { ModelsView } from '../../shared/models-view.ts';
import type { FloorDelta, FloorSnapshot, FloorStatus, Incident } from '../../shared/snapshot.ts';
import type { Floor } from '../floor/floor.ts';

/** Changes are gathered this long before they are told, ms: a busy floor sends few, whole deltas. */
const GATHER_MS = 100;

type Listener = (payload: unknown) => void;

export interface PublisherOptions {
	readonly floor: Floor;
	readonly status: () => FloorStatus;
	readonly failover: () => FailoverView;
	readonly models: () => ModelsView;
	readonly now: () => number;
}

export class Publisher implements Disposable {
	readonly #epoch = randomUUID();
	readonly #options: PublisherOptions;
	readonly #listeners = new Map<PushChannel, Set<Listener>>();
	readonly #incidents = new Map<string, Incident>();
	#sequence = 0;
	#toldStatus = '';
	#toldFailover = '';
	#toldModels = '';
	#timer: NodeJS.Timeout | null = null;

	constructor(options: PublisherOptions) {
		this.#options = options;
	}

	/** Something changed: a delta follows soon. */
	readonly schedule = (): void => {
		this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
	};

	incidentChanged(incident: Incident): void {
		this.#incidents.set(incident.id, incident);
		this.schedule();
	}

	/** The whole picture. Pending changes are told first, so that its sequence number is exact. */
	snapshot(): FloorSnapshot {
		this.flush();
		const { floor, status, failover, models, now } = this.#options;
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
		};
	}

	flush(): void {
		if (this.#timer) clearTimeout(this.#timer);
		this.#timer = null;
		const { floor, status, failover, models, now } = this.#options;
		const at = now();
		const { agents, removedAgentIds } = floor.takeChanges(at);
		const incidents = [...this.#incidents.values()];
		this.#incidents.clear();
		const current = status();
		const statusText = JSON.stringify(current);
		const statusChanged = statusText !== this.#toldStatus;
		const view = failover();
		const viewText = JSON.stringify(view);
		const failoverChanged = viewText !== this.#toldFailover;
		const modelsView = models();
		const modelsText = JSON.stringify(modelsView);
		const modelsChanged = modelsText !== this.#toldModels;
		const isNews = statusChanged || failoverChanged || modelsChanged;
		if (agents.length + removedAgentIds.length + incidents.length === 0 && !isNews) return;
		this.#toldStatus = statusText;
		this.#toldFailover = viewText;
		this.#toldModels = modelsText;
		this.#sequence += 1;
		const delta: FloorDelta = {
			epoch: this.#epoch,
			sequence: this.#sequence,
			at,
			...(statusChanged && { status: current }),
			...(agents.length > 0 && { agents }),
			...(removedAgentIds.length > 0 && { removedAgentIds }),
			...(incidents.length > 0 && { incidents }),
			...(failoverChanged && { failover: view }),
			...(modelsChanged && { models: modelsView }),
		};
		this.push('floor:delta', delta);
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
