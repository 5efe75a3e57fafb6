import { describe, expect, it } from 'vitest';
import { hasStatusNotifierHost, type RunProgram } from '../../src/main/desktop/tray/status-notifier-host.ts';
import { type TrayFactory, type TrayHandle, TrayService } from '../../src/main/desktop/tray/tray-service.ts';
import { composeTray, type TrayCommand, type TrayMenuItem } from '../../src/shared/tray.ts';
import { agent, floor, NOON, needyAgent } from './floor-fixture.ts';

/** A tray that writes down what is asked of it. Images are their file names. */
class FakeTray implements TrayFactory<string>, TrayHandle<string> {
	readonly calls: string[] = [];
	readonly missing = new Set<string>();
	/** Set: the next call of this name throws. */
	broken: string | null = null;
	menu: readonly TrayMenuItem[] = [];
	choose: (command: TrayCommand) => void = () => {};
	activate: (() => void) | null = null;

	loadImage(file: string): string | null {
		return this.missing.has(file) ? null : file;
	}

	create(image: string): TrayHandle<string> {
		this.#note(`create ${image}`);
		return this;
	}

	setImage(image: string): void {
		this.#note(`image ${image}`);
	}

	setToolTip(text: string): void {
		this.#note(`tooltip ${text}`);
	}

	setTitle(text: string): void {
		this.#note(`title ${text}`);
	}

	setContextMenu(items: readonly TrayMenuItem[], run: (command: TrayCommand) => void): void {
		this.#note('menu');
		this.menu = items;
		this.choose = run;
	}

	onActivate(listener: () => void): void {
		this.activate = listener;
	}

	dispose(): void {
		this.calls.push('dispose');
	}

	#note(call: string): void {
		if (this.broken !== null && call.startsWith(this.broken)) throw new Error('no tray here');
		this.calls.push(call);
	}
}

function trayOn(platform: NodeJS.Platform) {
	const fake = new FakeTray();
	const commands: TrayCommand[] = [];
	const reported: string[] = [];
	const service = new TrayService({
		platform,
		factory: fake,
		run: (command) => commands.push(command),
		report: (doing) => reported.push(doing),
	});
	return { fake, service, commands, reported };
}

const calm = composeTray(floor({ agents: [agent('a')] }), NOON);
const urgent = composeTray(floor({ agents: [needyAgent('a'), needyAgent('b')] }), NOON);

describe('TrayService', () => {
	it('draws the count into the icon on Linux, and sets the menu last and after each change', () => {
		const { fake, service } = trayOn('linux');
		service.show(calm);
		service.show(urgent);
		expect(fake.calls).toEqual([
			'create tray/linux/calm.png',
			'image tray/linux/calm.png',
			'tooltip Agent Floor: 1 working',
			'menu',
			'image tray/linux/urgent-2.png',
			'tooltip Agent Floor: 2 need you',
			'menu',
		]);
	});

	it('uses a template and a title on macOS, and leaves the click to the menu', () => {
		const { fake, service } = trayOn('darwin');
		service.show(urgent);
		service.show(calm);
		expect(fake.calls).toEqual([
			'create tray/mac/urgentTemplate.png',
			'image tray/mac/urgentTemplate.png',
			'tooltip Agent Floor: 2 need you',
			'title 2',
			'menu',
			'image tray/mac/calmTemplate.png',
			'tooltip Agent Floor: 1 working',
			'title ',
			'menu',
		]);
		expect(fake.activate).toBeNull();
	});

	it('uses an .ico on Windows, and opens the window on a click', () => {
		const { fake, service, commands } = trayOn('win32');
		service.show(urgent);
		expect(fake.calls[0]).toBe('create tray/windows/urgent.ico');
		fake.activate?.();
		expect(commands).toEqual([{ kind: 'show' }]);
	});

	it('touches nothing when nothing changed', () => {
		const { fake, service } = trayOn('linux');
		service.show(calm);
		const before = fake.calls.length;
		service.show(composeTray(floor({ agents: [agent('a')] }), NOON + 1000));
		expect(fake.calls).toHaveLength(before);
	});

	it('draws the same again when asked to, after the machine slept', () => {
		const { fake, service } = trayOn('linux');
		service.redraw();
		service.show(calm);
		service.redraw();
		expect(fake.calls.filter((call) => call === 'menu')).toHaveLength(2);
		expect(fake.calls.filter((call) => call.startsWith('create'))).toHaveLength(1);
	});

	it('passes on what was chosen', () => {
		const { fake, service, commands } = trayOn('linux');
		service.show(urgent);
		for (const item of fake.menu) if (item.kind === 'command') fake.choose(item.command);
		expect(commands).toEqual([
			{ kind: 'show-agent', agentId: 'a' },
			{ kind: 'show-agent', agentId: 'b' },
			{ kind: 'show' },
			{ kind: 'quit' },
		]);
	});

	it('takes another image for one that is missing, and says so', () => {
		const { fake, service, reported } = trayOn('linux');
		fake.missing.add('tray/linux/urgent-2.png');
		service.show(urgent);
		expect(fake.calls[0]).toBe('create icon-small.png');
		expect({ exists: service.exists, reported }).toEqual({
			exists: true,
			reported: ['drawing the tray icon'],
		});
	});

	it.each(['create', 'image', 'menu'])('does without a tray when "%s" fails, once and for all', (broken) => {
		const { fake, service, reported } = trayOn('linux');
		fake.broken = broken;
		service.show(calm);
		fake.broken = null;
		fake.calls.length = 0;
		service.show(urgent);
		service.redraw();
		expect({ exists: service.exists, calls: fake.calls, reported }).toEqual({
			exists: false,
			calls: [],
			reported: ['showing the tray icon; closing the window will quit instead of hiding it'],
		});
	});

	it('takes the icon away when disposed', () => {
		const { fake, service } = trayOn('linux');
		service.show(calm);
		service.dispose();
		service.show(urgent);
		expect(fake.calls.at(-1)).toBe('dispose');
		expect(service.exists).toBe(false);
	});
});

describe('hasStatusNotifierHost', () => {
	const answering =
		(answers: Record<string, string>): RunProgram =>
		async (program) => {
			const answer = answers[program];
			if (answer === undefined) throw new Error(`${program}: not found`);
			return answer;
		};

	it.each([
		['gdbus says so', { gdbus: '(<true>,)\n' }, true],
		['gdbus denies it', { gdbus: '(<false>,)\n', busctl: 'b true\n' }, false],
		['only busctl is there and says so', { busctl: 'b true\n' }, true],
		['only busctl is there and denies it', { busctl: 'b false\n' }, false],
		['nothing can be asked', {}, false],
		['the answer is not understood', { gdbus: "(<'true'>,)" }, false],
	])('%s', async (_name, answers, expected) => {
		expect(await hasStatusNotifierHost(answering(answers))).toBe(expected);
	});

	it('asks the session bus about the host', async () => {
		const asked: string[] = [];
		await hasStatusNotifierHost(async (program, args) => {
			asked.push([program, ...args].join(' '));
			throw new Error('not found');
		});
		expect(asked).toEqual([
			'gdbus call --session --dest org.kde.StatusNotifierWatcher --object-path /StatusNotifierWatcher --method org.freedesktop.DBus.Properties.Get org.kde.StatusNotifierWatcher IsStatusNotifierHostRegistered',
			'busctl --user get-property org.kde.StatusNotifierWatcher /StatusNotifierWatcher org.kde.StatusNotifierWatcher IsStatusNotifierHostRegistered',
		]);
	});
});
