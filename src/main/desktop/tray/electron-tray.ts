/** Electron's tray behind the interface of `TrayService`. */
import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, type NativeImage, nativeImage, Tray } from 'electron';
import type { TrayCommand, TrayMenuItem } from '../../../shared/tray.ts';
import type { TrayFactory, TrayHandle } from './tray-service.ts';

export class ElectronTrayFactory implements TrayFactory<NativeImage> {
	readonly #resources: string;

	constructor(resources: string) {
		this.#resources = resources;
	}

	loadImage(file: string): NativeImage | null {
		const image = nativeImage.createFromPath(join(this.#resources, file));
		if (image.isEmpty()) return null;
		// The name ending in "Template" says the same; said twice, a renamed file cannot turn the icon black on black.
		if (/Template\.png$/.test(file)) image.setTemplateImage(true);
		return image;
	}

	create(image: NativeImage): TrayHandle<NativeImage> {
		return new ElectronTray(image);
	}
}

class ElectronTray implements TrayHandle<NativeImage> {
	/** Held for as long as the icon shall stay: a collected `Tray` takes its icon away. */
	readonly #tray: Tray;

	constructor(image: NativeImage) {
		this.#tray = new Tray(image);
	}

	setImage(image: NativeImage): void {
		this.#tray.setImage(image);
	}

	setToolTip(text: string): void {
		this.#tray.setToolTip(text);
	}

	setTitle(text: string): void {
		this.#tray.setTitle(text, { fontType: 'monospacedDigit' });
	}

	setContextMenu(items: readonly TrayMenuItem[], run: (command: TrayCommand) => void): void {
		this.#tray.setContextMenu(Menu.buildFromTemplate(items.map((item) => templateOf(item, run))));
	}

	onActivate(listener: () => void): void {
		this.#tray.on('click', listener);
	}

	dispose(): void {
		if (!this.#tray.isDestroyed()) this.#tray.destroy();
	}
}

function templateOf(item: TrayMenuItem, run: (command: TrayCommand) => void): MenuItemConstructorOptions {
	switch (item.kind) {
		case 'separator':
			return { type: 'separator' };
		case 'text':
			return { label: menuLabel(item.label), enabled: false };
		case 'command':
			return { label: menuLabel(item.label), click: () => run(item.command) };
	}
}

/** A single `&` would be taken for the mark of an access key and vanish from an agent's name. */
function menuLabel(text: string): string {
	return text.replaceAll('&', '&&');
}
