/** The application menu: the standard roles, so that every platform's own habits and shortcuts work. Pure. */
import type { MenuItemConstructorOptions } from 'electron';

export interface ApplicationMenuOptions {
	readonly platform: NodeJS.Platform;
	/** Developer tools are for a checkout, not for an installed app. */
	readonly developerTools: boolean;
	readonly showFloor: () => void;
}

/** The template for `Menu.buildFromTemplate`. */
export function applicationMenu(options: ApplicationMenuOptions): MenuItemConstructorOptions[] {
	const mac = options.platform === 'darwin';
	const showFloor: MenuItemConstructorOptions = { label: 'Show the Floor', click: () => options.showFloor() };
	return [
		...(mac ? [{ role: 'appMenu' } as const] : []),
		{
			label: '&File',
			submenu: [
				showFloor,
				{ type: 'separator' },
				mac ? { role: 'close' } : { role: 'quit', label: 'Quit Agent Floor' },
			],
		},
		{ role: 'editMenu' },
		{
			label: '&View',
			submenu: [
				{ role: 'reload' },
				...(options.developerTools ? [{ role: 'toggleDevTools' } as const] : []),
				{ type: 'separator' },
				{ role: 'resetZoom' },
				{ role: 'zoomIn' },
				{ role: 'zoomOut' },
				{ type: 'separator' },
				{ role: 'togglefullscreen' },
			],
		},
		{ role: 'windowMenu' },
		// On macOS "about" stands in the app's own menu.
		...(mac ? [] : [{ label: '&Help', submenu: [{ role: 'about', label: 'About Agent Floor' } as const] }]),
	];
}
