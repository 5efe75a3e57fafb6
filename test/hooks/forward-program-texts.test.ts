import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { FORWARD_DEADLINES, forwardTimeout } from '../../src/main/hooks/install/forward-deadlines.ts';
import { posixForwardProgram } from '../../src/main/hooks/install/forward-posix.ts';
import {
	forwardCommand,
	forwardConfiguration,
	forwardDataDirectory,
	isForwardCommand,
	writeForwardProgram,
} from '../../src/main/hooks/install/forward-program.ts';
import {
	batchForwardProgram,
	powershellForwardProgram,
} from '../../src/main/hooks/install/forward-windows.ts';

describe('the command line', () => {
	// Codex asks for trust again when one byte of it is another. These lines may never change.
	test.each([
		[
			'linux',
			'/home/a/.local/share/agent-floor',
			'"/home/a/.local/share/agent-floor/hooks/forward" codex Stop',
		],
		[
			'darwin',
			'/Users/a/Library/Application Support/agent-floor',
			'"/Users/a/Library/Application Support/agent-floor/hooks/forward" codex Stop',
		],
		['linux', '/d/$HOME `id` "q" \\', '"/d/\\$HOME \\`id\\` \\"q\\" \\\\/hooks/forward" codex Stop'],
		[
			'win32',
			'C:\\Users\\Zoë\\AppData\\Roaming\\agent-floor',
			'C:\\Users\\Zoë\\AppData\\Roaming\\agent-floor\\hooks\\forward.cmd codex Stop',
		],
		[
			'win32',
			'C:\\Users\\A B\\AppData\\Roaming\\agent-floor',
			'cmd.exe /d /c call "C:\\Users\\A B\\AppData\\Roaming\\agent-floor\\hooks\\forward.cmd" codex Stop',
		],
	] as const)('on %s for %s', (platform, data, line) => {
		expect(forwardCommand(data, platform, 'codex', 'Stop')).toBe(line);
		expect(isForwardCommand(line, 'codex')).toBe(true);
		expect(isForwardCommand(line, 'gemini-cli')).toBe(false);
	});

	it('never begins with a quote on Windows, where that is no program', () => {
		fc.assert(
			fc.property(
				fc.string().map((name) => `C:\\${name.replaceAll(/["\r\n]/g, '')}`),
				(data) => {
					expect(forwardCommand(data, 'win32', 'codex', 'Stop')).toMatch(/^[^"]/);
				},
			),
		);
	});

	it('tells the data directory that it was made of, on every system', () => {
		const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\0/\\]/.test(text));
		fc.assert(
			fc.property(fc.array(name, { minLength: 1 }), (names) => {
				const inPosix = posix.normalize(`/${names.join('/')}/\\"$x`);
				expect(forwardDataDirectory(forwardCommand(inPosix, 'linux', 'codex', 'Stop'), 'linux')).toBe(
					inPosix,
				);
				const inWindows = win32.normalize(`C:\\${names.map((text) => text.replaceAll('"', '')).join('\\')}x`);
				expect(forwardDataDirectory(forwardCommand(inWindows, 'win32', 'codex', 'Stop'), 'win32')).toBe(
					inWindows,
				);
			}),
		);
		for (const line of [
			'true',
			'echo "/x/hooks/forward" codex Stop',
			'"/x/hooks/forward" codex Stop; true',
		]) {
			expect(forwardDataDirectory(line, 'linux')).toBeNull();
			expect(forwardDataDirectory(line, 'win32')).toBeNull();
		}
	});

	it('takes plain words only', () => {
		for (const [client, event] of [
			['codex; rm', 'Stop'],
			['codex', 'Stop\n'],
			['', 'Stop'],
			['codex', '-K'],
		]) {
			expect(() => forwardCommand('/d', 'linux', client ?? '', event ?? '')).toThrow(RangeError);
		}
	});

	test.each([
		'notify-send codex Stop',
		'"/x/hooks/forwarder" codex Stop',
		'"/x/hooks/forward" codex Stop; true',
		'echo "/x/hooks/forward"',
		'',
	])('is not %s', (line) => {
		expect(isForwardCommand(line, 'codex')).toBe(false);
	});
});

describe('the configuration', () => {
	it('says whom to call and how', () => {
		const text = forwardConfiguration({ baseUrl: 'http://127.0.0.1:47100', agentToken: 'a_B-9' });
		expect(text).toContain('url = "http://127.0.0.1:47100"\n');
		expect(text).toContain('header = "Authorization: Bearer a_B-9"\n');
		expect(text).toContain('noproxy = "*"\n');
	});

	test.each([
		['https://127.0.0.1:1', 'token'],
		['http://127.0.0.1:1/path', 'token'],
		['http://127.0.0.1:1"\nproxy = "x', 'token'],
		['', 'token'],
		['http://127.0.0.1:1', 'to"ken'],
		['http://127.0.0.1:1', 'to\nken'],
		['http://127.0.0.1:1', ''],
	])('refuses %j with %j', async (baseUrl, agentToken) => {
		expect(() => forwardConfiguration({ baseUrl, agentToken })).toThrow(RangeError);
		await expect(writeForwardProgram('/nowhere/at/all', { baseUrl, agentToken }, 'linux')).rejects.toThrow(
			RangeError,
		);
	});
});

