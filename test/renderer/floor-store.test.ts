import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFloorStore, followFloor } from '../../src/renderer/store/floor-store.ts';
import { agentsOf, hasGap } from '../../src/shared/picture.ts';
import type { FloorDelta, FloorSnapshot } from '../../src/shared/snapshot.ts';
import { aDelta, anAgent, aSnapshot, aStatus, NOW } from './agents.ts';
import { FakeTransport } from './fake-transport.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** A store that follows `transport`, and a way to let every promise settle. */
function follow(transport: FakeTransport) {
	const store = createFloorStore(NOW);
	const following = followFloor(store, transport, () => NOW + 5);
	const names = () => agentsOf(store.getState().picture).map(({ name }) => name);
	return { store, following, names };
}

/** An answer that the test gives when it likes. */
function onDemand(transport: FakeTransport) {
	const given: ((snapshot: FloorSnapshot) => void)[] = [];
	transport.answer('floor:snapshot', () => new Promise((resolve) => given.push(resolve)));
	return async (snapshot: FloorSnapshot) => {
		given.shift()?.(snapshot);
		await vi.advanceTimersByTimeAsync(0);
	};
}

describe('snapshot and deltas', () => {
	it('asks for the snapshot, then applies deltas', async () => {
		const transport = new FakeTransport();
		transport.answer('floor:snapshot', () => aSnapshot([anAgent('a')]));
		const { names } = follow(transport);
		await vi.advanceTimersByTimeAsync(0);
		expect(names()).toEqual(['a']);
		transport.push('floor:delta', aDelta(11, { agents: [anAgent('a', { name: 'renamed' })] }));
		expect(names()).toEqual(['renamed']);
		expect(transport.count('floor:snapshot')).toBe(1);
	});

	it('keeps deltas that overtake the snapshot', async () => {
		const transport = new FakeTransport();
		const give = onDemand(transport);
		const { names, store } = follow(transport);
		transport.push('floor:delta', aDelta(10, { agents: [anAgent('a', { name: 'old' })] }));
		transport.push('floor:delta', aDelta(11, { agents: [anAgent('b')] }));
		await give(aSnapshot([anAgent('a')]));
		expect(names()).toEqual(['a', 'b']);
		expect(hasGap(store.getState().picture)).toBe(false);
		expect(transport.count('floor:snapshot')).toBe(1);
	});

	it('asks once more when a delta is missing, and keeps what it has until then', async () => {
		const transport = new FakeTransport();
		const give = onDemand(transport);
		const { names, store } = follow(transport);
		await give(aSnapshot([anAgent('a')]));
		transport.push('floor:delta', aDelta(13, { agents: [anAgent('c')] }));
		transport.push('floor:delta', aDelta(14, { agents: [anAgent('d')] }));
		expect(names()).toEqual(['a', 'c', 'd']);
		expect(transport.count('floor:snapshot')).toBe(2);
		await give(aSnapshot([anAgent('a'), anAgent('b'), anAgent('c')], { sequence: 13 }));
		expect(names()).toEqual(['a', 'b', 'c', 'd']);
		expect(hasGap(store.getState().picture)).toBe(false);
	});

	it('does not undo a delta that is newer than the snapshot it asked for', async () => {
		const transport = new FakeTransport();
		const give = onDemand(transport);
		const { names } = follow(transport);
		await give(aSnapshot([anAgent('a')]));
		transport.push('floor:delta', aDelta(13, { agents: [anAgent('a', { name: 'newest' })] }));
		await give(aSnapshot([anAgent('a')], { sequence: 12 }));
		expect(names()).toEqual(['newest']);
	});

	it('asks for a snapshot when the engine was started again', async () => {
		const transport = new FakeTransport();
		const give = onDemand(transport);
		const { names } = follow(transport);
		await give(aSnapshot([anAgent('a')]));
		transport.push('floor:delta', aDelta(1, { epoch: 'second', agents: [anAgent('x')] }));
		expect(names()).toEqual(['a']);
		await give(aSnapshot([], { epoch: 'second', sequence: 0 }));
		expect(names()).toEqual(['x']);
	});

	it('tries again when the snapshot cannot be had, and says why meanwhile', async () => {
		const transport = new FakeTransport();
		const { store, names } = follow(transport);
		await vi.advanceTimersByTimeAsync(0);
		expect(store.getState().failure?.message).toMatch('no answer in this test');
		transport.answer('floor:snapshot', () => aSnapshot([anAgent('a')]));
		await vi.advanceTimersByTimeAsync(1000);
		expect(names()).toEqual(['a']);
		expect(store.getState().failure).toBeNull();
	});

	it('gives the same picture for every order of arrival, also around the snapshot', async () => {
		const deltas: FloorDelta[] = [
			aDelta(8, { agents: [anAgent('a', { name: 'before the snapshot' })] }),
			aDelta(11, { agents: [anAgent('a', { name: 'first' })], status: aStatus({ tierReason: 'older' }) }),
			aDelta(12, { removedAgentIds: ['b'] }),
			aDelta(13, { agents: [anAgent('c')], status: aStatus({ tierReason: 'newer' }) }),
			aDelta(14, { agents: [anAgent('a', { name: 'last' })] }),
			aDelta(15, { removedAgentIds: ['c'] }),
		];
		await fc.assert(
			fc.asyncProperty(
				fc.shuffledSubarray(deltas, { minLength: deltas.length }),
				fc.nat(deltas.length),
				async (order, before) => {
					const transport = new FakeTransport();
					// The engine's snapshots contain whatever it has sent by then.
					let asked = 0;
					const give = onDemand(transport);
					const { store, following, names } = follow(transport);
					for (const delta of order.slice(0, before)) transport.push('floor:delta', delta);
					await give(aSnapshot([anAgent('a'), anAgent('b')]));
					for (const delta of order.slice(before)) transport.push('floor:delta', delta);
					while (asked++ < 3 && hasGap(store.getState().picture)) {
						await give(
							aSnapshot([anAgent('a', { name: 'last' })], {
								sequence: 15,
								status: aStatus({ tierReason: 'newer' }),
							}),
						);
					}
					expect(names()).toEqual(['last']);
					expect(store.getState().picture.status.value?.tierReason).toBe('newer');
					following.dispose();
				},
			),
			{ numRuns: 60 },
		);
	});
});

