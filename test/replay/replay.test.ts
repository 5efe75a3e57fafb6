import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeCodeDialect } from '../../src/main/hooks/claude-code.ts';
import { type ArmPeak, type ReplayDecision, replay } from '../../src/main/replay/replay.ts';
import { settingsSchema } from '../../src/shared/settings.ts';

interface Played {
	readonly decisions: ReplayDecision[];
	readonly skipped: string[];
}

async function play(lines: readonly unknown[], settings: Record<string, unknown> = {}): Promise<Played> {
	const played: Played = { decisions: [], skipped: [] };
	await replay(
		(async function* () {
			for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
		})(),
		{
			settings: settingsSchema.parse(settings),
			dialects: [claudeCodeDialect],
			onDecision: (decision) => played.decisions.push(decision),
			onSkipped: (number, why) => played.skipped.push(`${number}: ${why}`),
		},
	);
	return played;
}

const levels = ({ decisions }: Played): string[] => decisions.map(({ at, level }) => `${at / 1000} ${level}`);

let serial = 0;
/** A step succeeds with an answer of its own; every other command fails, and always alike. */
function call(at: number, command: string, session = 's1'): unknown[] {
	serial += 1;
	const common = {
		session_id: session,
		cwd: '/w/app',
		tool_name: 'Bash',
		tool_input: { command },
		tool_use_id: `t${serial}`,
	};
	const [event, outcome] = command.startsWith('step ')
		? ['PostToolUse', { tool_response: { stdout: `did ${command}`, stderr: '' } }]
		: ['PostToolUseFailure', { error: 'Exit code 1' }];
	return [
		{ at, client: 'claude-code', event: 'PreToolUse', body: common },
		{ at: at + 200, client: 'claude-code', event, body: { ...common, ...outcome } },
	];
}

const every = (
	seconds: number,
	from: number,
	until: number,
	command: (index: number) => string,
): unknown[] => {
	const lines: unknown[] = [];
	for (let at = from, index = 0; at < until; at += seconds, index += 1)
		lines.push(...call(at * 1000, command(index)));
	return lines;
};

