import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MOST_AGENTS, Publisher } from '../../src/main/app/publisher.ts';
import { emptyFailoverView } from '../../src/shared/failover-view.ts';
import { emptyModelsView } from '../../src/shared/models-view.ts';
import { agentsOf, applyDeltas, hasGap, pictureOf } from '../../src/shared/picture.ts';
import type { FloorDelta } from '../../src/shared/snapshot.ts';
import { status } from '../desktop/floor-fixture.ts';
import { FloorFixture, T0 } from '../support/floor-fixture.ts';
import { floorUsage } from '../support/usage-views.ts';

beforeEach(() => void vi.useFakeTimers({ now: T0 }));
afterEach(() => void vi.useRealTimers());

function published() {
	const fixture = new FloorFixture();
	const publisher = new Publisher({
		floor: fixture.floor,
		status: () => status(),
		failover: () => emptyFailoverView,
		models: () => emptyModelsView,
		usage: () => floorUsage(),
		sightings: () => [],
		now: Date.now,
	});
	const deltas: FloorDelta[] = [];
	const before = pictureOf(publisher.snapshot());
	publisher.subscribe('floor:delta', (delta) => deltas.push(delta));
	const heardOf = (sessions: number) => {
		for (let at = 0; at < sessions; at += 1) {
			fixture.happen({ kind: 'prompt', text: 'x' }, { sessionId: `s${at}`, directory: `/w/${at}` });
		}
	};
	return { fixture, publisher, deltas, before, heardOf };
}

describe('more agents than a delta takes', () => {
	const many = MOST_AGENTS * 2 + 50;

	it('come in several, each agent once, and make the picture of a new window', () => {
		const { publisher, deltas, before, heardOf } = published();
		heardOf(many);
		publisher.schedule();
		vi.runAllTimers();
		expect(deltas.map(({ agents }) => agents?.length)).toEqual([MOST_AGENTS, MOST_AGENTS, 50]);
		const picture = applyDeltas(before, deltas);
		expect(hasGap(picture)).toBe(false);
		const snapshot = pictureOf(publisher.snapshot());
		expect(agentsOf(picture)).toHaveLength(many);
		expect(agentsOf(picture)).toEqual(agentsOf(snapshot));
		expect(picture.sequence).toBe(snapshot.sequence);
	});

	it('leave a window time to draw between two of them', () => {
		const { publisher, deltas, heardOf } = published();
		heardOf(many);
		publisher.schedule();
		const told: number[] = [];
		while (vi.getTimerCount() > 0) {
			vi.advanceTimersToNextTimer();
			told.push(deltas.length);
		}
		expect(told).toEqual([1, 2, 3]);
	});

	it('do not wait when a window asks for the whole picture', () => {
		const { publisher, deltas, before, heardOf } = published();
		heardOf(many);
		const snapshot = publisher.snapshot();
		expect(snapshot.agents).toHaveLength(many);
		expect(snapshot.sequence).toBe(deltas.at(-1)?.sequence);
		expect(agentsOf(applyDeltas(before, deltas))).toHaveLength(many);
		publisher.schedule();
		vi.runAllTimers();
		expect(deltas.at(-1)?.sequence).toBe(snapshot.sequence);
	});

	it('start with those who need somebody', () => {
		const { fixture, publisher, deltas, heardOf } = published();
		heardOf(many);
		const last = `s${many - 1}`;
		fixture.happen(
			{ kind: 'waiting', on: 'permission', message: 'may I?' },
			{ sessionId: last, directory: `/w/${many - 1}` },
		);
		publisher.schedule();
		vi.advanceTimersToNextTimer();
		expect(deltas[0]?.agents?.[0]?.sessionId).toBe(last);
		vi.runAllTimers();
		expect(deltas.flatMap(({ agents }) => agents ?? [])).toHaveLength(many);
	});
});
