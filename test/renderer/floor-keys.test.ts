import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyTables } from '../../src/renderer/screens/dialogs/keys-dialog.tsx';
import {
	type KeyContext,
	type KeyPress,
	moveTarget,
	requestFor,
} from '../../src/renderer/store/floor-keys.ts';
import { pages } from '../../src/renderer/store/pages.ts';

const context: KeyContext = {
	page: 'floor',
	onAgent: true,
	drawer: false,
	typing: false,
	modal: false,
	palette: false,
	singleKeys: true,
};
const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
	key,
	ctrlKey: false,
	metaKey: false,
	altKey: false,
	repeat: false,
	...change,
});
/** The id of the command that a key runs, or where it moves to. */
const asked = (key: KeyPress, change: Partial<KeyContext> = {}) => {
	const request = requestFor(key, { ...context, ...change });
	if (request === null) return null;
	return request.kind === 'move' ? request.to : request.command.id;
};

/** Every key of a keyboard that could mean something. */
const everyKey = [
	...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
	...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'],
	...['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'F1', 'F5', 'Dead', 'ContextMenu'],
];

describe('keys', () => {
	it.each([
		['s', 'agent.steer'],
		['h', 'agent.hold'],
		['c', 'agent.constrain'],
		['x', 'agent.stop'],
		['r', 'agent.resume'],
		['e', 'agent.reset-evidence'],
		['X', 'agent.stop'],
		['1', 'page.floor'],
		['5', 'page.settings'],
		[',', 'page.settings'],
		['z', 'window.undo'],
		['p', 'window.palette'],
		['?', 'window.keys'],
		['/', 'floor.search'],
		['f', 'floor.decide'],
	])('%s runs %s', (key, id) => {
		expect(asked(press(key))).toBe(id);
	});

	it('act on an agent only from its row on the floor, or while its drawer is open', () => {
		for (const key of ['s', 'h', 'c', 'x', 'r', 'e']) {
			expect(asked(press(key), { onAgent: false })).toBeNull();
			for (const page of pages.filter((one) => one !== 'floor')) {
				expect(asked(press(key), { page })).toBeNull();
				expect(asked(press(key), { page, onAgent: false, drawer: true })).toMatch(/^agent\./);
			}
		}
	});

	it.each([
		['while typing', press('x'), { typing: true }],
		['in a dialog', press('x'), { modal: true }],
		['in a dialog', press('1'), { modal: true }],
		['with Control', press('c', { ctrlKey: true }), {}],
		['with Command', press('r', { metaKey: true }), {}],
		['with Alt', press('s', { altKey: true }), {}],
		['when single keys are off', press('x'), { singleKeys: false }],
		['when single keys are off', press('/'), { singleKeys: false }],
		['when single keys are off', press('z'), { singleKeys: false }],
		['when single keys are off', press('3'), { singleKeys: false }],
		['while typing', press('f'), { typing: true }],
		['held down', press('h', { repeat: true }), {}],
		['held down', press('z', { repeat: true }), {}],
		['of no meaning here', press('q'), {}],
	])('are left alone %s', (_name, key, change) => {
		expect(asked(key, change)).toBeNull();
	});

	it.each([{ ctrlKey: true }, { metaKey: true }])(
		'the palette comes by its chord %j wherever one is',
		(modifier) => {
			const chord = press('k', modifier);
			for (const change of [
				{ typing: true },
				{ singleKeys: false },
				{ drawer: true },
				{ modal: true, palette: true },
			]) {
				expect(asked(chord, change)).toBe('window.palette');
			}
			// Another dialog may hold words that would be lost.
			expect(asked(chord, { modal: true })).toBeNull();
			expect(asked(press('k', { ...modifier, altKey: true }))).toBeNull();
			expect(asked(press('k', { ctrlKey: true, metaKey: true }))).toBeNull();
		},
	);

	it('move by arrows even when single keys are off, and leave scrolling alone elsewhere', () => {
		expect(asked(press('ArrowUp'), { singleKeys: false })).toBe('previous');
		expect(asked(press('ArrowDown', { repeat: true }))).toBe('next');
		expect(asked(press('End'), { onAgent: false })).toBeNull();
		expect(asked(press('ArrowDown'), { onAgent: false })).toBe('next');
		expect(asked(press('ArrowDown'), { page: 'settings' })).toBeNull();
		expect(asked(press('ArrowDown'), { drawer: true })).toBeNull();
	});

	it('are all in the list of keys: none is undocumented', () => {
		const signs: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓' };
		const documented = new Set(keyTables.flatMap(({ rows }) => rows.flatMap(([keys]) => keys)));
		const modifiers = [{}, { ctrlKey: true }, { metaKey: true }, { altKey: true }];
		const places = [{}, { drawer: true }, { page: 'settings', onAgent: false }, { typing: true }] as const;
		for (const key of everyKey) {
			for (const modifier of modifiers) {
				if (places.every((place) => asked(press(key, modifier), place) === null)) continue;
				const chord = 'ctrlKey' in modifier || 'metaKey' in modifier ? 'Ctrl+' : '';
				const shown = `${chord}${signs[key] ?? key}`;
				const names = [shown, shown.toLowerCase(), `${chord}${key.toUpperCase()}`];
				expect(
					names.some((name) => documented.has(name)),
					`${shown} is documented`,
				).toBe(true);
			}
		}
	});

	it('never act on two things at once, and never without a reason to', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...everyKey),
				fc.record({
					ctrlKey: fc.boolean(),
					metaKey: fc.boolean(),
					altKey: fc.boolean(),
					repeat: fc.boolean(),
				}),
				fc.record({
					page: fc.constantFrom(...pages),
					onAgent: fc.boolean(),
					drawer: fc.boolean(),
					typing: fc.boolean(),
					modal: fc.boolean(),
					palette: fc.boolean(),
					singleKeys: fc.boolean(),
				}),
				(key, modifier, place) => {
					const request = requestFor({ key, ...modifier }, place);
					if (request?.kind !== 'run') return;
					const { group, id } = request.command;
					if (id === 'window.palette' && modifier.ctrlKey !== modifier.metaKey) return;
					expect(place.typing || place.modal || !place.singleKeys).toBe(false);
					if (group === 'agent') expect(place.drawer || (place.page === 'floor' && place.onAgent)).toBe(true);
				},
			),
		);
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
