/**
 * A trial with real agent programs (docs/real-clients.md): Claude Code and Codex are installed from the registry into a
 * temporary directory and run headless through the floor's gateway against a stub of their provider. The stub dies
 * in the middle of an answer; the script clicks [Switch & continue] through the contract; the program must finish its
 * turn on a second stub that stands in for a local Ollama. Then the same with a provider that was never there, and
 * with an agent that is stopped. Not part of `npm test`. `CLAUDE=path`, `CODEX=path` use programs that are installed
 * already; `--only=claude` or `--only=codex` tries one of them.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { isNode24, main, node24, runInOurPlace, ScriptError } from './run.mjs';
import { claude, codex } from './try/clients.mjs';
import { startCountingDoor } from './try/counting-door.mjs';
import { startHeadlessFloor, until } from './try/headless-floor.mjs';
import { installProgram, runProgram } from './try/real-program.mjs';

const TOOL_OUTPUT = 'the tests need a database';
const CLOUD_TEXT =
	'I have read the notes. Now I will set up the database and run the tests again, one by one.';
const LOCAL_TEXT = 'Finished on this machine: the database is set up.';
const { values } = parseArgs({ options: { only: { type: 'string' } } });

async function tryAll() {
	await ensureInstalled();
	await ensureBuilt();
	const place = mkdtempSync(join(tmpdir(), 'agent-floor-failover-'));
	try {
		const clients = [claude, codex].filter(({ key }) => values.only === undefined || values.only === key);
		if (clients.length === 0)
			throw new ScriptError(`There is no "${values.only}"; there are claude and codex.`);
		for (const client of clients) {
			const program = process.env[client.key.toUpperCase()] ?? install(client, place);
			const version = execFileSync(program, ['--version']).toString().trim();
			say(`\n=== ${client.name}: ${version}`);
			await diesMidAnswer(client, program, join(place, `${client.key}-cut`));
			await neverThere(client, program, join(place, `${client.key}-refused`));
			await isStopped(client, program, join(place, `${client.key}-stopped`));
		}
		say('\nAll of it held.');
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
}

/** The answer breaks off in the middle of its text, after a tool call that was answered well. */
async function diesMidAnswer(client, program, place) {
	say('\n--- the provider dies in the middle of an answer');
	const world = await World.start(client, place);
	try {
		const { answer, stall } = world.steps;
		let asked = 0;
		const script = (call) => {
			asked += 1;
			return asked === 1 ? answer(client.readsNotes())(call) : stall('mid-text', { text: CLOUD_TEXT })(call);
		};
		world.provider.respond(client.step(script, world));
		const running = world.run(program, 'Read notes.txt and do what it needs');
		const agentCall = await until('the second agent call', () => client.agentCalls(world.provider.calls)[1]);
		await until('half an answer at the agent', () =>
			world.door.calls().some(({ body }) => body.includes('I have read')),
		);
		const lostAt = performance.now();
		await world.provider.goDark();
		const popup = await world.popup();
		say(`lost           popup after ${Math.round(performance.now() - lostAt)} ms: ${popup.sentence}`);
		say(`recommended    ${popup.recommendation}`);
		await world.switchTo(popup);
		const run = await running;
		world.report(run);
		const [local] = client.agentCalls(world.localCalls());
		assert.ok(local, 'the local server was asked');
		assert.equal(run.code, 0, run.stderr || run.stdout);
		assert.match(client.resultOf(run), new RegExp(LOCAL_TEXT));
		sameConversation(client, agentCall, local);
		const shown = world.door
			.calls()
			.map(({ body }) => body)
			.join('\n');
		assert.match(shown, /Connection to .* lost; answer restarted on coder:30b/);
		say('label          the restart is labelled in the stream, with the local model’s name');
		await world.badge();
	} finally {
		await world.stop();
	}
}

/** Nothing answers from the first call on. */
async function neverThere(client, program, place) {
	say('\n--- the provider refuses connections from the start');
	const world = await World.start(client, place);
	try {
		await world.provider.goDark();
		const running = world.run(program, 'Say that you are there');
		const popup = await world.popup();
		say(`lost           ${popup.sentence} ${popup.detail}`);
		await world.switchTo(popup);
		const run = await running;
		world.report(run);
		assert.equal(run.code, 0, run.stderr || run.stdout);
		assert.match(client.resultOf(run), new RegExp(LOCAL_TEXT));
		await world.badge();
	} finally {
		await world.stop();
	}
}

