/** Counting as the composition connects it: session files, the gateway's answers, telemetry, over real files and HTTP. */
import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { answer } from '../support/provider-stub/steps.ts';
import { type ProviderStub, startProviderStub } from '../support/provider-stub.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { assistantLine } from '../usage/transcript-files.ts';

const recordings = resolve(import.meta.dirname, '../recordings/sessions');
const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const end of running.splice(0).reverse()) await end();
});

async function start(
	prepare: (home: string) => Promise<void> = async () => {},
	settings: Record<string, unknown> = {},
): Promise<RunningTestFloor> {
	const floor = await RunningTestFloor.start(settings, prepare);
	running.push(() => floor.dispose());
	return floor;
}

const until = (condition: () => void): Promise<void> =>
	vi.waitFor(condition, { timeout: 15_000, interval: 50 });

function agentOf(floor: RunningTestFloor, sessionId: string): AgentView {
	const agent = floor.snapshot().agents.find((each) => each.sessionId === sessionId);
	if (!agent) throw new Error(`${sessionId} is not on the floor`);
	return agent;
}

const transcriptOf = (home: string, sessionId: string): string =>
	join(home, `.claude/projects/-home-me-app/${sessionId}.jsonl`);

/** Just now: what counts for today, and is no history. */
const now = (): string => new Date().toISOString();

async function write(path: string, ...lines: readonly string[]): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, lines.map((line) => `${line}\n`).join(''));
}

describe('sessions without hooks', () => {
	it('are seen, of every program, and no agents; one that a hook tells of is seen no longer', async () => {
		const floor = await start(async (home) => {
			await write(transcriptOf(home, 's-1'), assistantLine({ id: 'm-1', timestamp: now() }));
			await cp(join(recordings, 'codex-0.171-limit'), join(home, '.codex'), { recursive: true });
			await cp(join(recordings, 'gemini-0.61-resumed'), join(home, '.gemini'), { recursive: true });
			await cp(join(recordings, 'copilot-1.0.102-resumed'), join(home, '.copilot'), { recursive: true });
		});
		await until(() => {
			const seen = new Set(floor.snapshot().sightings.map(({ client }) => client));
			expect(seen).toEqual(new Set(['claude-code', 'codex', 'gemini-cli', 'copilot-cli']));
		});
		const { agents, usage } = floor.snapshot();
		expect(agents).toEqual([]);
		expect(usage.programs.map(({ client }) => client)).toEqual([
			'claude-code',
			'codex',
			'gemini-cli',
			'copilot-cli',
		]);
		expect(usage.today?.work).toBeGreaterThanOrEqual(15);
		await floor.hook('SessionStart', { session_id: 's-1', cwd: '/home/me/app', source: 'startup' });
		await until(() => {
			expect(floor.snapshot().sightings.map(({ sessionId }) => sessionId)).not.toContain('s-1');
		});
		await until(() => expect(agentOf(floor, 's-1').usage).toMatchObject({ work: 15, source: 'transcript' }));
		expect(agentOf(floor, 's-1').usage?.today).toMatchObject({ work: 15 });
	});

	it('are counted once over a restart', async () => {
		const floor = await start((home) =>
			write(transcriptOf(home, 's-1'), assistantLine({ id: 'm-1', timestamp: now() })),
		);
		await until(() => expect(floor.snapshot().usage.today).toMatchObject({ work: 15 }));
		await appendFile(
			transcriptOf(floor.directory, 's-1'),
			`${assistantLine({ id: 'm-2', timestamp: now() })}\n`,
		);
		await floor.restart();
		await until(() => expect(floor.snapshot().usage.today).toMatchObject({ work: 30 }));
	});
});

describe('trouble that a transcript tells', () => {
	it('is shown on the agent and heard by the models, and climbs nobody', async () => {
		const floor = await start();
		const transcript = transcriptOf(floor.directory, 's-1');
		await write(transcript, assistantLine({ id: 'm-1', model: 'claude-sonnet-5', timestamp: now() }));
		await floor.hook('SessionStart', {
			session_id: 's-1',
			cwd: '/home/me/app',
			source: 'startup',
			model: 'claude-sonnet-5',
			transcript_path: transcript,
		});
		await until(() => expect(agentOf(floor, 's-1').usage).toMatchObject({ work: 15 }));
		const failed = JSON.stringify({
			type: 'system',
			subtype: 'api_error',
			level: 'error',
			sessionId: 's-1',
			uuid: 'u-1',
			timestamp: now(),
			retryInMs: 500,
			retryAttempt: 1,
			maxRetries: 10,
			error: { status: 429, message: '429 rate limited' },
		});
		await appendFile(transcript, `${failed}\n`);
		await floor.hook('Notification', {
			session_id: 's-1',
			message: 'x',
			notification_type: 'auth_success',
		});
		await until(() => expect(agentOf(floor, 's-1').providerTrouble).toMatchObject({ error: 'rate_limit' }));
		expect(agentOf(floor, 's-1').level).toBe('healthy');
		await until(() => {
			const [chain] = floor.snapshot().models.chains;
			expect(chain).toMatchObject({ state: 'open' });
		});
	});
});

