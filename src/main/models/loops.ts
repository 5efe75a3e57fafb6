/** Shell loops: what each was handed, and what its reports are about. */
import type { ModelCaller, ModelChoiceView, ModelReport } from '../../shared/models-view.ts';
import { type Callers, callerKey, type HandedModel } from './callers.ts';
import type { ChainEntry } from './chain-book.ts';
import { type Asking, type Decision, nothingTried } from './decide.ts';
import type { ModelMachine } from './machine.ts';
import { resumeAt } from './model-breaker.ts';
import { cooldownMsOf, modelsOf } from './model-chain.ts';
import type { ModelOutcome } from './model-desk.ts';
import { spelledIn } from './model-names.ts';
import type { Call, Outcomes } from './outcomes.ts';
import { noModelNamed } from './refusals.ts';
import { choiceWords } from './words.ts';

export class Loops {
	readonly #machine: ModelMachine;
	readonly #outcomes: Outcomes;
	readonly #callers: Callers;

	constructor(machine: ModelMachine, outcomes: Outcomes, callers: Callers) {
		this.#machine = machine;
		this.#outcomes = outcomes;
		this.#callers = callers;
	}

	/**
	 * `Get-CurrentModel` for this loop. One that asks again before it reported gives its first test call up, if it has a
	 * name: those of one directory that give none cannot be told apart, and a second must not take the first one's test.
	 */
	current(caller: ModelCaller, now: number): ModelChoiceView {
		const entry = this.#chainOf(caller);
		const last = caller.caller === undefined ? null : this.#callers.last(keyOf(caller));
		if (last !== null) this.#release(last);
		if (entry === null) {
			const model = namedBy(caller);
			this.#hand(caller, { chainId: null, model, isProbe: false });
			return unknownModel(model);
		}
		const decision = this.#machine.decide(entry, askingOf(caller, now));
		if (decision.kind !== 'wait') this.#handDecided(caller, entry, decision);
		return choiceView(entry, decision, now);
	}

	/**
	 * `Update-CircuitBreakerOnSuccess` and `-OnRateLimit`. After a rate limit the model in the answer counts as handed out:
	 * a loop that goes on with it and fails again means this one.
	 */
	report(report: ModelReport, now: number): ModelChoiceView {
		const last = this.#callers.last(keyOf(report));
		const entry = this.#chainOfReport(report, last);
		const call = this.#callOf(report, entry, last);
		// It makes one call at a time: whatever it was handed last is over too.
		if (last !== null) this.#release(last);
		if (entry !== null && call.serial !== null) {
			this.#machine.releaseProbe(entry.chain.provider, call.model, call.serial);
		}
		this.#outcomes.take(call, outcomeOf(report), now);
		const after = entry ?? this.#chainOf({ ...report, preferredModel: report.preferredModel ?? call.model });
		if (after === null) return unknownModel(call.model);
		const decision = this.#machine.peek(after, askingOf(report, now));
		if (report.outcome === 'rate-limit' && decision.kind === 'fallback') {
			this.#handDecided(report, after, decision);
		}
		return choiceView(after, decision, now);
	}

	#handDecided(caller: ModelCaller, entry: ChainEntry, decision: Exclude<Decision, { kind: 'wait' }>): void {
		const { id: chainId, chain } = entry;
		const isProbe = decision.kind === 'probe';
		const model = decision.kind === 'fallback' ? decision.model : chain.preferredModel;
		const { provider: account } = chain;
		const isTest = isProbe || (decision.kind === 'fallback' && this.#machine.beginTestOf(account, model));
		const serial = this.#hand(caller, { chainId, model, isProbe });
		if (!isTest) return;
		this.#machine.takeProbe({ account, model, holder: holderWords(caller), caller: keyOf(caller), serial });
	}

