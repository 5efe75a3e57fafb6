/**
 * Recorded events on virtual time, through the very code of a live floor. What happened, happened: nothing is denied,
 * and a note counts as delivered at the agent's next event.
 */

import type { ArmGauge } from '../../shared/breaker-state.ts';
import type { Settings } from '../../shared/settings.ts';
import type { UsageView } from '../../shared/usage-view.ts';
import type { BreakerLevel, TripArm } from '../../shared/words.ts';
import type { Agent } from '../floor/agent.ts';
import { unhookedContext } from '../floor/events.ts';
import { Floor } from '../floor/floor.ts';
import { PASS } from '../floor/verdict.ts';
import type { Dialect } from '../hooks/dialect.ts';
import { type HookLine, type ReplayLine, readReplayLine, type UsageLine } from './replay-line.ts';

/** Beats go on for this long after the last line, ms of virtual time. */
const AFTERGLOW_MS = 60_000;

/** A beat on which an agent's level changed. */
export interface ReplayDecision {
	readonly at: number;
	readonly sessionId: string;
	readonly level: BreakerLevel;
	readonly reason: string;
	/** The arm that tripped; `null` on the way down. */
	readonly arm: TripArm | null;
}

/** The most that an arm counted of an agent, on any beat. */
export interface ArmPeak extends ArmGauge {
	readonly sessionId: string;
	readonly at: number;
}

export interface ReplayOptions {
	readonly settings: Settings;
	readonly dialects: readonly Dialect[];
	/** Called for every decision, in order. */
	readonly onDecision: (decision: ReplayDecision) => void;
	/** Called for every line that is skipped. */
	readonly onSkipped: (lineNumber: number, why: string) => void;
	/** Called at the end, for every agent and arm that counted anything: why it tripped, or how near it came. */
	readonly onPeak?: (peak: ArmPeak) => void;
	/** Called for every event that is played, with its session and the agent that it made or moved, unless it came a second time. */
	readonly onHook?: (sessionId: string, agent: Agent | null) => void;
	/** Awaited between lines and between beats: whoever plays beside other work lets that go on. May reject to end the play. */
	readonly breathe?: () => Promise<void> | null;
	/** True: usage of a session that no hook told of is left out, and makes no agent. */
	readonly hookedOnly?: boolean;
}

/** Plays all lines. Never rejects for what a line contains. */
export async function replay(lines: AsyncIterable<string>, options: ReplayOptions): Promise<void> {
	const player = new Player(options);
	let lineNumber = 0;
	for await (const text of lines) {
		lineNumber += 1;
		if (text.trim() === '') continue;
		const line = player.read(text);
		if (typeof line === 'string') options.onSkipped(lineNumber, line);
		else if (line !== null) {
			await reach(player, line.line.at, false, options.breathe);
			player.play(line);
		}
	}
	await reach(player, player.end, true, options.breathe);
	if (options.onPeak) for (const peak of player.peaks()) options.onPeak(peak);
}

/** Beats up to that time, ms. */
async function reach(
	player: Player,
	at: number,
	inclusive: boolean,
	breathe: ReplayOptions['breathe'],
): Promise<void> {
	while (player.beat(at, inclusive)) {
		const breath = breathe?.();
		// A microtask for each of a million beats would be felt.
		if (breath) await breath;
	}
	const breath = breathe?.();
	if (breath) await breath;
}

type PlayedLine = Exclude<ReplayLine, { readonly kind: 'label' }>;

class Player {
	readonly #floor: Floor;
	readonly #dialects: ReadonlyMap<string, Dialect>;
	readonly #beatMs: number;
	readonly #hookedOnly: boolean;
	readonly #onHook: ReplayOptions['onHook'];
	/** Somebody wants the peaks. */
	readonly #isAsked: boolean;
	/** Whose session it was when last looked for. */
	readonly #agentIds = new Map<string, string>();
	/** By agent and arm. */
	readonly #peaks = new Map<string, ArmPeak>();
	#now = Number.NEGATIVE_INFINITY;
	#nextBeatAt = Number.POSITIVE_INFINITY;

