import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FloorApp } from '../../src/main/floor-app.ts';
import type { RequestHandlers } from '../../src/shared/channels.ts';
import type { Notices } from '../../src/shared/notice.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import type * as FakeElectron from './fake-electron.ts';
import { agent, floor, NOON, needyAgent, noticeAbout, status } from './floor-fixture.ts';

const host = vi.hoisted(() => ({ registered: true }));
vi.mock('../../src/main/desktop/tray/status-notifier-host.ts', () => ({
	hasStatusNotifierHost: async () => host.registered,
}));

/** A floor that does as it is told. */
class FakeFloor implements FloorApp {
	readonly url = 'http://127.0.0.1:47100';
	readonly address = 'http://127.0.0.1:47100/?token=t';
	readonly calls: string[] = [];
	readonly #listeners = new Map<string, Set<(payload: never) => void>>();
	seen: FloorSnapshot = floor({ status: status({ nextBeatAt: null }) });
	stopping: Promise<void> = Promise.resolve();
	readonly handlers = { 'floor:snapshot': () => this.seen } as unknown as RequestHandlers;
	readonly windowAddress = (): string => 'http://127.0.0.1:1/?ticket=x';
	readonly subscribe: FloorApp['subscribe'] = (channel, listener) => {
		const listeners = this.#listeners.get(channel) ?? new Set();
		this.#listeners.set(channel, listeners.add(listener));
		return { dispose: () => listeners.delete(listener) };
	};

	snapshot(): FloorSnapshot {
		return this.seen;
	}

	noticeFailed(key: string): void {
		this.calls.push(`failed ${key}`);
	}

	noteSuspend(): void {
		this.calls.push('suspend');
	}

	noteResume(): void {
		this.calls.push('resume');
	}

	stop(): Promise<void> {
		this.calls.push('stop');
		return this.stopping;
	}

