/** Usage of agents: the sum over an agent's sessions and their subagents, each model response once. */
import type { UsageView } from '../../shared/usage-view.ts';
import type { AgentUsageSample } from '../floor/breaker.ts';
import { NO_PROBLEMS, type ReadingProblems } from './usage-answers.ts';
import type { UsageIndex } from './usage-index.ts';

export interface AgentUsage {
	readonly usage: UsageView;
	/** Cumulative, for the ladder. */
	readonly sample: AgentUsageSample;
	/** The model of the newest response; `null` when only subagents have answered. */
	readonly model: string | null;
	/**
	 * True when work came in that was done before it was known (the agent is new, went over to another session, or an
	 * older file of it was found), or went to the session that did it: the change since the sample before then says nothing
	 * about speed.
	 */
	readonly baseline: boolean;
}

interface Followed {
	/** The sessions that the agent's samples stand on. */
	readonly sessions: Set<string>;
	problems: ReadingProblems;
	earlierWork: number;
	tokens: number;
}

/** Reads the usage of every agent on the floor. */
export class SessionUsage {
	readonly #index: UsageIndex;
	readonly #now: () => number;
	readonly #agents = new Map<string, Followed>();

	constructor(index: UsageIndex, now: () => number = Date.now) {
		this.#index = index;
		this.#now = now;
	}

	/**
	 * The agent's usage over all of its sessions: those of `sessionIds` that were found, and those of `transcriptPaths`
	 * wherever they lie. `null` while there is none or none holds a response. Never rejects: see `problemsOf`.
	 */
	async sample(
		agentId: string,
		client: string,
		sessionIds: readonly string[],
		transcriptPaths: readonly string[],
	): Promise<AgentUsage | null> {
		const sessions = new Set(sessionIds);
		for (const path of new Set(transcriptPaths)) {
			const sessionId = await this.#index.follow(path, client);
			if (sessionId !== null) sessions.add(sessionId);
		}
		const found = this.#index.usageOf(client, sessions);
		const known = this.#agents.get(agentId);
		const before = known?.sessions ?? new Set<string>();
		const { total, today, week, problems, earlierWork } = found;
		const tokens = total.work + total.cacheRead;
		const baseline =
			known === undefined ||
			known.earlierWork !== earlierWork ||
			tokens < known.tokens ||
			[...sessions].some((sessionId) => !before.has(sessionId));
		if (found.isEmpty) {
			this.#agents.set(agentId, { sessions: before, problems, earlierWork, tokens });
			return null;
		}
		this.#agents.set(agentId, { sessions: new Set([...before, ...sessions]), problems, earlierWork, tokens });
		const { input, output, cacheRead, cacheCreation, costUsd: usd } = total;
		const model = found.lastModel;
		return {
			usage: { ...total, asOf: this.#now(), source: 'transcript', otherCounts: [], today, week },
			sample: { model, input, output, cacheRead, cacheCreation, usd },
			model,
			baseline,
		};
	}

	/** What could not be read or counted of the agent's sessions at its last sample. */
	problemsOf(agentId: string): ReadingProblems {
		return this.#agents.get(agentId)?.problems ?? NO_PROBLEMS;
	}

	/** Lets go of an agent that left the floor. Its sessions stay counted. */
	forget(agentId: string): void {
		this.#agents.delete(agentId);
	}
}
