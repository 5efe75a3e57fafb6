import { describe, expect, it } from 'vitest';
import { actionsFor } from '../../src/renderer/store/agent-actions.ts';
import { createFloorStore } from '../../src/renderer/store/floor-store.ts';
import { takeAction } from '../../src/renderer/store/take-action.ts';
import { undoLast } from '../../src/renderer/store/undo.ts';
import { createViewStore } from '../../src/renderer/store/view-store.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { pictureOf } from '../../src/shared/picture.ts';
import { anAgent, aSnapshot, aState, NOW } from './agents.ts';
import { FakeTransport } from './fake-transport.ts';

const evidence = {
	arm: 'repeated-tool',
	counted: 'identical calls',
	count: 9,
	limit: 8,
	unit: 'calls',
	since: NOW,
	lastAt: NOW,
	lastOccurrences: [],
	clears: 'another call',
} as const;
const order = (kind: 'hold' | 'constrain' | 'stop') => ({ kind, words: '', at: NOW });

describe('the buttons of an agent', () => {
	it.each([
		['healthy', anAgent('a'), 'steer hold constrain stop'],
		[
			'steering',
			anAgent('a', {
				level: 'steering',
				standing: 'steering',
				evidence: { ...evidence, lastOccurrences: [] },
			}),
			'steer hold constrain stop reset-evidence',
		],
		['constrained', anAgent('a', { level: 'constrained', standing: 'constrained' }), 'steer hold stop'],
		[
			'constrained by order',
			anAgent('a', { standing: 'constrained', order: order('constrain') }),
			'resume steer hold stop',
		],
		['held', anAgent('a', { standing: 'stopped', order: order('hold') }), 'resume steer stop'],
		['stopped by order', anAgent('a', { standing: 'stopped', order: order('stop') }), 'resume stop'],
		['stopped by the ladder', anAgent('a', { level: 'stopped', standing: 'stopped' }), 'resume stop'],
		['exited', anAgent('a', { state: aState('exited') }), ''],
		['exited under an order', anAgent('a', { state: aState('exited'), order: order('stop') }), 'resume'],
	])('%s', (_name, agent, actions) => {
		expect(actionsFor(agent).join(' ')).toBe(actions);
	});
});

describe('taking an action', () => {
	it('opens the dialog of the two that need words or a choice', async () => {
		const transport = new FakeTransport();
		const view = createViewStore();
		await takeAction(transport, view, 'a', 'stop');
		expect(view.getState().dialog).toEqual({ kind: 'stop', agentId: 'a' });
		expect(transport.requests).toEqual([]);
	});

	it.each([
		['hold', 'control:hold'],
		['constrain', 'control:constrain'],
		['resume', 'control:resume'],
		['reset-evidence', 'control:resetEvidence'],
	] as const)('asks the engine to %s and shows that it is asking', async (action, channel) => {
		const transport = new FakeTransport();
		const view = createViewStore();
		transport.answer(channel, () => anAgent('a'));
		const taken = takeAction(transport, view, 'a', action);
		expect(view.getState().asked.get('a')).toEqual({ action, error: null });
		await taken;
		expect(view.getState().asked.size).toBe(0);
		expect(transport.requests).toEqual([{ channel, input: { agentId: 'a' } }]);
	});

	it('asks nothing more of an agent while an answer is owed', async () => {
		const transport = new FakeTransport();
		const view = createViewStore();
		transport.answer('control:hold', () => anAgent('a'));
		await Promise.all([
			takeAction(transport, view, 'a', 'hold'),
			takeAction(transport, view, 'a', 'hold'),
			takeAction(transport, view, 'b', 'hold'),
		]);
		expect(transport.requests.map(({ input }) => input)).toEqual([{ agentId: 'a' }, { agentId: 'b' }]);
	});

	it('keeps the refusal at the agent', async () => {
		const transport = new FakeTransport();
		const view = createViewStore();
		const error = {
			code: 'not-possible',
			message: 'It has exited.',
			meaning: 'Nothing.',
			remedy: 'None.',
		} as const;
		transport.answer('control:hold', () => {
			throw new ChannelError(error);
		});
		await takeAction(transport, view, 'a', 'hold');
		expect(view.getState().asked.get('a')).toEqual({ action: 'hold', error });
	});
});

