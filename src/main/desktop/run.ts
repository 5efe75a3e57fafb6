/** The life of the desktop program: one instance, ready, running, drained, gone. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, shell } from 'electron';
import type { FloorApp, StartOptions } from '../floor-app.ts';
import { readArguments } from './arguments.ts';
import { Desktop } from './desktop.ts';
import { drain } from './drain.ts';
import { registerAppScheme, serveAppScheme } from './scheme/app-scheme.ts';
import { denyPermissions, hardenWebContents } from './security.ts';
import { startProblemOf } from './start-problem.ts';

/** The floor may take this long to close its books before the program ends anyway. ms */
const DRAIN_DEADLINE_MS = 5_000;

export interface RunOptions {
	/** The composition. Rejects with an error in words. */
	readonly startFloor: (options: StartOptions) => Promise<FloorApp>;
	readonly version: string;
	/** Command line without the program and, in a checkout, with the app's path: flags are found anywhere in it. */
	readonly args: readonly string[];
	/** Data directory for the `--data` flag, or for none. */
	readonly resolveDataDirectory: (flag: string | undefined) => string;
	/** Directory of the package: `out` and `resources` are in it. */
	readonly root: string;
}

/**
 * Everything that must happen before the app is ready happens synchronously in this call; nothing may be awaited before
 * it at the top level of the entry, where Electron would wait for the entry and the entry for Electron.
 */
export function runDesktop({ startFloor, version, args, resolveDataDirectory, root }: RunOptions): void {
	try {
		const { dataDirectory: flag, port, demo, openWindow } = readArguments(args);
		const dataDirectory = resolveDataDirectory(flag ?? undefined);
		nameApp();
		if (!takeTheOnlyPlace(dataDirectory)) return;
		hardenWebContents(report);
		registerAppScheme();
		const start = (): Promise<FloorApp> =>
			startFloor({
				dataDirectory,
				windowDirectory: join(root, 'out', 'renderer'),
				...(port === null ? {} : { port }),
				demo,
				version,
			});
		new Program({ start, dataDirectory, root, openWindow }).run();
	} catch (error) {
		report('starting', error);
		const { what, means, remedy } = startProblemOf(error);
		dialog.showErrorBox(what, `${means}\n\n${remedy}`);
		app.exit(1);
	}
}

function nameApp(): void {
	app.setName('Agent Floor');
	if (process.platform === 'win32') app.setAppUserModelId('agent-floor');
	// The launcher's badge belongs to the desktop file of this name.
	if (process.platform === 'linux') app.setDesktopName('agent-floor.desktop');
}

/** One instance for each data directory, and no trace of the window's profile outside of it. */
function takeTheOnlyPlace(dataDirectory: string): boolean {
	const profile = join(dataDirectory, 'desktop-profile');
	mkdirSync(profile, { recursive: true, mode: 0o700 });
	app.setPath('userData', profile);
	if (app.requestSingleInstanceLock()) return true;
	process.stdout.write('Agent Floor runs already; its window is shown.\n');
	app.quit();
	return false;
}

interface ProgramOptions {
	readonly start: () => Promise<FloorApp>;
	readonly dataDirectory: string;
	readonly root: string;
	readonly openWindow: boolean;
}

class Program {
	readonly #options: ProgramOptions;
	#starting: Promise<FloorApp> | null = null;
	#desktop: Desktop | null = null;
	#quitting = false;

	constructor(options: ProgramOptions) {
		this.#options = options;
	}

	run(): void {
		process.on('uncaughtException', (error) => this.#die(error));
		process.on('unhandledRejection', (error) => report('something nobody waited for', error));
		app.on('second-instance', () => this.#desktop?.show());
		app.on('activate', () => this.#desktop?.show());
		// The floor lives without a window; what closing it means is decided where it is closed.
		app.on('window-all-closed', () => {});
		app.on('before-quit', (event) => this.#beforeQuit(event));
		app.on('child-process-gone', (_event, { type, reason }) => {
			if (reason !== 'clean-exit') report('running', new Error(`the ${type} process is gone: ${reason}`));
		});
		app
			.whenReady()
			.then(() => this.#ready())
			.catch((error: unknown) => this.#cannotStart(error));
	}

	async #ready(): Promise<void> {
		const { start, dataDirectory, root, openWindow } = this.#options;
		denyPermissions();
		serveAppScheme(join(root, 'out', 'renderer'), report);
		this.#starting = start();
		const floor = await this.#starting;
		if (this.#quitting) return;
		if (!openWindow) process.stdout.write(`Agent Floor is at ${floor.address}\n`);
		this.#desktop = new Desktop({
			floor,
			dataDirectory,
			root,
			openWindow,
			isQuitting: () => this.#quitting,
			report,
		});
	}

	/** Holds the end back until the floor has closed its books. `app.quit` would be ignored by then, `app.exit` is not. */
	#beforeQuit(event: { preventDefault(): void }): void {
		event.preventDefault();
		if (this.#quitting) return;
		this.#quitting = true;
		void this.#drain().then(() => app.exit(0));
	}

	async #drain(): Promise<void> {
		this.#desktop?.dispose();
		this.#desktop = null;
		const outcome = await drain(async () => {
			const floor = await this.#starting;
			await floor?.stop();
		}, DRAIN_DEADLINE_MS);
		if (outcome.kind === 'failed') report('stopping the floor', outcome.error);
		if (outcome.kind === 'late')
			report('stopping the floor', new Error(`not done within ${DRAIN_DEADLINE_MS} ms`));
	}

	async #cannotStart(error: unknown): Promise<void> {
		if (this.#quitting) return;
		this.#quitting = true;
		report('starting', error);
		const { what, means, remedy, address } = startProblemOf(error);
		const { response } = await dialog.showMessageBox({
			type: 'error',
			message: what,
			detail: `${means}\n\n${remedy}`,
			buttons: address === null ? ['Quit'] : ['Quit', 'Open the running floor'],
			defaultId: address === null ? 0 : 1,
			cancelId: 0,
		});
		if (response === 1 && address !== null) await shell.openExternal(address);
		app.exit(1);
	}

	/** A fault of ours in the main process: what it left behind cannot be trusted, so say so and end. */
	#die(error: unknown): void {
		report('running', error);
		if (this.#quitting) return;
		this.#quitting = true;
		void this.#drain().then(() => {
			dialog.showErrorBox(
				'Agent Floor had to close.',
				`It met a fault of its own: ${error instanceof Error ? error.message : String(error)}\n\nAgents connected by hooks work on, and nobody watches them; those that talk through the gateway reach no provider until it is started again.`,
			);
			app.exit(1);
		});
	}
}

/** Standard error is where a desktop program's supervisor looks; `npm start` shows it. */
function report(doing: string, error: unknown): void {
	const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
	process.stderr.write(`agent-floor: ${doing}: ${told}\n`);
}
