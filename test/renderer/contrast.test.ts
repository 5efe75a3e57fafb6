/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const renderer = join(import.meta.dirname, '../../src/renderer');
const css = readFileSync(join(renderer, 'styles/tokens.css'), 'utf8');

const colours = new Map(
	[...css.matchAll(/^\s*--([a-z-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\);/gm)].map(
		([, name = '', light = '', dark = '']) => [name, { light, dark }],
	),
);
type Theme = 'light' | 'dark';

const surfaces = ['sunken', 'ground', 'surface', 'raised'];
const washes = ['accent-wash', 'steering-wash', 'stopped-wash'];
const lamps = ['accent', 'steering', 'constrained', 'stopped'];
const inks = ['ink', 'ink-soft', 'ink-faint'];

/** [foreground, background]: WCAG 1.4.3, 4.5:1. */
const textPairs = [
	...cross([...inks, ...lamps], surfaces),
	...cross(['ink', 'ink-soft'], washes),
	['accent', 'accent-wash'],
	['steering', 'steering-wash'],
	['stopped', 'stopped-wash'],
	['on-accent', 'accent'],
	['on-stopped', 'stopped'],
] as const;
/** WCAG 1.4.11, 3:1: outlines of controls, focus rings (the accent) and glyphs wherever they may lie. */
const shapePairs = [...cross(['edge'], [...surfaces, 'accent-wash']), ...cross(lamps, washes)] as const;

describe.each<Theme>(['light', 'dark'])('contrast of the %s theme', (theme) => {
	it.each(textPairs)('%s reads on %s', (foreground, background) => {
		expect(contrast(foreground, background, theme)).toBeGreaterThanOrEqual(4.5);
	});

	it.each(shapePairs)('%s is seen on %s', (foreground, background) => {
		expect(contrast(foreground, background, theme)).toBeGreaterThanOrEqual(3);
	});

	it('tells the four surfaces apart by rising light', () => {
		const light = surfaces.map((name) => luminance(hexOf(name, theme)));
		expect(light).toEqual([...light].sort((a, b) => a - b));
	});
});

it('knows every colour of the file, so that none escapes the check', () => {
	const checked = new Set([...textPairs, ...shapePairs].flat());
	// Hairlines separate; nothing is read from them.
	expect([...colours.keys()].filter((name) => !checked.has(name))).toEqual(['line']);
	const declared = [...css.matchAll(/^\s*--([a-z-]+):\s*light-dark\(/gm)].map(([, name]) => name);
	expect([...colours.keys()]).toEqual(declared);
});

it('finds no colour written outside the tokens', () => {
	const sheets = globSync('**/*.css', { cwd: renderer }).filter((file) => !file.endsWith('tokens.css'));
	const stray = sheets.filter((file) => {
		const rules = readFileSync(join(renderer, file), 'utf8').replace(/\/\*.*?\*\//gs, '');
		return /#[0-9a-f]{3,8}\b|rgba?\(|hsl|oklch\(/i.test(rules);
	});
	expect(sheets.length).toBeGreaterThan(0);
	expect(stray).toEqual([]);
});

function cross(foregrounds: readonly string[], backgrounds: readonly string[]): [string, string][] {
	return foregrounds.flatMap((one) => backgrounds.map((other): [string, string] => [one, other]));
}

function hexOf(name: string, theme: Theme): string {
	const colour = colours.get(name);
	if (!colour) throw new Error(`tokens.css has no colour --${name}`);
	return colour[theme];
}

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
		const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(foreground: string, background: string, theme: Theme): number {
	const [low = 0, high = 0] = [luminance(hexOf(foreground, theme)), luminance(hexOf(background, theme))].sort(
		(a, b) => a - b,
	);
	return (high + 0.05) / (low + 0.05);
}
