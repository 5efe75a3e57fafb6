/**
 * A trial with the real Claude Code (docs/real-clients.md): it is installed from the registry into a temporary
 * directory and run headless against a loopback stub that makes it repeat one failing command. The floor must see it,
 * steer it, constrain it and stop it; and with the floor down the program must work on as if there were none.
 * Not part of `npm test`. `CLAUDE=path` uses a program that is installed already.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { node24 } from './run.mjs';
import { lastMessageText, startAnthropicStub } from './try/anthropic-stub.mjs';

const root = resolve(import.meta.dirname, '..');
const place = mkdtempSync(join(tmpdir(), 'agent-floor-trial-'));
const home = join(place, 'home');
const data = join(place, 'data');
const project = join(place, 'shop');
const LOOPED = './run-tests.sh';

await ensureInstalled();
await ensureBuilt();
for (const directory of [home, data, project]) mkdirSync(directory, { recursive: true });
writeFileSync(
	join(data, 'settings.json'),
	JSON.stringify({ heartbeatSeconds: 2, breaker: { hardStop: true } }),
);
writeFileSync(join(project, 'notes.txt'), 'the tests need a database\n');

let floor = null;
try {
	const claude = process.env.CLAUDE ?? installClaude();
	say(
		`program        ${execFileSync(claude, ['--version'], { env: environment('') })
			.toString()
			.trim()}`,
	);
	floor = await startFloor();
	say(`hooks          ${agentFloor('hooks', 'install').trim()}`);
	await climbs(claude);
	await promptIsBlocked(claude);
	await floor.stop();
	floor = null;
	await worksWithoutFloor(claude);
	say(`hooks          ${agentFloor('hooks', 'uninstall').trim()}`);
	assert.equal(
		existsSync(join(home, '.claude', 'settings.json')),
		false,
		'uninstall removes the file it made',
	);
	say('All of it held.');
} finally {
	await floor?.stop();
	rmSync(place, { recursive: true, force: true });
}

/** Appears, is steered (the stub sees the note), constrained (write refused, read not), stopped. */
async function climbs(claude) {
	const seen = { note: 0, denied: 0, writeDenied: false, readAllowed: false };
	let asked = 'loop';
	const stub = await startAnthropicStub(async (messages, number) => {
		await sleep(80);
		const text = lastMessageText(messages);
		if (seen.note === 0 && text.includes('Agent Floor')) seen.note = number;
		if (asked === 'write') seen.writeDenied = text.includes('limits this agent to reading');
		if (asked === 'read') seen.readAllowed = text.includes('the tests need a database');
		if (seen.denied === 0 && text.includes('limits this agent to reading')) {
			seen.denied = number;
			asked = 'write';
			return { calls: [{ tool: 'Write', input: { file_path: join(project, 'new.txt'), content: 'x' } }] };
		}
		if (asked === 'write') {
			asked = 'read';
			return { calls: [{ tool: 'Read', input: { file_path: join(project, 'notes.txt') } }] };
		}
		asked = 'loop';
		if (number > 400) return { text: 'giving up: nobody stopped me' };
		return { calls: [{ tool: 'Bash', input: { command: LOOPED, description: 'Run the tests' } }] };
	});
	const levels = new Set();
	const watching = watch((agent) => levels.add(agent.level));
	const run = await runClaude(claude, stub.url, ['-p', 'run the tests', '--allowedTools', 'Bash,Write,Read']);
	watching.stop();
	const [agent] = await agents();
	stub.close();
	say(
		`agent          ${agent?.name}, ${agent?.client}, session ${agent?.sessionId}, process ${agent?.process?.pid}`,
	);
	say(`levels seen    ${[...levels].join(' → ')}`);
	say(`steered        the model read the note in its request ${seen.note}`);
	say(
		`constrained    first refusal in request ${seen.denied}; write refused: ${seen.writeDenied}, read allowed: ${seen.readAllowed}`,
	);
	say(`stopped        after ${stub.requests.length} requests; level ${agent?.level}: ${agent?.levelReason}`);
	say(
		`the program    exit ${run.code}, ${run.result.terminal_reason ?? run.result.subtype}: ${String(run.result.result ?? '').slice(0, 120)}`,
	);
	say(`usage          ${JSON.stringify(agent?.usage)}`);
	assert.equal(agent?.name, 'shop');
	assert.ok(seen.note > 5, 'the note comes after more than four equal calls with the same result');
	assert.ok(seen.denied > seen.note, 'the refusal comes after the note');
	assert.ok(seen.writeDenied && !existsSync(join(project, 'new.txt')), 'a write is refused');
	assert.ok(seen.readAllowed, 'a read is not');
	assert.equal(agent?.level, 'stopped');
	assert.deepEqual(
		[...levels],
		['healthy', 'steering', 'constrained', 'stopped'].filter((level) => levels.has(level)),
	);
	assert.ok(stub.requests.length < 400, 'the session was halted, it did not give up by itself');
	assert.ok(agent?.usage?.output > 0, 'its tokens were read from its transcript');
}

