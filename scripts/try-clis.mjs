/**
 * A trial with the agent programs that run the floor's hooks as commands, or its plugin (docs/real-clients.md): Codex,
 * Gemini CLI, Copilot CLI, opencode and Qwen Code are installed from the registry into a temporary directory and run
 * headless against a stub of their provider that repeats one failing command. The hooks are installed by the floor's own
 * command. The floor must see each program, steer it, constrain it and stop it; with the floor switched off it must work
 * as if there were none, and as fast. Not part of `npm test`. `CODEX=path`, `GEMINI=path`, `COPILOT=path`,
 * `OPENCODE=path`, `QWEN=path` use programs that are installed already; `--only=codex`, `--only=gemini`,
 * `--only=copilot`, `--only=opencode` or `--only=qwen` tries one of them.
 */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHeadlessFloor } from './try/headless-floor.mjs';
import { Home, LOOPED, NOTES } from './try/home.mjs';
import { codex, copilot, gemini, opencode, qwen } from './try/hooked-clients.mjs';
import { LoopingModel, MOST_REQUESTS } from './try/looping-model.mjs';
import { say } from './try/say.mjs';
import { trial } from './try/trial.mjs';
import { differenceOf, median, roundsOf } from './try/unslowed.mjs';
import { Watch } from './try/watch.mjs';

/** Who repeats a call more often than that is steered. */
const LIMIT = 4;
/** Long enough for a write and a read between two rungs. */
const HEARTBEAT_SECONDS = 2;
/** In one hook, beyond what starting a process costs. */
const MOST_WAITING_MS = 50;

async function tryOne(client, program, place) {
	const home = new Home(client, program, place);
	const before = home.ownFiles();
	const settings = {
		heartbeatSeconds: HEARTBEAT_SECONDS,
		breaker: { hardStop: true, repeatedToolLimit: LIMIT },
		localServers: [],
	};
	let floor = await startHeadlessFloor(place, settings, home.environment());
	try {
		await connect(home);
		const agent = await climbs(home, floor);
		await promptIsBlocked(home, agent);
		const address = addressOf(home);
		await floor.stop();
		floor = null;
		await worksWithoutFloor(home, address);
		say(`hooks          ${home.agentFloor('hooks', 'uninstall', client.client).output}`);
		assert.deepEqual(home.ownFiles(), before, 'uninstalling leaves no trace');
	} finally {
		await floor?.stop();
	}
}

/** By the floor's own command; where the program wants its person's trust, it is given, and asked for before. */
async function connect(home, tell = say) {
	const { client } = home;
	const installed = home.agentFloor('hooks', 'install', client.client);
	tell(`hooks          ${installed.output}`);
	assert.equal(installed.code, client.trust ? 1 : 0);
	if (client.trust) {
		await client.trust(home.program, home, home.environment());
		const { code, output } = home.agentFloor('hooks', 'status', client.client);
		tell(`trusted        ${output}`);
		assert.equal(code, 0);
	}
}

/** Where the hooks call while a floor runs, to be left there as a crash does, or taken back. */
function addressOf({ place }) {
	const file = join(place, 'data', 'hooks', 'forward.curl');
	const text = readFileSync(file);
	return {
		leave: () => writeFileSync(file, text, { mode: 0o600 }),
		takeBack: () => rmSync(file, { force: true }),
	};
}

/** Appears, is steered (the model reads the note), constrained (write refused, read not), stopped (neither). */
async function climbs(home, floor) {
	const { client } = home;
	const model = new LoopingModel(home);
	const stub = await client.startModel((said) => model.answer(said));
	const watch = new Watch(floor);
	const run = await home.run(stub.url, 'Run the tests', { onStart: (pid) => watch.start(pid) });
	await watch.stop();
	await stub.close();
	const { agents } = await floor.snapshot();
	assert.equal(agents.length, 1, 'one agent on the floor');
	const [agent] = agents;
	const { note, refused, write, read, stopped } = model.read;
	say(
		`appears        ${agent.name}, ${agent.client}, ${agent.directory === home.project ? 'in its directory' : agent.directory}, process ${agent.process?.pid} (started by us: ${watch.isOurs}), session ${agent.sessionId}`,
	);
	say(`levels seen    ${[...watch.levels].join(' → ')}`);
	say(`steered        the model read the note in its request ${note}`);
	say(
		`constrained    first refusal in request ${refused}; write refused: ${write === 'refused'}, read allowed: ${read === 'allowed'}`,
	);
	say(
		`stopped        after ${model.requests} requests; ${agent.levelReason}; the command ran ${home.ran()} times`,
	);
	say(
		stopped === 0
			? '               the program halted, no model was asked any more'
			: `               the model read of it in request ${stopped}; then a write: ${model.read.writeWhenStopped}, a read: ${model.read.readWhenStopped}`,
	);
	home.report(run);
	assert.equal(agent.client, client.client);
	assert.equal(agent.directory, home.project);
	assert.ok(watch.isOurs, 'its process is the one that was started');
	assert.ok(note > LIMIT, `the note comes after more than ${LIMIT} equal calls`);
	assert.ok(refused > note, 'the refusal comes after the note');
	assert.equal(write, 'refused');
	assert.equal(read, 'allowed', 'the turn goes on, and reading works');
	assert.equal(agent.level, 'stopped');
	assert.ok(model.requests < MOST_REQUESTS, 'it was stopped, it did not give up by itself');
	if (stopped > 0) {
		assert.equal(model.read.writeWhenStopped, 'refused');
		assert.equal(model.read.readWhenStopped, 'refused');
	}
	assert.deepEqual(home.written(), [], 'no write reached the disk');
	// Request n brings the result of call n - 1.
	assert.equal(home.ran(), refused - 2, 'the command ran until the first refusal, and never after it');
	return agent;
}

