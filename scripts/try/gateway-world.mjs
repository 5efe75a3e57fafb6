/** Where a program calls its model through the gateway in a trial: directories, a stub of its provider, the floor. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCountingDoor } from './counting-door.mjs';
import { startHeadlessFloor } from './headless-floor.mjs';
import { NOTES } from './home.mjs';
import { runProgram } from './real-program.mjs';

export class GatewayWorld {
	constructor(client, place) {
		this.client = client;
		this.place = place;
		this.project = join(place, 'shop');
		this.home = join(place, 'home');
	}

	async openProvider() {
		const { startProviderStub } = await import('../../test/support/provider-stub.ts');
		for (const directory of [this.project, this.home]) mkdirSync(directory, { recursive: true });
		writeFileSync(join(this.project, 'notes.txt'), `${NOTES}\n`);
		this.steps = await import('../../test/support/provider-stub/steps.ts');
		this.provider = await startProviderStub();
	}

	/** The floor, and before it a door that counts what the program asks. */
	async openFloor(settings) {
		const { url } = this.provider;
		const providers = [
			{ id: 'anthropic', name: 'Anthropic', baseUrl: url, protocols: ['anthropic-messages'] },
			{ id: 'openai', name: 'OpenAI', baseUrl: url, protocols: ['openai-responses'] },
		];
		const whole = { heartbeatSeconds: 1, providers, ...settings };
		this.floor = await startHeadlessFloor(this.place, whole, this.environment());
		this.door = await startCountingDoor(this.floor.url);
		this.base = `${this.door.url}/gateway/${this.floor.agentToken}`;
	}

	environment(more = {}) {
		return { PATH: process.env.PATH, HOME: this.home, TERM: 'dumb', ...more };
	}

	run(program, base, prompt, { more = [], deadlineMs } = {}) {
		const { args, env } = this.client.start(this, base, prompt, more);
		return runProgram(program, args, { cwd: this.project, env: this.environment(env), deadlineMs });
	}

	async stop() {
		this.door?.close();
		await this.floor?.stop();
		await this.provider?.close();
	}
}