describe('the deadlines', () => {
	it('end before the client gives up, and after the floor had its say', () => {
		expect(FORWARD_DEADLINES.gate).toBeGreaterThan(FORWARD_DEADLINES.consent);
		for (const event of ['PreToolUse', 'BeforeTool', 'preToolUse']) {
			expect(forwardTimeout(event)).toBeGreaterThan(FORWARD_DEADLINES.gate);
		}
		// More is cut to this by Codex.
		for (const event of ['SessionEnd', 'Interrupt']) {
			expect(forwardTimeout(event)).toBeLessThanOrEqual(3);
			expect(forwardTimeout(event)).toBeGreaterThan(FORWARD_DEADLINES.end);
		}
		expect(forwardTimeout('PostToolUse')).toBeGreaterThan(FORWARD_DEADLINES.others);
	});
});

describe('the program for Linux and macOS', () => {
	const text = posixForwardProgram(FORWARD_DEADLINES, "/Applications/Agent Floor's.app/Contents/MacOS/x");

	it('is for any POSIX shell, and quotes the path of the runtime', () => {
		expect(text).toMatch(/^#!\/bin\/sh\n/);
		expect(text).not.toMatch(/\[\[|\blocal\b|\bfunction\b|<\(|\r/);
		expect(text).toContain("'/Applications/Agent Floor'\\''s.app/Contents/MacOS/x'");
	});

	it('asks ps only where there is no /proc, and only at the start of a session', () => {
		const beforePs = text.slice(0, text.indexOf('$(ps '));
		expect(beforePs).toContain('/proc/$1/comm');
		expect(beforePs).toMatch(/SessionStart \| sessionStart\) ;; \*\) return 1 ;; esac\n\s*name=$/);
	});
});

describe('the program for Windows', () => {
	const batch = batchForwardProgram(FORWARD_DEADLINES);
	const script = powershellForwardProgram();

	it('is written for cmd.exe, with nothing of an installation but in the configuration', async () => {
		const place = await mkdtemp(join(tmpdir(), 'agent-floor-windows-'));
		try {
			await writeForwardProgram(place, { baseUrl: 'http://127.0.0.1:47100', agentToken: 'tok-1' }, 'win32');
			expect((await readdir(join(place, 'hooks'))).sort()).toEqual([
				'forward.cmd',
				'forward.curl',
				'forward.ps1',
			]);
		} finally {
			await rm(place, { recursive: true, force: true });
		}
		expect(batch + script).not.toMatch(/47100|tok-1/);
	});

	it('ends every line as cmd.exe wants it, and every way with exit code 0', () => {
		expect(batch.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
		expect(script.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
		expect(batch).toMatch(/exit \/b 0\r\n$/);
		expect(batch).not.toMatch(/exit \/b [^0]/);
		expect(script).toMatch(/exit \$code\r\n$/);
		expect(batch).toMatch(/^@echo off\r\n/);
	});

	it('runs programs of the system only, by their full paths', () => {
		for (const line of batch.split('\r\n')) {
			for (const [, program] of line.matchAll(/(?<![\w\\])"?([\w%.~\\]*\w+\.exe)/g)) {
				if (!line.startsWith('rem ')) expect(program).toMatch(/^%system%\\/);
			}
		}
		expect(batch).toContain('"%system%\\curl.exe" -q -K "%~dp0forward.curl"');
	});

	it('jumps to labels that exist', () => {
		const labels = new Set([...batch.matchAll(/^:(\w+)/gm)].map(([, label]) => label));
		const targets = [...batch.matchAll(/goto (\w+)/g)].map(([, label]) => label);
		expect(targets.length).toBeGreaterThan(4);
		for (const target of targets) expect(labels).toContain(target);
	});

	it('asks nobody when the floor has ended', () => {
		const at = batch.indexOf('if not exist "%~dp0forward.curl" goto drain\r\n');
		expect(at).toBeGreaterThan(0);
		expect(at).toBeLessThan(batch.indexOf('goto powershell'));
	});

	it('looks for the note of a silence before it calls anybody, and leaves one only after a gate or a note', () => {
		const at = batch.indexOf('if exist "%~dp0forward.quiet" goto quiet\r\n');
		expect(at).toBeGreaterThan(batch.indexOf('set "deadline=61"'));
		expect(at).toBeLessThan(batch.indexOf('goto powershell'));
		expect(batch).toContain(
			':silent\r\nif not defined within if not exist "%~dp0forward.quiet" goto away\r\n',
		);
		for (const [, call] of batch.matchAll(
			/^("%system%.*(?:curl|powershell)\.exe".*)\r\n(?!if errorlevel 28)/gm,
		)) {
			expect(call).toBeUndefined();
		}
	});

	it('has the deadline of each event', () => {
		expect(batch).toContain('if "%~2"=="PreToolUse" set "deadline=61" & set "within=?within=60"\r\n');
		expect(batch).toContain('if "%~2"=="SessionEnd" set "deadline=1"\r\n');
		expect(batch).toContain('if "%~2"=="SessionStart" goto powershell\r\n');
		expect(script).toContain('.CopyToAsync($body).Wait($wait)');
		expect(script).toContain('$call.Timeout = $wait');
	});

	it('prints the bytes that came: no line end of Windows, no code page', () => {
		expect(batch).toContain('type "%place%\\reply"');
		expect(script).toContain('$reply + [char]10');
		expect(script).toContain('OpenStandardOutput()');
	});

	it('has balanced brackets in PowerShell', () => {
		for (const [open, close] of ['{}', '()', '[]']) {
			const bare = script.replaceAll(/'[^'\r\n]*'/g, '');
			expect(bare.split(open ?? '').length).toBe(bare.split(close ?? '').length);
		}
	});
});
