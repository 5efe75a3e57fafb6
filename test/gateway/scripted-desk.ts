/** A desk that says what the test tells it, and a clock that the test turns. */
import type { CallOutcome, CallTicket, Clock, Schedule } from '../../src/main/failover/call.ts';
import type {
	FailoverDesk,
	Failure,
	HeldDecision,
	HeldTurn,
	Route,
	TurnEnd,
	TurnFacts,
} from '../../src/main/failover/desk.ts';
import type { ModelFit } from '../../src/shared/capability.ts';

const EPOCH = 1_796_000_000_000;

/** Time that passes when the test says so. */
export class TurnedClock {
	#now = 1_000;
	readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();
	/** By which somebody set the clock of the machine, ms. */
	wallStep = 0;
	readonly clock: Clock = { wall: () => EPOCH + this.#now + this.wallStep, steady: () => this.#now };
	readonly schedule: Schedule = (ms, work) => {
		const timer = { at: this.#now + ms, work };
		this.#timers.add(timer);
		return () => this.#timers.delete(timer);
	};

	/** Since the epoch, on a clock that nobody sets, ms. */
	get anchored(): number {
		return EPOCH + this.#now;
	}

	get waiting(): number {
		return this.#timers.size;
	}

	/** Time passes and no timer runs; then those that are due. */
	sleep(ms: number): void {
		this.#now += ms;
		this.advance(0);
	}

	advance(ms: number): void {
		const end = this.#now + ms;
		for (;;) {
			const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
			if (!next) break;
			this.#timers.delete(next);
			this.#now = Math.max(this.#now, next.at);
			next.work();
		}
		this.#now = end;
	}
}

/** Says where turns go, and remembers all that it was told. */
export class ScriptedDesk implements FailoverDesk {
	readonly routed: TurnFacts[] = [];
	readonly settled: { readonly ticket: CallTicket; readonly outcome: CallOutcome }[] = [];
	readonly ends: TurnEnd[] = [];
	readonly failures: Failure[] = [];
	readonly localFailures: string[] = [];
	readonly improvable: { readonly facts: TurnFacts; readonly model: string; readonly answer: string }[] = [];
	/** How often a held turn was told to reach its agent. */
	answering = 0;
	isTrial = false;
	nextRoute: Route | null = null;
	#serial = 0;
	#decisions: (HeldDecision | (() => HeldDecision))[] = [];
	#wake: (() => void)[] = [];
	#asked = new Set<() => void>();

	ticket(): CallTicket {
		this.#serial += 1;
		return { providerId: 'anthropic', era: 1, isTrial: this.isTrial, serial: this.#serial };
	}

	decide(decision: HeldDecision): void {
		this.#decisions.push(decision);
		for (const wake of this.#wake.splice(0)) wake();
	}

	/** Resolves when a turn has asked for its next decision that often. */
	async asked(times: number): Promise<void> {
		while (this.failures.length < times) await new Promise<void>((resolve) => this.#asked.add(resolve));
	}

	route(facts: TurnFacts): Route {
		this.routed.push(facts);
		return this.nextRoute ?? { to: 'provider', ticket: this.ticket() };
	}

	settle(ticket: CallTicket, outcome: CallOutcome): void {
		this.settled.push({ ticket, outcome });
	}

	hold(): HeldTurn {
		return {
			next: async (failure) => {
				this.failures.push(failure);
				for (const wake of this.#asked) wake();
				this.#asked.clear();
				while (this.#decisions.length === 0) {
					await new Promise<void>((resolve) => this.#wake.push(resolve));
				}
				const decision = this.#decisions.shift();
				return typeof decision === 'function'
					? decision()
					: (decision ?? { kind: 'give-up', why: 'hold-over' });
			},
			answering: () => {
				this.answering += 1;
			},
			localFailed: (modelId, detail) => this.localFailures.push(`${modelId}: ${detail}`),
			release: (how) => this.ends.push(how),
		};
	}

	ended(_facts: TurnFacts, end: TurnEnd): void {
		this.ends.push(end);
	}

	answeredLocally(facts: TurnFacts, model: ModelFit, answer: string): void {
		this.improvable.push({ facts, model: model.model, answer });
	}

	get outcomes(): string[] {
		return this.settled.map(({ outcome }) => outcome.kind);
	}
}
