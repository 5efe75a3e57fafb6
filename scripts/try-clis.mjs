/**
 * A trial with the agent programs that run the floor's hooks as commands, or its plugin (docs/real-clients.md): Codex,
 * Gemini CLI, Copilot CLI and opencode are installed from the registry into a temporary directory and run headless
 * against a stub of their provider that repeats one failing command. The hooks are installed by the floor's own command. The floor must see each program,
 * steer it, constrain it and stop it; with the floor switched off it must work as if there were none. Not part of
 * `npm test`. `CODEX=path`, `GEMINI=path`, `COPILOT=path`, `OPENCODE=path` use programs that are installed
 * already; `--only=codex`, `--only=gemini`, `--only=copilot` or `--only=opencode` tries one of them.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHeadlessFloor } from './try/headless-floor.mjs';
import { Home, LOOPED, NOTES } from './try/home.mjs';
import { codex, copilot, gemini, opencode } from './try/hooked-clients.mjs';
import { LoopingModel, MOST_REQUESTS } from './try/looping-model.mjs';
import { say } from './try/say.mjs';
import { trial } from './try/trial.mjs';
import { Watch } from './try/watch.mjs';

/** Who repeats a call more often than that is steered. */
const LIMIT = 4;
/** Long enough for a write and a read between two rungs. */
const HEARTBEAT_SECONDS = 2;
const RUNS_TIMED = 3;

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
		await floor.stop();
		floor = null;
		await worksWithoutFloor(home);
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
 * The floor is down, its hooks are still there: nothing is different. Beside it the same without hooks, and with hooks
 * that do nothing at all, which tells how much of the time is the program's own way to run one.
 */
async function worksWithoutFloor(home) {
	const bare = new Home(home.client, home.program, `${home.place}-bare`);
	const idle = new Home(home.client, home.program, `${home.place}-idle`);
	await connect(idle, () => {});
	writeFileSync(join(idle.place, 'data', 'hooks', 'forward'), '#!/bin/sh\nexec cat >/dev/null\n');
	const took = new Map([home, bare, idle].map((each) => [each, []]));
	// The first run of a home sets up what is set up once.
	for (let round = 0; round <= RUNS_TIMED; round += 1) {
		for (const [each, times] of took) {
			const run = await finishes(each);
			if (round > 0) times.push(run.ms);
			if (each !== home) continue;
			if (round === 0) home.report(run);
			assert.doesNotMatch(home.printed(run).join('\n'), /agent[ -]floor|hook/i, 'nothing of ours is printed');
		}
	}
	const [ours, without, empty] = [...took.values()].map(median);
	say(
		`floor down     exit 0, nothing of ours printed; for a prompt and 5 tools ${ours} ms, without hooks ${without} ms, with hooks that do nothing ${empty} ms (medians of ${RUNS_TIMED})`,
	);
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

function median(numbers) {
	return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

await trial('clis', [codex, gemini, copilot, opencode], tryOne);
