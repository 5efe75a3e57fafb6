/** Usage of agents: over an agent's sessions and their subagents, each session by whoever counted most of it. */
import type { UsageView } from '../../shared/usage-view.ts';
import type { AgentUsageSample } from '../floor/breaker.ts';
import { addSamples, CountedSession, ofSessions, type SessionCount } from './reconcile.ts';
import { NO_PROBLEMS, type ReadingProblems, type SessionsUsage } from './usage-answers.ts';
import type { UsageIndex } from './usage-index.ts';

export interface AgentUsage {
	readonly usage: UsageView;
	/** Cumulative, for the ladder. */
	readonly sample: AgentUsageSample;
	/** The model of the newest response; `null`: no file tells of one. */
	readonly model: string | null;
	/**
	 * True when work came in that was done before it was known (the agent is new, went over to another session, an older
	 * file of it was found, another counter was switched on): the change since the sample before says nothing about speed.
	 */
	readonly baseline: boolean;
}

export interface SessionUsageOptions {
	/** Ms since the epoch. */
	readonly now?: () => number;
	/** What others than the session's files counted of it. */
	readonly otherCounts?: (client: string, sessionId: string, now: number) => readonly SessionCount[];
}

/** A session that an agent's samples stand on. */
interface CountedPart {
	readonly counted: CountedSession;
	/** See `SessionsUsage`; `null`: no file was read yet. */
	earlierWork: number | null;
}

interface Followed {
	/** By session id. */
	readonly parts: Map<string, CountedPart>;
	problems: ReadingProblems;
}

/** Reads the usage of every agent on the floor. */
export class SessionUsage {
	readonly #index: UsageIndex;
	readonly #now: () => number;
	readonly #otherCounts: NonNullable<SessionUsageOptions['otherCounts']>;
	readonly #agents = new Map<string, Followed>();

	constructor(index: UsageIndex, { now = Date.now, otherCounts = () => [] }: SessionUsageOptions = {}) {
		this.#index = index;
		this.#now = now;
		this.#otherCounts = otherCounts;
	}

	/**
	 * The agent's usage over all of its sessions: those of `sessionIds`, and those of `transcriptPaths` wherever they lie.
	 * `null` while nobody counted a response of them. Never rejects: see `problemsOf`.
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
		const followed = this.#agents.get(agentId) ?? { parts: new Map(), problems: NO_PROBLEMS };
		this.#agents.set(agentId, followed);
		const now = this.#now();
		const reads = [...sessions].map((sessionId) => this.#count(followed.parts, client, sessionId, now));
		const parts = [...followed.parts.values()].map(({ counted }) => counted);
		const [only] = reads;
		// Most agents have one session, and that has been read.
		const isWhole = only !== undefined && followed.parts.size === 1;
		const whole = isWhole ? only : this.#index.usageOf(client, followed.parts.keys());
		const { lastModel: model, problems } = whole;
		followed.problems = problems;
		const usage = ofSessions(parts.flatMap((part) => part.view(now) ?? []));
		const sampled = addSamples(
			model,
			parts.flatMap((part) => part.takeSample(model) ?? []),
		);
		if (usage === null || sampled === null) return null;
		return { usage, sample: sampled.sample, model, baseline: sampled.hasEarlierWork };
	}

	/** Its sessions that others count too: what their files say now, and what they come to. */
	countedBeside(agentId: string, client: string): { read: SessionsUsage; usage: UsageView }[] {
		const now = this.#now();
		return [...(this.#agents.get(agentId)?.parts ?? [])].flatMap(([sessionId, { counted, earlierWork }]) => {
			if (!counted.hasOtherCounts) return [];
			const read = this.#index.usageOf(client, [sessionId]);
			const usage = read.isEmpty ? counted.view(now) : counted.viewWith(countOf(read, earlierWork, now), now);
			return usage === null ? [] : [{ read, usage }];
		});
	}

	/** What could not be read or counted of the agent's sessions at its last sample. */
	problemsOf(agentId: string): ReadingProblems {
		return this.#agents.get(agentId)?.problems ?? NO_PROBLEMS;
	}

	/** Lets go of an agent that left the floor. Its sessions stay counted. */
	forget(agentId: string): void {
		this.#agents.delete(agentId);
	}

	/** Tells what everybody counted of the session; what its files say comes back. */
	#count(parts: Map<string, CountedPart>, client: string, sessionId: string, now: number): SessionsUsage {
		const part = parts.get(sessionId) ?? { counted: new CountedSession(), earlierWork: null };
		parts.set(sessionId, part);
		const read = this.#index.usageOf(client, [sessionId]);
		if (!read.isEmpty) {
			part.counted.tell(countOf(read, part.earlierWork, now));
			part.earlierWork = read.earlierWork;
		}
		for (const count of this.#otherCounts(client, sessionId, now)) part.counted.tell(count);
		return read;
	}
}

/** What the files say of a session. */
export function countOf(
	{ total, today, week, earlierWork }: SessionsUsage,
	known: number | null,
	now: number,
): SessionCount {
	return { source: 'transcript', asOf: now, total, today, week, hasEarlierWork: earlierWork !== known };
}
