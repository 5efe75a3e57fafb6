/** Every program whose hooks the floor understands: connected by its channel, recorded payloads through real HTTP. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hookClients } from '../../src/main/hooks/install/hook-clients.ts';
import type { HookPlan } from '../../src/shared/channels.ts';
import { type HookClient, hookClientSchema } from '../../src/shared/words.ts';
import { RunningTestFloor } from '../support/running-floor.ts';

interface RecordedHook {
	readonly client: string;
	readonly event: string;
	readonly body: Record<string, unknown>;
}

let floor: RunningTestFloor;
beforeEach(async () => {
	// The programs' own variables name other homes.
	for (const name of [
		'CLAUDE_CONFIG_DIR',
		'CODEX_HOME',
		'GEMINI_CLI_HOME',
		'COPILOT_HOME',
		'QWEN_HOME',
		'XDG_CONFIG_HOME',
	])
		vi.stubEnv(name, '');
	floor = await RunningTestFloor.start();
});
afterEach(async () => {
	await floor.dispose();
	vi.unstubAllEnvs();
});

async function recorded(client: HookClient): Promise<RecordedHook[]> {
	const file = join(import.meta.dirname, '../recordings', `${client}.basic.jsonl`);
	const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
	return lines.map((line) => JSON.parse(line) as RecordedHook);
}

function post({ client, event, body }: RecordedHook): Promise<Response> {
	return fetch(`${floor.server.url}/hooks/${client}/${event}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${floor.server.agentToken}` },
		body: JSON.stringify(body),
	});
}

async function hooks(channel: 'hooks:plan' | 'hooks:apply', input: object): Promise<HookPlan> {
	const { output, error } = await floor.request(channel, input);
	expect(error).toBeUndefined();
	return output as HookPlan;
}

describe.each(hookClientSchema.options)('%s', (client) => {
	it('stands on the floor with what it did, and leaves it', async () => {
		for (const hook of await recorded(client)) {
			const reply = await post(hook);
			expect(reply.status).toBe(200);
			expect(await reply.json()).toEqual({});
		}
		await vi.waitFor(() => expect(floor.snapshot().agents[0]?.state.kind).toBe('exited'));
		const { agents } = floor.snapshot();
		expect(agents).toMatchObject([{ client, directory: '/home/dev/app', level: 'healthy', demo: false }]);
		expect(agents[0]?.lastTools.at(-1)).toMatchObject({
			tool: 'Bash',
			target: 'echo hello-floor',
			outcome: 'ok',
		});
	});

	it('is refused every tool while the operator holds it', async () => {
		const calls = await recorded(client);
		const before = calls.findIndex(({ event }) =>
			/^(PreToolUse|BeforeTool|preToolUse|tool\.execute\.before)$/.test(event),
		);
		for (const hook of calls.slice(0, before)) await post(hook);
		await vi.waitFor(() => expect(floor.snapshot().agents).toHaveLength(1));
		const agentId = floor.snapshot().agents[0]?.id;
		await floor.request('control:hold', { agentId, words: 'Erst die Prüfung – bitte.' });
		const call = calls[before];
		expect(call).toBeDefined();
		const reply = call && (await (await post(call)).text());
		expect(reply).toMatch(/deny/);
		expect(reply).toMatch(/^[ -~]*$/);
		expect(JSON.stringify(JSON.parse(reply ?? ''))).toContain('Prüfung');
	});

	it('is connected by its channel, and disconnected to the byte', async () => {
		const file = hookClients[client].userFile(process.env, floor.directory);
		expect((await hooks('hooks:plan', { client })).diff).not.toBe('');
		expect((await hooks('hooks:apply', { client })).file).toBe(file);
		const installed = await hooks('hooks:plan', { client });
		expect(installed.diff).toBe('');
		expect(['installed', 'partly']).toContain(installed.status);
		expect(await readFile(file, 'utf8')).toMatch(/127\.0\.0\.1|hooks\/forward/);
		expect(floor.snapshot().status.hooks[client]).toBe(installed.status);
		expect((await hooks('hooks:apply', { client, remove: true })).status).toBe('absent');
		expect(existsSync(file)).toBe(false);
	});
});

describe('the program that hooks run', () => {
	it('is there as soon as the floor runs, and calls it', async () => {
		const text = await readFile(join(floor.directory, 'hooks', 'forward.curl'), 'utf8');
		expect(text).toContain(floor.server.url);
	});

	it('calls nobody when the floor has ended, and the next floor when there is one', async () => {
		const configuration = join(floor.directory, 'hooks', 'forward.curl');
		await floor.app.stop();
		expect(existsSync(configuration)).toBe(false);
		// It has stopped: to restart is to start.
		vi.spyOn(floor.app, 'stop').mockResolvedValue();
		await floor.restart();
		expect(await readFile(configuration, 'utf8')).toContain(floor.server.url);
	});
});
