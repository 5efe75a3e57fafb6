/**
 * The counter between the model breakers and everybody who calls models: gateway, hooks, shell loops. Everything is
 * answered from memory. A model is handed out with a ticket; the ticket is settled with how the call went.
 */
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';

/** What the breaker is about: a preferred model and its stand-ins (seed 000, "Configuration"). */
export interface ModelChain {
	/** `null`: not bound to one provider's account. */
	readonly provider: string | null;
	readonly preferredModel: string;
	readonly fallbackChain: readonly string[];
	readonly cooldownMinutes: number;
}

/** Permission to make one call with one model. Settled once; a probe that never is is released by its lease. */
export interface ModelTicket {
	readonly chainId: string;
	/** Provider that is called; `null`: nobody said. */
	readonly provider: string | null;
	readonly model: string;
	/** It stands in for the model that was asked for. */
	readonly isFallback: boolean;
	/** The one call that tests whether the preferred model has recovered. */
	readonly isProbe: boolean;
	/** Generation of the chain: a success of an older one changes nothing. */
	readonly era: number;
	readonly serial: number;
}

export type ModelOutcome =
	| { readonly kind: 'ok' }
	/** 429, a structured rate-limit error, or a program's own error output. `retryAfterMs`: the provider's wish. */
	| { readonly kind: 'limited'; readonly retryAfterMs: number | null; readonly said: string }
	/** No credit, spending limit: waiting does not help, a person must. */
	| { readonly kind: 'spend-limit'; readonly said: string }
	/** The stand-in cannot take this request (unknown there, a parameter it does not have): it is not tried again soon. */
	| { readonly kind: 'unserved'; readonly said: string }
	/** Says nothing about limits: neither success nor limit. Only the permit is given back. */
	| { readonly kind: 'other' };

export type ModelChoice =
	| { readonly kind: 'use'; readonly ticket: ModelTicket }
	| {
			/** Every model of the chain is limited. */
			readonly kind: 'wait';
			/** When the first is free, floor clock. */
			readonly resumeAt: number;
			/** Until then, ms from now, at least 1 000: no other clock is to be subtracted from `resumeAt`. */
			readonly waitMs: number;
			readonly model: string;
			readonly reason: string;
	  };

export interface AskedModel {
	/** Provider that would be called. */
	readonly provider: string;
	/** As the client asked for it. */
	readonly model: string;
	/** Who calls, in words: shown while its call is the probe. */
	readonly holder: string;
	/** Models that were tried in this turn already. */
	readonly tried: ReadonlySet<string>;
}

/** What gateway and hooks need of it. */
export interface ModelDesk {
	/**
	 * Which model this turn goes to. `null`: nothing is known that concerns it, it goes as it came (and what comes of it
	 * is told with `observe`); so does what is longer than 200 characters, which no chain can name. With `tried` not empty: what to go on with after those were limited; `wait` when nothing.
	 */
	choose(asked: AskedModel): ModelChoice | null;
	settle(ticket: ModelTicket, outcome: ModelOutcome): void;
	/**
	 * How a call went that had no ticket: seen by a hook, or of a model that no chain names. `ok`: a turn that just ended
	 * well; once the cooldown is over it is a test like any other, while it runs it changes nothing.
	 */
	observe(
		asked: Pick<AskedModel, 'provider' | 'model'> & { readonly holder: string },
		outcome: ModelOutcome,
	): void;
}

/** The same for shell loops, by caller instead of by ticket. Throws a `ChannelError` for what cannot be. */
export interface ModelLoops {
	current(caller: ModelCaller): ModelChoiceView;
	report(report: ModelReport): ModelChoiceView;
}

/** What the operator can do, and see. `chainId` unknown: throws a `ChannelError`. */
export interface ModelControls {
	view(): ModelsView;
	/** The cooldown is over now. */
	probeNow(chainId: string): void;
	/** `true`: stay on the fallback until released. */
	hold(chainId: string, isHeld: boolean): void;
}

/** What changed, as it happens: history, incidents and files hear it. */
export interface ModelEvent {
	readonly kind:
		| 'opened'
		| 'advanced'
		| 'exhausted'
		| 'half-open'
		| 'probe-failed'
		| 'recovered'
		| 'spend-limit'
		| 'spend-cleared'
		| 'held'
		| 'released';
	readonly at: number;
	readonly chainId: string;
	readonly chain: ModelChain;
	/** The model that it happened to. */
	readonly model: string;
	/** What is used from now on; `null`: nothing, the whole chain is limited. */
	readonly next: string | null;
	readonly resumeAt: number | null;
	/** One sentence, for people. Holds words of a provider: untrusted. */
	readonly words: string;
}
export type ModelEventListener = (event: ModelEvent) => void;
