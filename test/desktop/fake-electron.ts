/**
 * Stands in for the module `electron` under plain Node: what the desktop uses of it and no more, everything that is asked
 * of it written down, every event to be raised by the test. It draws nothing.
 */
import { EventEmitter } from 'node:events';

export interface FakeEvent {
	defaultPrevented: boolean;
	preventDefault(): void;
}

export function fakeEvent<T extends object>(fields: T): T & FakeEvent {
	return Object.assign(
		{
			defaultPrevented: false,
			preventDefault(this: FakeEvent): void {
				this.defaultPrevented = true;
			},
		},
		fields,
	);
}

/** Calls in order, as "what argument". */
export const log: string[] = [];

export class FakeWebContents extends EventEmitter {
	readonly id = 7;
	readonly sent: unknown[][] = [];
	url = '';
	openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
	isDestroyed = (): boolean => false;
	isCrashed = (): boolean => false;
	getURL = (): string => this.url;
	send = (...args: unknown[]): void => void this.sent.push(args);
	reload = (): void => void log.push('reload');
	forcefullyCrashRenderer = (): void => void log.push('crash the page');
	setWindowOpenHandler = (handler: FakeWebContents['openHandler']): void => {
		this.openHandler = handler;
	};
}

export class FakeBrowserWindow extends EventEmitter {
	static last: FakeBrowserWindow | null = null;
	readonly webContents = new FakeWebContents();
	readonly options: Record<string, unknown>;
	title = '';
	visible = false;
	focused = false;
	destroyed = false;
	failsToLoad = false;

	constructor(options: Record<string, unknown>) {
		super();
		this.options = options;
		FakeBrowserWindow.last = this;
		app.emit('web-contents-created', {}, this.webContents);
	}

	isDestroyed = (): boolean => this.destroyed;
	isVisible = (): boolean => this.visible;
	isFocused = (): boolean => this.focused;
	isMinimized = (): boolean => false;
	isMaximized = (): boolean => false;
	isFullScreen = (): boolean => false;
	getNormalBounds = () => ({ x: 10, y: 20, width: 800, height: 600 });
	setBackgroundColor = (): void => {};
	setOverlayIcon = (_image: unknown, description: string): void => void log.push(`overlay ${description}`);
	setTitle = (title: string): void => {
		this.title = title;
	};
	show = (): void => {
		this.visible = true;
		this.emit('show');
	};
	hide = (): void => {
		this.visible = false;
		log.push('hide');
		this.emit('hide');
	};
	focus = (): void => {
		this.focused = true;
		this.emit('focus');
	};
	maximize = (): void => this.show();
	destroy = (): void => {
		this.destroyed = true;
		this.emit('closed');
	};
	loadURL = async (url: string): Promise<void> => {
		log.push(`load ${url}`);
		const isSameDocument = this.webContents.url.split('#')[0] === url.split('#')[0];
		this.webContents.url = url;
		this.webContents.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument });
	};
}

class FakeApp extends EventEmitter {
	isPackaged = false;
	hasLock = true;
	dock = { setBadge: (text: string): void => void log.push(`dock badge ${text}`) };
	becomeReady: () => void = () => {};
	readonly ready = new Promise<void>((resolve) => {
		this.becomeReady = resolve;
	});

	whenReady = (): Promise<void> => this.ready;
	setName = (name: string): void => void log.push(`name ${name}`);
	setPath = (name: string, path: string): void => void log.push(`path ${name} ${path}`);
	setDesktopName = (): void => {};
	setAppUserModelId = (): void => {};
	setAboutPanelOptions = (): void => {};
	getVersion = (): string => '0.0.0';
	enableSandbox = (): void => void log.push('sandbox');
	setBadgeCount = (count: number): boolean => log.push(`badge ${count}`) > 0;
	requestSingleInstanceLock = (): boolean => {
		log.push('lock');
		return this.hasLock;
	};
	quit = (): void => {
		log.push('quit');
		this.emit('before-quit', fakeEvent({}));
	};
	exit = (code: number): void => void log.push(`exit ${code}`);
}

export const app = new FakeApp();

export const ipcMain = Object.assign(new EventEmitter(), {
	handlers: new Map<string, (event: unknown, input: unknown) => Promise<unknown>>(),
	handle(channel: string, listener: (event: unknown, input: unknown) => Promise<unknown>): void {
		ipcMain.handlers.set(channel, listener);
	},
	removeHandler: (channel: string): void => void ipcMain.handlers.delete(channel),
});

export class FakeTray extends EventEmitter {
	static last: FakeTray | null = null;
	/** Set: the system has no tray. */
	static broken = false;
	tooltip = '';
	menu: { label?: string; click?: () => void }[] = [];
	destroyed = false;

	constructor() {
		super();
		if (FakeTray.broken) throw new Error('no tray here');
		FakeTray.last = this;
	}

	setImage = (): void => {};
	setTitle = (): void => {};
	setToolTip = (text: string): void => {
		this.tooltip = text;
	};
	setContextMenu = (menu: FakeTray['menu']): void => {
		this.menu = menu;
	};
	isDestroyed = (): boolean => this.destroyed;
	destroy = (): void => {
		this.destroyed = true;
	};
}

interface FakeNotificationOptions {
	readonly id: string;
	readonly title: string;
	readonly silent: boolean;
}

export class FakeNotification extends EventEmitter {
	static shown: FakeNotificationOptions[] = [];
	static last: FakeNotification | null = null;
	static isSupported = (): boolean => true;
	readonly #options: FakeNotificationOptions;

	constructor(options: FakeNotificationOptions) {
		super();
		this.#options = options;
		FakeNotification.last = this;
	}

	show = (): void => void FakeNotification.shown.push(this.#options);
	close = (): void => {};
}

type Deny = (...args: unknown[]) => unknown;
export const session = {
	handlers: new Map<string, Deny>(),
	defaultSession: {
		setPermissionRequestHandler: (handler: Deny): void => void session.handlers.set('request', handler),
		setPermissionCheckHandler: (handler: Deny): void => void session.handlers.set('check', handler),
		setDevicePermissionHandler: (handler: Deny): void => void session.handlers.set('device', handler),
	},
};

export const protocol = {
	handler: null as null | ((request: Request) => Promise<Response>),
	registerSchemesAsPrivileged: (schemes: { scheme: string }[]): void =>
		void log.push(`scheme ${schemes.map(({ scheme }) => scheme).join()}`),
	handle: (_scheme: string, handler: (request: Request) => Promise<Response>): void => {
		protocol.handler = handler;
	},
};

export const dialog = {
	/** What the next question is answered with. */
	answer: 0,
	asked: [] as { message: string; detail: string; buttons: string[] }[],
	showMessageBox: async (...args: unknown[]): Promise<{ response: number }> => {
		dialog.asked.push(args.at(-1) as (typeof dialog.asked)[number]);
		return { response: dialog.answer };
	},
	showErrorBox: (title: string): void => void log.push(`error box ${title}`),
};

export const shell = {
	opened: [] as string[],
	openExternal: async (url: string): Promise<void> => void shell.opened.push(url),
};

export const powerMonitor = new EventEmitter();
export const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: true });
export const nativeImage = { createFromPath: () => ({ isEmpty: () => false, setTemplateImage: () => {} }) };
export const Menu = {
	setApplicationMenu: (): void => {},
	buildFromTemplate: <T>(template: T): T => template,
};
const display = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
export const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] };

export { FakeBrowserWindow as BrowserWindow, FakeNotification as Notification, FakeTray as Tray };
