/** The desktop around a running floor: window, transport, tray, badge and notifications, each told of every change. */
import { join } from 'node:path';
import { app, dialog, ipcMain, Menu, type NativeImage, powerMonitor } from 'electron';
import { WINDOW_LISTENS } from '../../shared/channel-names.ts';
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import type { Notice } from '../../shared/notice.ts';
import { isInView } from '../../shared/notice-in-view.ts';
import { composeTray, type TrayCommand } from '../../shared/tray.ts';
import type { FloorApp } from '../floor-app.ts';
import { applicationMenu } from './application-menu.ts';
import { serveRequests } from './ipc/request-transport.ts';
import { isTrustedSender, type SenderEvent } from './ipc/sender.ts';
import { electronNotifications } from './notifications/electron-notifications.ts';
import { NotificationService } from './notifications/notification-service.ts';
import type { ReportFailure } from './report-failure.ts';
import { showBadge } from './tray/app-badge.ts';
import { ElectronTrayFactory } from './tray/electron-tray.ts';
import { hasStatusNotifierHost } from './tray/status-notifier-host.ts';
import { TrayService } from './tray/tray-service.ts';
import { closeBehaviour } from './window/close-behaviour.ts';
import { FloorWindow } from './window/floor-window.ts';
import { WindowStateFile } from './window/window-state-file.ts';

/** Changes within this time are drawn at once. ms */
const COALESCE_MS = 250;
/** Without any change the heartbeat may have stopped: look again. ms */
const LOOK_AGAIN_MS = 10_000;

export interface DesktopOptions {
	readonly floor: FloorApp;
	readonly dataDirectory: string;
	/** Directory of the package: `out` and `resources` are in it. */
	readonly root: string;
	/** False: start without a window; the tray, or a second start, opens it. */
	readonly openWindow: boolean;
	readonly isQuitting: () => boolean;
	readonly report: ReportFailure;
}

export class Desktop implements Disposable {
	readonly #options: DesktopOptions;
	readonly #resources: string;
	readonly #stateFile: WindowStateFile;
	readonly #tray: TrayService<NativeImage>;
	readonly #notifications: NotificationService;
	readonly #held = new DisposableStore();
	#window: FloorWindow | null = null;
	#refreshTimer: NodeJS.Timeout | null = null;
	/** A second press of the close button must not ask a second time. */
	#closing = false;

