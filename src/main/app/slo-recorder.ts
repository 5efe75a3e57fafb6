/** Counts what failover tells, for the SLO page and the daily note. Written behind: no turn ever waits for it. */
import { randomUUID } from 'node:crypto';
import { localDay } from '../../shared/local-day.ts';
import { isSameModel } from '../../shared/model-names.ts';
import type { Clock, Schedule } from '../failover/call.ts';
import type { TurnEnd, TurnFacts } from '../failover/desk.ts';
import type { FailoverEvent } from '../failover/failover-event.ts';
import type { SloRow } from '../store/slo-tables.ts';

/** How often it is noted that a provider is still down, ms: a crash costs at most so much of that time. */
export const NOTE_EVERY_MS = 30_000;
/** After a longer silence the machine slept or the floor hung: what was down then is not known, ms. */
const LONGEST_GAP_MS = 3 * NOTE_EVERY_MS;

export interface SloRecorderOptions {
	/** Never throws and never waits (`FloorStore.appendSlo`). */
	readonly append: (row: SloRow) => void;
	readonly clock: Clock;
	readonly schedule: Schedule;
	/** What the demo plays is no experience with any provider. */
	readonly isDemo: (agentId: string) => boolean;
}

interface Span {
	readonly id: string;
	readonly startedAt: number;
}

export class SloRecorder {
	readonly #options: SloRecorderOptions;
	/** Provider → since when it is down. A crash leaves it in the store with the time that was noted last. */
	readonly #down = new Map<string, Span>();
	#depth = 0;
	/** When `#down` was noted last, both clocks, ms. */
	#notedAt: { readonly wall: number; readonly steady: number };
	#cancelTimer: (() => void) | null = null;
	#isDisposed = false;

	constructor(options: SloRecorderOptions) {
		this.#options = options;
		this.#notedAt = { wall: options.clock.wall(), steady: options.clock.steady() };
	}

	/** A `FailoverListener`. */
	readonly listen = (event: FailoverEvent): void => {
		switch (event.kind) {
			case 'turn-ended':
				this.#turn(event.facts, event.end, event.at);
				break;
			case 'popup-opened':
				this.#append({
					kind: 'popup',
					day: localDay(event.at),
					providerId: event.providerId,
					ms: Math.max(0, event.popupMs),
				});
				break;
			case 'provider-changed':
				if (event.down) this.#begin(event.providerId, event.at);
				else this.#end(event.providerId, event.at);
				break;
			case 'queue-depth':
				this.#depth = event.depth;
				this.#append({ kind: 'queue-depth', day: localDay(event.at), depth: event.depth });
				break;
			default:
				break;
		}
	};

	/** Ends what is open: what comes after is not known. */
	dispose(): void {
		this.#isDisposed = true;
		this.#note();
		this.#down.clear();
		this.#cancelTimer?.();
	}

	/** A turn that its client left, or that its agent may not make, says nothing about anybody, and a client's helper request is no turn of an agent. */
	#turn(facts: TurnFacts, end: TurnEnd, at: number): void {
		if (facts.isAuxiliary || end.kind === 'client-left' || end.kind === 'barred') return;
		if (facts.agentId !== null && this.#options.isDemo(facts.agentId)) return;
		const isFallback =
			end.kind === 'answered' && (end.harness === 'local' || !isSameModel(facts.model, end.model));
		this.#append({
			kind: 'turn',
			day: localDay(at),
			providerId: facts.providerId,
			end: isFallback ? 'fallback' : end.kind,
		});
	}

	#begin(providerId: string, at: number): void {
		if (this.#down.has(providerId)) return;
		if (this.#down.size === 0) this.#notedAt = { wall: at, steady: this.#options.clock.steady() };
		const span = { id: randomUUID(), startedAt: at };
		this.#down.set(providerId, span);
		this.#degraded(providerId, span, at);
		this.#plan();
	}

	#end(providerId: string, at: number): void {
		const span = this.#down.get(providerId);
		if (!span) return;
		if (this.#hasGap()) this.#note();
		const current = this.#down.get(providerId) ?? span;
		this.#down.delete(providerId);
		this.#degraded(providerId, current, at);
	}

	#degraded(providerId: string, { id, startedAt }: Span, at: number): void {
		// A clock that was set back makes no span of less than nothing.
		this.#append({ kind: 'degraded', id, providerId, startedAt, knownUntil: Math.max(startedAt, at) });
	}

	/** Notes what is down until now; after a gap a new span begins instead, so that the gap counts for nothing. */
	#note(): void {
		const wall = this.#options.clock.wall();
		const hasGap = this.#hasGap();
		for (const [providerId, span] of this.#down) {
			const current = hasGap ? { id: randomUUID(), startedAt: wall } : span;
			this.#down.set(providerId, current);
			this.#degraded(providerId, current, wall);
		}
		// What waits over midnight is the next day's queue as well.
		if (this.#depth > 0) this.#append({ kind: 'queue-depth', day: localDay(wall), depth: this.#depth });
		this.#notedAt = { wall, steady: this.#options.clock.steady() };
	}

	/** Nobody looked for so long, or the wall clock was set. */
	#hasGap(): boolean {
		const { clock } = this.#options;
		const steady = clock.steady() - this.#notedAt.steady;
		const wall = clock.wall() - this.#notedAt.wall;
		return steady > LONGEST_GAP_MS || Math.abs(wall - steady) > LONGEST_GAP_MS;
	}

	#plan(): void {
		if (this.#isDisposed) return;
		this.#cancelTimer ??= this.#options.schedule(NOTE_EVERY_MS, () => {
			this.#cancelTimer = null;
			this.#note();
			if (this.#down.size > 0 || this.#depth > 0) this.#plan();
		});
	}

	#append(row: SloRow): void {
		this.#options.append(row);
		if (row.kind === 'queue-depth' && row.depth > 0) this.#plan();
	}
}
