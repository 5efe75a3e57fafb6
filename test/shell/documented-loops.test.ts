/** The polling loops of docs/rate-limits.md, as somebody copies them. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { shellModules } from './shells.ts';

const docs = readFileSync(resolve(import.meta.dirname, '../../docs/rate-limits.md'), 'utf8');
const blocks = [...docs.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', script = '']) => ({
	language,
	script,
}));
const posixLoop = blocks.find(({ script }) => script.includes('agent_floor_current_model'))?.script ?? '';

it('are shell, as far as sh says', () => {
	const scripts = blocks.filter(({ language }) => language === 'sh');
	expect(scripts.length).toBeGreaterThanOrEqual(2);
	for (const { script } of scripts) {
		const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
		expect([status, stderr]).toEqual([0, '']);
	}
});

it('go down the chain without a pause, and wait when nothing is left', async () => {
	const directory = temporaryDirectory();
	const tool = (name: string, body: string): void => {
		const file = join(directory, 'bin', name);
		writeFileSync(file, `#!/bin/sh\n${body}\n`);
		chmodSync(file, 0o755);
	};
	mkdirSync(join(directory, 'bin'));
	tool('copilot', 'echo "$2" >>calls; echo "429 rate limit reached" >&2; exit 1');
	// Nobody wants to wait here: the first pause ends the loop.
	tool('sleep', 'echo "$1" >>pauses; kill -TERM 0');
	const loop = posixLoop.replace('/path/to/agent-floor/resources/shell', shellModules);
	const child = spawn('sh', ['-c', loop], {
		cwd: directory,
		env: { PATH: `${join(directory, 'bin')}:/usr/bin:/bin`, AGENT_FLOOR_COMMAND: 'no-such-command' },
		stdio: ['ignore', 'ignore', 'pipe'],
		// A process group of its own, which the pause ends.
		detached: true,
	});
	const stderr = await text(child.stderr);
	expect(readFileSync(join(directory, 'calls'), 'utf8').split('\n')).toEqual([
		'claude-sonnet-5',
		'gpt-5.4-mini',
		'gpt-5-mini',
		'',
	]);
	expect(stderr).toMatch(/All models of the chain are limited; waiting \d+ s\./);
	expect(Number(readFileSync(join(directory, 'pauses'), 'utf8').split('\n')[0])).toBe(30);
});
