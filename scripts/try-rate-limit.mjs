/**
 * A trial with real agent programs (docs/real-clients.md): Claude Code and Codex run headless against a stub of their
 * provider that answers 429 for the preferred model. First alone, to see what they do; then through the floor's gateway,
 * with a chain in the settings and a workspace that has `.squad/`: they must finish without one retry, and badge and
 * state file must tell why. When the cooldown is over the stub serves the preferred model again: two answers close the
 * circuit. Not part of `npm test`. `CLAUDE=path`, `CODEX=path` use programs that are installed already; `--only=claude`
 * or `--only=codex` tries one of them.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { isNode24, main, node24, root, runInOurPlace, ScriptError } from './run.mjs';
import { claude, codex } from './try/clients.mjs';
import { startCountingDoor } from './try/counting-door.mjs';
import { startHeadlessFloor, until } from './try/headless-floor.mjs';
import { installProgram, runProgram } from './try/real-program.mjs';

const chains = {
	claude: { preferredModel: 'claude-sonnet-5', fallbackChain: ['claude-haiku-4-5'] },
	codex: { preferredModel: 'gpt-5.4', fallbackChain: ['gpt-5.4-mini', 'gpt-5-mini'] },
};
/** Long enough for a program's whole run, short enough to wait for. */
const COOLDOWN_MINUTES = 0.15;
const RETRY_AFTER_SECONDS = 2;
/** A program that is alone with the limit is killed after this. */
const ALONE_MS = 20_000;
const STATE_FILE = '.squad/ralph-circuit-breaker.json';
const DONE = 'The notes are read.';
const { values } = parseArgs({ options: { only: { type: 'string' } } });

