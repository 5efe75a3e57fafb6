/** The calls of one agent, a window for each actor: ten subagents that each look once are no loop. */
import { type Call, CallWindow, WINDOW_SIZE } from './call-window.ts';
import { callsNeededFor, findLoop, type Loop } from './loop-detector.ts';
import { isFresh } from './time.ts';

/** Actors remembered per agent; the one that was quiet longest is forgotten first. */
const MAX_ACTORS = 32;
/** Calls remembered per actor, at most: a higher limit on repeats can only be exceeded by a plain repeat. */
const MAX_WINDOW_SIZE = 4_096;

/** `null`: the agent itself. */
export type Actor = string | null;

export interface FoundLoop extends Loop {
	readonly actor: Actor;
}

interface ActorCalls {
	readonly window: CallWindow;
	/** What was found in it, until something in it changes. */
	loop: Loop | null;
	stale: boolean;
}

export class CallHistory {
	readonly #actors = new Map<Actor, ActorCalls>();
	/** Generous until the first beat tells the limit. */
	#capacity = MAX_WINDOW_SIZE;
	#limit: number | null = null;
	#loops: FoundLoop[] = [];
	#stale = false;
	/** Calls that started before this are behind a changed file or a prompt, even when they are told late. */
	#spentBefore = Number.NEGATIVE_INFINITY;

	/** Appends a call of `actor`. Returns it and the call before it. */
	start(
		actor: Actor,
		tool: unknown,
		input: unknown,
		{ callId, at }: { callId: string | null; at: number },
	): { call: Call; previous: Call | undefined } {
		const calls = this.#callsOf(actor);
		const previous = calls.window.newest;
		const spent = at < this.#spentBefore;
		const call = calls.window.add(tool, input, { callId, at, spent }, this.#capacity);
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
	finish(call: Call, tool: unknown, input: unknown, outcome: { text: unknown; failed: boolean }): boolean {
		for (const calls of this.#actors.values()) {
			if (!calls.window.calls.includes(call)) continue;
			this.#markStale(calls);
			return calls.window.finish(call, tool, input, outcome);
		}
		return false;
	}

	/** A file changed or a person spoke at `at`: no streak reaches across that. */
	spend(at: number): void {
		if (Number.isFinite(at)) this.#spentBefore = Math.max(this.#spentBefore, at);
		for (const calls of this.#actors.values()) if (calls.window.spend(at)) this.#markStale(calls);
	}

	/** Before a beat: missing stamps and stamps from the future become `now`. */
	settle(now: number): void {
		if (this.#spentBefore > now) this.#spentBefore = now;
		for (const calls of this.#actors.values()) if (calls.window.settle(now)) this.#markStale(calls);
	}

	/** The worst loop that is still fresh at `now`. Only windows with news are searched again. */
	loop(limit: number, now: number): FoundLoop | null {
		if (this.#stale || limit !== this.#limit) this.#search(limit);
		let worst: FoundLoop | null = null;
		for (const loop of this.#loops) {
			if (isFresh(loop.lastAt, now) && loop.count > (worst?.count ?? 0)) worst = loop;
		}
		return worst;
	}

	#search(limit: number): void {
		const all = limit !== this.#limit;
		this.#limit = limit;
		this.#capacity = Math.min(MAX_WINDOW_SIZE, Math.max(WINDOW_SIZE, callsNeededFor(limit)));
		this.#loops = [];
		for (const [actor, calls] of this.#actors) {
			calls.window.trim(this.#capacity);
			const { window } = calls;
			if (all || calls.stale) {
				// All but the first of a loop are repeated; the first with a changed number may be one more.
				calls.loop = window.repeats < limit - 1 ? null : findLoop(window.calls, limit);
			}
			calls.stale = false;
			if (calls.loop) this.#loops.push({ ...calls.loop, actor });
		}
		this.#stale = false;
	}

	#markStale(calls: ActorCalls): void {
		calls.stale = true;
		this.#stale = true;
	}

	#callsOf(actor: Actor): ActorCalls {
		const known = this.#actors.get(actor);
		const calls = known ?? { window: new CallWindow(), loop: null, stale: true };
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