/** A stop is sticky: the next prompt of the same session never reaches the model. */
async function promptIsBlocked(claude) {
	const [{ sessionId }] = await agents();
	const stub = await startAnthropicStub(() => ({ text: 'the prompt reached me' }));
	const run = await runClaude(claude, stub.url, ['-p', 'go on', '--resume', sessionId]);
	stub.close();
	say(
		`prompt         blocked: ${stub.requests.length === 0}; the program said: ${JSON.stringify(run.result.result ?? run.result).slice(0, 160)}`,
	);
	assert.equal(stub.requests.length, 0);
}

/** The floor is down, its hooks are still there: nothing is different. */
async function worksWithoutFloor(claude) {
	const stub = await startAnthropicStub((_, number) =>
		number === 1 ? { calls: [{ tool: 'Bash', input: { command: 'echo alive' } }] } : { text: 'done' },
	);
	const began = performance.now();
	const run = await runClaude(claude, stub.url, ['-p', 'say alive', '--allowedTools', 'Bash']);
	stub.close();
	say(
		`floor down     exit ${run.code}, "${run.result.result}", stderr ${JSON.stringify(run.stderr)}, ${Math.round(performance.now() - began)} ms`,
	);
	assert.equal(run.code, 0);
	assert.equal(run.result.result, 'done');
	assert.equal(run.stderr, '');
}

function installClaude() {
	say('installing     @anthropic-ai/claude-code from the registry …');
	const target = join(place, 'program');
	execFileSync(
		'npm',
		['install', '--prefix', target, '--no-save', '--loglevel=error', '@anthropic-ai/claude-code'],
		{
			stdio: ['ignore', 'ignore', 'inherit'],
		},
	);
	return join(target, 'node_modules', '.bin', 'claude');
}

async function startFloor() {
	const child = spawn(
		node24(),
		[join(root, 'out/main/headless.js'), `--data=${data}`, '--port=0', '--no-open'],
		{
			env: environment(''),
			stdio: ['ignore', 'ignore', 'inherit'],
		},
	);
	while (!existsSync(join(data, 'server.json'))) {
		if (child.exitCode !== null) throw new Error(`the floor ended with ${child.exitCode}`);
		await sleep(50);
	}
	return {
		stop: async () => {
			const gone = new Promise((done) => child.once('exit', done));
			child.kill('SIGTERM');
			await gone;
		},
	};
}

function agentFloor(...args) {
	return execFileSync(node24(), [join(root, 'out/main/cli.js'), ...args, `--data=${data}`], {
		env: environment(''),
	}).toString();
}

async function agents() {
	const { url, operatorToken } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'));
	const response = await fetch(`${url}/request/floor:snapshot`, {
		method: 'POST',
		headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
		body: 'null',
	});
	return (await response.json()).output.agents;
}

/** Looks at the agents while the program runs. */
function watch(onAgent) {
	let going = true;
	void (async () => {
		while (going) {
			for (const agent of await agents()) onAgent(agent);
			await sleep(100);
		}
	})();
	return {
		stop: () => {
			going = false;
		},
	};
}

async function runClaude(claude, providerUrl, args) {
	const child = spawn(claude, [...args, '--output-format', 'json'], {
		cwd: project,
		env: environment(providerUrl),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', (chunk) => {
		stdout += chunk;
	});
	child.stderr.on('data', (chunk) => {
		stderr += chunk;
	});
	const timer = setTimeout(() => child.kill('SIGKILL'), 180_000);
	const code = await new Promise((done) => child.once('close', done));
	clearTimeout(timer);
	let result;
	try {
		result = JSON.parse(stdout);
	} catch {
		// Not the JSON it prints when all is well: shown as it is.
		result = { result: stdout };
	}
	return { code, result, stderr };
}

function environment(providerUrl) {
	return {
		PATH: process.env.PATH,
		HOME: home,
		TERM: 'dumb',
		...(providerUrl && { ANTHROPIC_BASE_URL: providerUrl, ANTHROPIC_API_KEY: 'x' }),
		DISABLE_TELEMETRY: '1',
		DISABLE_AUTOUPDATER: '1',
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
	};
}

function say(line) {
	process.stdout.write(`${line}\n`);
}
