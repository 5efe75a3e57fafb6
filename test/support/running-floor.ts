/** The whole floor in this process, on a data directory of its own and any free port. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FloorApp, startFloor } from '../../src/main/floor-app.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';

export interface ServerFileContent {
	readonly url: string;
	readonly port: number;
	readonly pid: number;
	readonly agentToken: string;
	readonly operatorToken: string;
}

export class RunningTestFloor {
	readonly directory: string;
	app: FloorApp;
	server: ServerFileContent;

	private constructor(directory: string, app: FloorApp, server: ServerFileContent) {
		this.directory = directory;
		this.app = app;
		this.server = server;
	}

	/** `prepare`: files that are there before it starts; its directory is the home of the programs, too. */
	static async start(
		settings: Record<string, unknown> = {},
		prepare: (home: string) => Promise<void> = async () => {},
	): Promise<RunningTestFloor> {
		const directory = await mkdtemp(join(tmpdir(), 'agent-floor-test-'));
		await writeFile(
			join(directory, 'settings.json'),
			// No model server of the machine that runs the test takes part.
			JSON.stringify({ heartbeatSeconds: 3600, localServers: [], ...settings }),
		);
		await prepare(directory);
		const app = await open(directory);
		return new RunningTestFloor(directory, app, await readServer(directory));
	}

	async restart(): Promise<void> {
		await this.app.stop();
		this.app = await open(this.directory);
		this.server = await readServer(this.directory);
	}

	/** Posts a hook; the status and text of the reply come back. */
	async hook(
		event: string,
		body: unknown,
		headers: Record<string, string> = {},
	): Promise<{ status: number; text: string }> {
		const isRaw = typeof body === 'string' || body instanceof Uint8Array;
		const response = await fetch(`${this.server.url}/hooks/claude-code/${event}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${this.server.agentToken}`, ...headers },
			body: isRaw ? body : JSON.stringify(body),
		});
		return { status: response.status, text: await response.text() };
	}

	async request(
		channel: string,
		input: unknown = null,
	): Promise<{ ok: boolean; output?: unknown; error?: unknown }> {
		const response = await fetch(`${this.server.url}/request/${channel}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${this.server.operatorToken}`, 'content-type': 'application/json' },
			body: JSON.stringify(input),
		});
		return (await response.json()) as { ok: boolean; output?: unknown; error?: unknown };
	}

	snapshot(): FloorSnapshot {
		return this.app.snapshot();
	}

	async dispose(): Promise<void> {
		await this.app.stop();
		await rm(this.directory, { recursive: true, force: true });
	}
}

function open(directory: string): Promise<FloorApp> {
	return startFloor({
		dataDirectory: directory,
		port: 0,
		version: '0.0.0-test',
		windowDirectory: join(directory, 'no-window'),
		homeDirectory: directory,
	});
}

async function readServer(directory: string): Promise<ServerFileContent> {
	return JSON.parse(await readFile(join(directory, 'server.json'), 'utf8')) as ServerFileContent;
}
