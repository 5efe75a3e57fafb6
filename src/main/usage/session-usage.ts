/** Usage of agents: the sum over an agent's sessions and their subagents, each model response once. */
import type { UsageView } from '../../shared/usage-view.ts';
import type { AgentUsageSample } from '../floor/breaker.ts';
import {
	ClaudeTranscriptReader,
	NO_PROBLEMS,
	type ReaderOptions,
	type TranscriptProblems,
	type TranscriptUsage,
} from './claude-transcript.ts';
import { addUsage, NO_TOKENS } from './token-usage.ts';

export interface AgentUsage {
	readonly usage: UsageView;
	/** Cumulative, for the ladder. */
	readonly sample: AgentUsageSample;
	/** The model of the newest response; `null` when only subagents have answered. */
	readonly model: string | null;
	/**
	 * True when a transcript was read for the first time (the agent is new, or went over to another session): the growth
	 * since the sample before may then be old work and says nothing about speed.
	 */
	readonly baseline: boolean;
}

interface Followed {
	/** The transcripts that the agent's samples stand on. */
	readonly paths: Set<string>;
	problems: TranscriptProblems;
}

/** Reads the usage of every agent on the floor. */
export class SessionUsage {
	readonly #reader: ClaudeTranscriptReader;
	readonly #now: () => number;
	readonly #agents = new Map<string, Followed>();

	constructor(options: ReaderOptions = {}) {
		this.#reader = new ClaudeTranscriptReader(options);
		this.#now = options.now ?? Date.now;
	}

	/**
	 * The agent's usage over all of `transcriptPaths` (those of its sessions). `null` while none of them is there or
	 * none holds a response. Never rejects: see `problemsOf`.
	 */
	async sample(agentId: string, transcriptPaths: readonly string[]): Promise<AgentUsage | null> {
		const followed = this.#agents.get(agentId) ?? { paths: new Set<string>(), problems: NO_PROBLEMS };
		this.#agents.set(agentId, followed);
		const parts: TranscriptUsage[] = [];
		let baseline = false;
		for (const path of new Set(transcriptPaths)) {
			const part = await this.#reader.poll(path);
			if (!part) continue;
			parts.push(part);
			baseline ||= !followed.paths.has(path);
			followed.paths.add(path);
		}
		followed.problems = joined(parts.map((part) => part.problems));
		const usage = viewOf(parts, this.#now());
		if (!usage) return null;
		const model = newestModel(parts);
		const { input, output, cacheRead, cacheCreation, costUsd: usd } = usage;
		return { usage, sample: { model, input, output, cacheRead, cacheCreation, usd }, model, baseline };
	}

	/** What could not be read or counted of the agent's transcripts at its last sample. */
	problemsOf(agentId: string): TranscriptProblems {
		return this.#agents.get(agentId)?.problems ?? NO_PROBLEMS;
	}

	/** Lets go of an agent that left the floor. A transcript that another agent shares is read anew for that one. */
	forget(agentId: string): void {
		for (const path of this.#agents.get(agentId)?.paths ?? []) this.#reader.forget(path);
		this.#agents.delete(agentId);
	}
}

/** `null` when nothing was counted. */
function viewOf(parts: readonly TranscriptUsage[], asOf: number): UsageView | null {
	const models = parts.flatMap((part) => [...part.byModel]);
	if (models.length === 0) return null;
	const total = models.reduce((sum, [, totals]) => addUsage(sum, totals.usage), NO_TOKENS);
	const priced = models.flatMap(([, totals]) => (totals.usd === null ? [] : [totals.usd]));
	const unpriced = models.flatMap(([model, totals]) => (totals.unpriced ? [model] : []));
	const { input, output, cacheRead, cacheCreation } = total;
	return {
		input,
		output,
		cacheRead,
		cacheCreation,
		work: input + output + cacheCreation,
		costUsd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
		unpricedModels: [...new Set(unpriced)].sort(),
		localWork: 0,
		asOf,
		source: 'transcript',
		otherCounts: [],
		today: null,
		week: null,
	};
}

function newestModel(parts: readonly TranscriptUsage[]): string | null {
	const newest = parts.reduce<TranscriptUsage | null>(
		(best, part) => (part.lastModel !== null && part.lastModelAt >= (best?.lastModelAt ?? 0) ? part : best),
		null,
	);
	return newest?.lastModel ?? null;
}

function joined(problems: readonly TranscriptProblems[]): TranscriptProblems {
	return problems.reduce(
		(all, one) => ({
			invalidLines: all.invalidLines + one.invalidLines,
			overlongLines: all.overlongLines + one.overlongLines,
			invalidNumbers: all.invalidNumbers + one.invalidNumbers,
			unreadable: [...all.unreadable, ...one.unreadable],
		}),
		NO_PROBLEMS,
	);
}
