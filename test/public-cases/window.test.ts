/** Faults that users of neighbouring projects reported of what a window shows. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unhookedContext } from '../../src/main/floor/events.ts';
import { foldTimeline } from '../../src/main/timeline/fold.ts';
import { composeTray } from '../../src/shared/tray.ts';
import { agent, floor, NOON, needyAgent } from '../desktop/floor-fixture.ts';

it('m1ckc3s/claude-status-bar 17: of several states the one that matters most wins, and the count is all of them (U51)', () => {
	const agents = [
		agent('calm'),
		agent('steered', { level: 'steering', standing: 'steering' }),
		agent('stopped', { level: 'stopped', standing: 'stopped' }),
		needyAgent('one'),
		needyAgent('two'),
	];
	fc.assert(
		fc.property(fc.shuffledSubarray(agents, { minLength: agents.length }), (shuffled) => {
			const { title, tooltip, badge } = composeTray(floor({ agents: shuffled }), NOON);
			expect(title).toMatch(/^\(2\)/);
			expect(tooltip).toMatch(/2 need you/);
			expect(badge.count).toBe(2);
		}),
	);
});

it('a ledger with every line twice tells each thing once (munder-difflin 56, U67)', () => {
	const context = unhookedContext({ at: 1_000, client: 'claude-code', name: 'x', sessionId: 's' });
	const call = {
		...context,
		kind: 'tool-call',
		callId: 'c',
		tool: 'Bash',
		input: { command: 'ls' },
	} as const;
	const records = [1, 2, 3].map(
		(id) => ({ kind: 'event', id: `event ${id}`, at: 1_000, event: call }) as const,
	);
	expect(foldTimeline(records).filter(({ kind }) => kind === 'tool')).toHaveLength(1);
});