	change(seen: Partial<FloorSnapshot>): void {
		this.seen = { ...this.seen, ...seen };
		const delta = { epoch: 'e1', sequence: 2, at: NOON, agents: this.seen.agents };
		for (const listener of this.#listeners.get('floor:delta') ?? []) listener(delta as never);
	}

	tell(notices: Notices): void {
		for (const listener of this.#listeners.get('floor:notices') ?? []) listener(notices as never);
	}

	get listenerCount(): number {
		return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
	}
}

let electron: typeof FakeElectron;
let data = '';
let theFloor: FakeFloor;
let stderr: string[];
const platform = process.platform;

function setPlatform(value: NodeJS.Platform): void {
	Object.defineProperty(process, 'platform', { value });
}

/** Settles promises and the timers that are due at once. */
const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

async function run(
	args: string[] = [],
	startFloor: () => Promise<FloorApp> = async () => theFloor,
): Promise<void> {
	const { runDesktop } = await import('../../src/main/desktop/run.ts');
	runDesktop({
		startFloor,
		version: '0.0.0',
		args,
		resolveDataDirectory: (flag) => flag ?? data,
		root: '/srv/agent-floor',
	});
}

/** Started, ready, with a window that listens. */
async function started(args: string[] = []) {
	await run(args);
	electron.app.becomeReady();
	await settle();
	return { window: theWindow() };
}

function theWindow() {
	const { last } = electron.FakeBrowserWindow;
	if (!last) throw new Error('no window was made');
	return last;
}

const fromPage = (changes: object = {}) => ({
	sender: { id: 7 },
	senderFrame: { origin: 'app://floor', url: 'app://floor/', parent: null },
	...changes,
});

beforeEach(async () => {
	vi.resetModules();
	vi.useFakeTimers({
		toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
	});
	electron = await import('./fake-electron.ts');
	vi.doMock('electron', () => electron);
	data = mkdtempSync(join(tmpdir(), 'floor-desktop-'));
	theFloor = new FakeFloor();
	stderr = [];
	host.registered = true;
	setPlatform('linux');
	vi.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(String(text)) > 0);
	vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});

afterEach(() => {
	setPlatform(platform);
	vi.useRealTimers();
	vi.restoreAllMocks();
	process.removeAllListeners('uncaughtException');
	process.removeAllListeners('unhandledRejection');
	rmSync(data, { recursive: true });
});

describe('starting', () => {
	it('does what has to be done before the app is ready, in one go', async () => {
		await run();
		expect(electron.log).toEqual([
			'name Agent Floor',
			`path userData ${join(data, 'desktop-profile')}`,
			'lock',
			'sandbox',
			'scheme app',
		]);
		expect(electron.FakeBrowserWindow.last).toBeNull();
	});

	it('leaves the place to the one that runs, which shows its window', async () => {
		electron.app.hasLock = false;
		const start = vi.fn(async () => theFloor);
		await run([], start);
		electron.app.becomeReady();
		await settle();
		expect(electron.log.at(-1)).toBe('quit');
		expect(start).not.toHaveBeenCalled();
	});

	it('opens a sandboxed window on its own scheme', async () => {
		const { window } = await started();
		expect(window.options).toMatchObject({
			show: false,
			backgroundColor: '#101416',
			webPreferences: {
				preload: '/srv/agent-floor/out/preload/index.cjs',
				sandbox: true,
				contextIsolation: true,
				nodeIntegration: false,
				webviewTag: false,
				spellcheck: false,
			},
		});
		expect(electron.log).toContain('load app://floor/');
		window.emit('ready-to-show');
		expect(window.visible).toBe(true);
		const page = await electron.protocol.handler?.(new Request('app://floor/../../etc/passwd'));
		expect(page?.status).toBe(404);
	});

	it('starts without a window when asked to, and opens it for a second start', async () => {
		await run(['--no-open']);
		electron.app.becomeReady();
		await settle();
		expect(electron.FakeBrowserWindow.last).toBeNull();
		expect(electron.FakeTray.last).not.toBeNull();
		electron.app.emit('second-instance');
		expect(theWindow().visible).toBe(true);
	});

	it('says why it could not start, and offers the floor that runs already', async () => {
		const words = { what: 'A floor runs already.', means: 'Agents are watched by it.', remedy: 'Open it.' };
		// From the same, fresh registry of modules as the program.
		const { StartError } = await import('../../src/main/server/start-error.ts');
		const running = new StartError({
			code: 'already-running',
			...words,
			address: 'http://127.0.0.1:47100/?token=t',
		});
		electron.dialog.answer = 1;
		await run([], () => Promise.reject(running));
		electron.app.becomeReady();
		await settle();
		expect(electron.dialog.asked).toMatchObject([
			{
				message: 'A floor runs already.',
				detail: 'Agents are watched by it.\n\nOpen it.',
				buttons: ['Quit', 'Open the running floor'],
			},
		]);
		expect(electron.shell.opened).toEqual(['http://127.0.0.1:47100/?token=t']);
		expect(electron.log.at(-1)).toBe('exit 1');
	});

	it('says what is wrong with a flag before anything is started', async () => {
		const start = vi.fn(async () => theFloor);
		await run(['--port=http'], start);
		expect(electron.log.slice(-2)).toEqual([expect.stringContaining('--port takes a number'), 'exit 1']);
		expect(start).not.toHaveBeenCalled();
	});
});

describe('the window', () => {
	it('gets pushes once it listens, and only if it is ours that says so', async () => {
		const { window } = await started();
		theFloor.change({ agents: [agent('a')] });
		electron.ipcMain.emit('window:listens', fromPage({ sender: { id: 99 } }));
		expect(window.webContents.sent).toEqual([]);
		electron.ipcMain.emit('window:listens', fromPage());
		expect(window.webContents.sent).toMatchObject([['floor:delta', { sequence: 2 }]]);
	});

	it('is answered, and a stranger is not', async () => {
		await started();
		const ask = electron.ipcMain.handlers.get('floor:snapshot');
		expect(await ask?.(fromPage(), undefined)).toEqual({ ok: true, output: theFloor.seen });
		const inFrame = { senderFrame: { origin: 'app://floor', url: 'app://floor/', parent: {} } };
		expect(await ask?.(fromPage(inFrame), undefined)).toMatchObject({
			ok: false,
			error: { code: 'not-possible' },
		});
	});

	it('is loaded again when its page dies, three times, then shows the crash page', async () => {
		const { window } = await started();
		window.visible = true;
		electron.log.length = 0;
		for (let death = 0; death < 4; death += 1) {
			window.webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 });
			await settle(1);
		}
		expect(electron.log.filter((call) => /^(reload|load)/.test(call))).toEqual([
			'reload',
			'reload',
			'reload',
			'load app://floor/crashed?cause=memory',
		]);
		window.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
		expect(electron.log.at(-1)).toBe('error box The window cannot be drawn.');
	});

