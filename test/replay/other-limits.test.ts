/** The same events with other settings: what must hold of every comparison, however the events came about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createDialects } from '../../src/main/hooks/dialects.ts';
import { type ReplayDecision, replay } from '../../src/main/replay/replay.ts';
import { settingsSchema } from '../../src/shared/settings.ts';
import { families, traceOf } from '../traces/catalogue.ts';

const dialects = createDialects();

async function decisionsOf(lines: readonly string[], breaker: object = {}): Promise<ReplayDecision[]> {
	const decisions: ReplayDecision[] = [];
	await replay(
		(async function* () {
			yield* lines;
		})(),
		{
			settings: settingsSchema.parse({ breaker }),
			dialects,
			onDecision: (decision) => decisions.push(decision),
			onSkipped: (number, why) => {
				throw new Error(`line ${number}: ${why}`);
			},
		},
	);
	return decisions;
}

/** Nothing else trips. */
const alone = {
	errorStormLimit: 1_000,
	tokenVelocityPerMin: 1e12,
	sameResultLimit: null,
	cycleLimit: null,
	pollingLimit: null,
	noNewResultLimit: null,
};
const repeats = (limit: number) => ({ ...alone, repeatedToolLimit: limit });
const tripsOf = (decisions: readonly ReplayDecision[]): ReplayDecision[] =>
	decisions.filter(({ arm }) => arm !== null);

interface Step {
	readonly session: string;
	readonly command: string;
	/** Seconds since the one before. */
	readonly pause: number;
}
const step = fc.record({
	session: fc.constantFrom('a', 'b'),
	command: fc.constantFrom('npm test', 'npm test', 'npm test', 'make'),
	pause: fc.integer({ min: 1, max: 20 }),
});

function linesOf(steps: readonly Step[]): string[] {
	let at = 1_000_000;
	return steps.flatMap(({ session, command, pause }, index) => {
		at += pause * 1_000;
		const body = {
			session_id: session,
			cwd: '/w/app',
			tool_name: 'Bash',
			tool_input: { command },
			tool_use_id: `t${index}`,
		};
		return [
			JSON.stringify({ at, client: 'claude-code', event: 'PreToolUse', body }),
			JSON.stringify({
				at: at + 100,
				client: 'claude-code',
				event: 'PostToolUse',
				body: { ...body, tool_response: { stdout: 'the same' } },
			}),
		];
	});
}

/** A recorded session, slow enough for beats in between. */
function recording(name: string): string[] {
	const text = readFileSync(join(import.meta.dirname, '../recordings', name), 'utf8');
	return text
		.split('\n')
		.filter((line) => line !== '')
		.map((line, index) => JSON.stringify({ at: 1_000_000 + index * 10_000, ...JSON.parse(line) }));
}

describe('a lower limit of one arm alone', () => {
	const limits = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }));

	it('trips wherever a higher one does, and no later', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 60 }), limits, async (steps, pair) => {
				const lines = linesOf(steps);
				const [lower, higher] = pair.toSorted((one, other) => one - other);
				const [early, late] = [
					tripsOf(await decisionsOf(lines, repeats(lower ?? 1))),
					tripsOf(await decisionsOf(lines, repeats(higher ?? 1))),
				];
				for (const { sessionId, at } of late) {
					const first = early.find((trip) => trip.sessionId === sessionId);
					expect(first?.at).toBeLessThanOrEqual(at);
				}
			}),
			{ numRuns: 40 },
		);
	});

	it('never gives fewer trips in one unbroken loop', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 60 }),
				fc.integer({ min: 1, max: 9 }),
				limits,
				async (calls, pause, pair) => {
					const lines = linesOf(Array.from({ length: calls }, () => ({ session: 'a', command: 'x', pause })));
					const [lower, higher] = pair.toSorted((one, other) => one - other);
					const [more, fewer] = [
						tripsOf(await decisionsOf(lines, repeats(lower ?? 1))),
						tripsOf(await decisionsOf(lines, repeats(higher ?? 1))),
					];
					expect(more.length).toBeGreaterThanOrEqual(fewer.length);
					expect(new Set(more.map(({ arm }) => arm))).toEqual(
						new Set(more.length === 0 ? [] : ['repeated-tool']),
					);
				},
			),
			{ numRuns: 40 },
		);
	});

	it.each(['claude-code.loop.jsonl', 'opencode.loop.jsonl', 'copilot-cli.loop.jsonl'])(
		'trips on %s, as recorded, sooner than the highest does',
		async (name) => {
			const lines = recording(name);
			const [low, high] = [
				tripsOf(await decisionsOf(lines, repeats(1))),
				tripsOf(await decisionsOf(lines, repeats(1_000))),
			];
			expect(low.length).toBeGreaterThan(0);
			expect(high).toEqual([]);
		},
	);

	it('never spares a stuck trace that a higher one catches', async () => {
		for (const family of families.slice(0, 8)) {
			const { lines } = traceOf({ family, set: family.only ?? 'tuning', seed: 0, stuck: true });
			const caught = async (limit: number) => tripsOf(await decisionsOf(lines, repeats(limit))).length > 0;
			const [low, middle, high] = [await caught(2), await caught(5), await caught(10)];
			expect([low || !middle, middle || !high]).toEqual([true, true]);
		}
	});
});

describe('what is played', () => {
	const zone = process.env.TZ;
	afterEach(() => {
		if (zone === undefined) delete process.env.TZ;
		else process.env.TZ = zone;
	});

	it('fares the same in every time zone', async () => {
		const lines = recording('claude-code.loop.jsonl');
		const [first, ...others] = ['UTC', 'Asia/Kathmandu', 'America/St_Johns'];
		process.env.TZ = first;
		const expected = await decisionsOf(lines, repeats(2));
		expect(expected).not.toEqual([]);
		for (const other of others) {
			process.env.TZ = other;
			expect(await decisionsOf(lines, repeats(2))).toEqual(expected);
		}
	});

	it('of two sessions at the same moments fares the same in either order', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
				const of = (session: string) => linesOf(steps.map((each) => ({ ...each, session })));
				const [a, b] = [of('a'), of('b')];
				const woven = (one: string[], other: string[]) =>
					one.flatMap((line, index) => [line, other[index] ?? '']);
				const fates = async (lines: string[]) =>
					(await decisionsOf(lines, repeats(3)))
						.map(({ at, sessionId, level, arm }) => `${sessionId} ${at} ${level} ${arm}`)
						.toSorted();
				expect(await fates(woven(a, b))).toEqual(await fates(woven(b, a)));
			}),
			{ numRuns: 40 },
		);
	});
});
