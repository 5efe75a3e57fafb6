/** What is exported is what a replay plays: events and the usage that the floor has counted. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDialects } from '../../src/main/hooks/dialects.ts';
import { replay } from '../../src/main/replay/replay.ts';
import { readReplayLine } from '../../src/main/replay/replay-line.ts';
import { settingsSchema } from '../../src/shared/settings.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { assistantLine } from '../usage/transcript-files.ts';
import { run } from './command-line.ts';

const HOOKED = 'aaaaaaaa-0000-4000-8000-000000000003';
const UNHOOKED = 'bbbbbbbb-0000-4000-8000-000000000003';

async function spendingFloor(): Promise<RunningTestFloor> {
	const floor = await RunningTestFloor.start({}, async (home) => {
		const transcripts = join(home, '.claude/projects/shop');
		await mkdir(transcripts, { recursive: true });
		for (const sessionId of [HOOKED, UNHOOKED]) {
			const lines = [1, 2].map((index) =>
				assistantLine({
					id: `${sessionId}-${index}`,
					timestamp: new Date(Date.now() + 60_000 + index).toISOString(),
					sessionId,
				}),
			);
			await writeFile(join(transcripts, `${sessionId}.jsonl`), `${lines.join('\n')}\n`);
		}
	});
	onTestFinished(() => floor.dispose());
	await floor.hook('UserPromptSubmit', { session_id: HOOKED, cwd: '/w/shop', prompt: 'go' });
	await vi.waitFor(() => expect(floor.snapshot().usage.session.work).toBeGreaterThan(0), { timeout: 10_000 });
	return floor;
}

describe('agent-floor export', () => {
	it('has the usage of agents, cumulative, and no session without hooks; a cap trips when it is replayed', async () => {
		const floor = await spendingFloor();
		// Everything that was counted is on the disk then.
		await floor.restart();
		const { code, out, err } = await run(floor.directory, 'export');
		expect([code, err]).toEqual([0, '']);
		const lines = out.split('\n');
		const usages = lines.flatMap((line) => {
			const read = readReplayLine(line);
			if (typeof read === 'string') throw new Error(read);
			return read.kind === 'usage' ? read.line.usage : [];
		});
		expect(usages.map(({ sessionId, input, output }) => [sessionId, input, output])).toEqual([
			[HOOKED, 10, 5],
			[HOOKED, 20, 10],
		]);
		expect(usages[1]?.usd).toBeGreaterThan(usages[0]?.usd ?? Number.POSITIVE_INFINITY);
		const arms: unknown[] = [];
		await replay(
			(async function* () {
				yield* lines;
			})(),
			{
				settings: settingsSchema.parse({ breaker: { agentTokenCaps: { [HOOKED]: 1 } } }),
				dialects: createDialects(),
				onDecision: ({ arm }) => arms.push(arm),
				onSkipped: (_, why) => {
					throw new Error(why);
				},
			},
		);
		expect(arms[0]).toBe('agent-token-cap');
	});

	it('says once that there is nothing where no floor has run', async () => {
		const directory = await mkdtemp(join(tmpdir(), 'agent-floor-none-'));
		onTestFinished(() => rm(directory, { recursive: true }));
		const { code, out, err } = await run(directory, 'export');
		expect([code, out]).toEqual([2, '']);
		expect(err.match(/There is no database/g)).toHaveLength(1);
	});
});
