/** Where a program runs in a trial: nothing of the person's is touched. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24, root } from '../run.mjs';
import { runProgram } from './real-program.mjs';
import { say } from './say.mjs';

/** A command that always fails, and a file that says why. */
export const LOOPED = './run-tests.sh';
export const NOTES = 'the tests need a database';

/** A home directory and a project of their own, with or without hooks. */
export class Home {
	constructor(client, program, place) {
		this.client = client;
		this.program = program;
		this.place = place;
		this.path = join(place, 'home');
		this.project = join(place, 'shop');
		this.counter = join(place, 'ran');
		for (const directory of [this.path, this.project]) mkdirSync(directory, { recursive: true });
		writeFileSync(join(this.project, 'notes.txt'), `${NOTES}\n`);
		const script = `#!/bin/sh\necho ran >>'${this.counter}'\necho 'no database' >&2\nexit 1\n`;
		writeFileSync(join(this.project, LOOPED), script, { mode: 0o755 });
		client.prepare(this);
	}

	environment(more = {}) {
		const { PATH } = process.env;
		return { PATH, HOME: this.path, TERM: 'dumb', ...this.client.environment(this), ...more };
	}

	agentFloor(...args) {
		const command = [join(root, 'out/main/cli.js'), ...args, `--data=${join(this.place, 'data')}`];
		const { status, stdout, stderr } = spawnSync(node24(), command, {
			cwd: this.project,
			env: this.environment(),
			encoding: 'utf8',
		});
		return {
			code: status,
			output: (stdout + stderr).trim().replaceAll(this.place, '…').replaceAll('\n', ' '),
		};
	}

	run(url, prompt, { sessionId = null, onStart } = {}) {
		const { args, env } = this.client.start(this, url, prompt, sessionId);
		return runProgram(this.program, args, { cwd: this.project, env: this.environment(env), onStart });
	}

	/** How often the command really ran. */
	ran() {
		return existsSync(this.counter) ? readFileSync(this.counter, 'utf8').split('\n').length - 1 : 0;
	}

	/** Files that the model had written. */
	written() {
		return ['new.txt', 'write.txt', 'writeWhenStopped.txt'].filter((name) =>
			existsSync(join(this.project, name)),
		);
	}

	tidy() {
		for (const path of [this.counter, join(this.project, 'new.txt')]) rmSync(path, { force: true });
	}

	/** What an installation may touch. */
	ownFiles() {
		const { place, path } = this;
		const files = [
			join(place, 'codex', 'hooks.json'),
			join(path, '.gemini', 'settings.json'),
			join(path, '.copilot', 'hooks', 'agent-floor.json'),
			join(path, '.qwen', 'settings.json'),
			join(path, '.config', 'opencode', 'plugins', 'agent-floor.js'),
		];
		return files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : null));
	}

	/** The ends of what a program printed on each stream tell how it ended. */
	report({ code, stdout, stderr, ms }, most = 3) {
		say(`the program    ${code === null ? `was killed after ${ms} ms` : `exit ${code} after ${ms} ms`}`);
		for (const text of [stdout, stderr]) {
			for (const line of this.#linesOf(text).slice(-most)) say(`               ${line.slice(0, 240)}`);
		}
	}

	printed({ stdout, stderr }) {
		return [...this.#linesOf(stdout), ...this.#linesOf(stderr)];
	}

	/** Without the names of our directories. */
	#linesOf(text) {
		return text
			.replaceAll(this.place, '…')
			.split('\n')
			.filter((line) => line.trim() !== '');
	}
}
