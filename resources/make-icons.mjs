/**
 * Draws every icon of the app: `node resources/make-icons.mjs`. The files are committed; run it again after a change
 * here. Names and sizes: `src/main/desktop/tray/icon-files.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { count, ladder } from './drawing/glyphs.mjs';
import { ico, paint, png } from './drawing/image-files.mjs';
import { circle, diamond, stroke, tile, without } from './drawing/shapes.mjs';

/** The dark theme of the window's tokens: light signs on a dark tile stand out on any panel. */
const colour = {
	tile: '#171c1f',
	ink: '#e5eaec',
	faint: '#909ba1',
	steering: '#e5c34e',
	constrained: '#f59e5f',
	stopped: '#ff8378',
	you: '#7fc5f7',
	onYou: '#06202f',
	template: '#000000',
};

const trayIcons = ['calm', 'attention', 'urgent', 'lost'];
const counts = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '9+'];

/** Lit rungs of the ladder on each tray icon. */
const lit = { calm: 1, attention: 3, urgent: 1, lost: 0 };

/** Between a mark and the ladder behind it. */
const GAP = 0.11;

/** A mark that tells the icon without colour, where the ladder alone does not. */
function markOf(icon) {
	if (icon === 'urgent') return diamond(0.72, 0.74, 0.26);
	if (icon === 'lost')
		return stroke(
			[
				[0.12, 0.88],
				[0.88, 0.12],
			],
			0.1,
		);
	return null;
}

/** macOS: black and alpha only; a gap instead of a second colour. */
function templateLayers(icon) {
	const { rails, whole } = ladder({
		x: 0.18,
		y: 0.06,
		width: 0.64,
		height: 0.88,
		line: 0.11,
		lit: lit[icon],
	});
	const mark = markOf(icon);
	if (mark === null) return [{ shape: whole, colour: colour.template }];
	return [
		// Crossed out, rungs would be crumbs.
		{ shape: without(icon === 'lost' ? rails : whole, mark, GAP), colour: colour.template },
		{ shape: mark, colour: colour.template },
	];
}

/** Windows and Linux: on a tile of its own. */
function tileLayers(icon) {
	const { rails, rungs } = ladder({
		x: 0.28,
		y: 0.14,
		width: 0.44,
		height: 0.72,
		line: 0.09,
		lit: lit[icon],
	});
	const mark = markOf(icon);
	const seen = (shape) => (mark === null ? shape : without(shape, mark, GAP));
	const rail = icon === 'lost' ? colour.faint : colour.ink;
	const lamp = icon === 'attention' ? colour.steering : rail;
	return [
		{ shape: tile(0.02, 0.2), colour: colour.tile },
		{ shape: seen(rails), colour: rail },
		...(icon === 'lost' ? [] : rungs).map((rung, index) => ({
			shape: seen(rung),
			colour: index < lit[icon] ? lamp : rail,
		})),
		...(mark === null ? [] : [{ shape: mark, colour: icon === 'urgent' ? colour.you : colour.faint }]),
	];
}

function countLayers(shape, text, height) {
	const long = text.length > 1;
	return [
		{ shape, colour: colour.you },
		{
			shape: count(text, { height: long ? height * 0.8 : height, line: long ? 0.1 : 0.12 }),
			colour: colour.onYou,
		},
	];
}

/** The app itself: the whole ladder, each rung in its lamp. */
function appLayers() {
	const { rails, rungs } = ladder({ x: 0.31, y: 0.17, width: 0.38, height: 0.66, line: 0.07, lit: 4 });
	const lamps = [colour.ink, colour.steering, colour.constrained, colour.stopped];
	return [
		{ shape: tile(0.06, 0.2), colour: colour.tile },
		...rungs.map((rung, index) => ({ shape: rung, colour: lamps[index] })),
		{ shape: rails, colour: colour.faint },
	];
}

function write(name, data) {
	const path = join(import.meta.dirname, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, data);
}

/** Electron takes the file with `@2x` on screens of twice the density. */
function writePair(name, size, layers) {
	write(`${name}.png`, png(paint(size, layers)));
	write(`${name}@2x.png`, png(paint(size * 2, layers)));
}

const sized = (sizes, layers) => ico(sizes.map((size) => paint(size, layers)));

for (const icon of trayIcons) {
	writePair(`tray/mac/${icon}Template`, 18, templateLayers(icon));
	writePair(`tray/linux/${icon}`, 22, tileLayers(icon));
	write(`tray/windows/${icon}.ico`, sized([16, 20, 24, 32, 48], tileLayers(icon)));
}
for (const text of counts) {
	const word = text === '9+' ? 'more' : text;
	writePair(`tray/linux/urgent-${word}`, 22, countLayers(tile(0.02, 0.2), text, 0.6));
	writePair(`overlay/${word}`, 16, countLayers(circle(0.5, 0.5, 0.5), text, 0.58));
}
write('icon.png', png(paint(1024, appLayers())));
write('icon-small.png', png(paint(32, appLayers())));
write('icon.ico', sized([16, 24, 32, 48, 64, 128, 256], appLayers()));
