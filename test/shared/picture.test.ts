import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDelta, pictureOf } from '../../src/shared/picture.ts';
import type { FloorDelta } from '../../src/shared/snapshot.ts';
import { aDelta, anAgent, aSnapshot, NOW } from '../renderer/agents.ts';
import { failoverViews } from '../support/failover-views.ts';

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
