import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
	appWindowArguments,
	browserCandidates,
	findBrowser,
	openAppWindow,
} from '../../src/main/machine/browsers.ts';

describe('where browsers are looked for', () => {
	const executables = (places: Parameters<typeof browserCandidates>[0]): string[] =>
		browserCandidates(places).map((each) => each.executable);

	it('Linux: the path, then the usual folders, snaps last', () => {
		const found = executables({
			platform: 'linux',
			env: { PATH: '/snap/bin:/opt/bin:relative:' },
			home: '/home/me',
		});
		expect(found[0]).toBe('/opt/bin/chromium');
		expect(found).toContain('/usr/bin/google-chrome');
		expect(found.indexOf('/snap/bin/chromium')).toBeGreaterThan(found.indexOf('/usr/bin/chromium'));
		expect(found.every((path) => path.startsWith('/'))).toBe(true);
	});

	it('macOS: applications of all and of the user', () => {
		expect(executables({ platform: 'darwin', env: {}, home: '/Users/me' })).toEqual(
			expect.arrayContaining([
				'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
				'/Users/me/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
			]),
		);
	});

	it('Windows: both program folders and the user’s own, where the environment names them', () => {
		const env = { PROGRAMFILES: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' };
		const found = executables({ platform: 'win32', env, home: 'C:\\Users\\me' });
		expect(found).toContain('C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe');
		expect(found).toContain('C:\\Users\\me\\AppData\\Local\\Chromium\\Application\\chrome.exe');
		expect(executables({ platform: 'win32', env: {}, home: '' })).toEqual([]);
	});

	it('the one that the environment names goes before all', () => {
		for (const platform of ['linux', 'darwin', 'win32'] as const) {
			expect(executables({ platform, env: { CHROMIUM_PATH: '/own/chrome' }, home: '/' })[0]).toBe(
				'/own/chrome',
			);
		}
	});
});

describe.skipIf(process.platform === 'win32')('a browser', () => {
	it('is found when it can be run, and not when it is a folder or a plain file', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'floor-browser-'));
		mkdirSync(join(folder, 'chromium'));
		writeFileSync(join(folder, 'google-chrome'), '');
		const env = { PATH: folder, CHROMIUM_PATH: join(folder, 'gone') };
		const mine = async (): Promise<string | undefined> => {
			const found = await findBrowser({ platform: 'linux', env, home: folder });
			return found?.executable.startsWith(folder) ? found.name : undefined;
		};
		expect(await mine()).toBeUndefined();
		writeFileSync(join(folder, 'chromium-browser'), '#!/bin/sh\n');
		chmodSync(join(folder, 'chromium-browser'), 0o755);
		const found = await findBrowser({
			platform: 'linux',
			env: { ...env, CHROMIUM_PATH: join(folder, 'chromium-browser') },
			home: folder,
		});
		expect(found).toEqual({ name: 'Chromium', executable: join(folder, 'chromium-browser') });
	});

	it('is started with a profile of its own, and tells when it was closed', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'floor-browser-'));
		const executable = join(folder, 'browser');
		writeFileSync(executable, `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/arguments\nexit 3\n`);
		chmodSync(executable, 0o755);
		const profile = join(folder, 'profile');
		const window = await openAppWindow({ name: 'Test', executable }, 'http://127.0.0.1:47100', profile);
		expect(await window.closed).toBe(3);
		const given = readFileSync(join(folder, 'arguments'), 'utf8').trim().split('\n');
		expect(given).toEqual(appWindowArguments('http://127.0.0.1:47100', profile, process.getuid?.() === 0));
		expect(existsSync(profile)).toBe(true);
	});

	it('that cannot be started is a closed window, not a crash', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'floor-browser-'));
		const window = await openAppWindow(
			{ name: 'Test', executable: join(folder, 'gone') },
			'http://127.0.0.1/',
			folder,
		);
		expect(await window.closed).toBeNull();
	});

	it('is closed with the window', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'floor-browser-'));
		const executable = join(folder, 'browser');
		writeFileSync(executable, '#!/bin/sh\nexec sleep 60\n');
		chmodSync(executable, 0o755);
		const window = await openAppWindow({ name: 'Test', executable }, 'http://127.0.0.1/', folder);
		window.dispose();
		expect(await window.closed).toBeNull();
	});
});

describe('what it is started with', () => {
	it('has the sandbox, but for root', () => {
		expect(appWindowArguments('http://127.0.0.1/', '/p', false)).not.toContain('--no-sandbox');
		expect(appWindowArguments('http://127.0.0.1/', '/p', true)).toContain('--no-sandbox');
	});

	it('is refused when the address is none, and an address cannot become another flag', () => {
		expect(() => appWindowArguments('--load-extension=x', '/p', false)).toThrow();
		expect(appWindowArguments('http://127.0.0.1/ --no-sandbox', '/p', false)[0]).toBe(
			'--app=http://127.0.0.1/%20--no-sandbox',
		);
	});
});
