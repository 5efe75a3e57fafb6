import { describe, expect, it } from 'vitest';
import { actionsFor } from '../../src/renderer/store/agent-actions.ts';
import { takeAction } from '../../src/renderer/store/take-action.ts';
import { createViewStore } from '../../src/renderer/store/view-store.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { anAgent, aState, NOW } from './agents.ts';
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
