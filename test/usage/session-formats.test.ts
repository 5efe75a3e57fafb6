import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionFormats } from '../../src/main/usage/session-formats.ts';
import { UsageIndex } from '../../src/main/usage/usage-index.ts';
import { hookClientSchema } from '../../src/shared/words.ts';

const recording = (name: string) => resolve('test/recordings/sessions', name);

describe('the session files of all programs', () => {
	it('have one format each, of a program that the floor knows', () => {
		const clients = sessionFormats.map(({ client }) => client);
		expect(new Set(clients).size).toBe(clients.length);
		expect(hookClientSchema.options).toEqual(expect.arrayContaining(clients));
	});

	it('are counted by one index, subagents for their session, forks for themselves', async () => {
		const index = new UsageIndex({
			formats: sessionFormats,
			env: {
				CODEX_HOME: recording('codex-0.171-subagent'),
				COPILOT_HOME: recording('copilot-1.0.102-subagent'),
				QWEN_HOME: recording('qwen-0.24-forked'),
			},
			homeDirectory: recording('nobody'),
			now: () => Date.parse('2026-11-30T21:00:00.000Z'),
		});
		await index.look();
		const chat = 'tmp/app/chats/session-2026-11-30T20-19-9b1fe893.jsonl';
		await index.follow(`${recording('gemini-0.61-resumed')}/${chat}`, 'gemini-cli');
		const work = (client: string, sessionId: string) => {
			const { total, lastModel, problems } = index.usageOf(client, [sessionId]);
			return {
				tokens: [total.input, total.cacheRead, total.output],
				lastModel,
				lines: problems.invalidLines,
			};
		};
		expect(work('codex', '01a22e17-db1e-7cb3-ae90-89cf0565e2bf')).toEqual({
			tokens: [3000, 2015, 265],
			lastModel: 'gpt-5.5',
			lines: 0,
		});
		expect(work('gemini-cli', '9b1fe893-613c-4e37-99b8-c8e223d8fb50')).toEqual({
			tokens: [4533, 2004, 198],
			lastModel: 'gemini-2.5-flash',
			lines: 0,
		});
		expect(work('copilot-cli', 'f83d3d3e-7316-4392-9c41-b9a7e0d1f5bc')).toEqual({
			tokens: [3900, 2106, 186],
			lastModel: 'stub-model',
			lines: 0,
		});
		// What the fork copied belongs to the file that is older: to which, a checkout does not say.
		const qwen = ['33e6e0c2-7e3f-4d3c-b233-151c0953952f', 'b05b58a4-5d43-457d-a258-0a3d1223be43'];
		const { total } = index.usageOf('qwen-code', qwen);
		expect([total.input, total.cacheRead, total.output]).toEqual([3600, 406, 206]);
	});
});