describe('counts of others', () => {
	async function withProvider(): Promise<{ floor: RunningTestFloor; provider: ProviderStub }> {
		const provider = await startProviderStub();
		running.push(() => provider.close());
		const floor = await start(undefined, {
			providers: [
				{ id: 'anthropic', name: 'Anthropic', baseUrl: provider.url, protocols: ['anthropic-messages'] },
			],
		});
		return { floor, provider };
	}

	it('of the gateway stand where there is no file, and count for the day of the floor', async () => {
		const { floor, provider } = await withProvider();
		provider.script([answer({ text: 'Here.' })]);
		const reply = await fetch(
			`${floor.server.url}/gateway/${floor.server.agentToken}/v1/messages?beta=true`,
			{
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'user-agent': 'claude-cli/2.1.332',
					'x-claude-code-session-id': 's-9',
				},
				body: JSON.stringify({
					model: 'claude-sonnet-4-5',
					max_tokens: 32_000,
					stream: true,
					messages: [{ role: 'user', content: 'Say something' }],
					tools: [{ name: 'Read', description: 'reads', input_schema: { type: 'object' } }],
				}),
			},
		);
		expect(await reply.text()).toContain('Here.');
		await until(() => expect(agentOf(floor, 's-9').usage).toMatchObject({ source: 'gateway' }));
		const { usage } = agentOf(floor, 's-9');
		expect(usage?.work).toBeGreaterThan(0);
		await until(() => expect(floor.snapshot().usage.today?.work).toBe(usage?.work));
	});

	it('of hooks are taken where a program keeps no files, each answer once', async () => {
		const floor = await start();
		const message = {
			id: 'msg_1',
			modelID: 'gpt-5.4-mini',
			tokens: { input: 900, output: 40, reasoning: 10 },
		};
		for (const event of ['session.seen', 'message.updated', 'message.updated']) {
			await fetch(`${floor.server.url}/hooks/opencode/${event}`, {
				method: 'POST',
				headers: { authorization: `Bearer ${floor.server.agentToken}` },
				body: JSON.stringify({ sessionID: 'ses_1', rootID: 'ses_1', directory: '/home/me/app', message }),
			});
		}
		await until(() => expect(agentOf(floor, 'ses_1').usage).toMatchObject({ work: 950, output: 50 }));
		await until(() => {
			const { programs, today } = floor.snapshot().usage;
			expect(today).toMatchObject({ work: 950 });
			expect(programs).toMatchObject([{ client: 'opencode', files: 0, today: { work: 950 } }]);
		});
	});

	it('of telemetry are taken for whoever is on the floor, and need the token', async () => {
		const { floor } = await withProvider();
		await floor.hook('SessionStart', { session_id: 's-1', cwd: '/home/me/app', source: 'startup' });
		const record = {
			timeUnixNano: `${Date.now()}000000`,
			attributes: Object.entries({
				'event.name': 'claude_code.api_request',
				'session.id': 's-1',
				model: 'claude-sonnet-4-5',
				input_tokens: '100',
				output_tokens: '20',
				request_id: 'req-1',
			}).map(([key, stringValue]) => ({ key, value: { stringValue } })),
		};
		const post = (headers: Record<string, string>): Promise<Response> =>
			fetch(`${floor.server.url}/otlp/v1/logs`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
			});
		expect((await post({})).status).toBe(401);
		const reply = await post({ authorization: `Bearer ${floor.server.agentToken}` });
		expect(reply.status).toBe(200);
		expect(await reply.json()).toEqual({});
		await until(() =>
			expect(agentOf(floor, 's-1').usage).toMatchObject({ source: 'telemetry', work: 120, output: 20 }),
		);
	});

	it('of one session are not lost to the day when the agent goes on in another that its file counts', async () => {
		const floor = await start();
		const pid = { 'x-agent-floor-pid': String(process.pid) };
		await floor.hook('SessionStart', { session_id: 's-1', cwd: '/home/me/app', source: 'startup' }, pid);
		const attributes = Object.entries({
			'event.name': 'claude_code.api_request',
			'session.id': 's-1',
			model: 'claude-sonnet-4-5',
			input_tokens: '4',
			output_tokens: '3',
			request_id: 'req-1',
		}).map(([key, stringValue]) => ({ key, value: { stringValue } }));
		const record = { timeUnixNano: `${Date.now()}000000`, attributes };
		await fetch(`${floor.server.url}/otlp/v1/logs`, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				authorization: `Bearer ${floor.server.agentToken}`,
			},
			body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
		});
		await until(() => expect(agentOf(floor, 's-1').usage).toMatchObject({ work: 7 }));
		const transcript = transcriptOf(floor.directory, 's-2');
		await write(transcript, assistantLine({ id: 'm-1', timestamp: now() }));
		const next = { session_id: 's-2', cwd: '/home/me/app', transcript_path: transcript };
		await floor.hook('SessionStart', { ...next, source: 'clear' }, pid);
		await until(() =>
			expect(agentOf(floor, 's-2').usage).toMatchObject({
				work: 22,
				source: 'transcript',
				today: { work: 22 },
			}),
		);
		await until(() => expect(floor.snapshot().usage.today?.work).toBe(22));
	});
});