/** A stop is sticky: the next prompt of the same session never reaches the model. */
async function promptIsBlocked(home, { sessionId }) {
	let requests = 0;
	const ranBefore = home.ran();
	const stub = await home.client.startModel(() => {
		requests += 1;
		return requests === 1 ? { toolCalls: [home.client.runs(LOOPED)] } : { text: 'The prompt reached me.' };
	});
	const run = await home.run(stub.url, 'Go on', { sessionId });
	await stub.close();
	say(`prompt         the session goes on: ${requests} requests reached the model`);
	home.report(run, 6);
	assert.equal(requests, 0);
	assert.equal(home.ran(), ranBefore);
}

/**
 * The floor is down, its hooks are still there: nothing is different, and nothing waits. A floor that ended takes back
 * where its hooks call; after a crash they call a port where nobody listens. Beside both the same without hooks, and with
 * hooks that do nothing at all, which tells how much of the time is the program's own way to run one.
 */
async function worksWithoutFloor(home, address) {
	const run = await finishes(home);
	home.report(run);
	assert.doesNotMatch(home.printed(run).join('\n'), /agent[ -]floor|hook/i, 'nothing of ours is printed');
	say('floor down     exit 0, nothing of ours printed');
	const bare = new Home(home.client, home.program, `${home.place}-bare`);
	const idle = new Home(home.client, home.program, `${home.place}-idle`);
	await connect(idle, () => {});
	const hooks = await countedHooks(idle);
	const took = async (each) => (await finishes(each)).ms;
	const rounds = await roundsOf({
		without: () => took(bare),
		ended: () => {
			address.takeBack();
			return took(home);
		},
		crashed: () => {
			address.leave();
			return took(home);
		},
		...(hooks > 0 && { empty: () => took(idle) }),
	});
	address.takeBack();
	reportTimes(rounds, hooks);
}

/** How many commands one run starts as hooks; from then on they do nothing. */
async function countedHooks(idle) {
	const forward = join(idle.place, 'data', 'hooks', 'forward');
	const calls = join(idle.place, 'calls');
	writeFileSync(calls, '');
	writeFileSync(forward, `#!/bin/sh\necho "$2" >>'${calls}'\nexec cat >/dev/null\n`);
	await finishes(idle);
	writeFileSync(forward, '#!/bin/sh\nexec cat >/dev/null\n');
	return readFileSync(calls, 'utf8').split('\n').length - 1;
}

/** Starting a process is each program's own way to run a hook; waiting in one would be the floor's. */
function reportTimes(rounds, hooks) {
	const of = (way) => median(rounds.map((round) => round[way]));
	const told = Object.keys(rounds[0]).map((way) => `${way} ${of(way)} ms`);
	say(`               a prompt and 5 tools, medians of ${rounds.length}: ${told.join(', ')}`);
	for (const way of ['ended', 'crashed']) {
		const cost = differenceOf(rounds, way, 'without');
		const each =
			hooks === 0 ? '' : `, ${Math.round((cost.median / hooks) * 10) / 10} ms for each of ${hooks} hooks`;
		say(`               ${way.padEnd(7)} costs ${cost.median} ms (95 %: ${cost.from} to ${cost.to})${each}`);
		if (hooks === 0) continue;
		const waiting = differenceOf(rounds, way, 'empty');
		say(
			`               ${' '.repeat(7)} beyond empty hooks ${waiting.median} ms (95 %: ${waiting.from} to ${waiting.to})`,
		);
		assert.ok(waiting.from / hooks < MOST_WAITING_MS, 'no hook keeps the program waiting');
	}
}

/** Five tools, a write and a read among them, and the end. */
async function finishes(home) {
	const { client, project } = home;
	const calls = [
		...[1, 2, 3].map(() => client.runs(LOOPED)),
		client.writes(join(project, 'new.txt')),
		client.reads(join(project, 'notes.txt')),
	];
	home.tidy();
	let asked = 0;
	let last = '';
	const stub = await client.startModel((said) => {
		const call = calls[asked];
		asked += 1;
		last = said;
		return call ? { toolCalls: [call] } : { text: 'All done.' };
	});
	const run = await home.run(stub.url, 'Do what is to be done');
	await stub.close();
	const printed = `${run.stdout}\n${run.stderr}`;
	assert.equal(run.code, 0, printed);
	assert.match(run.stdout, /All done\./);
	assert.equal(home.ran(), 3, printed);
	assert.deepEqual(home.written(), ['new.txt'], printed);
	assert.ok(last.includes(NOTES), 'the model read the notes');
	return run;
}

await trial('clis', [codex, gemini, copilot, opencode, qwen], tryOne);
