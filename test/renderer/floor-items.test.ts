import fc from 'fast-check';
import { expect, it } from 'vitest';
import { summaryOf } from '../../src/renderer/store/attention-summary.ts';
import { itemIndexOf, itemsOf } from '../../src/renderer/store/floor-items.ts';
import { layoutOf, openIds } from '../../src/renderer/store/floor-layout.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { emptyFailoverView } from '../../src/shared/failover-view.ts';
import { emptyModelsView } from '../../src/shared/models-view.ts';
import { agentsOf, incidentsOf, pictureOf } from '../../src/shared/picture.ts';
import { composeTray } from '../../src/shared/tray.ts';
import { anAgent, anIncident, aSnapshot, aState, aStatus, NOW } from './agents.ts';

const kinds: Partial<AgentView>[] = [
	{},
	{ state: aState('waiting', { needsYou: true }) },
	{ state: aState('exited') },
	{ standing: 'stopped', level: 'stopped' },
	{ standing: 'stopped', order: { kind: 'hold', words: '', at: NOW } },
	{ repository: { name: 'r', path: '/r' } },
];
const pictures = fc
	.array(fc.constantFrom(...kinds), { maxLength: 30 })
	.map((chosen) => pictureOf(aSnapshot(chosen.map((kind, at) => anAgent(`a${at}`, kind)))));

it('draws every agent that is not folded once, in order, each with its place among all', () => {
	fc.assert(
		fc.property(
			pictures,
			fc.constantFrom('need' as const, 'repository' as const),
			fc.integer({ min: 1, max: 4 }),
			fc.boolean(),
			(picture, grouping, columns, folded) => {
				const folds = { 'need exited': folded, 'need working': folded };
				const layout = layoutOf(picture, { filter: '', grouping });
				const items = itemsOf(layout, folds, columns);
				const order = openIds(layout, folds);
				const drawn = items.flatMap((item) => (item.kind === 'agents' ? item.ids : []));
				expect(drawn).toEqual(order);
				expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
				for (const item of items) {
					if (item.kind === 'heading') continue;
					expect(item.ids.length).toBeLessThanOrEqual(columns);
					expect(order[item.position - 1]).toBe(item.ids[0]);
					expect(items[itemIndexOf(items, item.ids.at(-1) ?? '')]).toBe(item);
				}
			},
		),
	);
	expect(itemIndexOf([], 'a')).toBe(-1);
	expect(itemIndexOf([], null)).toBe(-1);
});

it('counts what needs you as the tray does', () => {
	fc.assert(
		fc.property(pictures, fc.subarray(['a0', 'a1', null]), (picture, about) => {
			const incidents = about.map((agentId, at) => anIncident(`i${at}`, { agentId, severity: 'urgent' }));
			const seen = pictureOf(aSnapshot(agentsOf(picture), { incidents }));
			const { needyAgents, incidents: urgent, decisions } = summaryOf(seen);
			const tray = composeTray(
				{
					status: aStatus(),
					agents: agentsOf(seen),
					incidents: incidentsOf(seen),
					failover: emptyFailoverView,
					models: emptyModelsView,
				},
				NOW,
			);
			expect(needyAgents + urgent + decisions).toBe(tray.badge.count);
		}),
	);
});
