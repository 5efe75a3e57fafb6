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
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24, root } from './run.mjs';
import { claude, codex } from './try/clients.mjs';
import { GatewayWorld } from './try/gateway-world.mjs';
import { until } from './try/headless-floor.mjs';
import { say } from './try/say.mjs';
import { trial } from './try/trial.mjs';

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

async function tryOne(client, program, place) {
	await isAlone(client, program, `${place}-alone`);
	await hasStandIn(client, program, `${place}-floor`);
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
		await world.openFloorWithChain();
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

class World extends GatewayWorld {
	showsRetries = true;

	static async start(client, place) {
		const world = new World(client, place);
		world.chain = chains[client.key];
		await world.openProvider();
		mkdirSync(join(world.project, '.squad'));
		return world;
	}

	async openFloorWithChain() {
		const chain = { ...this.chain, cooldownMinutes: COOLDOWN_MINUTES };
		await this.openFloor({ localServers: [], models: { chains: [chain] } });
		// How the floor knows of the repository: by the program's hooks, or by a loop that asks for its model there.
		if (this.client.key === 'claude') this.agentFloor('hooks', 'install');
		else this.agentFloor('model', 'current');
	}

	agentFloor(...args) {
		const command = [join(root, 'out/main/cli.js'), ...args, `--data=${join(this.place, 'data')}`];
		return execFileSync(node24(), command, { cwd: this.project, env: this.environment() }).toString();
	}

	run(program, base, prompt, { sessionId = null, deadlineMs } = {}) {
		const { client, chain } = this;
		const more = client.withModel(chain.preferredModel);
		if (sessionId !== null) more.push(...client.resume(sessionId));
		return super.run(program, base, prompt, { more, deadlineMs });
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
}

await trial('rate-limit', [claude, codex], tryOne);
