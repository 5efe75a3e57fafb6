import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	dataDirectoryIn,
	desiredGeminiHooks,
	GEMINI_EVENTS,
	geminiHooks,
} from '../../../src/main/hooks/install/gemini-handlers.ts';
import { withHooks } from '../../../src/main/hooks/install/hook-settings.ts';

function commandOf(dataDirectory: string, platform: NodeJS.Platform, event = 'BeforeTool'): string {
	const hook = desiredGeminiHooks(dataDirectory, platform).find((desired) => desired.event === event);
	return String(hook?.handler.command);
}

describe('the handlers', () => {
	it('are these on Linux and macOS, word for word: a project’s hooks are warned of when they change', () => {
		const command = `test ! -x '/home/a/.local/share/agent-floor/hooks/forward' || exec "/home/a/.local/share/agent-floor/hooks/forward" gemini-cli`;
		for (const platform of ['linux', 'darwin'] as const) {
			expect(desiredGeminiHooks('/home/a/.local/share/agent-floor', platform)).toEqual(
				GEMINI_EVENTS.map((event) => ({
					event,
					handler: expect.objectContaining({
						name: 'agent-floor',
						type: 'command',
						command: `${command} ${event}`,
					}),
				})),
			);
		}
	});

	it('are these on Windows, where PowerShell runs them', () => {
		expect(commandOf('C:\\Users\\a\\agent-floor', 'win32')).toBe(
			`if (Test-Path -LiteralPath 'C:\\Users\\a\\agent-floor\\hooks\\forward.cmd') { C:\\Users\\a\\agent-floor\\hooks\\forward.cmd gemini-cli BeforeTool }`,
		);
		expect(commandOf("C:\\O'Neil & Co", 'win32')).toContain("'C:\\O''Neil & Co\\hooks\\forward.cmd'");
	});

	it('have timeouts in milliseconds: a minute and more for consent, seconds for all others', () => {
		for (const { event, handler } of desiredGeminiHooks('/d', 'linux')) {
			const isGate = event === 'BeforeTool';
			expect(handler.timeout).toBeGreaterThan(isGate ? 60_000 : 1_000);
			expect(handler.timeout).toBeLessThanOrEqual(isGate ? 70_000 : 10_000);
		}
	});

	it('ask for no event that comes with every piece of an answer or before every turn', () => {
		const events: readonly string[] = GEMINI_EVENTS;
		for (const event of ['BeforeModel', 'AfterModel', 'BeforeToolSelection', 'PreCompress']) {
			expect(events).not.toContain(event);
		}
	});
});

describe('a handler in a file', () => {
	const directory = fc.array(
		fc.oneof(fc.constantFrom("'", '"', '$', '`', ' ', '\\', '‘', "''", 'ü'), fc.string({ maxLength: 4 })),
		{
			maxLength: 5,
		},
	);

	it.each(['linux', 'win32'] as const)(
		'of any data directory is ours, and tells which it is (%s)',
		(platform) => {
			const { join: joined } = platform === 'win32' ? win32 : posix;
			fc.assert(
				fc.property(directory, (steps) => {
					const data = joined(
						platform === 'win32' ? 'C:\\' : '/',
						`x${steps.join('').replaceAll('\0', '')}`,
						'data',
					);
					const hooks = desiredGeminiHooks(data, platform);
					expect(hooks.map(({ handler }) => geminiHooks.isOurs(handler))).not.toContain(false);
					expect(dataDirectoryIn(withHooks(geminiHooks, '', hooks), platform)).toBe(data);
				}),
			);
		},
	);

	it.each([
		{ type: 'command', command: '"/d/hooks/forward" codex PreToolUse' },
		{ type: 'command', command: 'echo gemini-cli BeforeTool' },
		{ type: 'command', command: '/d/hooks/forward-mail gemini-cli BeforeTool' },
		{ type: 'command' },
		{ type: 'runtime', command: '"/d/hooks/forward" gemini-cli BeforeTool' },
		{ command: ['"/d/hooks/forward" gemini-cli BeforeTool'], type: 'command' },
	])('of somebody else is not ours: %j', (handler) => {
		expect(geminiHooks.isOurs(handler)).toBe(false);
	});

	it('without the guard is ours as well: it is brought up to date', () => {
		const old = {
			type: 'command',
			command: '"/d/hooks/forward" gemini-cli BeforeTool',
			timeout: 9,
			note: 'mine',
		};
		expect(geminiHooks.isOurs(old)).toBe(true);
		const [desired] = desiredGeminiHooks('/d', 'linux');
		if (!desired) throw new Error('nothing is desired');
		expect(geminiHooks.callsAsDesired(old, desired.handler)).toBe(false);
		const brought = geminiHooks.brought(old, desired.handler);
		expect(brought).toMatchObject({ name: 'agent-floor', timeout: 9, note: 'mine' });
		expect(geminiHooks.callsAsDesired(brought, desired.handler)).toBe(true);
	});
});

describe.skipIf(process.platform === 'win32')('the command, as Gemini CLI runs it', () => {
	const run = (command: string, input: string) =>
		new Promise<{ code: number | null; text: string }>((resolve, reject) => {
			const child = spawn('bash', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] });
			let text = '';
			child.stdout.on('data', (data: Buffer) => {
				text += data.toString();
			});
			child.stderr.on('data', (data: Buffer) => {
				text += data.toString();
			});
			child.on('error', reject);
			child.on('close', (code) => resolve({ code, text }));
			child.stdin.on('error', () => undefined);
			child.stdin.end(input);
		});

	it('prints nothing and denies nothing when the data directory is gone, or is no program', async () => {
		const home = await mkdtemp(join(tmpdir(), 'agent-floor-gemini-'));
		try {
			const data = join(home, 'it\'s a "dir" $HOME');
			expect(await run(commandOf(data, 'linux'), '{}')).toEqual({ code: 0, text: '' });
			await mkdir(join(data, 'hooks'), { recursive: true });
			await writeFile(join(data, 'hooks', 'forward'), '', { mode: 0o600 });
			expect(await run(commandOf(data, 'linux'), '{}')).toEqual({ code: 0, text: '' });
		} finally {
			await rm(home, { recursive: true, force: true });
		}
	});

	it('is the forwarder itself, with client, event and payload', async () => {
		const home = await mkdtemp(join(tmpdir(), 'agent-floor-gemini-'));
		try {
			const data = join(home, 'it\'s a "dir" $HOME');
			await mkdir(join(data, 'hooks'), { recursive: true });
			const program = join(data, 'hooks', 'forward');
			await writeFile(program, '#!/bin/sh\nread -r body\necho "$1 $2 $body $PPID"\n');
			await chmod(program, 0o700);
			const { code, text } = await run(commandOf(data, 'linux', 'AfterTool'), '{"a":1}\n');
			// `exec`: no shell stands between the forwarder and whoever ran the command.
			expect({ code, text }).toEqual({ code: 0, text: `gemini-cli AfterTool {"a":1} ${process.pid}\n` });
		} finally {
			await rm(home, { recursive: true, force: true });
		}
	});
});