/** A stopped agent's calls are refused: one request, one clear message, nothing reaches the provider. */
async function isStopped(client, program, place) {
	say('\n--- the agent is stopped');
	const world = await World.start(client, place);
	try {
		world.provider.respond(client.step(world.steps.answer({ text: 'Here I am.' }), world));
		await world.run(program, 'Say that you are there');
		const { agents } = await world.floor.snapshot();
		const [agent] = agents;
		assert.ok(agent, 'its model calls brought the agent to the floor');
		await world.floor.request('control:stop', { agentId: agent.id });
		const before = client.agentCalls(world.provider.calls).length;
		const refusedFrom = world.door.calls().length;
		const run = await world.run(program, 'Go on', client.resume(agent.sessionId));
		const asked = world.door.calls().slice(refusedFrom);
		world.report(run);
		say(`requests       ${asked.map(({ status }) => status).join(', ')}`);
		assert.equal(client.agentCalls(world.provider.calls).length, before, 'nothing reached the provider');
		assert.equal(
			asked.filter(({ status }) => status === client.refusal).length,
			asked.length,
			'every call was refused',
		);
		assert.equal(asked.length, 1, 'and it was not asked again');
		assert.match(run.stdout + run.stderr, /stopped/i);
	} finally {
		await world.stop();
	}
}

/** Same tools, same messages, same session: what the local server got is what the provider got. */
function sameConversation(client, cloud, local) {
	const left = client.conversation(cloud.json);
	const right = client.conversation(local.body);
	for (const part of ['system', 'tools', 'said'])
		sameText(part, JSON.stringify(left[part]), JSON.stringify(right[part]));
	say(
		`carried over   ${right.tools.length} of ${cloud.json.tools.length} tools (the others are the vendor’s own) and ${right.said.length} pieces of conversation, the same; session ${cloud.headers[client.sessionHeader]}`,
	);
	assert.match(JSON.stringify(right.said), new RegExp(TOOL_OUTPUT));
}

/** A conversation is long: only where it first differs is shown. */
function sameText(what, cloud = '', local = '') {
	if (cloud === local) return;
	let at = 0;
	while (cloud[at] === local[at]) at += 1;
	const around = (text) => text.slice(Math.max(0, at - 60), at + 120);
	assert.fail(`${what} was not carried over:\n${around(cloud)}\n${around(local)}`);
}

class World {
	static async start(client, place) {
		const { startProviderStub } = await import('../test/support/provider-stub.ts');
		const { startLocalServerStub } = await import('../test/support/local-server-stub.ts');
		const world = new World();
		world.client = client;
		world.place = place;
		world.project = join(place, 'shop');
		world.home = join(place, 'home');
		for (const directory of [world.project, world.home]) mkdirSync(directory, { recursive: true });
		writeFileSync(join(world.project, 'notes.txt'), `${TOOL_OUTPUT}\n`);
		world.steps = await import('../test/support/provider-stub/steps.ts');
		world.provider = await startProviderStub();
		const model = { name: 'coder:30b', sizeBytes: 1e9, contextInUse: 262_144 };
		world.local = await startLocalServerStub({ models: [model], answer: LOCAL_TEXT });
		const settings = {
			heartbeatSeconds: 1,
			providers: [
				{
					id: 'anthropic',
					name: 'Anthropic',
					baseUrl: world.provider.url,
					protocols: ['anthropic-messages'],
				},
				{ id: 'openai', name: 'OpenAI', baseUrl: world.provider.url, protocols: ['openai-responses'] },
			],
			localServers: [{ id: 'ollama', kind: 'ollama', baseUrl: world.local.url }],
		};
		world.floor = await startHeadlessFloor(place, settings, world.environment());
		await until('the local model', async () => {
			const { failover } = await world.floor.request('failover:refresh').then(() => world.floor.snapshot());
			return failover.capability.localModels.length > 0;
		});
		world.door = await startCountingDoor(world.floor.url);
		return world;
	}

	environment(more = {}) {
		return { PATH: process.env.PATH, HOME: this.home, TERM: 'dumb', ...more };
	}

	run(program, prompt, more = []) {
		const base = `${this.door.url}/gateway/${this.floor.agentToken}`;
		const { args, env } = this.client.start(this, base, prompt, more);
		return runProgram(program, args, { cwd: this.project, env: this.environment(env) });
	}

	localCalls() {
		return this.local.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/'));
	}

	popup() {
		return until('the popup', async () => (await this.floor.snapshot()).failover.popups[0]);
	}

	/** [Switch & continue] */
	async switchTo(popup) {
		const [best] = popup.candidates;
		assert.ok(best, `nothing local fits: ${popup.refusal} ${JSON.stringify(popup.excluded)}`);
		await this.floor.request('failover:switch', { popupId: popup.id, modelId: best.modelId });
	}

	report({ code, stdout, stderr, ms }) {
		say(`the program    exit ${code} after ${ms} ms`);
		for (const line of `${stdout}\n${stderr}`.split('\n').filter((each) => each.trim() !== '')) {
			say(`               ${line.slice(0, 300)}`);
		}
	}

	async badge() {
		const { status, agents } = await this.floor.snapshot();
		say(`badge          ${status.tier}: ${status.tierReason}`);
		say(
			`agent          ${agents.map(({ name, served }) => `${name}, served by ${JSON.stringify(served)}`).join('; ')}`,
		);
		assert.equal(status.tier, 'LOCAL-ONLY');
		assert.equal(agents[0]?.served?.harness, 'local');
	}

	async stop() {
		this.door?.close();
		await this.floor?.stop();
		await this.provider?.close();
		await this.local?.close();
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