describe('taking an order back', () => {
	/** A floor with one agent, whose orders hold at once. */
	function floorOf(before: AgentView) {
		const transport = new FakeTransport();
		const view = createViewStore();
		const floor = createFloorStore(NOW, pictureOf(aSnapshot([before])));
		const show = (change: Partial<AgentView>) => {
			const after = { ...before, ...change };
			floor.setState({ picture: pictureOf(aSnapshot([after])) });
			return after;
		};
		for (const kind of ['hold', 'constrain', 'stop'] as const) {
			transport.answer(`control:${kind}`, ({ words = '' }) => show({ order: { kind, words, at: NOW + 1 } }));
		}
		transport.answer('control:resume', () => show({ order: null }));
		const take = (action: 'hold' | 'constrain') => takeAction(transport, view, 'a', action, floor);
		const asked = () => transport.requests.map(({ channel, input }) => [channel, input]);
		return { view, take, show, asked, undoable: () => view.getState().undoable };
	}

	it('resumes an agent that stood under no order', async () => {
		const { view, take, asked, undoable } = floorOf(anAgent('a'));
		await take('hold');
		expect(undoable()?.words).toBe('Held a.');
		await undoLast(view);
		expect(asked().at(-1)).toEqual(['control:resume', { agentId: 'a' }]);
		expect(undoable()).toBeNull();
	});

	it.each([
		['constrain', 'only look', { agentId: 'a', words: 'only look' }],
		['hold', '', { agentId: 'a' }],
		['stop', 'enough', { agentId: 'a', words: 'enough' }],
	] as const)('gives the order before again: %s', async (kind, words, input) => {
		const { view, take, asked } = floorOf(anAgent('a', { order: { kind, words, at: NOW } }));
		await take(kind === 'hold' ? 'constrain' : 'hold');
		await undoLast(view);
		expect(asked().at(-1)).toEqual([`control:${kind}`, input]);
	});

	it('is not offered where it would lift what the ladder had barred', async () => {
		for (const level of ['constrained', 'stopped'] as const) {
			const { take, undoable } = floorOf(anAgent('a', { level, standing: level }));
			await take('hold');
			expect(undoable()).toBeNull();
		}
	});

	it('says beforehand that the count of the ladder is forgotten with it', async () => {
		const { take, undoable } = floorOf(anAgent('a', { level: 'steering', standing: 'steering' }));
		await take('constrain');
		expect(undoable()?.words).toBe('Constrained a. Undo also forgets what the ladder has counted.');
	});

	it('leaves a newer order of somebody else alone, and says so', async () => {
		const { view, take, show, asked, undoable } = floorOf(anAgent('a'));
		await take('hold');
		show({ order: { kind: 'stop', words: '', at: NOW + 9 } });
		await undoLast(view);
		expect(asked()).toHaveLength(1);
		expect(undoable()?.error?.message).toContain('another order');
	});

	it('has nothing to do where somebody has resumed it', async () => {
		const { view, take, show, asked, undoable } = floorOf(
			anAgent('a', { order: { kind: 'constrain', words: '', at: NOW } }),
		);
		await take('hold');
		show({ order: null });
		await undoLast(view);
		expect(asked()).toHaveLength(1);
		expect(undoable()).toBeNull();
	});

	it('is offered of no other action', async () => {
		const { view, undoable } = floorOf(anAgent('a'));
		const transport = new FakeTransport();
		transport.answer('control:resume', () => anAgent('a'));
		const floor = createFloorStore(NOW, pictureOf(aSnapshot([anAgent('a')])));
		await takeAction(transport, view, 'a', 'resume', floor);
		expect(undoable()).toBeNull();
	});
});
