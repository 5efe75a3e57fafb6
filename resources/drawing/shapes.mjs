/** Shapes as signed distances in a unit square, y down: negative inside, in parts of the square's side. */

/** @typedef {(x: number, y: number) => number} Shape */

/** @returns {Shape} a line with round ends through all `points`, `width` wide */
export function stroke(points, width) {
	return (x, y) => {
		let nearest = Number.POSITIVE_INFINITY;
		for (let index = 1; index < points.length; index += 1) {
			nearest = Math.min(nearest, toSegment(x, y, points[index - 1], points[index]));
		}
		return nearest - width / 2;
	};
}

/** @returns {Shape} */
export function circle(centreX, centreY, radius) {
	return (x, y) => Math.hypot(x - centreX, y - centreY) - radius;
}

/** @returns {Shape} a square on its corner, `radius` from the middle to a corner */
export function diamond(centreX, centreY, radius) {
	return (x, y) => (Math.abs(x - centreX) + Math.abs(y - centreY) - radius) / Math.SQRT2;
}

/** @returns {Shape} a square in the middle of the unit square with `inset` around it and round corners */
export function tile(inset, corner) {
	const half = 0.5 - inset - corner;
	return (x, y) => {
		const dx = Math.abs(x - 0.5) - half;
		const dy = Math.abs(y - 0.5) - half;
		return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
	};
}

/** @returns {Shape} */
export function union(...shapes) {
	return (x, y) => Math.min(...shapes.map((shape) => shape(x, y)));
}

/** @returns {Shape} `shape` without `hole`, which is made `margin` larger */
export function without(shape, hole, margin = 0) {
	return (x, y) => Math.max(shape(x, y), margin - hole(x, y));
}

/** Points of an arc of an ellipse; degrees, 0 to the right, 90 down. */
export function arc(centreX, centreY, radiusX, radiusY, from, to) {
	const steps = 24;
	return Array.from({ length: steps + 1 }, (_, step) => {
		const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
		return [centreX + radiusX * Math.cos(angle), centreY + radiusY * Math.sin(angle)];
	});
}

function toSegment(x, y, [x1, y1], [x2, y2]) {
	const lengthSquared = (x2 - x1) ** 2 + (y2 - y1) ** 2;
	const along = lengthSquared === 0 ? 0 : ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / lengthSquared;
	const clamped = Math.min(1, Math.max(0, along));
	return Math.hypot(x - x1 - clamped * (x2 - x1), y - y1 - clamped * (y2 - y1));
}