	/** The app is ready and the scheme is served. */
	constructor(options: DesktopOptions) {
		this.#options = options;
		const { root, dataDirectory, report } = options;
		this.#resources = join(root, 'resources');
		this.#stateFile = new WindowStateFile(dataDirectory, report);
		this.#tray = this.#held.add(
			new TrayService({
				platform: process.platform,
				factory: new ElectronTrayFactory(this.#resources),
				run: (command) => this.#run(command),
				report,
			}),
		);
		this.#notifications = this.#held.add(
			new NotificationService({
				factory: electronNotifications,
				isInView: (notice) => this.#isInView(notice),
				openAgent: (agentId) => this.show(agentId),
				failed: (key) => options.floor.noticeFailed(key),
				report,
			}),
		);
		this.#connect();
		this.#watchPower();
		this.#setMenu();
		if (options.openWindow) this.show();
		this.#refresh();
	}

	/** Brings the window before the operator, and the agent into it when one is named. */
	show(agentId: string | null = null): void {
		this.#window ??= this.#createWindow();
		this.#window.show(agentId);
	}

	dispose(): void {
		if (this.#refreshTimer !== null) clearTimeout(this.#refreshTimer);
		this.#window?.saveState();
		this.#held.dispose();
		this.#window?.dispose();
		this.#window = null;
	}

	#createWindow(): FloorWindow {
		const { root, isQuitting, report, floor } = this.#options;
		return new FloorWindow({
			preload: join(root, 'out', 'preload', 'index.cjs'),
			icon: join(this.#resources, 'icon.png'),
			developerTools: !app.isPackaged,
			stateFile: this.#stateFile,
			onCloseRequest: () => void this.#closeWindow(),
			onAttention: () => this.#refreshSoon(),
			onSessionEnd: () => {
				floor.stop().catch((error: unknown) => report('stopping the floor at the end of the session', error));
			},
			isQuitting,
			report,
		});
	}

	#connect(): void {
		const { floor, report } = this.#options;
		const isOwnWindow = (id: number): boolean => this.#window?.isPage(id) ?? false;
		this.#held.add(
			serveRequests(ipcMain, floor.handlers, {
				isOwnWindow,
				checkOutput: !app.isPackaged,
				onUnexpected: (channel, error) => report(`answering ${channel}`, error),
				onRefused: (channel, event) => report(`answering ${channel}`, foreignSender(event)),
			}),
		);
		const listens = (event: SenderEvent): void => {
			if (isTrustedSender(event, isOwnWindow)) this.#window?.outlet.listening();
			else report('hearing that a window listens', foreignSender(event));
		};
		ipcMain.on(WINDOW_LISTENS, listens);
		this.#held.onDispose(() => ipcMain.off(WINDOW_LISTENS, listens));

		for (const channel of ['floor:delta', 'control:breakerState', 'settings:changed'] as const) {
			this.#held.add(floor.subscribe(channel, (payload) => this.#window?.outlet.push(channel, payload)));
		}
		this.#held.add(floor.subscribe('floor:delta', () => this.#refreshSoon()));
		this.#held.add(floor.subscribe('floor:notices', (notices) => this.#notifications.take(notices)));
		const looking = setInterval(() => this.#refreshSoon(), LOOK_AGAIN_MS);
		this.#held.onDispose(() => clearInterval(looking));
	}

	#watchPower(): void {
		const { floor } = this.#options;
		const suspended = (): void => floor.noteSuspend();
		const resumed = (): void => {
			floor.noteResume();
			this.#tray.redraw();
		};
		powerMonitor.on('suspend', suspended);
		powerMonitor.on('resume', resumed);
		powerMonitor.on('shutdown', quit);
		this.#held.onDispose(() => {
			powerMonitor.off('suspend', suspended);
			powerMonitor.off('resume', resumed);
			powerMonitor.off('shutdown', quit);
		});
	}

	#setMenu(): void {
		const template = applicationMenu({
			platform: process.platform,
			developerTools: !app.isPackaged,
			showFloor: () => this.show(),
		});
		Menu.setApplicationMenu(Menu.buildFromTemplate(template));
		app.setAboutPanelOptions({ applicationName: 'Agent Floor', applicationVersion: app.getVersion() });
	}

	#refreshSoon(): void {
		this.#refreshTimer ??= setTimeout(() => this.#refresh(), COALESCE_MS);
	}

	#refresh(): void {
		if (this.#refreshTimer !== null) clearTimeout(this.#refreshTimer);
		this.#refreshTimer = null;
		const snapshot = this.#options.floor.snapshot();
		const picture = composeTray(snapshot, Date.now());
		this.#tray.show(picture);
		this.#window?.setTitle(picture.title);
		showBadge(picture.badge, {
			window: this.#window?.browserWindow ?? null,
			resources: this.#resources,
			report: this.#options.report,
		});
	}

	#isInView(notice: Notice): boolean {
		const window = this.#window;
		if (!window?.isAttended) return false;
		const { failover, incidents } = this.#options.floor.snapshot();
		const page = pageOf(window.browserWindow.webContents.getURL());
		// Which drawer is open, only the page knows: rather a notice too many.
		return isInView(notice, { page, drawerAgentId: null, questions: failover, incidents });
	}

	#run(command: TrayCommand): void {
		if (command.kind === 'quit') quit();
		else this.show(command.kind === 'show-agent' ? command.agentId : null);
	}

	async #closeWindow(): Promise<void> {
		if (this.#closing) return;
		this.#closing = true;
		try {
			await this.#hideOrQuit();
		} finally {
			this.#closing = false;
		}
	}

	async #hideOrQuit(): Promise<void> {
		// Asked each time: on Linux the tray can come and go with a desktop extension.
		const trayIsShown =
			this.#tray.exists && (process.platform !== 'linux' || (await hasStatusNotifierHost()));
		const agents = this.#options.floor.snapshot().agents.filter((agent) => agent.state.kind !== 'exited');
		const behaviour = closeBehaviour({
			platform: process.platform,
			trayIsShown,
			agentsAtWork: agents.length,
		});
		if (behaviour === 'hide') this.#window?.hide();
		else if (behaviour === 'quit' || (await this.#mayQuit(agents.length))) quit();
	}

	async #mayQuit(agentsAtWork: number): Promise<boolean> {
		if (this.#window === null) return true;
		const { response } = await dialog.showMessageBox(this.#window.browserWindow, {
			type: 'question',
			message: 'Quit Agent Floor?',
			detail: `${agentsAtWork === 1 ? 'One agent goes' : `${agentsAtWork} agents go`} on without being watched, steered or stopped. This desktop shows no tray icon, so the window cannot be hidden there; minimise it to keep the floor running.`,
			buttons: ['Keep running', 'Quit'],
			defaultId: 0,
			cancelId: 0,
		});
		return response === 1;
	}
}

/** The page that the window's address names; `null`: none of the floor's. */
function pageOf(address: string): string | null {
	if (!URL.canParse(address)) return null;
	const { pathname, hash } = new URL(address);
	if (pathname !== '/') return null;
	// A link to an agent stands there only until the page has followed it.
	return hash.startsWith('#agent=') ? null : hash.replace(/^#\/?/, '') || 'floor';
}

function quit(): void {
	app.quit();
}

function foreignSender(event: SenderEvent): Error {
	return new Error(`refused: it came from ${event.senderFrame?.url ?? 'a frame that is gone'}`);
}
