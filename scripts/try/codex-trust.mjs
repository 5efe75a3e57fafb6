/** Codex runs a hook only when its person trusted it in `/hooks`. This is the person: it trusts what Codex itself shows. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * @param {string} program
 * @param {{ cwd: string, env: Record<string, string> }} options
 * @returns {Promise<string>} what stands in config.toml afterwards: one table for each hook
 */
export async function trustOfHooks(program, { cwd, env }) {
	const child = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
	const waiting = new Map();
	createInterface({ input: child.stdout }).on('line', (line) => {
		const { id, result, error } = JSON.parse(line);
		const asked = waiting.get(id);
		if (error) asked?.reject(new Error(`Codex: ${error.message}`));
		else asked?.resolve(result);
	});
	const ask = (method, params) => {
		const asked = Promise.withResolvers();
		const id = waiting.size + 1;
		waiting.set(id, asked);
		child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
		return asked.promise;
	};
	child.once('exit', (code) => {
		for (const asked of waiting.values()) asked.reject(new Error(`Codex's app server ended with ${code}`));
	});
	try {
		await ask('initialize', { clientInfo: { name: 'trial', version: '1' } });
		child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
		const { data } = await ask('hooks/list', { cwds: [cwd] });
		const [{ hooks }] = data;
		return hooks
			.map(
				({ key, currentHash }) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
			)
			.join('');
	} finally {
		child.kill();
	}
}
