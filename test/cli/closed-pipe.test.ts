/** The command as a process: its output goes into a pipe that nobody reads, as in `agent-floor status | head -1`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningTestFloor } from '../support/running-floor.ts';

const entry = resolve(import.meta.dirname, '../../src/main/cli/main.ts');

interface Ended {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stderr: string;
}

async function unread(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
	const child = spawn(process.execPath, [entry, ...args], {
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	child.stdout.destroy();
	const [stderr, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
	return { code, signal, stderr };
}

describe('a pipe that is closed ends quietly', () => {
	let floor: RunningTestFloor;
	let recording: string;

	beforeAll(async () => {
		floor = await RunningTestFloor.start();
		await floor.hook('SessionStart', { session_id: 's1', cwd: '/home/me/app', source: 'startup' });
		recording = await mkdtemp(join(tmpdir(), 'agent-floor-recording-'));
		await writeFile(join(recording, 'night.jsonl'), night());
	});
	afterAll(async () => {
		await floor.dispose();
		await rm(recording, { recursive: true, force: true });
	});

	it.each([
		'help',
		'status',
		'status --json',
		'open',
		'hooks status',
		'gateway',
		'failover',
		'settings',
		'export',
		'replay',
		'doctor',
	])('%s', async (command) => {
		const args = command.split(' ');
		const data = args[0] === 'help' || args[0] === 'replay' ? [] : [`--data=${floor.directory}`];
		const file = args[0] === 'replay' ? [join(recording, 'night.jsonl')] : [];
		const home = { HOME: floor.directory, CLAUDE_CONFIG_DIR: floor.directory };
		expect(await unread([...args, ...file, ...data], home)).toEqual({ code: 0, signal: null, stderr: '' });
	});

	it.runIf(process.platform === 'linux')('a disk that is full is a failure with its reason', async () => {
		const fullDisk = openSync('/dev/full', 'w');
		const child = spawn(process.execPath, [entry, 'help'], { stdio: ['ignore', fullDisk, 'pipe'] });
		closeSync(fullDisk);
		if (!child.stderr) throw new Error('no standard error');
		const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
		expect(code).toBe(2);
		expect(stderr).toMatch(/^agent-floor: the output cannot be written: .*ENOSPC.*\n$/);
	});
});

/** An agent that goes in circles for long enough that the ladder speaks more than once. */
function night(): string {
	const lines: string[] = [];
	for (let number = 0; number < 60; number += 1) {
		const body = {
			session_id: 's1',
			cwd: '/home/me/app',
			tool_name: 'Bash',
			tool_input: { command: 'npm test' },
			tool_use_id: `call-${number}`,
		};
		const at = 1_796_000_000_000 + number * 5_000;
		lines.push(JSON.stringify({ at, client: 'claude-code', event: 'PreToolUse', body }));
		const ended = { ...body, tool_response: { stdout: 'same' } };
		lines.push(JSON.stringify({ at: at + 1_000, client: 'claude-code', event: 'PostToolUse', body: ended }));
	}
	return lines.join('\n');
}
