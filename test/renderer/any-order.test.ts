import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/renderer/store/floor-layout.ts';
import { createFloorStore, followFloor } from '../../src/renderer/store/floor-store.ts';
import { agentsOf } from '../../src/shared/picture.ts';
import { aDelta, anAgent, aSnapshot } from './agents.ts';
import { FakeTransport } from './fake-transport.ts';

describe('pixel-agents-hq/pixel-agents 334: agents are seen whatever message comes first (U33)', () => {
	it('deltas before, between and after the snapshot give the picture of any other order', async () => {
		const names = ['a', 'b', 'c', 'd'];
		const final = names.map((id) => anAgent(id, { model: 'second' }));
		const deltas = [
			...names.map((id, index) => aDelta(index + 1, { agents: [anAgent(id, { model: 'first' })] })),
			...final.map((one, index) => aDelta(index + 5, { agents: [one] })),
		];
		const order = fc.shuffledSubarray(deltas, { minLength: deltas.length });
		await fc.assert(
			fc.asyncProperty(order, fc.nat(deltas.length), async (shuffled, early) => {
				const transport = new FakeTransport();
				let answer: (() => void) | undefined;
				const asked = new Promise<void>((resolve) => {
					answer = resolve;
				});
				transport.answer('floor:snapshot', async () => {
					await asked;
					return aSnapshot([], { sequence: 0 });
				});
				const store = createFloorStore(0);
				const following = followFloor(store, transport, () => 0);
				for (const delta of shuffled.slice(0, early)) transport.push('floor:delta', delta);
				answer?.();
				await new Promise((resolve) => setImmediate(resolve));
				for (const delta of shuffled.slice(early)) transport.push('floor:delta', delta);
				const { picture } = store.getState();
				following.dispose();
				expect(agentsOf(picture).map(({ id, model }) => [id, model])).toEqual(
					names.map((id) => [id, 'second']),
				);
				expect(layoutOf(picture, { filter: '', grouping: 'need' }).total).toBe(4);
			}),
			{ numRuns: 60 },
		);
	});
});
