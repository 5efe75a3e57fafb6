import { describe, expect, it } from 'vitest';
import { commandFor, type KeyContext, moveTarget } from '../../src/renderer/store/floor-keys.ts';

const context: KeyContext = { onAgent: true, typing: false, modal: false, singleKeys: true };
const press = (key: string, change = {}) => ({
	key,
	ctrlKey: false,
	metaKey: false,
	altKey: false,
	...change,
});

describe('keys', () => {
	it.each([
		['s', 'steer'],
		['h', 'hold'],
		['c', 'constrain'],
		['x', 'stop'],
		['r', 'resume'],
		['e', 'reset-evidence'],
		['X', 'stop'],
	])('%s asks to %s', (key, action) => {
		expect(commandFor(press(key), context)).toEqual({ kind: 'act', action });
	});

	it('act only on an agent in focus', () => {
		expect(commandFor(press('x'), { ...context, onAgent: false })).toBeNull();
	});

	it.each([
		['while typing', press('x'), { typing: true }],
		['in a dialog', press('x'), { modal: true }],
		['with Control', press('c', { ctrlKey: true }), {}],
		['with Command', press('r', { metaKey: true }), {}],
		['with Alt', press('s', { altKey: true }), {}],
		['when single keys are off', press('x'), { singleKeys: false }],
		['when single keys are off', press('/'), { singleKeys: false }],
		['when single keys are off', press('f'), { singleKeys: false }],
		['while typing', press('f'), { typing: true }],
		['of no meaning here', press('q'), {}],
	])('are left alone %s', (_name, key, change) => {
		expect(commandFor(key, { ...context, ...change })).toBeNull();
	});

	it('reach the filter, what waits for an answer and the list of keys from anywhere', () => {
		const elsewhere = { ...context, onAgent: false };
		expect(commandFor(press('/'), elsewhere)).toEqual({ kind: 'focus-filter' });
		expect(commandFor(press('?'), elsewhere)).toEqual({ kind: 'show-keys' });
		expect(commandFor(press('f'), elsewhere)).toEqual({ kind: 'focus-decision' });
	});

	it('move by arrows even when single keys are off, and leave scrolling alone elsewhere', () => {
		expect(commandFor(press('ArrowUp'), { ...context, singleKeys: false })).toEqual({
			kind: 'move',
			to: 'previous',
		});
		expect(commandFor(press('End'), { ...context, onAgent: false })).toBeNull();
		expect(commandFor(press('ArrowDown'), { ...context, onAgent: false })).toEqual({
			kind: 'move',
			to: 'next',
		});
	});
});

describe('moving through the agents', () => {
	const order = ['a', 'b', 'c'];
	it.each([
		['a', 'next', 'b'],
		['c', 'next', 'c'],
		['a', 'previous', 'a'],
		['b', 'first', 'a'],
		['b', 'last', 'c'],
		[null, 'next', 'a'],
		[null, 'previous', 'a'],
		['gone', 'next', 'a'],
	] as const)('from %s to %s is %s', (from, to, target) => {
		expect(moveTarget(order, from, to)).toBe(target);
	});

	it('leads nowhere on an empty floor', () => {
		expect(moveTarget([], null, 'next')).toBeNull();
	});
});
