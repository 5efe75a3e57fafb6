import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyModelsView } from '../../src/shared/models-view.ts';
import {
	agentsOf,
	applyDelta,
	applyDeltas,
	KEPT_ENDED_INCIDENTS,
	pictureOf,
} from '../../src/shared/picture.ts';
import type { FloorDelta } from '../../src/shared/snapshot.ts';
import { aDelta, anAgent, anIncident, aSnapshot, aStatus, NOW } from '../renderer/agents.ts';
import { failoverViews } from '../support/failover-views.ts';
import { floorUsage } from '../support/usage-views.ts';

const make = failoverViews(NOW);
const waitingFor = (queued: number) =>
	make.failover({ outbox: { queued, uncertain: 0, entries: [], problem: '' } });
const queuedIn = (deltas: readonly FloorDelta[]) =>
	deltas.reduce(applyDelta, pictureOf(aSnapshot([], { failover: waitingFor(0) }))).failover.value?.outbox
		.queued;

describe('failover in the picture', () => {
	it('comes with the snapshot, whole', () => {
		const failover = make.failover({ popups: [make.popup('p')] });
		expect(pictureOf(aSnapshot([], { failover })).failover.value).toBe(failover);
	});

	it('stays while a delta says nothing of it, and the object with it', () => {
		const before = pictureOf(aSnapshot([], { failover: waitingFor(3) }));
		expect(applyDelta(before, aDelta(11, { agents: [anAgent('a')] })).failover).toBe(before.failover);
	});

	it('is not touched by an older delta, another epoch, or what the snapshot holds already', () => {
		expect(queuedIn([aDelta(12, { failover: waitingFor(2) }), aDelta(11, { failover: waitingFor(1) })])).toBe(
			2,
		);
		expect(queuedIn([aDelta(12, { epoch: 'second', failover: waitingFor(2) })])).toBe(0);
		expect(queuedIn([aDelta(10, { failover: waitingFor(2) })])).toBe(0);
	});

	it('is the newest whatever the order of arrival', () => {
		const deltas = [11, 12, 13, 14].map((sequence) =>
			aDelta(sequence, sequence === 13 ? {} : { failover: waitingFor(sequence) }),
		);
		fc.assert(
			fc.property(fc.shuffledSubarray(deltas, { minLength: deltas.length }), (order) => {
				expect(queuedIn(order)).toBe(14);
			}),
		);
	});
});

describe('a picture of all its parts', () => {
	/** A write of every kind may be in every delta; removals and writes of the same agents meet. */
	const change = fc.record(
		{
			status: fc.integer().map((lastBeatLateMs) => aStatus({ lastBeatLateMs })),
			failover: fc.nat(9).map(waitingFor),
			models: fc
				.nat(9)
				.map((serial) => ({ ...emptyModelsView, problems: [{ file: 'f', problem: `${serial}`, at: NOW }] })),
			usage: fc.nat(9).map((work) => floorUsage({ asOf: NOW + work })),
			sightings: fc.nat(3).map(() => []),
			agents: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat()).map(agentAt), { maxLength: 3 }),
			removedAgentIds: fc.subarray(['a', 'b', 'c', 'd']),
			incidents: fc.array(fc.tuple(fc.constantFrom('i', 'j'), fc.nat()).map(incidentAt), { maxLength: 2 }),
		},
		{ requiredKeys: [] },
	);
	const deltas = fc
		.array(change, { minLength: 1, maxLength: 8 })
		.map((changes) => changes.map((one, at) => aDelta(11 + at, oneWriteEach(one))));
	const start = pictureOf(aSnapshot([anAgent('a'), anAgent('d')], { incidents: [anIncident('i')] }));

	function agentAt([id, levelSince]: [string, number]) {
		return anAgent(id, { levelSince });
	}

	function incidentAt([id, count]: [string, number]) {
		return anIncident(id, { count });
	}

	/** The engine tells each entity once in a delta. */
	function oneWriteEach(one: Partial<FloorDelta>): Partial<FloorDelta> {
		const { agents, incidents, removedAgentIds } = one;
		const removed = new Set(removedAgentIds);
		return {
			...one,
			...(agents && { agents: [...byId(agents).values()].filter(({ id }) => !removed.has(id)) }),
			...(incidents && { incidents: [...byId(incidents).values()] }),
		};
	}

	function byId<T extends { id: string }>(entities: readonly T[]): Map<string, T> {
		return new Map(entities.map((entity) => [entity.id, entity]));
	}

	const shuffled = deltas.chain((inOrder) =>
		fc.tuple(
			fc.constant(inOrder),
			fc.shuffledSubarray(inOrder, { minLength: inOrder.length }),
			fc.nat(inOrder.length),
		),
	);

	it('is the same for every order of arrival, one by one and many at once', () => {
		fc.assert(
			fc.property(shuffled, ([inOrder, order, cut]) => {
				const wanted = inOrder.reduce(applyDelta, start);
				expect(order.reduce(applyDelta, start)).toEqual(wanted);
				expect(applyDeltas(applyDeltas(start, order.slice(0, cut)), order.slice(cut))).toEqual(wanted);
				expect(agentsOf(wanted).map(({ id }) => id)).toEqual([...wanted.agents.keys()].sort());
			}),
		);
	});

	it('keeps every part that no delta writes as the object it is', () => {
		fc.assert(
			fc.property(deltas, (inOrder) => {
				const after = applyDeltas(start, inOrder);
				for (const part of ['status', 'failover', 'models', 'usage', 'sightings', 'incidents'] as const) {
					const written = inOrder.some((delta) => delta[part] !== undefined);
					if (!written) expect(after[part]).toBe(start[part]);
				}
			}),
		);
	});

	it('forgets a removed agent only when nothing older can come any more', () => {
		const removed = applyDelta(start, aDelta(12, { removedAgentIds: ['a'] }));
		expect(removed.agents.get('a')).toEqual({ sequence: 12, value: null });
		const whole = applyDelta(removed, aDelta(11, { agents: [anAgent('a')] }));
		expect([...whole.agents.keys()]).toEqual(['d']);
	});

	it('keeps all open incidents and the newest of those that ended', () => {
		const ended = Array.from({ length: KEPT_ENDED_INCIDENTS + 40 }, (_, at) =>
			anIncident(`old-${at}`, { endedAt: NOW + at, endReason: 'recovered' }),
		);
		const after = applyDelta(start, aDelta(11, { incidents: ended }));
		expect(after.incidents.size).toBe(KEPT_ENDED_INCIDENTS + 1);
		expect(after.incidents.has('i')).toBe(true);
		expect(after.incidents.has('old-39')).toBe(false);
		expect(after.incidents.has('old-40')).toBe(true);
	});
});
