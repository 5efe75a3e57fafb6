/** The built floor without a window, on a directory of its own; asked through the contract as any program would. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { node24, root } from '../run.mjs';

/**
 * @param {string} place
 * @param {object} settings
 * @param {Record<string, string>} env
 */
export async function startHeadlessFloor(place, settings, env) {
	const data = join(place, 'data');
	mkdirSync(data, { recursive: true });
	writeFileSync(join(data, 'settings.json'), JSON.stringify(settings));
	const args = [join(root, 'out/main/headless.js'), `--data=${data}`, '--port=0', '--no-open'];
	const child = spawn(node24(), args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
	while (!existsSync(join(data, 'server.json'))) {
		if (child.exitCode !== null) throw new Error(`the floor ended with ${child.exitCode}`);
		await sleep(50);
	}
	const { url, agentToken, operatorToken } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'));
	const request = async (channel, input = null) => {
		const response = await fetch(`${url}/request/${channel}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
			body: JSON.stringify(input),
		});
		const answer = await response.json();
		if (!answer.ok) throw new Error(`${channel}: ${answer.error?.message ?? response.status}`);
		return answer.output;
	};
	return {
		url,
		agentToken,
		request,
		snapshot: () => request('floor:snapshot'),
		stop: async () => {
			const gone = new Promise((done) => child.once('exit', done));
			child.kill('SIGTERM');
			await gone;
		},
	};
}

/** Asks until there is an answer; throws after a minute. */
export async function until(what, ask, deadlineMs = 60_000) {
	const began = performance.now();
	for (;;) {
		const answer = await ask();
		if (answer) return answer;
		if (performance.now() - began > deadlineMs) throw new Error(`waited in vain for ${what}`);
		await sleep(20);
	}
}
