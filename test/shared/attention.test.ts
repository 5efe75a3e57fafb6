import { describe, expect, it } from 'vitest';
import { needsYou, waitsOf } from '../../src/shared/attention.ts';
import { failoverViews } from '../support/failover-views.ts';

const NOW = Date.UTC(2026, 10, 30, 14, 0, 0);
const make = failoverViews(NOW);
const turn = (id: string, heldUntil: number, change: Parameters<typeof make.heldTurn>[1] = {}) =>
	make.heldTurn(id, { heldUntil: NOW + heldUntil, ...change });

describe('what an agent waits for', () => {
	it('is the turn with the shortest time', () => {
		const popup = make.popup('p', { turns: [turn('late', 90), turn('soon', 30), turn('later', 120)] });
		expect(waitsOf(make.failover({ popups: [popup] })).get('shop')).toMatchObject({
			kind: 'turn',
			asks: true,
			turn: { turnId: 'soon' },
		});
	});

	it('is a consent before a turn, and what asks before what waits for the network', () => {
		const waiting = make.popup('w', { waiting: true, turns: [turn('w', 1, { state: 'waiting' })] });
		const asking = make.popup('a', { providerId: 'openai', turns: [turn('a', 90)] });
		const waits = (failover: Parameters<typeof make.failover>[0]) => waitsOf(make.failover(failover));
		expect(waits({ popups: [waiting] }).get('shop')).toMatchObject({ asks: false });
		expect(waits({ popups: [waiting, asking] }).get('shop')).toMatchObject({ popup: { id: 'a' } });
		expect(waits({ popups: [asking], consents: [make.consent('c')] }).get('shop')?.kind).toBe('consent');
	});

	it('is nothing for a turn on its way, or one of a session that is no agent here', () => {
		const turns = [
			turn('s', 1, { state: 'switching' }),
			turn('r', 1, { state: 'retrying' }),
			turn('n', 1, { agentId: null }),
		];
		expect(waitsOf(make.failover({ popups: [make.popup('p', { turns })] })).size).toBe(0);
	});

	it('is the same object as long as the view is, so that a row is not drawn anew', () => {
		const view = make.failover({ popups: [make.popup('p')] });
		expect(waitsOf(view).get('shop')).toBe(waitsOf(view).get('shop'));
	});

	it('is counted once: by its popup, not by its agents', () => {
		const failover = make.failover({ popups: [make.popup('p', { turns: [turn('a', 1), turn('b', 2)] })] });
		const { agents, popups } = needsYou({ agents: [], incidents: [], failover });
		expect([agents.length, popups.length]).toEqual([0, 1]);
	});
});
