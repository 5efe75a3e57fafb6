/** What is taken out of an agent program's telemetry: plain records, without a word of prompts, answers or tools. */
import type { ProviderTrouble } from '../usage/session-format.ts';
import type { CounterGrowth, TalliedAnswer } from '../usage/session-tally.ts';

/** Tokens of one session, told in two ways: see `usage/telemetry-session.ts`. */
export interface TelemetryUsage {
	readonly client: 'claude-code';
	readonly sessionId: string;
	readonly told:
		| ({ readonly by: 'log' } & Omit<TalliedAnswer, 'isLocal'>)
		| ({ readonly by: 'metric' } & CounterGrowth);
}

/** Hooks of one event of which some did not do their work. Whose they are is not told. */
export interface HookProblem {
	readonly sessionId: string;
	/** Ms since the epoch; `null`: not told. */
	readonly at: number | null;
	/** "PostToolUse". */
	readonly event: string;
	/** All hooks of that event that were run. */
	readonly hooks: number;
	readonly failed: number;
	/** Cut off: they took too long, or somebody pressed Esc. */
	readonly cancelled: number;
	readonly durationMs: number | null;
}

/** Told after the reply, in the order of the records. */
export interface TelemetrySink {
	usage(report: TelemetryUsage): void;
	trouble(sessionId: string, trouble: ProviderTrouble): void;
	hookProblem(problem: HookProblem): void;
	/** A conversation was compacted. `at`: ms since the epoch; `null`: not told. */
	compacted(sessionId: string, at: number | null): void;
}