describe('replay', () => {
	it('climbs a rung a beat while the loop goes on, and ends at constrained without hardStop', async () => {
		const played = await play(every(3, 0, 180, () => 'npm test'));
		expect(levels(played).slice(0, 2)).toEqual(['30 steering', '60 constrained']);
		expect(played.decisions.map((decision) => decision.level)).not.toContain('stopped');
		expect(played.decisions[0]?.reason).toMatch(/npm test/);
	});

	it('reaches stopped with hardStop', async () => {
		const played = await play(
			every(3, 0, 180, () => 'npm test'),
			{ breaker: { hardStop: true } },
		);
		expect(levels(played)).toEqual(['30 steering', '60 constrained', '90 stopped']);
	});

	it('holds the climb until the note could be read: a loop that stopped by itself is not constrained', async () => {
		const played = await play([
			...every(2, 0, 28, () => 'npm test'),
			{ at: 400_000, progress: { sessionId: 's1', path: 'a.ts' } },
		]);
		expect(played.decisions.map((decision) => decision.level)).toEqual(['steering', 'healthy']);
	});

	it('says nothing about healthy work', async () => {
		const played = await play(
			every(4, 0, 900, (index) => `step ${'abcdefghijklmnopqrstuvwxyz'[index % 26]}${index}`),
		);
		expect(played.decisions).toEqual([]);
	});

	it('breaks the streak where a file changed', async () => {
		const lines: unknown[] = [];
		for (let at = 0; at < 600; at += 5) {
			lines.push(...call(at * 1000, 'npm test'));
			lines.push({ at: at * 1000 + 3_000, progress: { sessionId: 's1', path: 'src/a.ts' } });
		}
		expect((await play(lines)).decisions).toEqual([]);
	});

	it('judges usage lines: velocity above its limit trips, below it does not', async () => {
		const usage = (at: number, output: number) => ({
			at,
			usage: {
				sessionId: 's1',
				model: 'claude-sonnet-4-5',
				input: 1,
				output,
				cacheRead: 0,
				cacheCreation: 0,
				usd: 0.1,
			},
		});
		const ramp = (perBeat: number) =>
			Array.from({ length: 8 }, (_, beat) => usage(beat * 30_000 + 1_000, beat * perBeat));
		const steps = every(4, 0, 240, (index) => `step ${String.fromCodePoint(0x4e00 + index)}`);
		const sorted = (lines: unknown[]) =>
			lines.sort((a, b) => (a as { at: number }).at - (b as { at: number }).at);
		expect((await play(sorted([...ramp(29_000), ...steps]))).decisions).toEqual([]);
		expect((await play(sorted([...ramp(32_000), ...steps]))).decisions[0]).toMatchObject({
			level: 'steering',
		});
	});

	it('goes on beating for sixty seconds after the last line, and no longer', async () => {
		const played = await play(every(1, 0, 14, () => 'npm test'));
		expect(levels(played)).toEqual(['30 steering']);
	});

	it('skips what it cannot read, with the line’s number and the reason', async () => {
		const played = await play([
			'{',
			'[]',
			'{"at":"x","client":"claude-code","event":"Stop","body":{}}',
			{ at: 1, client: 'nobody', event: 'x', body: {} },
			'',
			{ at: 1, usage: {} },
		]);
		expect(played.skipped).toHaveLength(5);
		expect(played.skipped[3]).toMatch(/^4: no dialect for the client "nobody"/);
	});

	it('plays the recorded loop of a real session', async () => {
		const recorded = readFileSync(join(import.meta.dirname, '../recordings/claude-code.loop.jsonl'), 'utf8');
		const lines = recorded
			.trim()
			.split('\n')
			.map((line, index) => ({ at: index * 10_000, ...(JSON.parse(line) as object) }));
		const played = await play(lines);
		expect(played.skipped).toEqual([]);
		expect(played.decisions[0]).toMatchObject({
			level: 'steering',
			sessionId: 'dc4dfefd-603f-4778-a313-5fb135199e4b',
		});
	});

	it('never throws for any lines, and its times never go back', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.oneof(
						fc.json(),
						fc.record({
							at: fc.integer({ min: 0, max: 600_000 }),
							client: fc.constantFrom('claude-code', 'x'),
							event: fc.constantFrom('PreToolUse', 'Stop', 'SessionEnd', 'Nothing'),
							body: fc.dictionary(fc.string(), fc.jsonValue()),
						}),
					),
					{ maxLength: 30 },
				),
				async (lines) => {
					const { decisions } = await play(lines);
					const times = decisions.map((decision) => decision.at);
					expect(times).toEqual([...times].sort((a, b) => a - b));
				},
			),
			{ numRuns: 60 },
		);
	});

	it('takes a label for what it is, and does not play it', async () => {
		const label = { label: { family: 'same-call', stuck: true, onset: 2 } };
		const lines = every(3, 0, 60, () => 'npm test');
		expect(await play([label, ...lines])).toEqual(await play(lines));
		expect((await play([{ label: 'stuck' }])).skipped).toEqual([
			expect.stringMatching(/^1: not a label line/),
		]);
	});

	it('says which arm tripped, and none on the way down', async () => {
		const played = await play([
			...every(3, 0, 60, () => 'npm test'),
			{ at: 400_000, progress: { sessionId: 's1', path: 'a.ts' } },
		]);
		expect(played.decisions.map(({ level, arm }) => `${level} ${arm}`)).toContain('healthy null');
		expect(played.decisions[0]?.arm).not.toBeNull();
	});

	it('tells at the end how near each arm came to its limit', async () => {
		const peaks: ArmPeak[] = [];
		await replay(
			(async function* () {
				for (const line of every(3, 0, 24, () => 'npm test')) yield JSON.stringify(line);
			})(),
			{
				settings: settingsSchema.parse({ breaker: { sameResultLimit: 900 } }),
				dialects: [claudeCodeDialect],
				onDecision: (decision) => expect.unreachable(decision.reason),
				onSkipped: (_, why) => expect.unreachable(why),
				onPeak: (peak) => peaks.push(peak),
			},
		);
		const [repeated] = peaks.filter(({ arm }) => arm === 'repeated-tool');
		expect(repeated).toMatchObject({ sessionId: 's1', count: 8, limit: 8, at: 30_000 });
		expect(peaks.find(({ arm }) => arm === 'same-result')).toMatchObject({ count: 8, limit: 900 });
		expect(peaks.every(({ count }) => count !== null && count > 0)).toBe(true);
	});
});