async function tryAll() {
	await ensureInstalled();
	await ensureBuilt();
	const place = mkdtempSync(join(tmpdir(), 'agent-floor-rate-limit-'));
	try {
		const clients = [claude, codex].filter(({ key }) => values.only === undefined || values.only === key);
		if (clients.length === 0)
			throw new ScriptError(`There is no "${values.only}"; there are claude and codex.`);
		for (const client of clients) {
			const program = process.env[client.key.toUpperCase()] ?? install(client, place);
			const version = execFileSync(program, ['--version']).toString().trim();
			say(`\n=== ${client.name}: ${version}`);
			await isAlone(client, program, join(place, `${client.key}-alone`));
			await hasStandIn(client, program, join(place, `${client.key}-floor`));
		}
		say('\nAll of it held.');
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
}

/** For comparison: nothing stands between the program and the limit. */
async function isAlone(client, program, place) {
	say(`\n--- alone, for ${ALONE_MS / 1000} s`);
	const world = await World.start(client, place);
	try {
		world.limitPreferred();
		const run = await world.run(program, world.provider.url, 'Say that you are there', {
			deadlineMs: ALONE_MS,
		});
		world.report(run);
		say(
			`requests       ${world.provider.calls.length}, all answered 429 with retry-after: ${RETRY_AFTER_SECONDS}`,
		);
		assert.notEqual(run.code, 0, 'alone it cannot finish');
	} finally {
		await world.stop();
	}
}

async function hasStandIn(client, program, place) {
	say('\n--- through the gateway, with a chain');
	const world = await World.start(client, place);
	try {
		await world.openFloor();
		world.limitPreferred();
		const sessionId = await isStoodInFor(world, program);
		await recovers(world, program, sessionId);
	} finally {
		await world.stop();
	}
}

/** The limit is met once, in the first turn; from then on the fallback is asked at once. Returns the session's id. */
async function isStoodInFor(world, program) {
	const { client, chain } = world;
	const run = await world.run(program, world.base, 'Read notes.txt and say that you did');
	world.report(run);
	assert.equal(run.code, 0, run.stderr || run.stdout);
	assert.match(client.resultOf(run), new RegExp(DONE));
	const statuses = world.door.calls().map(({ status }) => status);
	say(`the program saw ${statuses.join(', ')}`);
	assert.deepEqual(client.retriesIn(run), [], 'no visible retry');
	assert.ok(
		statuses.every((status) => status === 200),
		'it never saw a limit',
	);
	const asked = world.provider.calls.map(({ json, replied }) => `${json.model} ${replied?.status}`);
	say(`the provider   ${asked.join(', ')}`);
	assert.equal(asked.filter((each) => each === `${chain.preferredModel} 429`).length, 1, 'met once');
	const { agent, circuit } = await world.tellState();
	assert.equal(agent.served.asked, chain.preferredModel);
	assert.equal(agent.served.model, chain.fallbackChain[0]);
	assert.equal(circuit.state, 'open');
	assert.equal(circuit.metrics.totalFallbacks, 1);
	return agent.sessionId;
}

/** The same session goes on: two answers of the preferred model. */
async function recovers(world, program, sessionId) {
	const { client, chain } = world;
	world.serveAll();
	const waitedFrom = performance.now();
	await until('the end of the cooldown', async () => {
		const { resumeAt } = await world.circuit();
		return resumeAt === null || resumeAt <= Date.now();
	});
	say(`\ncooldown       over ${Math.round((performance.now() - waitedFrom) / 100) / 10} s later`);
	for (let turn = 1; turn <= 2; turn += 1) {
		const before = world.provider.calls.length;
		const run = await world.run(program, world.base, 'Say that you are there', { sessionId });
		assert.equal(run.code, 0, run.stderr || run.stdout);
		const asked = world.provider.calls.slice(before).map(({ json }) => json.model);
		const { state, halfOpenSuccesses } = await world.circuit();
		say(
			`run ${turn}          exit 0; asked ${asked.join(', ')}; ${state}, ${halfOpenSuccesses} of 2 successes`,
		);
		assert.ok(client.agentCalls(world.provider.calls.slice(before)).length === 1, 'one call a run');
	}
	const { agent, circuit } = await world.tellState();
	assert.equal(agent.served.model, chain.preferredModel);
	assert.equal(circuit.state, 'closed');
	assert.equal(circuit.metrics.totalRecoveries, 1);
}

class World {
	static async start(client, place) {
		const { startProviderStub } = await import('../test/support/provider-stub.ts');
		const world = new World();
		world.client = client;
		world.chain = chains[client.key];
		world.showsRetries = true;
		world.place = place;
		world.project = join(place, 'shop');
		world.home = join(place, 'home');
		for (const directory of [join(world.project, '.squad'), world.home]) {
			mkdirSync(directory, { recursive: true });
		}
		writeFileSync(join(world.project, 'notes.txt'), 'the tests need a database\n');
		world.steps = await import('../test/support/provider-stub/steps.ts');
		world.provider = await startProviderStub();
		return world;
	}

	async openFloor() {
		const { url } = this.provider;
		const settings = {
			heartbeatSeconds: 1,
			providers: [
				{ id: 'anthropic', name: 'Anthropic', baseUrl: url, protocols: ['anthropic-messages'] },
				{ id: 'openai', name: 'OpenAI', baseUrl: url, protocols: ['openai-responses'] },
			],
			localServers: [],
			models: { chains: [{ ...this.chain, cooldownMinutes: COOLDOWN_MINUTES }] },
		};
		this.floor = await startHeadlessFloor(this.place, settings, this.environment());
		// How the floor knows of the repository: by the program's hooks, or by a loop that asks for its model there.
		if (this.client.key === 'claude') this.agentFloor('hooks', 'install');
		else this.agentFloor('model', 'current');
		this.door = await startCountingDoor(this.floor.url);
		this.base = `${this.door.url}/gateway/${this.floor.agentToken}`;
	}

	agentFloor(...args) {
		const command = [join(root, 'out/main/cli.js'), ...args, `--data=${join(this.place, 'data')}`];
		return execFileSync(node24(), command, { cwd: this.project, env: this.environment() }).toString();
	}

	environment(more = {}) {
		return { PATH: process.env.PATH, HOME: this.home, TERM: 'dumb', ...more };
	}

	run(program, base, prompt, { sessionId = null, deadlineMs } = {}) {
		const { client, chain } = this;
		const more = client.withModel(chain.preferredModel);
		if (sessionId !== null) more.push(...client.resume(sessionId));
		const { args, env } = client.start(this, base, prompt, more);
		return runProgram(program, args, { cwd: this.project, env: this.environment(env), deadlineMs });
	}

	/** The others read the notes when there is something to read, then they are done. */
	limitPreferred() {
		const { answer, byModel, status } = this.steps;
		const limited = status(429, {
			type: 'rate_limit_error',
			message: 'This request would exceed your rate limit.',
			headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
		});
		let asked = 0;
		const works = (call) => {
			asked += 1;
			return answer(asked === 1 ? this.client.readsNotes() : { text: DONE })(call);
		};
		const well = this.client.step(works, this);
		this.provider.respond(byModel({ [this.chain.preferredModel]: limited }, well));
	}

	serveAll() {
		this.provider.respond(this.steps.answer({ text: 'I am here.' }));
	}

	async circuit() {
		const { models } = await this.floor.snapshot();
		const found = models.chains.find(({ preferredModel }) => preferredModel === this.chain.preferredModel);
		assert.ok(found, 'the chain is on the floor');
		return found;
	}

	/** Badge, circuit and state file, once the file says what the floor says. */
	async tellState() {
		const circuit = await this.circuit();
		const { agents } = await this.floor.snapshot();
		const [agent] = agents;
		assert.ok(agent, 'its model calls brought the agent to the floor');
		say(`badge          ${agent.name}: ${JSON.stringify(agent.served)}`);
		say(`circuit        ${circuit.state}: ${circuit.why || 'as it should be'}`);
		const file = join(this.project, STATE_FILE);
		const text = await until(`${STATE_FILE}, ${circuit.state}`, () => {
			const now = existsSync(file) ? readFileSync(file, 'utf8') : '';
			return now.includes(`"state": "${circuit.state}"`) && now;
		});
		say(`${STATE_FILE}\n${text.trimEnd()}`);
		// A polling loop in the same repository shares what the gateway knows.
		say(`a loop here    is told to use ${this.agentFloor('model', 'current').trim()}`);
		return { agent, circuit };
	}

	report(run) {
		const { code, ms } = run;
		say(`the program    ${code === null ? `killed after ${ms} ms` : `exit ${code} after ${ms} ms`}`);
		for (const retry of this.client.retriesIn(run)) say(`               ${retry.slice(0, 200)}`);
	}

	async stop() {
		this.door?.close();
		await this.floor?.stop();
		await this.provider?.close();
	}
}

function install(client, place) {
	say(`installing     ${client.package} from the registry …`);
	return installProgram(client.package, client.key, place);
}

function say(line) {
	process.stdout.write(`${line}\n`);
}

// The stubs are TypeScript: Node 24 reads them as they are.
await main(async () => {
	if (!isNode24()) return (await runInOurPlace(node24(), process.argv.slice(1))).code;
	await tryAll();
	return 0;
});
