/** The calls of one agent, a window for each actor: ten subagents that each look once are no loop. */
import { type Call, CallWindow, WINDOW_SIZE } from './call-window.ts';
import { callsNeededFor, findLoop, findRepetition, type Loop } from './loop-detector.ts';
import { callsNeededForResults, type ResultStreak, type ResultStreaks, streaksOf } from './result-streaks.ts';
import { judge } from './standstill.ts';
import { EVIDENCE_MAX_AGE_MS, isFresh } from './time.ts';

/** Actors remembered per agent; the one that was quiet longest is forgotten first. */
const MAX_ACTORS = 32;
/** Calls remembered per actor, at most: a higher limit on repeats can only be exceeded by a plain repeat. */
const MAX_WINDOW_SIZE = 4_096;

/** `null`: the agent itself. */
export type Actor = string | null;

export interface FoundLoop extends Loop {
	readonly actor: Actor;
}

export interface FoundStreak extends ResultStreak {
	readonly actor: Actor;
}

/** Limits of the arms that judge calls; `null`: off. */
export interface CallLimits {
	readonly repeatedTool: number | null;
	readonly sameResult: number | null;
	readonly cycle: number | null;
	readonly polling: number | null;
	readonly noNewResult: number | null;
}

/** What the calls of an agent amount to now: the worst of its actors for each arm, below its limit or above it. */
export interface CallCounts {
	readonly loop: FoundLoop | null;
	readonly sameResult: FoundStreak | null;
	readonly cycle: FoundStreak | null;
	readonly polling: FoundStreak | null;
	readonly noNewResult: FoundStreak | null;
}

interface ActorCalls {
	readonly actor: Actor;
	readonly window: CallWindow;
	/** What was found in it, until something in it changes. */
	loop: FoundLoop | null;
	streaks: Omit<CallCounts, 'loop'>;
	stale: boolean;
}

const NOTHING: CallCounts = { loop: null, sameResult: null, cycle: null, polling: null, noNewResult: null };
/** Calls without an answer that may add up to something. */
const UNANSWERED = 3;

export class CallHistory {
	readonly #actors = new Map<Actor, ActorCalls>();
	/** Generous until the first beat tells the limits. */
	#capacity = MAX_WINDOW_SIZE;
	#limits: CallLimits | null = null;
	#stale = false;
	#counts: CallCounts = NOTHING;
	/** From then on the oldest of what was found is no longer fresh. */
	#countsUntil = Number.POSITIVE_INFINITY;
	/** Calls that started before this are behind a changed file or a prompt, even when they are told late. */
	#spentBefore = Number.NEGATIVE_INFINITY;

	get hasAny(): boolean {
		return this.#actors.size > 0;
	}

