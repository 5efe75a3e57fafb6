/** A real floor: the built headless host in a process of its own, on a data directory and a home of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ENTRY = resolve(import.meta.dirname, '../../out/main/headless.js');
/** Every test starts a floor: it is compiled once. */
const COMPILED = resolve(import.meta.dirname, '../../node_modules/.cache/node');

interface ServerFile {
	readonly url: string;
	readonly port: number;
	readonly agentToken: string;
	readonly operatorToken: string;
}

export class FloorProcess {
	readonly directory: string;
	#child: ChildProcess | null = null;
	#server: ServerFile | null = null;
	#port = 0;

	private constructor(directory: string) {
		this.directory = directory;
	}

	/** `settings` go into settings.json before the start. */
	static async start(settings: Record<string, unknown> = {}): Promise<FloorProcess> {
		const directory = await mkdtemp(join(tmpdir(), 'agent-floor-e2e-'));
		const floor = new FloorProcess(directory);
		await mkdir(floor.home, { recursive: true });
		await mkdir(floor.data, { recursive: true });
		await writeFile(
			join(floor.data, 'settings.json'),
			JSON.stringify({ heartbeatSeconds: 0.4, ...settings }),
		);
		await floor.run();
		return floor;
	}

	get data(): string {
		return join(this.directory, 'data');
	}

	get home(): string {
		return join(this.directory, 'home');
	}

	get server(): ServerFile {
		if (!this.#server) throw new Error('the floor is not running');
		return this.#server;
	}

	/** Opens the window. */
	get address(): string {
		return `${this.server.url}/?token=${this.server.operatorToken}`;
	}

	get pid(): number {
		if (this.#child?.pid === undefined) throw new Error('the floor is not running');
		return this.#child.pid;
	}

	async run(): Promise<void> {
		const child = spawn(
			process.execPath,
			[ENTRY, `--data=${this.data}`, `--port=${this.#port}`, '--no-open'],
			{
				env: {
					...process.env,
					HOME: this.home,
					USERPROFILE: this.home,
					CLAUDE_CONFIG_DIR: '',
					NODE_COMPILE_CACHE: COMPILED,
				},
				stdio: ['ignore', 'pipe', 'pipe'],
			},
		);
		this.#child = child;
		let printed = '';
		child.stderr?.on('data', (chunk) => {
			printed += String(chunk);
		});
		const ready = new Promise<void>((resolveReady, reject) => {
			child.stdout?.on('data', (chunk) => {
				printed += String(chunk);
				if (printed.includes('Agent Floor is at')) resolveReady();
			});
			child.once('exit', (code) => reject(new Error(`the floor ended with ${code}:\n${printed}`)));
		});
		await ready;
		this.#server = JSON.parse(await readFile(join(this.data, 'server.json'), 'utf8')) as ServerFile;
		// A restart comes back where the window looks for it.
		this.#port = this.#server.port;
	}

	/** Asks it to end, as Ctrl-C does. */
	async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		const child = this.#child;
		this.#child = null;
		if (!child || child.exitCode !== null) return;
		const gone = once(child, 'exit');
		child.kill(signal);
		await gone;
	}

	async restart(): Promise<void> {
		await this.stop();
		await this.run();
	}

	async dispose(): Promise<void> {
		await this.stop();
		await rm(this.directory, { recursive: true, force: true });
	}
}
