/** Where the window was, and whether it can be seen there now. Pure. */
import { z } from 'zod';

export interface Rectangle {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

const coordinate = z.number().int().min(-100_000).max(100_000);
const length = z.number().int().min(1).max(100_000);

/** `<data>/window.json`. */
export const windowStateSchema = z.object({
	bounds: z.object({ x: coordinate, y: coordinate, width: length, height: length }),
	maximized: z.boolean(),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export const MINIMUM_SIZE = { width: 480, height: 360 } as const;
const DEFAULT_SIZE = { width: 1240, height: 820 } as const;
/** So much of the window's upper edge must be on a display that a hand can take hold of it. */
const HANDLE = { width: 120, height: 32 } as const;

/**
 * Bounds to open with. The saved place is kept when its upper edge can be reached on one of the displays; otherwise the
 * window keeps its size, as far as it fits, and opens in the middle of the primary one.
 * @param workAreas usable area of each display, the primary one first; device-independent pixels
 */
export function boundsToOpen(saved: Rectangle | null, workAreas: readonly Rectangle[]): Rectangle {
	if (saved !== null) {
		const size = { width: atLeast(saved.width, 'width'), height: atLeast(saved.height, 'height') };
		if (workAreas.some((area) => isWithinReach({ ...saved, ...size }, area))) return { ...saved, ...size };
	}
	const [primary] = workAreas;
	const { width, height } = saved ?? DEFAULT_SIZE;
	if (primary === undefined)
		return { x: 0, y: 0, width: atLeast(width, 'width'), height: atLeast(height, 'height') };
	const fitted = {
		width: Math.min(atLeast(width, 'width'), primary.width),
		height: Math.min(atLeast(height, 'height'), primary.height),
	};
	return {
		x: primary.x + Math.round((primary.width - fitted.width) / 2),
		y: primary.y + Math.round((primary.height - fitted.height) / 2),
		...fitted,
	};
}

/** True when the upper edge of `bounds` can be taken hold of inside `area`. */
export function isWithinReach(bounds: Rectangle, area: Rectangle): boolean {
	const shownWidth = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
	const edgeInside = bounds.y >= area.y && bounds.y + HANDLE.height <= area.y + area.height;
	return edgeInside && shownWidth >= HANDLE.width;
}

function atLeast(value: number, side: 'width' | 'height'): number {
	return Math.max(value, MINIMUM_SIZE[side]);
}
