/** The pure reducer from snapshot and deltas to the picture that screens and tray draw. */
import type { AgentView } from './agent-view.ts';
import type { FailoverView } from './failover-view.ts';
import type { ModelsView } from './models-view.ts';
import type { Sighting } from './sighting.ts';
import type { FloorDelta, FloorSnapshot, FloorStatus, Incident } from './snapshot.ts';
import type { FloorUsage } from './usage-view.ts';

/** An entity with the sequence number that wrote it; `value: null` is a removal that must not be undone by an older delta. */
interface Versioned<T> {
	readonly sequence: number;
	readonly value: T | null;
}

/** Everything a client knows. `null` status: no snapshot yet. */
export interface FloorPicture {
	readonly epoch: string;
	/** Highest sequence number seen. */
	readonly sequence: number;
	/** The sequence of the snapshot it stands on. */
	readonly base: number;
	/** Deltas seen since the snapshot: `sequence - base` when none was lost. */
	readonly received: number;
	readonly at: number;
	readonly status: Versioned<FloorStatus>;
	readonly failover: Versioned<FailoverView>;
	readonly models: Versioned<ModelsView>;
	readonly usage: Versioned<FloorUsage>;
	readonly sightings: Versioned<readonly Sighting[]>;
	readonly agents: ReadonlyMap<string, Versioned<AgentView>>;
	readonly incidents: ReadonlyMap<string, Versioned<Incident>>;
}

/** The picture before the first snapshot. */
export const emptyPicture: FloorPicture = {
	epoch: '',
	sequence: 0,
	base: 0,
	received: 0,
	at: 0,
	status: { sequence: 0, value: null },
	failover: { sequence: 0, value: null },
	models: { sequence: 0, value: null },
	usage: { sequence: 0, value: null },
	sightings: { sequence: 0, value: null },
	agents: new Map(),
	incidents: new Map(),
};

/** A fresh picture from a snapshot. */
export function pictureOf(snapshot: FloorSnapshot): FloorPicture {
	const { epoch, sequence, at, status, agents, incidents, failover, models, usage, sightings } = snapshot;
	return {
		epoch,
		sequence,
		base: sequence,
		received: 0,
		at,
		status: { sequence, value: status },
		failover: { sequence, value: failover },
		models: { sequence, value: models },
		usage: { sequence, value: usage },
		sightings: { sequence, value: sightings },
		agents: new Map(agents.map((agent) => [agent.id, { sequence, value: agent }])),
		incidents: new Map(incidents.map((incident) => [incident.id, { sequence, value: incident }])),
	};
}

/**
 * Applies one delta. Order does not matter: each entity keeps its newest write. A delta of another epoch, or one
 * the snapshot already contains, changes nothing.
 */
export function applyDelta(picture: FloorPicture, delta: FloorDelta): FloorPicture {
	if (delta.epoch !== picture.epoch || delta.sequence <= picture.base) return picture;
	const agents = new Map(picture.agents);
	for (const agent of delta.agents ?? []) write(agents, agent.id, delta.sequence, agent);
	for (const id of delta.removedAgentIds ?? []) write(agents, id, delta.sequence, null);
	const incidents = new Map(picture.incidents);
	for (const incident of delta.incidents ?? []) write(incidents, incident.id, delta.sequence, incident);
	return {
		...picture,
		sequence: Math.max(picture.sequence, delta.sequence),
		received: picture.received + 1,
		at: Math.max(picture.at, delta.at),
		status: newer(picture.status, delta.status, delta.sequence),
		failover: newer(picture.failover, delta.failover, delta.sequence),
		models: newer(picture.models, delta.models, delta.sequence),
		usage: newer(picture.usage, delta.usage, delta.sequence),
		sightings: newer<readonly Sighting[]>(picture.sightings, delta.sightings, delta.sequence),
		agents,
		incidents,
	};
}

/** True when a delta between the snapshot and the newest one never came: ask for a snapshot. */
export function hasGap(picture: FloorPicture): boolean {
	return picture.received < picture.sequence - picture.base;
}

/** The agents of a picture, in order of first sight (ties by id), so that equal pictures list equally. */
export function agentsOf(picture: FloorPicture): AgentView[] {
	return valuesOf(picture.agents).sort((a, b) => a.firstSeenAt - b.firstSeenAt || (a.id < b.id ? -1 : 1));
}

/** The incidents of a picture, newest first. */
export function incidentsOf(picture: FloorPicture): Incident[] {
	return valuesOf(picture.incidents).sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1));
}

function valuesOf<T>(entries: ReadonlyMap<string, Versioned<T>>): T[] {
	return [...entries.values()].flatMap((entry) => (entry.value === null ? [] : [entry.value]));
}

function newer<T>(known: Versioned<T>, value: T | undefined, sequence: number): Versioned<T> {
	return value !== undefined && sequence > known.sequence ? { sequence, value } : known;
}

function write<T>(entries: Map<string, Versioned<T>>, id: string, sequence: number, value: T | null): void {
	const known = entries.get(id);
	if (!known || known.sequence < sequence) entries.set(id, { sequence, value });
}
