/**
 * A trial with real agent programs (docs/real-clients.md): Claude Code and Codex are installed from the registry into a
 * temporary directory and run headless through the floor's gateway against a stub of their provider. The stub dies
 * in the middle of an answer; the script clicks [Switch & continue] through the contract; the program must finish its
 * turn on a second stub that stands in for a local Ollama. Then the same with a provider that was never there, and
 * with an agent that is stopped. Not part of `npm test`. `CLAUDE=path`, `CODEX=path` use programs that are installed
 * already; `--only=claude` or `--only=codex` tries one of them.
 */
import assert from 'node:assert/strict';
import { claude, codex } from './try/clients.mjs';
import { GatewayWorld } from './try/gateway-world.mjs';
import { until } from './try/headless-floor.mjs';
import { NOTES } from './try/home.mjs';
import { say } from './try/say.mjs';
import { trial } from './try/trial.mjs';

const CLOUD_TEXT =
	'I have read the notes. Now I will set up the database and run the tests again, one by one.';
const LOCAL_TEXT = 'Finished on this machine: the database is set up.';

async function tryOne(client, program, place) {
	await diesMidAnswer(client, program, `${place}-cut`);
	await neverThere(client, program, `${place}-refused`);
	await isStopped(client, program, `${place}-stopped`);
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
		const running = world.run(program, world.base, 'Read notes.txt and do what it needs');
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
		const running = world.run(program, world.base, 'Say that you are there');
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
		await world.run(program, world.base, 'Say that you are there');
		const { agents } = await world.floor.snapshot();
		const [agent] = agents;
		assert.ok(agent, 'its model calls brought the agent to the floor');
		await world.floor.request('control:stop', { agentId: agent.id });
		const before = client.agentCalls(world.provider.calls).length;
		const refusedFrom = world.door.calls().length;
		const run = await world.run(program, world.base, 'Go on', { more: client.resume(agent.sessionId) });
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
	assert.match(JSON.stringify(right.said), new RegExp(NOTES));
}

/** A conversation is long: only where it first differs is shown. */
function sameText(what, cloud = '', local = '') {
	if (cloud === local) return;
	let at = 0;
	while (cloud[at] === local[at]) at += 1;
	const around = (text) => text.slice(Math.max(0, at - 60), at + 120);
	assert.fail(`${what} was not carried over:\n${around(cloud)}\n${around(local)}`);
}

class World extends GatewayWorld {
	static async start(client, place) {
		const { startLocalServerStub } = await import('../test/support/local-server-stub.ts');
		const world = new World(client, place);
		await world.openProvider();
		const model = { name: 'coder:30b', sizeBytes: 1e9, contextInUse: 262_144 };
		world.local = await startLocalServerStub({ models: [model], answer: LOCAL_TEXT });
		await world.openFloor({ localServers: [{ id: 'ollama', kind: 'ollama', baseUrl: world.local.url }] });
		await until('the local model', async () => {
			const { failover } = await world.floor.request('failover:refresh').then(() => world.floor.snapshot());
			return failover.capability.localModels.length > 0;
		});
		return world;
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
		await super.stop();
		await this.local?.close();
	}
}

await trial('failover', [claude, codex], tryOne);