	/** Appends a call of `actor`. Returns it and the call before it. */
	start(
		actor: Actor,
		tool: unknown,
		input: unknown,
		{ callId, at, denied = false }: { callId: string | null; at: number; denied?: boolean },
	): { call: Call; previous: Call | undefined } {
		const calls = this.#callsOf(actor);
		const previous = calls.window.newest;
		const spent = at < this.#spentBefore;
		const call = calls.window.add(tool, input, { callId, at, spent, denied }, this.#capacity);
		this.#markStale(calls);
		return { call, previous };
	}

	withId(callId: string): Call | undefined {
		for (const { window } of this.#actors.values()) {
			const call = window.withId(callId);
			if (call) return call;
		}
		return undefined;
	}

	/** The newest call of `actor`, told without an id, that has no result yet and that this one fits. */
	openCall(actor: Actor, tool: unknown, input: unknown): Call | undefined {
		return this.#actors.get(actor)?.window.openCall(tool, input);
	}

	/** Notes what came back of `call`. True when it is new information. */
	finish(
		call: Call,
		tool: unknown,
		input: unknown,
		outcome: { text: unknown; failed: boolean; at: number },
	): boolean {
		for (const calls of this.#actors.values()) {
			if (!calls.window.calls.includes(call)) continue;
			this.#markStale(calls);
			return calls.window.finish(call, tool, input, outcome);
		}
		return false;
	}

	/** Calls with these ids were made in one turn. */
	together(callIds: readonly string[]): void {
		const ids = new Set(callIds);
		for (const calls of this.#actors.values()) if (calls.window.together(ids)) this.#markStale(calls);
	}

	/** A file changed or a person spoke at `at`: no streak reaches across that. */
	spend(at: number): void {
		if (Number.isFinite(at)) this.#spentBefore = Math.max(this.#spentBefore, at);
		for (const calls of this.#actors.values()) if (calls.window.spend(at)) this.#markStale(calls);
	}

	/** The agent may no longer remember what was told up to `at`. */
	forget(at: number): void {
		for (const calls of this.#actors.values()) if (calls.window.forget(at)) this.#markStale(calls);
	}

	/** Before a beat: missing stamps and stamps from the future become `now`. */
	settle(now: number): void {
		if (this.#spentBefore > now) this.#spentBefore = now;
		for (const calls of this.#actors.values()) if (calls.window.settle(now)) this.#markStale(calls);
	}

	/** A call that began between the two is in flight. One without an id may have finished: see `withIds`. */
	isInFlight({ after, before, withIds }: { after: number; before: number; withIds: boolean }): boolean {
		for (const { window } of this.#actors.values()) {
			const { newest } = window;
			if (!newest?.open || newest.denied || (withIds && newest.callId === null)) continue;
			if (newest.at <= before && newest.at > after) return true;
		}
		return false;
	}

	/** What is fresh at `now`. Only windows with news are searched again; the same object while nothing changed. */
	counts(limits: CallLimits, now: number): CallCounts {
		const isOtherLimit = this.#limits === null || !isEqualLimit(this.#limits, limits);
		if (isOtherLimit || this.#stale) this.#search(limits, isOtherLimit, now);
		else if (now < this.#countsUntil) return this.#counts;
		this.#counts = this.#freshCounts(now);
		return this.#counts;
	}

	#freshCounts(now: number): CallCounts {
		const counts: { -readonly [Arm in keyof CallCounts]: CallCounts[Arm] } = { ...NOTHING };
		this.#countsUntil = Number.POSITIVE_INFINITY;
		const isWorse = (found: { count: number; lastAt: number } | null, than: { count: number } | null) => {
			if (found === null || !isFresh(found.lastAt, now)) return false;
			this.#countsUntil = Math.min(this.#countsUntil, found.lastAt + EVIDENCE_MAX_AGE_MS);
			return found.count > (than?.count ?? 0);
		};
		for (const { loop, streaks } of this.#actors.values()) {
			if (isWorse(loop, counts.loop)) counts.loop = loop;
			for (const arm of STREAKS) if (isWorse(streaks[arm], counts[arm])) counts[arm] = streaks[arm];
		}
		return counts;
	}

	#search(limits: CallLimits, all: boolean, now: number): void {
		this.#limits = limits;
		const needed = Math.max(
			limits.repeatedTool === null ? 0 : callsNeededFor(limits.repeatedTool),
			callsNeededForResults(limits),
		);
		this.#capacity = Math.min(MAX_WINDOW_SIZE, Math.max(WINDOW_SIZE, needed));
		for (const calls of this.#actors.values()) {
			calls.window.trim(this.#capacity);
			if (all || calls.stale) searchWindow(calls, limits, now);
			calls.stale = false;
		}
		this.#stale = false;
	}

	#markStale(calls: ActorCalls): void {
		calls.stale = true;
		this.#stale = true;
	}

	#callsOf(actor: Actor): ActorCalls {
		const known = this.#actors.get(actor);
		const calls = known ?? { actor, window: new CallWindow(), loop: null, streaks: NOTHING, stale: true };
		// Re-inserted at the end: the map is in order of last use.
		this.#actors.delete(actor);
		this.#actors.set(actor, calls);
		if (this.#actors.size > MAX_ACTORS) {
			const [quietest] = this.#actors.keys();
			if (quietest !== undefined) this.#actors.delete(quietest);
		}
		return calls;
	}
}

const STREAKS = ['sameResult', 'cycle', 'polling', 'noNewResult'] as const;

function searchWindow(calls: ActorCalls, limits: CallLimits, now: number): void {
	const { window, actor } = calls;
	const isAllNews = window.echoes === 0 && window.unanswered < UNANSWERED;
	const judged = isAllNews ? [] : judge(window.calls);
	calls.streaks = isAllNews ? NOTHING : withActor(streaksOf(judged, now), actor);
	// Polls whose answers are known have a budget of their own, where one is set.
	const polls = new Set(
		limits.polling === null ? [] : judged.filter((one) => one.isPoll).map(({ call }) => call),
	);
	const repeatable = polls.size === 0 ? window.calls : window.calls.filter((call) => !polls.has(call));
	const loop = window.repeats === 0 ? null : longestLoop(repeatable, window.repeats, limits.repeatedTool);
	calls.loop = loop && { ...loop, actor };
}

/** Above the limit, or else below it. All but the first of a loop are repeated; the first with a changed number may be. */
function longestLoop(calls: readonly Call[], repeats: number, limit: number | null): Loop | null {
	const mayTrip = limit !== null && repeats >= limit - 1;
	// What the other arms remember beyond that would only cost time.
	const newest = calls.slice(-Math.max(WINDOW_SIZE, limit === null ? 0 : callsNeededFor(limit)));
	return (mayTrip ? findLoop(newest, limit) : null) ?? findRepetition(newest);
}

function withActor(streaks: ResultStreaks, actor: Actor): ActorCalls['streaks'] {
	const of = (streak: ResultStreak | null): FoundStreak | null => streak && { ...streak, actor };
	return {
		sameResult: of(streaks.sameResult),
		cycle: of(streaks.cycle),
		polling: of(streaks.polling),
		noNewResult: of(streaks.noNewResult),
	};
}

function isEqualLimit(a: CallLimits, b: CallLimits): boolean {
	return (
		a === b ||
		(a.repeatedTool === b.repeatedTool && a.polling === b.polling && a.noNewResult === b.noNewResult)
	);
}
