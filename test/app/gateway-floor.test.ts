/** The floor as the gateway sees it: a stop is heard of at once, by whoever waits. */
import { describe, expect, it } from 'vitest';
import { createGatewayFloor } from '../../src/main/app/gateway-floor.ts';
import { order } from '../../src/main/floor/orders.ts';
import { FloorFixture, T0 } from '../support/floor-fixture.ts';

describe('a stop', () => {
	it('is told to whoever waits when it already holds, and to nobody who has forgotten it', async () => {
		const fixture = new FloorFixture();
		const { floor } = fixture;
		fixture.happen({ kind: 'session-start', source: 'startup' });
		const gateway = createGatewayFloor({ floor, onAgent: () => {}, onAnswer: () => {} });
		const agentId = gateway.find('claude-code', 's1')?.agentId ?? '';
		const heard: (string | null)[] = [];
		const forget = gateway.onStanding?.(() => heard.push(gateway.refusal(agentId)));
		order(floor, agentId, 'stop', 'enough', T0);
		await Promise.resolve();
		expect(heard).toEqual([expect.stringMatching(/operator stopped/)]);
		forget?.();
		order(floor, agentId, 'stop', 'again', T0);
		await Promise.resolve();
		expect(heard).toHaveLength(1);
	});
});
