/** Everything the ladder knows of one agent but its level. Told by the record methods, read by the arms. */
import type { BreakerInput } from './breaker-input.ts';
import { type Actor, CallHistory } from './call-history.ts';
import { CompactionGrace } from './compaction.ts';
import { type CountedErrors, ErrorRun } from './error-run.ts';
import { ProgressTrack } from './progress-track.ts';
import { UsageTrack } from './usage-track.ts';
import { OutputVelocity } from './velocity.ts';

export interface ToolUse {
	readonly tool: unknown;
	readonly input: unknown;
	readonly callId: string | null;
	readonly actor: Actor;
	readonly at: number;
}

export interface ToolOutcome extends ToolUse {
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

	toolUsed({ tool, input, callId, actor, at }: ToolUse): void {
		if (callId !== null && this.calls.withId(callId)) return;
		this.#heard(at);
		const { call, previous } = this.calls.start(actor, tool, input, { callId, at });
		// The next call of the same actor began: that one was refused, or nobody will ever tell.
		if (previous?.open && (previous.callId !== null || this.#tellsResults)) this.progress.cameToNothing();
		if (call.distinct) this.progress.triedSomethingNew(at);
		// Told without an id it is the seed's call, one that has finished.
		if (callId === null) this.#errors.end();
	}

	toolAnswered({ tool, input, callId, actor, at, result, failed }: ToolOutcome): void {
		this.#tellsResults = true;
		this.#heard(at);
		const told = callId === null ? undefined : this.calls.withId(callId);
		const started = told ?? this.calls.openCall(actor, tool, input);
		const call = started ?? this.calls.start(actor, tool, input, { callId, at }).call;
		if (!call.open) return;
		const isNews = this.calls.finish(call, tool, input, { text: result, failed });
		if (isNews) this.progress.step(at);
		else this.progress.cameToNothing();
		if (failed) return;
		this.#errors.end();
		if (!isNews && !call.distinct && call.identity.mayChangeThings) this.#sameWriteAt = at;
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
		this.#compaction.start(at, this.progress.steps);
	}

	compactionEnded(at: number): void {
		this.#heard(at);
		this.#compaction.end(at, this.progress.steps);
	}

	/**
	 * One beat: stamps are put right, the sample is read, what counts beats is counted. `firstIsSpending`: see
	 * `UsageTrack.observe`.
	 */
	observe(input: BreakerInput, now: number, firstIsSpending: boolean): void {
		const wentBack = now < this.#lastBeatAt;
		this.#lastBeatAt = now;
		if (this.#hasNews || wentBack) this.#settle(now);
		this.usage.observe(input.sample, now, firstIsSpending);
		const { usage } = this;
		if (input.earlierWork === true) usage.discountGrowth();
		const isCompacting = this.#compaction.covers(now);
		if (usage.seen === 'none') this.velocity.pause();
		else if (usage.seen === 'sample' && !isCompacting && input.earlierWork !== true)
			this.velocity.observe(usage.output, now);
		else this.velocity.rebase(usage.output, now);
		const excused =
			isCompacting ||
			input.progressing === true ||
			input.providerTrouble === true ||
			input.earlierWork === true ||
			input.frozen === true;
		this.progress.beat(excused ? null : usage.grown.output, now);
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
