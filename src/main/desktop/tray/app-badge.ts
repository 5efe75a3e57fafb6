/** The count on the app's own icon: dock, task bar button or launcher. Never the only signal; title and tray say it too. */
import { join } from 'node:path';
import { app, type BrowserWindow, nativeImage } from 'electron';
import type { TrayPicture } from '../../../shared/tray.ts';
import type { ReportFailure } from '../report-failure.ts';
import { countMark, overlayImageFile } from './icon-files.ts';

/** `window`: where Windows draws it; `null` while there is none. */
export function showBadge(
	badge: TrayPicture['badge'],
	options: {
		readonly window: BrowserWindow | null;
		readonly resources: string;
		readonly report: ReportFailure;
	},
): void {
	switch (process.platform) {
		case 'darwin':
			// Unlike `setBadgeCount` this needs no permission to notify.
			app.dock?.setBadge(countMark(badge.count) ?? '');
			return;
		case 'win32':
			showOverlay(badge, options);
			return;
		default:
			// True is answered even where no launcher draws it, so the answer is not worth looking at.
			app.setBadgeCount(badge.count);
	}
}

function showOverlay(
	badge: TrayPicture['badge'],
	{ window, resources, report }: Parameters<typeof showBadge>[1],
): void {
	if (window === null || window.isDestroyed()) return;
	const file = overlayImageFile(badge.count);
	const image = file === null ? null : nativeImage.createFromPath(join(resources, file));
	if (image?.isEmpty()) report('drawing the task bar badge', new Error(`${file} is missing or is no image`));
	window.setOverlayIcon(image?.isEmpty() ? null : image, badge.description);
}
