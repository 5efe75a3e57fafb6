/**
 * Keeps the tray icon as the composer wants it. Electron comes in through a factory, so that the oddities of the
 * platforms are dealt with here and tested without one.
 */
import type { Disposable } from '../../../shared/disposable.ts';
import type { TrayCommand, TrayMenuItem, TrayPicture } from '../../../shared/tray.ts';
import type { ReportFailure } from '../report-failure.ts';
import { countMark, FALLBACK_IMAGE_FILE, trayImageFile } from './icon-files.ts';

/** One icon in the system's tray. */
export interface TrayHandle<Image> extends Disposable {
	setImage(image: Image): void;
	setToolTip(text: string): void;
	setContextMenu(items: readonly TrayMenuItem[], run: (command: TrayCommand) => void): void;
	/** Text beside the icon; only macOS has a place for it. */
	setTitle(text: string): void;
	/** Calls back when the icon itself is clicked; which click that is depends on the desktop. */
	onActivate(listener: () => void): void;
}

export interface TrayFactory<Image> {
	/** `null` when the file is missing or is no image. */
	loadImage(file: string): Image | null;
	/** Throws when the system has no tray. */
	create(image: Image): TrayHandle<Image>;
}

export interface TrayServiceOptions<Image> {
	readonly platform: NodeJS.Platform;
	readonly factory: TrayFactory<Image>;
	readonly run: (command: TrayCommand) => void;
	readonly report: ReportFailure;
}

export class TrayService<Image> implements Disposable {
	readonly #options: TrayServiceOptions<Image>;
	#tray: TrayHandle<Image> | null = null;
	#failed = false;
	#shown = '';
	#picture: TrayPicture | null = null;

	constructor(options: TrayServiceOptions<Image>) {
		this.#options = options;
	}

	/** True while an icon was handed to the system. On Linux that does not yet mean that somebody draws it. */
	get exists(): boolean {
		return this.#tray !== null;
	}

	/** Shows the picture, and creates the icon for the first one. Nothing is touched when nothing changed. */
	show(picture: TrayPicture): void {
		this.#picture = picture;
		const key = JSON.stringify(picture);
		if (this.#failed || key === this.#shown) return;
		try {
			this.#draw(picture);
			this.#shown = key;
		} catch (error) {
			this.#giveUp(error);
		}
	}

	/** Draws the last picture again: some desktops forget the icon while the machine sleeps. */
	redraw(): void {
		this.#shown = '';
		if (this.#picture !== null) this.show(this.#picture);
	}

	dispose(): void {
		this.#tray?.dispose();
		this.#tray = null;
		this.#failed = true;
	}

	#draw(picture: TrayPicture): void {
		const { platform, factory, run } = this.#options;
		const image = this.#imageOf(picture);
		if (this.#tray === null) {
			this.#tray = factory.create(image);
			// Windows and Linux: the click that users expect to open the window. On macOS a click opens the menu.
			if (platform !== 'darwin') this.#tray.onActivate(() => run({ kind: 'show' }));
		}
		this.#tray.setImage(image);
		this.#tray.setToolTip(picture.tooltip);
		if (platform === 'darwin') this.#tray.setTitle(countMark(picture.badge.count) ?? '');
		// Last: on Linux earlier changes show only once the menu is set again, and no click is sure to arrive there.
		this.#tray.setContextMenu(picture.menu, run);
	}

	#imageOf(picture: TrayPicture): Image {
		const { platform, factory, report } = this.#options;
		const file = trayImageFile(platform, picture.icon, picture.badge.count);
		const image = factory.loadImage(file);
		if (image !== null) return image;
		report('drawing the tray icon', new Error(`${file} is missing or is no image`));
		const fallback = factory.loadImage(FALLBACK_IMAGE_FILE);
		if (fallback === null) throw new Error(`${FALLBACK_IMAGE_FILE} is missing or is no image`);
		return fallback;
	}

	/** Without a tray the app goes on; it must only not hide its window behind an icon that is not there. */
	#giveUp(error: unknown): void {
		this.#options.report('showing the tray icon; closing the window will quit instead of hiding it', error);
		this.dispose();
	}
}
