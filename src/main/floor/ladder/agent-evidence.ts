/** Everything the ladder knows of one agent but its level. Told by the record methods, read by the arms. */
import type { BreakerInput } from './breaker-input.ts';
import { type Actor, CallHistory } from './call-history.ts';
import { isLook, isWait } from './call-window.ts';
import { CompactionGrace } from './compaction.ts';
import { type CountedErrors, ErrorRun } from './error-run.ts';
import { LONG_CALL_MS, ProgressTrack } from './progress-track.ts';
import { UsageTrack } from './usage-track.ts';
import { OutputVelocity } from './velocity.ts';

/** A call that is in flight for longer than this will not come back, ms (a shell command may run 10 minutes). */
const LONGEST_CALL_MS = 15 * 60_000;

export interface ToolUse {
	readonly tool: unknown;
	readonly input: unknown;
	readonly callId: string | null;
	readonly actor: Actor;
	readonly at: number;
	/** The floor refused it. */
	readonly denied: boolean;
}

export interface ToolOutcome extends Omit<ToolUse, 'denied'> {
	/** Text of what came back; anything else: not known. */
	readonly result: unknown;
	readonly failed: boolean;
}

export class AgentEvidence {
	readonly calls = new CallHistory();
	readonly usage: UsageTrack;
	readonly velocity = new OutputVelocity();
	readonly progress = new ProgressTrack();
	readonly #compaction = new CompactionGrace();
	readonly #errors = new ErrorRun();
	#errorRun: CountedErrors | null = null;
	/** Something was told since the last beat that named it. */
	#hasNews = true;
	#lastBeatAt = Number.NEGATIVE_INFINITY;
	/** It tells results, so a call without one came to nothing. */
	#tellsResults = false;
	/** It told what came back of a call, in words. */
	#tellsTexts = false;
	#isCompacting = false;
	#idleNote = '';
	/** When a call that changes things succeeded again, word for word: the file it then changed says nothing new. */
	#sameWriteAt: number | null = null;

	/** `usage` is carried over when the rest is forgotten: what is spent stays spent. */
	constructor(usage = new UsageTrack()) {
		this.usage = usage;
	}

	/** The run that the newest error ends, as of the last beat. */
	get errorRun(): CountedErrors | null {
		return this.#errorRun;
	}

	/** It tells of calls, and never what came back. */
	get tellsNoResults(): boolean {
		return !this.#tellsTexts && this.calls.hasAny;
	}

	/** As of the last beat. */
	get isCompacting(): boolean {
		return this.#isCompacting;
	}

	/** Why the last beat could not count as one without progress; empty otherwise. */
	get idleNote(): string {
		return this.#idleNote;
	}

	toolUsed({ tool, input, callId, actor, at, denied }: ToolUse): void {
		if (callId !== null && this.calls.withId(callId)) return;
		this.#heard(at);
		const { call, previous } = this.calls.start(actor, tool, input, { callId, at, denied });
		// The next call of the same actor began: that one was refused, or nobody will ever tell.
		if (previous?.open && (previous.callId !== null || this.#tellsResults)) this.progress.cameToNothing();
		if (call.distinct && !denied) this.progress.triedSomethingNew(at);
		// Told without an id it is the seed's call, one that has finished.
		if (callId === null) this.#errors.end();
	}

	toolAnswered({ tool, input, callId, actor, at, result, failed }: ToolOutcome): void {
		this.#tellsResults = true;
		this.#heard(at);
		const told = callId === null ? undefined : this.calls.withId(callId);
		const started = told ?? this.calls.openCall(actor, tool, input);
		const call = started ?? this.calls.start(actor, tool, input, { callId, at }).call;
		// What is told of a call that the floor refused is the floor's own word.
		if (!call.open || call.denied) return;
		if (typeof result === 'string') this.#tellsTexts = true;
		const isNews = this.calls.finish(call, tool, input, { text: result, failed, at });
		const isLong = Number.isFinite(at) && at - call.at >= LONG_CALL_MS;
		// Waiting has a budget of its own: it is neither idleness nor fruitless.
		const isPatience = isWait(call) || isLook(call);
		if (isLong || isPatience) this.progress.worked(at);
		if (isNews) this.progress.step(at);
		else if (!isPatience) this.progress.cameToNothing();
		if (failed) return;
		this.#errors.end();
		if (!isNews && !call.distinct && call.identity.mayChangeThings) this.#sameWriteAt = at;
	}

	/** Calls with these ids were made in one turn. */
	madeInOneTurn(callIds: readonly string[]): void {
		this.#hasNews = true;
		this.calls.together(callIds);
	}

	answered(): void {
		this.#errors.end();
	}

	errorSeen(at: number, text: unknown): void {
		this.#heard(at);
		this.#errors.add(at, text);
	}

	progressMade(what: 'file' | 'prompt', at: number): void {
		this.#heard(at);
		if (what === 'file' && at === this.#sameWriteAt) return;
		this.progress.step(at);
		this.calls.spend(at);
	}

	compactionStarted(at: number): void {
		this.#heard(at);
		if (this.#compaction.start(at, this.progress.steps)) this.calls.forget(at);
	}

	compactionEnded(at: number): void {
		this.#heard(at);
		if (this.#compaction.end(at, this.progress.steps)) this.calls.forget(at);
	}

	/**
	 * One beat: stamps are put right, the sample is read, what counts beats is counted. `firstIsSpending`: see
	 * `UsageTrack.observe`.
	 */
	observe(input: BreakerInput, now: number, firstIsSpending: boolean): void {
		const previousBeatAt = this.#lastBeatAt;
		const wentBack = now < previousBeatAt;
		this.#lastBeatAt = now;
		if (this.#hasNews || wentBack) this.#settle(now);
		this.usage.observe(input.sample, now, firstIsSpending);
		const { usage } = this;
		if (input.earlierWork === true) usage.discountGrowth();
		this.#isCompacting = this.#compaction.covers(now);
		if (usage.seen === 'none') this.velocity.pause();
		else if (usage.seen === 'sample' && !this.#isCompacting && input.earlierWork !== true)
			this.velocity.observe(usage.output, now);
		else this.velocity.rebase(usage.output, now);
		this.#idleNote = this.#whyNotIdle(input, previousBeatAt, now);
		this.progress.beat(this.#idleNote === '' ? usage.grown.output : null, now);
	}

	/** What the beat says nothing about progress for; empty: it does. */
	#whyNotIdle(input: BreakerInput, previousBeatAt: number, now: number): string {
		if (input.frozen === true) return 'It is not judged: it has ended, or was stopped or held.';
		if (this.#isCompacting) return 'Its context is being compacted: that is no idleness.';
		if (input.providerTrouble === true) return 'Its provider is failing: that is not held against the agent.';
		if (input.earlierWork === true)
			return 'Its usage of earlier was read just now: that says nothing of this beat.';
		if (input.progressing === true) return 'A file of its work tree changed.';
		const inFlight = this.calls.isInFlight({
			after: now - LONGEST_CALL_MS,
			before: previousBeatAt,
			withIds: !this.#tellsResults,
		});
		if (inFlight && !this.progress.isFruitless) return 'It waits for a long tool.';
		return this.usage.seen === 'none' ? 'No usage of it was read on this beat.' : '';
	}

	#heard(at: number): void {
		this.#hasNews = true;
		this.progress.heard(at);
	}

	#settle(now: number): void {
		this.calls.settle(now);
		this.progress.settle(now);
		this.#compaction.settle(now);
		this.usage.settle(now);
		this.#errors.settle(now);
		this.#errorRun = this.#errors.counted();
		this.#hasNews = false;
	}
}
