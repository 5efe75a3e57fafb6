import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
	applyClaudeHooks,
	type ClaudeHookTarget,
	projectSettingsFile,
	userSettingsFile,
} from '../../../src/main/hooks/install/install.ts';

let home: string;
let clone: string;

const runFile = promisify(execFile);

/** With no settings of the person who runs the tests. */
async function git(directory: string, ...args: string[]): Promise<string> {
	const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];
	const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
	return (await runFile('git', [...identity, ...args], { cwd: directory, env })).stdout;
}

function targetFor(file: string): ClaudeHookTarget {
	return { file, baseUrl: 'http://127.0.0.1:47100', agentToken: 'token' };
}

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-git-'));
	clone = join(home, 'app');
	await mkdir(clone);
	await git(clone, 'init', '-q');
});

afterEach(async () => {
	await rm(home, { recursive: true, force: true });
});

describe('hooks in a project', () => {
	it.each(['# mine\n*.log\n', '*.log', '', null])(
		'do not reach a commit, and leave the exclusions %j as they were',
		async (exclusions) => {
			const exclude = join(clone, '.git/info/exclude');
			await rm(join(clone, '.git/info'), { recursive: true, force: true });
			if (exclusions !== null) {
				await mkdir(join(clone, '.git/info'));
				await writeFile(exclude, exclusions);
			}
			const target = targetFor(projectSettingsFile(clone));
			expect((await applyClaudeHooks(target, false)).status).toBe('installed');
			await applyClaudeHooks({ ...target, agentToken: 'other' }, false);
			await git(clone, 'add', '-A');
			expect(await git(clone, 'status', '--porcelain')).toBe('');
			await applyClaudeHooks(target, true);
			expect(await readFile(exclude, 'utf8')).toBe(exclusions ?? '');
		},
	);

	it.each(['a work tree', 'a directory with a name like a pattern'])(
		'stay out of commits in %s',
		async (kind) => {
			await git(clone, 'commit', '-q', '--allow-empty', '-m', 'first');
			let project = join(clone, 'packages [a] *b');
			if (kind === 'a work tree') {
				project = join(home, 'tree');
				await git(clone, 'worktree', 'add', '-q', project);
			} else await mkdir(project);
			await applyClaudeHooks(targetFor(projectSettingsFile(project)), false);
			await git(project, 'add', '-A');
			expect(await git(project, 'status', '--porcelain')).toBe('');
			await applyClaudeHooks(targetFor(projectSettingsFile(project)), true);
			expect(await readFile(join(clone, '.git/info/exclude'), 'utf8')).not.toContain('agent-floor');
		},
	);

	it("leave git alone where the person's own settings are in a clone", async () => {
		const before = await readFile(join(clone, '.git/info/exclude'), 'utf8');
		await mkdir(join(clone, '.claude'));
		await applyClaudeHooks(targetFor(userSettingsFile({}, clone)), false);
		expect(await readFile(join(clone, '.git/info/exclude'), 'utf8')).toBe(before);
	});
});