	/** Its test call, if it was one, is no longer waited for. */
	#release({ chainId, model, serial }: HandedModel): void {
		const entry = this.#machine.book.get(chainId);
		if (entry !== null) this.#machine.releaseProbe(entry.chain.provider, model, serial);
	}

	/** Returns the number of the ticket. */
	#hand(caller: ModelCaller, handed: Omit<HandedModel, 'serial'>): number {
		const serial = this.#machine.nextSerial();
		const isNews = this.#callers.hand(keyOf(caller), { ...handed, serial }, this.#machine.turningPoint);
		if (isNews) this.#machine.isChanged = true;
		return serial;
	}

	/** `null`: no chain names the model that the loop named. */
	#chainOf({ directory, preferredModel, ...caller }: ModelCaller): ChainEntry | null {
		const { book } = this.#machine;
		const provider = caller.provider ?? null;
		const own = book.ofDirectory(directory, provider);
		if (preferredModel === undefined) {
			if (own === null) throw noModelNamed();
			return own;
		}
		const isOwn = own !== null && spelledIn([own.chain.preferredModel], preferredModel) !== null;
		return isOwn ? own : book.find(provider, preferredModel);
	}

	/** The chain of what was handed out, where the report does not name another; `null`: there is none. */
	#chainOfReport(report: ModelReport, last: HandedModel | null): ChainEntry | null {
		const { book } = this.#machine;
		const provider = report.provider ?? null;
		// Who says which model was limited need not say which one is preferred.
		if (report.model !== undefined && report.preferredModel === undefined) {
			return book.ofDirectory(report.directory, provider) ?? book.find(provider, report.model);
		}
		if (report.preferredModel !== undefined || last === null) return this.#chainOf(report);
		return book.get(last.chainId) ?? (last.chainId === null ? null : this.#chainOf(report));
	}

	#callOf(report: ModelReport, entry: ChainEntry | null, last: HandedModel | null): Call {
		const provider = report.provider ?? entry?.chain.provider ?? null;
		const isOfLast = last !== null && last.chainId === (entry?.id ?? null);
		if (isOfLast && report.model === undefined) {
			return { entry, provider, model: last.model, serial: last.serial, success: 'counts' };
		}
		const model = this.#modelOf(report, entry, provider);
		const serial = isOfLast && last.model === model ? last.serial : this.#serialOfTest(report, entry, model);
		// Who was given something else, or is forgotten, may mean a call from before the limit.
		const isNew = serial !== null || (last === null && this.#callers.isComplete);
		return { entry, provider, model, serial, success: isNew ? 'counts' : 'nothing' };
	}

	#modelOf(report: ModelReport, entry: ChainEntry | null, provider: string | null): string {
		if (report.model !== undefined) return this.#spelled(report.model, entry, provider);
		if (entry === null) return namedBy(report);
		const { chain, circuit } = entry;
		const inUse = circuit.state === 'open' ? chain.fallbackChain[circuit.currentFallbackIndex] : undefined;
		return inUse ?? chain.preferredModel;
	}

	/** Several loops without a name are one caller here; one that names the tested model means the test. */
	#serialOfTest(report: ModelReport, entry: ChainEntry | null, model: string): number | null {
		if (entry === null || report.model === undefined) return null;
		const test = this.#machine.probes.get(entry.chain.provider, model);
		return test?.caller === keyOf(report) ? test.serial : null;
	}

	#spelled(model: string, entry: ChainEntry | null, provider: string | null): string {
		const own = entry === null ? null : spelledIn(modelsOf(entry.chain), model);
		return own ?? this.#machine.book.spelled(provider, model);
	}
}

function keyOf({ directory, caller }: ModelCaller): string {
	return callerKey(directory, caller);
}

function askingOf(caller: ModelCaller, now: number): Asking {
	return { provider: caller.provider ?? null, tried: nothingTried, now };
}

function choiceView(
	{ chain, circuit, ...entry }: ChainEntry,
	decision: Decision,
	now: number,
): ModelChoiceView {
	const isWait = decision.kind === 'wait';
	const at = isWait ? decision.resumeAt : resumeAt(circuit, cooldownMsOf(chain));
	return {
		model: isWait ? null : decision.kind === 'fallback' ? decision.model : chain.preferredModel,
		preferredModel: chain.preferredModel,
		state: circuit.state,
		isFallback: decision.kind === 'fallback',
		isProbe: decision.kind === 'probe',
		resumeAt: at !== null && at > now ? at : null,
		why: choiceWords({ chain, circuit, ...entry }, decision),
	};
}

function outcomeOf({ outcome, retryAfterMs, said = '' }: ModelReport): ModelOutcome {
	switch (outcome) {
		case 'success':
			return { kind: 'ok' };
		case 'rate-limit':
			return { kind: 'limited', retryAfterMs: retryAfterMs ?? null, said };
		case 'spend-limit':
			return { kind: 'spend-limit', said };
		case 'other':
			return { kind: 'other' };
	}
}

function namedBy({ preferredModel }: ModelCaller): string {
	if (preferredModel === undefined) throw noModelNamed();
	return preferredModel;
}

/** Nothing is known of it: it is used as it was named. */
function unknownModel(model: string): ModelChoiceView {
	return {
		model,
		preferredModel: model,
		state: 'closed',
		isFallback: false,
		isProbe: false,
		resumeAt: null,
		why: '',
	};
}

function holderWords({ directory, caller }: ModelCaller): string {
	return caller === undefined ? `a loop in ${directory}` : `${caller} in ${directory}`;
}