	constructor({ settings, dialects, onDecision, onPeak, onHook, hookedOnly = false }: ReplayOptions) {
		this.#onHook = onHook;
		this.#hookedOnly = hookedOnly;
		this.#isAsked = onPeak !== undefined;
		this.#dialects = new Map(dialects.map((dialect) => [dialect.client, dialect]));
		this.#beatMs = settings.heartbeatSeconds * 1000;
		this.#floor = new Floor({
			getSettings: () => settings,
			isReadOnly: () => ({ readOnly: true, why: 'a replay denies nothing' }),
		});
		this.#floor.onRecord((record) => {
			if (record.kind !== 'transition') return;
			const { at, sessionId, to, reason, evidence } = record;
			onDecision({ at, sessionId, level: to, reason, arm: evidence?.arm ?? null });
		});
	}

	/** The line; why it is skipped; `null`: it is nothing to be played. */
	read(text: string): PlayedLine | string | null {
		const read = readReplayLine(text);
		if (typeof read === 'string') return read;
		if (read.kind === 'label') return null;
		if (read.kind === 'hook' && !this.#dialects.has(read.line.client))
			return `no dialect for the client "${read.line.client}"`;
		return read;
	}

	/** Its beats must have been made. */
	play({ kind, line }: PlayedLine): void {
		// Time does not go back: a line out of order counts at the time of the one before it.
		this.#now = Math.max(this.#now, line.at);
		if (kind === 'hook') this.#hook(line);
		else if (kind === 'usage') this.#usage(line);
		else this.#progress(line.progress.sessionId);
	}

	/** When the play ends, ms. */
	get end(): number {
		return this.#now + AFTERGLOW_MS;
	}

	/** One beat that is due before that time (or at it); false: none is. */
	beat(at: number, inclusive: boolean): boolean {
		if (!Number.isFinite(at)) return false;
		if (this.#nextBeatAt === Number.POSITIVE_INFINITY) this.#nextBeatAt = at + this.#beatMs;
		if (this.#nextBeatAt > at || (!inclusive && this.#nextBeatAt === at)) return false;
		this.#floor.beat(this.#nextBeatAt);
		this.#notePeaks(this.#nextBeatAt);
		this.#nextBeatAt += this.#beatMs;
		return true;
	}

	peaks(): Iterable<ArmPeak> {
		return this.#peaks.values();
	}

	#notePeaks(at: number): void {
		if (!this.#isAsked) return;
		for (const { id, sessionId, arms } of this.#floor.agents()) {
			for (const gauge of arms) {
				const key = `${id} ${gauge.arm}`;
				const before = this.#peaks.get(key)?.count ?? 0;
				if (gauge.count !== null && gauge.count > before) this.#peaks.set(key, { ...gauge, sessionId, at });
			}
		}
	}

	#hook({ client, event: name, body }: HookLine): void {
		const dialect = this.#dialects.get(client);
		if (!dialect) return;
		const event = dialect.parse(name, body, { at: this.#now, process: null });
		const answer = this.#floor.answer(event, true);
		this.#floor.settle(answer, this.#now);
		const agent = this.#floor.apply(event, PASS);
		this.#onHook?.(event.sessionId, agent);
	}

	#usage({ usage }: UsageLine): void {
		const { input, output, cacheRead, cacheCreation, usd, model, sessionId } = usage;
		const view: UsageView = {
			input,
			output,
			cacheRead,
			cacheCreation,
			work: input + output + cacheCreation,
			costUsd: usd,
			unpricedModels: [],
			localWork: 0,
			asOf: this.#now,
			source: 'transcript',
			otherCounts: [],
			today: null,
			week: null,
		};
		const sample = { model, input, output, cacheRead, cacheCreation, usd };
		const agent = this.#known(sessionId) ?? (this.#hookedOnly ? null : this.#born(sessionId));
		if (agent) this.#floor.observe(agent.id, { usage: { view, sample, model } }, this.#now);
	}

	#progress(sessionId: string): void {
		// The scan of a live floor sees a change after the fact; here the line is the fact.
		this.#floor.observe(this.#agentOf(sessionId).id, { fileChangedAt: this.#now }, this.#now);
	}

	/** The agent of a session that a line names without naming its client. */
	#agentOf(sessionId: string): Agent {
		return this.#known(sessionId) ?? this.#born(sessionId);
	}

	#known(sessionId: string): Agent | undefined {
		const before = this.#floor.agent(this.#agentIds.get(sessionId) ?? '');
		if (before?.sessionIds.has(sessionId)) return before;
		const found = this.#floor.agents().find((agent) => agent.sessionIds.has(sessionId));
		if (found) this.#agentIds.set(sessionId, found.id);
		return found;
	}

	#born(sessionId: string): Agent {
		const client = this.#dialects.keys().next().value ?? 'unknown';
		const context = unhookedContext({ at: this.#now, client, name: 'seen', sessionId });
		const agent = this.#floor.apply({ ...context, kind: 'other' });
		if (!agent) throw new Error('an event without a dedupe key is never a duplicate');
		return agent;
	}
}
