import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/main/usage/formats/claude-code.ts';
import { SessionUsage } from '../../src/main/usage/session-usage.ts';
import { UsageIndex } from '../../src/main/usage/usage-index.ts';
import { NO_USAGE } from '../../src/shared/usage-view.ts';
import { assistantLine, type Row, temporaryDirectory, userLine } from './transcript-files.ts';

function transcript(directory: string, name: string, rows: readonly Row[]): string {
	const path = join(directory, `${name}.jsonl`);
	writeFileSync(path, rows.map((row) => `${assistantLine(row)}\n`).join(''));
	return path;
}

/** Agents of Claude Code whose sessions are known by their files alone, as far as nothing else is said. */
function newUsage(now: () => number = Date.now) {
	const index = new UsageIndex({ formats: [claudeCode], env: {}, homeDirectory: '/nowhere', now });
	const usage = new SessionUsage(index, { now });
	return {
		index,
		usage,
		sample: (agentId: string, paths: readonly string[], sessionIds: readonly string[] = []) =>
			usage.sample(agentId, 'claude-code', sessionIds, paths),
	};
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
		const agent = await newUsage(() => 1_796_035_000_000).sample('agent', [first, second, second]);
		expect(agent?.usage).toMatchObject({
			input: 200,
			output: 40,
			cacheRead: 14,
			cacheCreation: 6,
			work: 246,
			unpricedModels: [],
			asOf: 1_796_035_000_000,
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
			corrections: 0,
		});
	});

	it('is unpriced, not free, when no price is known', async () => {
		const path = transcript(temporaryDirectory(), 's', [{ id: 'a', model: 'claude-x' }]);
		const agent = await newUsage().sample('agent', [path]);
		expect(agent?.usage).toMatchObject({ costUsd: null, unpricedModels: ['claude-x'] });
		expect(agent?.sample.usd).toBeNull();
	});

	it('costs at least what the priced part costs, and names the rest', async () => {
		const path = transcript(temporaryDirectory(), 's', [
			{ id: 'a', model: 'claude-x' },
			{ id: 'b', usage: { output_tokens: 1_000_000 } },
		]);
		const agent = await newUsage().sample('agent', [path]);
		expect(agent?.usage).toMatchObject({ costUsd: 25, unpricedModels: ['claude-x'] });
	});

	it('is null while no transcript is there or none holds a response', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		const { sample } = newUsage();
		expect(await sample('agent', [])).toBeNull();
		expect(await sample('agent', [path])).toBeNull();
		writeFileSync(path, `${userLine('hello')}\n`);
		expect(await sample('agent', [path])).toBeNull();
		appendFileSync(path, `${assistantLine({ id: 'a' })}\n`);
		expect((await sample('agent', [path]))?.usage.input).toBe(10);
	});

	it('says when a sample stands on a transcript that the one before did not', async () => {
		const directory = temporaryDirectory();
		const { sample } = newUsage();
		const first = transcript(directory, 's-1', [{ id: 'a' }]);
		const older = transcript(directory, 's-0', [{ id: 'old' }]);
		const baselines = [
			await sample('agent', [first]),
			await sample('agent', [first]),
			await sample('agent', [first, older]),
			await sample('agent', [first, older]),
		].map((agent) => agent?.baseline);
		expect(baselines).toEqual([true, false, true, false]);
	});

	it("says when a subagent's file is found that was there long before, and not when one has just begun", async () => {
		const directory = temporaryDirectory();
		let at = Date.now();
		const { sample } = newUsage(() => at);
		const path = transcript(directory, 's', [{ id: 'a' }]);
		const subagents = join(directory, 's', 'subagents');
		mkdirSync(subagents, { recursive: true });
		await sample('agent', [path]);
		transcript(subagents, 'agent-new', [{ id: 'b', isSidechain: true }]);
		expect(await sample('agent', [path])).toMatchObject({ baseline: false, usage: { input: 20 } });
		transcript(subagents, 'agent-old', [{ id: 'c', isSidechain: true }]);
		at += 600_000;
		expect(await sample('agent', [path])).toMatchObject({ baseline: true, usage: { input: 30 } });
		expect(await sample('agent', [path])).toMatchObject({ baseline: false });
	});

	it('shows less when work goes to the session that did it first; for its caps too', async () => {
		const directory = temporaryDirectory();
		let at = 1_796_035_000_000;
		const { sample } = newUsage(() => at);
		const original = transcript(directory, 'a-original', [{ id: 'old' }]);
		const resumed = transcript(directory, 'b-resumed', [{ id: 'old' }, { id: 'new' }]);
		expect(await sample('agent', [resumed])).toMatchObject({ baseline: true, usage: { input: 20 } });
		await sample('another', [original]);
		at += 1_000;
		expect(await sample('agent', [resumed])).toMatchObject({
			baseline: false,
			usage: { input: 10 },
			sample: { input: 10, corrections: 1 },
		});
	});

	it('is the count of whoever counted most, and is never added up', async () => {
		const path = transcript(temporaryDirectory(), 's-1', [{ id: 'a' }]);
		const index = new UsageIndex({ formats: [claudeCode], env: {}, homeDirectory: '/nowhere' });
		const counted = { ...NO_USAGE, input: 30, output: 9, work: 39 };
		const usage = new SessionUsage(index, {
			otherCounts: (_client, sessionId, now) =>
				sessionId === 's-1'
					? [
							{
								source: 'gateway',
								asOf: now,
								total: counted,
								today: counted,
								week: counted,
								hasEarlierWork: false,
							},
						]
					: [],
		});
		const sampled = await usage.sample('agent', 'claude-code', [], [path]);
		expect(sampled?.usage).toMatchObject({ source: 'gateway', work: 39, input: 30 });
		expect(sampled?.usage.otherCounts).toEqual([{ source: 'transcript', work: expect.any(Number) }]);
		expect(sampled?.sample).toMatchObject({ input: 30, output: 9 });
	});

	it('is found by the session alone once its file was', async () => {
		const directory = temporaryDirectory();
		const { index, sample } = newUsage();
		const path = transcript(directory, 's', [{ id: 'a', timestamp: new Date().toISOString() }]);
		expect(await sample('agent', [], ['s'])).toBeNull();
		await index.follow(path, 'claude-code');
		expect(await sample('agent', [], ['s'])).toMatchObject({
			baseline: true,
			usage: { input: 10, source: 'transcript', today: { input: 10 }, week: { input: 10 } },
		});
	});

	it('tells what could not be read', async () => {
		const path = join(temporaryDirectory(), 's.jsonl');
		mkdirSync(path);
		const { usage, sample } = newUsage();
		expect(await sample('agent', [path])).toBeNull();
		expect(usage.problemsOf('agent').unreadable).toHaveLength(1);
		expect(usage.problemsOf('nobody').unreadable).toEqual([]);
	});

	it('of one agent is not taken by another that shares nothing, nor lost when one leaves', async () => {
		const directory = temporaryDirectory();
		const { usage, sample } = newUsage();
		const shared = transcript(directory, 'shared', [{ id: 'a' }]);
		await sample('one', [shared]);
		await sample('two', [shared]);
		usage.forget('one');
		expect((await sample('two', [shared]))?.usage.input).toBe(10);
	});

	it('answers many agents at once', async () => {
		const directory = temporaryDirectory();
		const { sample } = newUsage();
		const paths = Array.from({ length: 20 }, (_, index) =>
			transcript(directory, `s-${index}`, [{ id: `m-${index}` }]),
		);
		const agents = await Promise.all(paths.map((path, index) => sample(`agent-${index}`, [path])));
		expect(agents.map((agent) => agent?.usage.input)).toEqual(paths.map(() => 10));
	});
});
