import { describe, expect, it } from 'vitest';

interface Known {
	wanted: 'electron' | 'web' | 'auto';
	open: boolean;
	display: boolean;
	electron: () => Promise<{ executable: string } | { missing: string }>;
	browser: () => Promise<{ name: string } | null>;
}
const script = new URL('../../scripts/host.mjs', import.meta.url).href;
const {
	chooseHost,
	hasDisplay,
}: {
	chooseHost: (known: Known) => Promise<{ host: string; line: string }>;
	hasDisplay: (platform: string, env: Record<string, string>) => boolean;
} = await import(script);

const here = async () => ({ executable: '/electron' });
const missing = async () => ({ missing: 'Electron is not here' });
const chrome = async () => ({ name: 'Chrome' });
const none = async () => null;
const never = (): Promise<never> => Promise.reject(new Error('this was not to be asked'));

const auto: Known = { wanted: 'auto', open: true, display: true, electron: here, browser: chrome };

describe('the host of the window', () => {
	it.each<[string, Partial<Known>, string, RegExp]>([
		['Electron where it is', { browser: never }, 'electron', /Electron/],
		[
			'a browser where Electron is not',
			{ electron: missing },
			'window',
			/Chrome window, since Electron is not here/,
		],
		[
			'the address where neither is',
			{ electron: missing, browser: none },
			'address',
			/Electron is not here.*found/,
		],
		[
			'the address without a display',
			{ display: false, electron: never, browser: never },
			'address',
			/no display/,
		],
		[
			'the address with --no-open',
			{ open: false, electron: never, browser: never },
			'address',
			/as asked for/,
		],
		[
			'a browser with --host=web',
			{ wanted: 'web', electron: never },
			'window',
			/Chrome window, as asked for/,
		],
		[
			'the address with --host=web and no browser',
			{ wanted: 'web', electron: never, browser: none },
			'address',
			/no window/,
		],
		['Electron with --host=electron', { wanted: 'electron', browser: never }, 'electron', /as asked for/],
		[
			'Electron in the tray with --no-open',
			{ wanted: 'electron', open: false, browser: never },
			'electron',
			/asked/,
		],
	])('is %s', async (_, known, host, line) => {
		const choice = await chooseHost({ ...auto, ...known });
		expect(choice.host).toBe(host);
		expect(choice.line).toMatch(line);
		expect(choice.line).not.toContain('\n');
	});

	it('is not another one than --host=electron asked for', async () => {
		await expect(chooseHost({ ...auto, wanted: 'electron', electron: missing })).rejects.toThrow(
			/--host=electron cannot be followed: Electron is not here/,
		);
	});
});

it('a display is there on macOS and Windows, and on Linux when the session names one', () => {
	expect(hasDisplay('darwin', {})).toBe(true);
	expect(hasDisplay('win32', {})).toBe(true);
	expect(hasDisplay('linux', {})).toBe(false);
	expect(hasDisplay('linux', { DISPLAY: '' })).toBe(false);
	expect(hasDisplay('linux', { DISPLAY: ':0' })).toBe(true);
	expect(hasDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true);
});
