/** The one window: created when first needed, hidden and shown again, reloaded within limits when its page dies. */
import { BrowserWindow, dialog, nativeTheme, type RenderProcessGoneDetails, screen } from 'electron';
import type { Disposable } from '../../../shared/disposable.ts';
import { PushOutlet } from '../ipc/push-outlet.ts';
import { APP_ORIGIN } from '../origin.ts';
import type { ReportFailure } from '../report-failure.ts';
import { CRASH_PAGE_PATH } from '../scheme/crash-page.ts';
import { afterPageGone, type CrashCause } from './reload-policy.ts';
import { boundsToOpen, MINIMUM_SIZE } from './window-state.ts';
import type { WindowStateFile } from './window-state-file.ts';

/** `--ground` of the window's tokens: what is seen before the first paint. */
const GROUND = { light: '#edf0f1', dark: '#101416' } as const;

export interface FloorWindowOptions {
	readonly preload: string;
	readonly icon: string;
	readonly developerTools: boolean;
	readonly stateFile: WindowStateFile;
	/** The close button was pressed and the app is not quitting: decide what becomes of the window. */
	readonly onCloseRequest: () => void;
	/** The window was seen, hidden, or given the focus. */
	readonly onAttention: () => void;
	/** Windows ends the session and will not wait. */
	readonly onSessionEnd: () => void;
	readonly isQuitting: () => boolean;
	readonly report: ReportFailure;
}

export class FloorWindow implements Disposable {
	readonly outlet: PushOutlet;
	readonly #window: BrowserWindow;
	readonly #options: FloorWindowOptions;
	#reloads: readonly number[] = [];
	#showsCrashPage = false;
	#reloadWhenShown = false;

