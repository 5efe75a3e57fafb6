/** A process that runs the floor's plugin for opencode as opencode would. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

export interface Outcome {
	/** What the hook left in its second argument. */
	readonly output: Record<string, unknown>;
	/** What it threw; `null`: nothing. */
	readonly error: string | null;
	/** What the plugin asked of opencode until then. */
	readonly asked: readonly (readonly string[])[];
	/** Hooks of each plugin. */
	readonly hooks: readonly number[];
}

export class OpencodeProcess {
	readonly #child: ChildProcess;
	readonly #waiting = new Map<number, (outcome: Outcome) => void>();
	#printed = '';
	#calls = 0;

	private constructor(child: ChildProcess) {
		this.#child = child;
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => {
				this.#printed += text;
			});
		}
		child.on('message', (message: Outcome & { readonly id: number }) => {
			this.#waiting.get(message.id)?.(message);
		});
	}

	static async start(
		directory: string,
		plugins: readonly string[],
		env: NodeJS.ProcessEnv = {},
	): Promise<OpencodeProcess> {
		const host = new URL('opencode-host.mjs', import.meta.url);
		const child = fork(host, [directory, ...plugins], {
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			execArgv: [],
			env: { ...process.env, ...env },
		});
		const started = new OpencodeProcess(child);
		await once(child, 'message');
		return started;
	}

	get pid(): number | undefined {
		return this.#child.pid;
	}

	call(hook: string, input?: unknown, output?: unknown, of = 0): Promise<Outcome> {
		this.#calls += 1;
		const id = this.#calls;
		return new Promise((resolve) => {
			this.#waiting.set(id, resolve);
			this.#child.send({ id, hook, input, output, of });
		});
	}

	event(type: string, properties: unknown): Promise<Outcome> {
		return this.call('event', { event: { type, properties } });
	}

	/** Ends it; nothing may have been printed until then, and nothing may have broken it. */
	async stop(): Promise<void> {
		expect(this.#child.exitCode).toBeNull();
		const gone = once(this.#child, 'exit');
		this.#child.kill('SIGKILL');
		await gone;
		expect(this.#printed).toBe('');
	}
}