	it('gets no push while its page is being replaced', async () => {
		const { window } = await started();
		electron.ipcMain.emit('window:listens', fromPage());
		window.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
		theFloor.change({ agents: [agent('a')] });
		expect(window.webContents.sent).toEqual([]);
	});

	it('stays where it is: no navigation, no other window, no webview, no permission', async () => {
		const { window } = await started();
		const { webContents } = window;
		for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
			const away = electron.fakeEvent({ url: 'https://evil.example/' });
			const within = electron.fakeEvent({ url: 'app://floor/' });
			webContents.emit(event, away);
			webContents.emit(event, within);
			expect([event, away.defaultPrevented, within.defaultPrevented]).toEqual([event, true, false]);
		}
		const webview = electron.fakeEvent({});
		webContents.emit('will-attach-webview', webview);
		expect(webview.defaultPrevented).toBe(true);
		const opened = ['https://evil.example/', 'file:///etc/passwd', 'https://docs.claude.com/'].map((url) =>
			webContents.openHandler({ url }),
		);
		expect(opened).toEqual(opened.map(() => ({ action: 'deny' })));
		expect(electron.shell.opened).toEqual(['https://docs.claude.com/']);
		const granted = vi.fn();
		electron.session.handlers.get('request')?.(webContents, 'media', granted);
		expect(granted.mock.calls).toEqual([[false]]);
		expect(electron.session.handlers.get('check')?.(webContents, 'geolocation')).toBe(false);
		expect(electron.session.handlers.get('device')?.({})).toBe(false);
	});

	it('asks what to do while it hangs, and takes the question back when it recovers', async () => {
		const { window } = await started();
		electron.dialog.answer = 1;
		window.emit('unresponsive');
		await settle();
		expect(electron.log.at(-1)).toBe('crash the page');
		const [question] = electron.dialog.asked as unknown as { signal: AbortSignal }[];
		window.emit('responsive');
		expect(question?.signal.aborted).toBe(true);
	});
});

describe('closing the window', () => {
	async function close(): Promise<FakeElectron.FakeEvent> {
		const event = electron.fakeEvent({});
		theWindow().emit('close', event);
		await settle();
		return event;
	}

	it('hides it where a tray is drawn', async () => {
		await started();
		expect((await close()).defaultPrevented).toBe(true);
		expect(electron.log.at(-1)).toBe('hide');
		expect(theFloor.calls).not.toContain('stop');
	});

	it('quits where nobody draws a tray and no agent is left alone', async () => {
		host.registered = false;
		await started();
		await close();
		expect(electron.dialog.asked).toEqual([]);
		expect(theFloor.calls).toEqual(['stop']);
		expect(electron.log.at(-1)).toBe('exit 0');
	});

	it.each(['no host', 'no tray'])('asks first where agents would be left alone (%s)', async (why) => {
		if (why === 'no host') host.registered = false;
		else electron.FakeTray.broken = true;
		await started();
		theFloor.change({ agents: [agent('a'), needyAgent('b')] });
		await close();
		expect(electron.dialog.asked).toMatchObject([
			{
				message: 'Quit Agent Floor?',
				detail: expect.stringContaining('2 agents go on without being watched'),
			},
		]);
		expect(theFloor.calls).toEqual([]);
		electron.dialog.answer = 1;
		await close();
		expect(theFloor.calls).toEqual(['stop']);
	});

	it('hides it on macOS, where the dock brings it back', async () => {
		setPlatform('darwin');
		electron.FakeTray.broken = true;
		const { window } = await started();
		await close();
		expect(window.visible).toBe(false);
		electron.app.emit('activate');
		expect(window.visible).toBe(true);
	});
});

