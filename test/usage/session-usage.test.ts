import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionUsage } from '../../src/main/usage/session-usage.ts';
import { assistantLine, type Row, temporaryDirectory, userLine } from './transcript-files.ts';

function transcript(directory: string, name: string, rows: readonly Row[]): string {
	const path = join(directory, `${name}.jsonl`);
	writeFileSync(path, rows.map((row) => `${assistantLine(row)}\n`).join(''));
	return path;
}

describe("an agent's usage", () => {
	it('is the sum over its sessions, each response once', async () => {
		const directory = temporaryDirectory();
		const usage = {
			input_tokens: 100,
			output_tokens: 20,
			cache_read_input_tokens: 7,
			cache_creation_input_tokens: 3,
		};
		const first = transcript(directory, 's-1', [{ id: 'a', usage }]);
		const second = transcript(directory, 's-2', [
			{ id: 'a', usage },
			{ id: 'b', usage, model: 'claude-haiku-4-5', timestamp: '2026-11-30T10:00:00Z' },
		]);
		const agent = await new SessionUsage({ now: () => 42 }).sample('agent', [first, second, second]);
		expect(agent?.usage).toMatchObject({
			input: 200,
			output: 40,
			cacheRead: 14,
			cacheCreation: 6,
			work: 246,
			unpricedModels: [],
			asOf: 42,
		});
		expect(agent?.usage.costUsd).toBeCloseTo(
			(100 * 5 + 20 * 25 + 7 * 0.5 + 3 * 6.25 + 100 * 1 + 20 * 5 + 7 * 0.1 + 3 * 1.25) / 1e6,
			12,
		);
		expect(agent?.model).toBe('claude-haiku-4-5');
		expect(agent?.sample).toEqual({
			model: 'claude-haiku-4-5',
			input: 200,
			output: 40,
			cacheRead: 14,
			cacheCreation: 6,
			usd: agent?.usage.costUsd,
		});
	});

	it('is unpriced, not free, when no price is known', async () => {
		const path = transcript(temporaryDirectory(), 's', [{ id: 'a', model: 'claude-x' }]);
		const agent = await new SessionUsage().sample('agent', [path]);
		expect(agent?.usage).toMatchObject({ costUsd: null, unpricedModels: ['claude-x'] });
		expect(agent?.sample.usd).toBeNull();
	});

	it('costs at least what the priced part costs, and names the rest', async () => {
		const path = transcript(temporaryDirectory(), 's', [
			{ id: 'a', model: 'claude-x' },
			{ id: 'b', usage: { output_tokens: 1_000_000 } },
		]);
		const agent = await new SessionUsage().sample('agent', [path]);
		expect(agent?.usage).toMatchObject({ costUsd: 25, unpricedModels: ['claude-x'] });
	});

	it('is null while no transcript is there or none holds a response', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		const usage = new SessionUsage();
		expect(await usage.sample('agent', [])).toBeNull();
		expect(await usage.sample('agent', [path])).toBeNull();
		writeFileSync(path, `${userLine('hello')}\n`);
		expect(await usage.sample('agent', [path])).toBeNull();
		appendFileSync(path, `${assistantLine({ id: 'a' })}\n`);
		expect((await usage.sample('agent', [path]))?.usage.input).toBe(10);
	});

	it('says when a sample stands on a transcript that the one before did not', async () => {
		const directory = temporaryDirectory();
		const usage = new SessionUsage();
		const first = transcript(directory, 's-1', [{ id: 'a' }]);
		const older = transcript(directory, 's-0', [{ id: 'old' }]);
		const baselines = [
			await usage.sample('agent', [first]),
			await usage.sample('agent', [first]),
			await usage.sample('agent', [first, older]),
			await usage.sample('agent', [first, older]),
		].map((agent) => agent?.baseline);
		expect(baselines).toEqual([true, false, true, false]);
	});

	it('tells what could not be read', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		mkdirSync(path);
		const usage = new SessionUsage();
		expect(await usage.sample('agent', [path])).toBeNull();
		expect(usage.problemsOf('agent').unreadable).toHaveLength(1);
		expect(usage.problemsOf('nobody').unreadable).toEqual([]);
	});

	it('of one agent is not taken by another that shares nothing, nor lost when one leaves', async () => {
		const directory = temporaryDirectory();
		const usage = new SessionUsage();
		const shared = transcript(directory, 'shared', [{ id: 'a' }]);
		await usage.sample('one', [shared]);
		await usage.sample('two', [shared]);
		usage.forget('one');
		expect((await usage.sample('two', [shared]))?.usage.input).toBe(10);
	});

	it('answers many agents at once', async () => {
		const directory = temporaryDirectory();
		const usage = new SessionUsage();
		const paths = Array.from({ length: 20 }, (_, index) =>
			transcript(directory, `s-${index}`, [{ id: `m-${index}` }]),
		);
		const agents = await Promise.all(paths.map((path, index) => usage.sample(`agent-${index}`, [path])));
		expect(agents.map((agent) => agent?.usage.input)).toEqual(paths.map(() => 10));
	});
});
