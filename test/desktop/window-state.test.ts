import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeBehaviour } from '../../src/main/desktop/window/close-behaviour.ts';
import { boundsToOpen, isWithinReach, MINIMUM_SIZE } from '../../src/main/desktop/window/window-state.ts';
import { WindowStateFile } from '../../src/main/desktop/window/window-state-file.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const desk = { x: 1440, y: 0, width: 2560, height: 1440 };

describe('boundsToOpen', () => {
	const saved = { x: 1800, y: 200, width: 1000, height: 700 };

	it('keeps the place while its display is there', () => {
		expect(boundsToOpen(saved, [laptop, desk])).toEqual(saved);
	});

	it('comes back to the middle of the primary display when that one is gone', () => {
		expect(boundsToOpen(saved, [laptop])).toEqual({ x: 220, y: 113, width: 1000, height: 700 });
	});

	it.each([
		['only a sliver is visible at the left', { ...saved, x: -950 }],
		['the upper edge is above the display', { ...saved, x: 100, y: -400 }],
		['the upper edge is below the display', { ...saved, x: 100, y: 890 }],
	])('does not keep a place where %s', (_name, place) => {
		expect(boundsToOpen(place, [laptop])).toEqual({ x: 220, y: 113, width: 1000, height: 700 });
	});

	it('opens in the middle with the default size the first time', () => {
		expect(boundsToOpen(null, [laptop])).toEqual({ x: 100, y: 53, width: 1240, height: 820 });
	});

	it('fits a window of a large display on a small one', () => {
		expect(boundsToOpen({ x: 5000, y: 0, width: 2400, height: 1400 }, [laptop])).toEqual(laptop);
	});

	it('always opens within reach, and never smaller than usable', () => {
		const coordinate = fc.integer({ min: -20_000, max: 20_000 });
		const rectangle = fc.record({
			x: coordinate,
			y: coordinate,
			width: fc.integer({ min: 1, max: 10_000 }),
			height: fc.integer({ min: 1, max: 10_000 }),
		});
		const display = fc.record({
			x: coordinate,
			y: coordinate,
			width: fc.integer({ min: MINIMUM_SIZE.width, max: 8000 }),
			height: fc.integer({ min: MINIMUM_SIZE.height, max: 5000 }),
		});
		fc.assert(
			fc.property(
				fc.option(rectangle),
				fc.array(display, { minLength: 1, maxLength: 4 }),
				(place, displays) => {
					const bounds = boundsToOpen(place, displays);
					expect(displays.some((area) => isWithinReach(bounds, area))).toBe(true);
					expect(bounds.width).toBeGreaterThanOrEqual(MINIMUM_SIZE.width);
					expect(bounds.height).toBeGreaterThanOrEqual(MINIMUM_SIZE.height);
				},
			),
		);
	});
});

describe('WindowStateFile', () => {
	let directory = '';
	const reported: string[] = [];
	const open = (): WindowStateFile => new WindowStateFile(directory, (doing) => reported.push(doing));
	const state = { bounds: { x: -10, y: 20, width: 800, height: 600 }, maximized: true };

	beforeEach(() => {
		directory = mkdtempSync(join(tmpdir(), 'floor-window-'));
		reported.length = 0;
	});
	afterEach(() => rmSync(directory, { recursive: true }));

	it('has nothing to say on the first start, and nothing to complain about', () => {
		expect(open().read()).toBeNull();
		expect(reported).toEqual([]);
	});

	it('reads what it wrote, for the owner alone', () => {
		open().write(state);
		expect(open().read()).toEqual(state);
		if (process.platform !== 'win32')
			expect(statSync(join(directory, 'window.json')).mode & 0o777).toBe(0o600);
	});

	it.each([
		'',
		'{"bounds":',
		'null',
		'{"bounds":{"x":1e99,"y":0,"width":1,"height":1},"maximized":false}',
		'[]',
	])('does without the place when the file holds %j, and says so', (text) => {
		writeFileSync(join(directory, 'window.json'), text);
		expect(open().read()).toBeNull();
		expect(reported).toHaveLength(1);
	});

	it('does not write what is there already', () => {
		open().write(state);
		const file = open();
		file.read();
		const path = join(directory, 'window.json');
		writeFileSync(path, 'changed by somebody else');
		file.write(state);
		expect(readFileSync(path, 'utf8')).toBe('changed by somebody else');
	});

	it('reports what it could not write', () => {
		const file = new WindowStateFile(join(directory, 'absent'), (doing) => reported.push(doing));
		file.write(state);
		expect(reported).toEqual([expect.stringContaining('the window will not remember its place')]);
	});
});

describe('closeBehaviour', () => {
	it.each([
		['linux', true, 3, 'hide'],
		['linux', false, 3, 'ask-to-quit'],
		['linux', false, 0, 'quit'],
		['win32', true, 0, 'hide'],
		['win32', false, 1, 'ask-to-quit'],
		['darwin', false, 5, 'hide'],
	] as const)(
		'on %s with a tray shown: %s and %i agents: %s',
		(platform, trayIsShown, agentsAtWork, expected) => {
			expect(closeBehaviour({ platform, trayIsShown, agentsAtWork })).toBe(expected);
		},
	);
});