describe('the connection', () => {
	it('is shown with the time since when, and the picture stays', async () => {
		const transport = new FakeTransport();
		transport.answer('floor:snapshot', () => aSnapshot([anAgent('a')]));
		const { store, names } = follow(transport);
		await vi.advanceTimersByTimeAsync(0);
		transport.setConnection('disconnected');
		expect(store.getState().connection).toEqual({ state: 'disconnected', since: NOW + 5 });
		expect(names()).toEqual(['a']);
	});

	it('asks for a snapshot on every connection, not while there is none', async () => {
		const transport = new FakeTransport('connecting');
		transport.answer('floor:snapshot', () => aSnapshot([]));
		follow(transport);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(transport.count('floor:snapshot')).toBe(0);
		transport.setConnection('connected');
		await vi.advanceTimersByTimeAsync(0);
		transport.setConnection('disconnected');
		transport.setConnection('connected');
		await vi.advanceTimersByTimeAsync(0);
		expect(transport.count('floor:snapshot')).toBe(2);
	});

	it('lets go of everything when disposed', async () => {
		const transport = new FakeTransport();
		const { following } = follow(transport);
		await vi.advanceTimersByTimeAsync(0);
		following.dispose();
		expect(transport.subscriptions).toBe(0);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(transport.count('floor:snapshot')).toBe(1);
	});
});

describe('what is only last known', () => {
	it('is so from the loss of the engine until the first snapshot after it', async () => {
		const transport = new FakeTransport();
		const give = onDemand(transport);
		const { store } = follow(transport);
		await give(aSnapshot([anAgent('a')]));
		expect(store.getState().lostSince).toBeNull();
		transport.setConnection('disconnected');
		transport.setConnection('connecting');
		expect(store.getState().lostSince).toBe(NOW + 5);
		transport.setConnection('connected');
		expect(store.getState().lostSince).toBe(NOW + 5);
		await give(aSnapshot([anAgent('a')], { epoch: 'second' }));
		expect(store.getState().lostSince).toBeNull();
	});
});

describe('deltas that come faster than they can be drawn', () => {
	it('are drawn together, once for each frame, and none is lost around a snapshot', async () => {
		const transport = new FakeTransport();
		const give = onDemand(transport);
		const frames: (() => void)[] = [];
		const store = createFloorStore(NOW);
		followFloor(
			store,
			transport,
			() => NOW,
			(draw) => frames.push(draw),
		);
		const nextFrame = () => frames.splice(0).forEach((draw) => void draw());
		let drawn = 0;
		store.subscribe(({ picture }, before) => {
			if (picture !== before.picture) drawn += 1;
		});
		await give(aSnapshot([anAgent('a')]));
		for (const at of [11, 12, 13]) {
			transport.push('floor:delta', aDelta(at, { agents: [anAgent('a', { name: `at ${at}` })] }));
		}
		expect(drawn).toBe(1);
		nextFrame();
		expect(drawn).toBe(2);
		// One waits for its frame while the snapshot after a reconnection comes, and is newer than it.
		transport.setConnection('connected');
		transport.push('floor:delta', aDelta(14, { agents: [anAgent('b')] }));
		await give(aSnapshot([anAgent('a', { name: 'at 13' })], { sequence: 13 }));
		nextFrame();
		const { picture } = store.getState();
		expect(agentsOf(picture).map(({ name }) => name)).toEqual(['at 13', 'b']);
		expect(picture).toMatchObject({ sequence: 14, base: 13, received: 1 });
		expect(transport.count('floor:snapshot')).toBe(2);
	});
});
