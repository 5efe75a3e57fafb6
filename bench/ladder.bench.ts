/** The ladder's beat for 100, 1 000 and 10 000 agents, from a quiet floor to one where every tenth agent loops. */
import { type BreakerInput, CircuitBreaker } from '../src/main/floor/breaker.ts';
import { defaultSettings } from '../src/shared/settings.ts';
import type { BenchRow } from './run.ts';

export const title = "The ladder's beat: target 20 ms for 10 000 agents, growing in line with their number";

const BEAT_MS = 30_000;
const BEATS = 24;
const WARM_UP_BEATS = 8;
/** Calls of each agent between two beats, each with its result. */
const CALLS = 3;

/** What agents do between two beats: nothing, different calls with their results, or a tenth the same failing call. */
type Floor = 'quiet' | 'working' | 'a tenth loops';

export async function run(): Promise<BenchRow[]> {
	const floors: readonly Floor[] = ['quiet', 'working', 'a tenth loops'];
	return floors.flatMap((floor) => [100, 1_000, 10_000].map((agents) => measure(floor, agents)));
}

function measure(floor: Floor, agents: number): BenchRow {
	const breaker = new CircuitBreaker(() => ({
		...defaultSettings.breaker,
		hardStop: true,
		costCapTokens: 1e15,
		costCapUsd: 1e9,
	}));
	const ids = Array.from({ length: agents }, (_, index) => `claude-code:${index}`);
	const took: number[] = [];
	let recordMs = 0;
	let decided = 0;
	for (let beat = 0; beat < BEATS; beat += 1) {
		const now = beat * BEAT_MS;
		const recordStart = performance.now();
		if (floor !== 'quiet') {
			for (const [index, id] of ids.entries()) {
				const isLooping = floor === 'a tenth loops' && index % 10 === 0;
				act(breaker, id, isLooping, beat, now - 1_000);
			}
		}
		recordMs += performance.now() - recordStart;
		const inputs = ids.map(
			(agentId): BreakerInput => ({ agentId, sample: sampleAt(beat), progressing: true }),
		);
		const start = performance.now();
		decided += breaker.tick(inputs, now).length;
		if (beat >= WARM_UP_BEATS) took.push(performance.now() - start);
	}
	if (decided !== agents * BEATS) throw new Error('a beat did not judge every agent');
	took.sort((one, other) => one - other);
	const median = took[took.length >> 1] ?? Number.NaN;
	return {
		floor,
		agents,
		'median ms': round(median),
		'worst ms': round(took.at(-1) ?? Number.NaN),
		'µs per agent': round((median * 1_000) / agents),
		'µs per recorded call': floor === 'quiet' ? 0 : round((recordMs * 1_000) / (agents * BEATS * CALLS)),
	};
}

function act(breaker: CircuitBreaker, id: string, isLooping: boolean, beat: number, at: number): void {
	for (let call = 0; call < CALLS; call += 1) {
		const callId = `${beat}-${call}`;
		const tool = isLooping ? 'Bash' : 'Read';
		const input = isLooping ? { command: 'npm test --silent' } : { file_path: `src/${beat}/part-${call}.ts` };
		breaker.recordToolUse(id, tool, input, { callId, at });
		const result = isLooping ? 'Exit code 1' : `export const part = '${beat}-${call}';`;
		breaker.recordToolResult(id, { callId, tool, input, result, failed: isLooping, at });
	}
}

function sampleAt(beat: number): BreakerInput['sample'] {
	const tokens = beat * 1_000;
	return { model: 'm', input: tokens, output: tokens, cacheRead: 0, cacheCreation: 0, usd: beat / 100 };
}

function round(value: number): number {
	return Math.round(value * 100) / 100;
}
