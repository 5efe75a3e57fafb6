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
	return applyDeltas(picture, [delta]);
}

/** As one after the other, with one new picture for all of them. A part that none of them writes is the same object. */
export function applyDeltas(picture: FloorPicture, deltas: readonly FloorDelta[]): FloorPicture {
	const news = deltas.filter(({ epoch, sequence }) => epoch === picture.epoch && sequence > picture.base);
	if (news.length === 0) return picture;
	const agents = news.some(writesAgents) ? new Map(picture.agents) : null;
	const incidents = news.some((delta) => delta.incidents !== undefined) ? new Map(picture.incidents) : null;
	const next = { ...picture, received: picture.received + news.length };
	for (const delta of news) {
		const { sequence } = delta;
		next.sequence = Math.max(next.sequence, sequence);
		next.at = Math.max(next.at, delta.at);
		next.status = newer(next.status, delta.status, sequence);
		next.failover = newer(next.failover, delta.failover, sequence);
		next.models = newer(next.models, delta.models, sequence);
		next.usage = newer(next.usage, delta.usage, sequence);
		next.sightings = newer<readonly Sighting[]>(next.sightings, delta.sightings, sequence);
		for (const agent of delta.agents ?? []) write(agents, agent.id, sequence, agent);
		for (const id of delta.removedAgentIds ?? []) write(agents, id, sequence, null);
		for (const incident of delta.incidents ?? []) write(incidents, incident.id, sequence, incident);
	}
	next.agents = agents ?? picture.agents;
	next.incidents = incidents ?? picture.incidents;
	return hasGap(next) ? next : forgetful(next);
}

function writesAgents({ agents, removedAgentIds }: FloorDelta): boolean {
	return agents !== undefined || removedAgentIds !== undefined;
}

/** Ended incidents that a picture keeps, the newest; a window may be open for weeks. */
export const KEPT_ENDED_INCIDENTS = 500;

/**
 * The picture without what nobody needs any more. Only of one without a gap: no older write can come then that what is
 * forgotten here would have had to outdo.
 */
function forgetful(picture: FloorPicture): FloorPicture {
	const agents = withoutRemoved(picture.agents);
	const incidents = withoutOldest(picture.incidents);
	const same = agents === picture.agents && incidents === picture.incidents;
	return same ? picture : { ...picture, agents, incidents };
}

function withoutRemoved(agents: FloorPicture['agents']): FloorPicture['agents'] {
	let removed = false;
	for (const { value } of agents.values()) removed ||= value === null;
	return removed ? new Map([...agents].filter(([, { value }]) => value !== null)) : agents;
}

function withoutOldest(incidents: FloorPicture['incidents']): FloorPicture['incidents'] {
	if (incidents.size <= KEPT_ENDED_INCIDENTS) return incidents;
	const endOf = (incident: Incident | null): number => incident?.endedAt ?? Number.POSITIVE_INFINITY;
	const ended = [...incidents]
		.filter(([, { value }]) => value?.endedAt != null)
		.sort(([aId, a], [bId, b]) => endOf(b.value) - endOf(a.value) || (aId < bId ? -1 : 1));
	const old = new Set(ended.slice(KEPT_ENDED_INCIDENTS).map(([id]) => id));
	return old.size === 0 ? incidents : new Map([...incidents].filter(([id]) => !old.has(id)));
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
export function incidentsOf(picture: Pick<FloorPicture, 'incidents'>): Incident[] {
	return valuesOf(picture.incidents).sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1));
}

function valuesOf<T>(entries: ReadonlyMap<string, Versioned<T>>): T[] {
	const values: T[] = [];
	for (const { value } of entries.values()) if (value !== null) values.push(value);
	return values;
}

function newer<T>(known: Versioned<T>, value: T | undefined, sequence: number): Versioned<T> {
	return value !== undefined && sequence > known.sequence ? { sequence, value } : known;
}

function write<T>(
	entries: Map<string, Versioned<T>> | null,
	id: string,
	sequence: number,
	value: T | null,
): void {
	const known = entries?.get(id);
	if (!known || known.sequence < sequence) entries?.set(id, { sequence, value });
}
