/** Which image file stands for what, per platform. `resources/make-icons.mjs` draws them under these names. */
import type { TrayIcon } from '../../../shared/tray.ts';

/** Counts drawn into an image: one to nine, then "9+". `null`: nothing to count. */
export type CountMark = `${number}` | '9+' | null;

export function countMark(count: number): CountMark {
	if (count <= 0) return null;
	return count > 9 ? '9+' : `${count}`;
}

/**
 * Image of the tray, relative to the resources. macOS: a template, black and alpha only, the state told by shape.
 * Windows: an `.ico` with the sizes of every scale. Linux has no place for a count beside the icon, so it is drawn into it.
 */
export function trayImageFile(platform: NodeJS.Platform, icon: TrayIcon, count: number): string {
	if (platform === 'darwin') return `tray/mac/${icon}Template.png`;
	if (platform === 'win32') return `tray/windows/${icon}.ico`;
	const mark = icon === 'urgent' ? countMark(count) : null;
	return `tray/linux/${icon}${mark === null ? '' : `-${fileWord(mark)}`}.png`;
}

/** The image for Windows' task bar button; `null` takes it away. */
export function overlayImageFile(count: number): string | null {
	const mark = countMark(count);
	return mark === null ? null : `overlay/${fileWord(mark)}.png`;
}

/** Stands in for any image of the tray that cannot be loaded. */
export const FALLBACK_IMAGE_FILE = 'icon-small.png';

function fileWord(mark: NonNullable<CountMark>): string {
	return mark === '9+' ? 'more' : mark;
}