describe('tray, badge, title and notifications', () => {
	it('all say the same, soon after a change', async () => {
		const { window } = await started();
		window.focused = false;
		theFloor.change({ agents: [needyAgent('a'), agent('b')] });
		await settle(250);
		expect({
			tooltip: electron.FakeTray.last?.tooltip,
			title: window.title,
			badge: electron.log.filter((call) => call.startsWith('badge')).at(-1),
		}).toEqual({
			tooltip: 'Agent Floor: 1 needs you · 1 working',
			title: '(1) Agent Floor',
			badge: 'badge 1',
		});
	});

	it('shows what the engine tells, but for what the window shows already', async () => {
		const { window } = await started();
		const told = () => electron.FakeNotification.shown.map(({ id, silent }) => ({ id, silent }));
		const tell = (key: string, sound = false) =>
			theFloor.tell({ show: [noticeAbout(key, { sound })], withdraw: [] });
		window.focused = true;
		tell('on the floor');
		window.webContents.url = 'app://floor/#/settings';
		tell('on another page');
		window.focused = false;
		window.webContents.url = 'app://floor/';
		tell('elsewhere', true);
		expect(told()).toEqual([
			{ id: 'on another page', silent: true },
			{ id: 'elsewhere', silent: false },
		]);
	});

	it('tells the engine of a notification that the system refused', async () => {
		const { window } = await started();
		window.focused = false;
		theFloor.tell({ show: [noticeAbout('a')], withdraw: [] });
		electron.FakeNotification.last?.emit('failed', {}, 'not allowed');
		expect(theFloor.calls).toEqual(['failed a']);
	});

	it('show the agent that was chosen, with a name that keeps its &', async () => {
		const { window } = await started();
		theFloor.change({ agents: [needyAgent('a b', { name: 'R&D' })] });
		await settle(250);
		window.hide();
		electron.FakeTray.last?.menu.find(({ label }) => label?.startsWith('Needs you: R&&D'))?.click?.();
		expect(window.visible).toBe(true);
		expect(electron.log.at(-1)).toBe('load app://floor/#agent=a%20b');
	});
});

describe('power', () => {
	it('tells the floor of sleep and waking', async () => {
		await started();
		electron.powerMonitor.emit('suspend');
		electron.powerMonitor.emit('resume');
		expect(theFloor.calls).toEqual(['suspend', 'resume']);
	});

	it('ends with the machine', async () => {
		await started();
		electron.powerMonitor.emit('shutdown');
		await settle();
		expect(theFloor.calls).toEqual(['stop']);
	});
});

describe('quitting', () => {
	it('lets the floor close its books first, and lets go of everything', async () => {
		const { window } = await started();
		let done: () => void = () => {};
		theFloor.stopping = new Promise((resolve) => {
			done = resolve;
		});
		electron.app.quit();
		await settle(1000);
		electron.app.quit();
		expect(electron.log.filter((call) => call.startsWith('exit'))).toEqual([]);
		done();
		await settle();
		expect(electron.log.filter((call) => call.startsWith('exit'))).toEqual(['exit 0']);
		expect({
			stops: theFloor.calls,
			listeners: theFloor.listenerCount,
			handlers: electron.ipcMain.handlers.size,
			power: electron.powerMonitor.eventNames(),
			tray: electron.FakeTray.last?.destroyed,
			window: window.destroyed,
			timers: vi.getTimerCount(),
		}).toEqual({
			stops: ['stop'],
			listeners: 0,
			handlers: 0,
			power: [],
			tray: true,
			window: true,
			timers: 0,
		});
	});

	it('does not wait for a floor that hangs', async () => {
		await started();
		theFloor.stopping = new Promise(() => {});
		electron.app.quit();
		await settle(5000);
		expect(electron.log.at(-1)).toBe('exit 0');
		expect(stderr.join('')).toContain('not done within 5000 ms');
	});

	it('stops a floor that was still starting', async () => {
		let finish: (floor: FloorApp) => void = () => {};
		await run([], () => new Promise((resolve) => (finish = resolve)));
		electron.app.becomeReady();
		await settle();
		electron.app.quit();
		finish(theFloor);
		await settle();
		expect(theFloor.calls).toEqual(['stop']);
		expect(electron.FakeBrowserWindow.last).toBeNull();
		expect(electron.log.at(-1)).toBe('exit 0');
	});

	it('ends in words after a fault of its own', async () => {
		await started();
		process.emit('uncaughtException', new Error('a hole in the floor'));
		await settle();
		expect(theFloor.calls).toEqual(['stop']);
		expect(electron.log.slice(-2)).toEqual(['error box Agent Floor had to close.', 'exit 1']);
	});
});
