import { describe, expect, it } from 'vitest';
import { order, resume } from '../../src/main/floor/orders.ts';
import { refusalOfModelCall } from '../../src/main/floor/standing.ts';
import { FloorFixture } from '../support/floor-fixture.ts';

function stoppedByLadder(): FloorFixture {
	const fixture = new FloorFixture({ breaker: { hardStop: true } });
	fixture.happen({ kind: 'prompt', text: 'go' });
	fixture.agent().ladderStop = { at: fixture.now, reason: 'one call 9 times' };
	return fixture;
}

function ordered(kind: 'hold' | 'stop' | 'constrain'): FloorFixture {
	const fixture = new FloorFixture();
	fixture.happen({ kind: 'prompt', text: 'go' });
	order(fixture.floor, fixture.agent().id, kind, 'wait for me', fixture.now);
	return fixture;
}

describe('the refusal of model calls', () => {
	it('is for an agent that the ladder or the operator stopped, and names who and why', () => {
		expect(refusalOfModelCall(stoppedByLadder().agent())).toMatch(/one call 9 times/);
		expect(refusalOfModelCall(ordered('stop').agent())).toMatch(/operator stopped.*wait for me/);
	});

	it('is not for a free, a held or a limited agent: they may talk', () => {
		const free = new FloorFixture();
		free.happen({ kind: 'prompt', text: 'go' });
		expect(refusalOfModelCall(free.agent())).toBeNull();
		expect(refusalOfModelCall(ordered('hold').agent())).toBeNull();
		expect(refusalOfModelCall(ordered('constrain').agent())).toBeNull();
	});

	it('ends when the operator resumes the agent', () => {
		const fixture = ordered('stop');
		resume(fixture.floor, fixture.agent().id, fixture.now);
		expect(refusalOfModelCall(fixture.agent())).toBeNull();
	});

	it.each(['provider', 'agent'] as const)('that a client reports back blames nobody (%s)', (blame) => {
		for (const fixture of [stoppedByLadder(), ordered('stop')]) {
			fixture.happen({ kind: 'turn-failed', blame, error: 'invalid_request', message: 'refused' });
			expect(fixture.agent()).toMatchObject({ providerTrouble: null, inTurn: false });
			expect(fixture.agent().waiting?.on).not.toBe('trouble');
		}
	});

	it('leaves a failure of an agent that may call what it is: trouble of its provider', () => {
		const fixture = ordered('hold');
		fixture.happen({ kind: 'turn-failed', blame: 'provider', error: 'server_error', message: '529' });
		expect(fixture.agent().providerTrouble?.error).toBe('server_error');
		expect(fixture.agent().waiting?.on).toBe('trouble');
	});
});
