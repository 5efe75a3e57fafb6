import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applicationMenu } from '../../src/main/desktop/application-menu.ts';
import { readArguments } from '../../src/main/desktop/arguments.ts';
import { drain } from '../../src/main/desktop/drain.ts';
import { startProblemOf } from '../../src/main/desktop/start-problem.ts';
import { StartError } from '../../src/main/server/start-error.ts';
import { StoreError } from '../../src/main/store/store-error.ts';

describe('readArguments', () => {
	it.each([
		[[], { dataDirectory: null, port: null, demo: false, openWindow: true }],
		[
			['.', '--data=/srv/floor', '--port=0', '--demo', '--no-open'],
			{ dataDirectory: '/srv/floor', port: 0, demo: true, openWindow: false },
		],
		[
			['--port', '47200', '--data', 'here'],
			{ dataDirectory: 'here', port: 47200, demo: false, openWindow: true },
		],
		[
			[
				'--no-sandbox',
				'--remote-debugging-port=9222',
				'--enable-features=X',
				'-psn_0_123',
				'agent-floor://agent/a',
			],
			{ dataDirectory: null, port: null, demo: false, openWindow: true },
		],
	])('%j', (args, expected) => {
		expect(readArguments(args)).toEqual(expected);
	});

	it.each(['--port=65536', '--port=-1', '--port=', '--port=http', '--port=1e3', '--port'])(
		'refuses %s',
		(flag) => {
			expect(() => readArguments([flag])).toThrow('--port takes a number from 0 to 65535');
		},
	);
});

describe('startProblemOf', () => {
	const taken = { what: 'Port 47100 is taken.', means: 'No agent is watched.', remedy: 'Use --port.' };

	it('keeps the words of an error that has them', () => {
		expect(startProblemOf(new StartError({ code: 'port-taken', ...taken }))).toEqual({
			...taken,
			address: null,
		});
		const full = { message: 'The disk is full.', meaning: 'Nothing is kept.', remedy: 'Make room.' };
		expect(startProblemOf(new StoreError({ ...full, code: 'disk-full' }))).toEqual({
			what: 'The disk is full.',
			means: 'Nothing is kept.',
			remedy: 'Make room.',
			address: null,
		});
	});

	it('offers the running floor, on this machine only', () => {
		const at = (address: string): string | null =>
			startProblemOf(new StartError({ code: 'already-running', ...taken, address })).address;
		expect(at('http://127.0.0.1:47100/?token=t')).toBe('http://127.0.0.1:47100/?token=t');
		expect(at('http://evil.example/')).toBeNull();
		expect(at('file:///etc/passwd')).toBeNull();
	});

	it.each([new Error('no space left'), 'no space left', { what: 'no space left' }, null, undefined])(
		'finds words for %s',
		(error) => {
			const problem = startProblemOf(error);
			expect(problem.what).toMatch(/^Agent Floor could not start: ./);
			expect(problem.means).toContain('nobody watches');
			expect(problem.remedy).not.toBe('');
		},
	);
});

describe('drain', () => {
	beforeEach(() => vi.useFakeTimers());
	afterEach(() => vi.useRealTimers());

	it('waits for the end', async () => {
		let stopped = false;
		const outcome = drain(async () => {
			stopped = true;
		}, 5000);
		expect(await outcome).toEqual({ kind: 'done' });
		expect(stopped).toBe(true);
		expect(vi.getTimerCount()).toBe(0);
	});

	it('does not wait for ever', async () => {
		const outcome = drain(() => new Promise<void>(() => {}), 5000);
		await vi.advanceTimersByTimeAsync(5000);
		expect(await outcome).toEqual({ kind: 'late' });
	});

	it('says that the end failed, whether at once or later', async () => {
		const error = new Error('database is locked');
		const atOnce = (): Promise<void> => {
			throw error;
		};
		expect(await drain(atOnce, 5000)).toEqual({ kind: 'failed', error });
		expect(await drain(() => Promise.reject(error), 5000)).toEqual({ kind: 'failed', error });
	});
});

describe('applicationMenu', () => {
	const roles = (platform: NodeJS.Platform, developerTools = false): string[] =>
		applicationMenu({ platform, developerTools, showFloor: () => {} }).flatMap((item) => [
			item.role ?? '',
			...(Array.isArray(item.submenu) ? item.submenu.map((inner) => inner.role ?? '') : []),
		]);

	it.each(['linux', 'win32'] as const)('has quit, about and edit on %s', (platform) => {
		expect(roles(platform)).toEqual(expect.arrayContaining(['quit', 'about', 'editMenu', 'windowMenu']));
		expect(roles(platform)).not.toContain('appMenu');
	});

	it('leaves quit and about to the app menu on macOS', () => {
		expect(roles('darwin')[0]).toBe('appMenu');
		expect(roles('darwin')).not.toContain('quit');
	});

	it('offers developer tools in a checkout only', () => {
		expect(roles('linux', true)).toContain('toggleDevTools');
		expect(roles('linux')).not.toContain('toggleDevTools');
	});
});
