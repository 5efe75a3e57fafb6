/** The signs of the icons: the ladder with its four rungs, the digits of a count. */
import { arc, stroke, union } from './shapes.mjs';

/** Height of each rung, the first one (healthy) at the bottom. */
const RUNGS = [0.83, 0.61, 0.39, 0.17];
/** Length of a stub, in parts of the ladder's width. */
const STUB = 0.26;
/** Rungs are thinner than rails, or small sizes run together. */
const RUNG_LINE = 0.8;

/**
 * The ladder in the box `x`, `y`, `width`, `height`, in parts: `rails`, and each rung by itself. A rung above `lit` is
 * two stubs, so that the number of lit rungs reads without colour.
 */
export function ladder({ x, y, width, height, line, lit }) {
	const at = (partX, partY) => [x + partX * width, y + partY * height];
	const rails = union(stroke([at(0, 0), at(0, 1)], line), stroke([at(1, 0), at(1, 1)], line));
	const thin = line * RUNG_LINE;
	const rungs = RUNGS.map((height, index) => {
		if (index < lit) return stroke([at(0, height), at(1, height)], thin);
		return union(
			stroke([at(0, height), at(STUB, height)], thin),
			stroke([at(1 - STUB, height), at(1, height)], thin),
		);
	});
	return { rails, rungs, whole: union(rails, ...rungs) };
}

/** Strokes of each sign in a box 0.6 wide and 1 high. */
const signs = {
	1: [
		[
			[0.12, 0.24],
			[0.38, 0],
			[0.38, 1],
		],
	],
	2: [[...arc(0.3, 0.28, 0.28, 0.28, -170, 35), [0.02, 1], [0.6, 1]]],
	3: [[...arc(0.28, 0.25, 0.27, 0.25, -155, 90), ...arc(0.28, 0.74, 0.3, 0.26, -90, 155)]],
	4: [
		[
			[0.45, 1],
			[0.45, 0],
			[0, 0.68],
			[0.6, 0.68],
		],
	],
	5: [[[0.54, 0], [0.1, 0], [0.06, 0.44], ...arc(0.28, 0.68, 0.3, 0.32, -120, 150)]],
	6: [arc(0.3, 0.69, 0.29, 0.31, 0, 360), [...arc(0.52, 0.69, 0.51, 0.69, -180, -95)]],
	7: [
		[
			[0, 0],
			[0.58, 0],
			[0.2, 1],
		],
	],
	8: [arc(0.3, 0.24, 0.24, 0.24, 0, 360), arc(0.3, 0.74, 0.29, 0.26, 0, 360)],
	9: [arc(0.3, 0.31, 0.29, 0.31, 0, 360), [...arc(0.08, 0.31, 0.51, 0.69, 0, 85)]],
	'+': [
		[
			[0.05, 0.5],
			[0.55, 0.5],
		],
		[
			[0.3, 0.25],
			[0.3, 0.75],
		],
	],
};

/** `text` of digits and "+", in the middle of the unit square, `height` high with lines `line` wide. */
export function count(text, { height, line, gap = 0.18 }) {
	const width = (text.length * 0.6 + (text.length - 1) * gap) * height;
	const strokes = [...text].flatMap((sign, index) =>
		signs[sign].map((points) => {
			const left = 0.5 - width / 2 + index * (0.6 + gap) * height;
			return stroke(
				points.map(([x, y]) => [left + x * height, 0.5 - height / 2 + y * height]),
				line,
			);
		}),
	);
	return union(...strokes);
}