	constructor(options: FloorWindowOptions) {
		this.#options = options;
		const saved = options.stateFile.read();
		this.#window = new BrowserWindow({
			...boundsToOpen(saved?.bounds ?? null, workAreas()),
			minWidth: MINIMUM_SIZE.width,
			minHeight: MINIMUM_SIZE.height,
			show: false,
			title: 'Agent Floor',
			icon: options.icon,
			backgroundColor: ground(),
			webPreferences: {
				preload: options.preload,
				sandbox: true,
				contextIsolation: true,
				nodeIntegration: false,
				webviewTag: false,
				navigateOnDragDrop: false,
				devTools: options.developerTools,
				// It would fetch dictionaries from the network.
				spellcheck: false,
			},
		});
		this.outlet = new PushOutlet(this.#window.webContents, options.report);
		this.#watchWindow();
		this.#watchPage();
		// "Maximise" shows the window, so it has to wait for the first paint like showing it.
		this.#window.once('ready-to-show', () =>
			saved?.maximized ? this.#window.maximize() : this.#window.show(),
		);
		this.#load(`${APP_ORIGIN}/`);
	}

	/** Where Windows draws a badge. */
	get browserWindow(): BrowserWindow {
		return this.#window;
	}

	/** True while the operator has it before them. */
	get isAttended(): boolean {
		return !this.#window.isDestroyed() && this.#window.isVisible() && this.#window.isFocused();
	}

	isPage(webContentsId: number): boolean {
		return !this.#window.isDestroyed() && this.#window.webContents.id === webContentsId;
	}

	setTitle(title: string): void {
		if (!this.#window.isDestroyed()) this.#window.setTitle(title);
	}

	/** Brings the window before the operator, and the agent into it when one is named. */
	show(agentId: string | null = null): void {
		if (this.#window.isDestroyed()) return;
		if (this.#window.isMinimized()) this.#window.restore();
		this.#window.show();
		this.#window.focus();
		if (agentId === null || this.#showsCrashPage) return;
		const url = `${APP_ORIGIN}/#agent=${encodeURIComponent(agentId)}`;
		// A change of the fragment alone stays within the page; the same address again would reload it.
		if (this.#window.webContents.getURL() !== url) this.#load(url);
	}

	hide(): void {
		this.saveState();
		if (!this.#window.isFullScreen()) {
			this.#window.hide();
			return;
		}
		// macOS keeps a black space behind where a full-screen window was hidden.
		this.#window.once('leave-full-screen', () => this.#window.hide());
		this.#window.setFullScreen(false);
	}

	saveState(): void {
		if (this.#window.isDestroyed()) return;
		const maximized = this.#window.isMaximized();
		this.#options.stateFile.write({ bounds: this.#window.getNormalBounds(), maximized });
	}

	dispose(): void {
		if (!this.#window.isDestroyed()) this.#window.destroy();
	}

	#watchWindow(): void {
		const window = this.#window;
		const { onAttention, onCloseRequest, onSessionEnd, isQuitting } = this.#options;
		window.on('close', (event) => {
			this.saveState();
			if (isQuitting()) return;
			event.preventDefault();
			onCloseRequest();
		});
		window.on('focus', onAttention);
		window.on('hide', onAttention);
		window.on('show', () => {
			if (this.#reloadWhenShown) this.#reload();
			onAttention();
		});
		// The title carries the count and is the composer's; the page's own would take it away.
		window.on('page-title-updated', (event) => event.preventDefault());
		window.on('session-end', onSessionEnd);
		window.on('unresponsive', () => void this.#askAboutHang());
		const recolour = (): void => {
			if (!window.isDestroyed()) window.setBackgroundColor(ground());
		};
		nativeTheme.on('updated', recolour);
		window.on('closed', () => nativeTheme.off('updated', recolour));
	}

	#watchPage(): void {
		const { webContents } = this.#window;
		webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument, url }) => {
			if (!isMainFrame || isSameDocument) return;
			this.outlet.silent();
			this.#showsCrashPage = new URL(url).pathname === CRASH_PAGE_PATH;
		});
		webContents.on('render-process-gone', (_event, details) => this.#pageGone(details));
		webContents.on('preload-error', (_event, path, error) => this.#options.report(`loading ${path}`, error));
	}

	#pageGone({ reason, exitCode }: RenderProcessGoneDetails): void {
		this.outlet.silent();
		if (this.#options.isQuitting()) return;
		const { verdict, reloads } = afterPageGone(this.#reloads, {
			reason,
			visible: this.#window.isVisible(),
			showing: this.#showsCrashPage ? 'crash-page' : 'floor',
			at: Date.now(),
		});
		this.#reloads = reloads;
		if (verdict.kind === 'ignore') return;
		this.#options.report('showing the window', new Error(`its process is gone: ${reason}, code ${exitCode}`));
		if (verdict.kind === 'reload') this.#reload();
		else if (verdict.kind === 'reload-when-shown') this.#reloadWhenShown = true;
		else if (verdict.kind === 'crash-page') this.#showCrashPage(verdict.cause);
		else showHopeless();
	}

	#reload(): void {
		this.#reloadWhenShown = false;
		// Not within the event: Chromium has not yet done with the process that is gone.
		setImmediate(() => {
			if (!this.#window.isDestroyed()) this.#window.webContents.reload();
		});
	}

	#showCrashPage(cause: CrashCause): void {
		setImmediate(() => {
			if (!this.#window.isDestroyed()) this.#load(`${APP_ORIGIN}${CRASH_PAGE_PATH}?cause=${cause}`);
		});
	}

	#load(url: string): void {
		this.#window.loadURL(url).catch((error: unknown) => {
			this.#options.report(`loading ${url}`, error);
			// "Ready to show" may never come now, and an invisible window tells nobody.
			if (!this.#window.isDestroyed() && !this.#window.isVisible()) this.#window.show();
		});
	}

	async #askAboutHang(): Promise<void> {
		const recovered = new AbortController();
		this.#window.once('responsive', () => recovered.abort());
		const { response } = await dialog.showMessageBox(this.#window, {
			type: 'warning',
			message: 'The window does not respond.',
			detail: 'The floor itself goes on: agents are watched as before. Wait, or load the window again.',
			buttons: ['Wait', 'Load again'],
			defaultId: 0,
			cancelId: 0,
			signal: recovered.signal,
		});
		// The death of the process goes through the reload policy like any other.
		if (response === 1 && !this.#window.isDestroyed()) this.#window.webContents.forcefullyCrashRenderer();
	}
}

function showHopeless(): void {
	dialog.showErrorBox(
		'The window cannot be drawn.',
		'The floor itself goes on: agents are watched as before. Open it in a browser with "agent-floor open", or quit and start it again.',
	);
}

function ground(): string {
	return nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light;
}

function workAreas(): Electron.Rectangle[] {
	const primary = screen.getPrimaryDisplay();
	const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
	return [primary, ...others].map((display) => display.workArea);
}
