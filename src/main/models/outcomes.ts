/** What the outcome of a call means: one fact about a model moves every chain of the machine that it concerns. */
import { usable } from '../../shared/retry-after.ts';
import type { ChainEntry } from './chain-book.ts';
import type { ModelMachine } from './machine.ts';
import {
	lengthened,
	onFallbackLimit,
	onFallbackSuccess,
	onPreferredLimit,
	onPreferredSuccess,
	onRecovery,
} from './model-breaker.ts';
import { cooldownMsOf, modelsOf } from './model-chain.ts';
import type { ModelChain, ModelOutcome } from './model-desk.ts';
import { defaultStateRecord } from './state-record.ts';

/** Characters kept of what a provider said. */
const SAID_KEPT = 2_000;

/** Which call it was. */
export interface Call {
	/** Chain whose ticket it had; `null`: it had none. */
	readonly entry: ChainEntry | null;
	/** Where it went; `null`: nobody said. */
	readonly provider: string | null;
	/** As the chain writes it, where there is one. */
	readonly model: string;
	/** Number of its ticket; `null`: nobody knows when it began, it counts as new. */
	readonly serial: number | null;
	/**
	 * What its success says while the preferred model is being tested. `counts`: it is of a call that is no older than its
	 * ticket, or as new as the report. `tests`: seen just now by somebody who asked for no model, so that it is the test
	 * where one is due. `nothing`: it may have begun before the limit.
	 */
	readonly success: 'counts' | 'tests' | 'nothing';
}

interface LimitWords {
	/** ms from then; `null`: none. */
	readonly wishMs: number | null;
	readonly said: string;
	/** When it was limited, ms since the epoch, not after now. */
	readonly at: number;
}

export class Outcomes {
	readonly #machine: ModelMachine;
	readonly #random: () => number;

	constructor(machine: ModelMachine, random: () => number) {
		this.#machine = machine;
		this.#random = random;
	}

	/** `at`: when it ended, ms since the epoch. */
	take(call: Call, outcome: ModelOutcome, at: number): void {
		switch (outcome.kind) {
			case 'ok':
				this.#answered(call, at);
				break;
			case 'limited':
				this.#limited(call, {
					wishMs: usable(outcome.retryAfterMs),
					said: outcome.said.slice(0, SAID_KEPT),
					at,
				});
				break;
			case 'spend-limit':
				this.#spendLimited(call, outcome.said.slice(0, SAID_KEPT), at);
				break;
			case 'unserved':
				this.#unserved(call, outcome.said.slice(0, SAID_KEPT), at);
				break;
			case 'other':
				break;
		}
	}

	/** The preferred model works again: every chain that prefers it closes, unless it is held. */
	recovered({ provider, preferredModel }: ModelChain, now: number): void {
		this.#machine.facts.forgetLimit(provider, preferredModel);
		for (const entry of this.#machine.book.preferring(provider, preferredModel)) {
			const after = onRecovery(entry.circuit, now);
			if (after === entry.circuit) continue;
			this.#machine.move(entry, after);
			entry.because = { said: '', provider: null };
			this.#machine.tell('recovered', entry, preferredModel);
		}
	}

	#limited(call: Call, words: LimitWords): void {
		for (const account of this.#accountsOf(call)) this.#limitedAt(account, call, words);
		this.#machine.isChanged = true;
	}

	#limitedAt(account: string | null, call: Call, { wishMs, said, at }: LimitWords): void {
		const { model, serial } = call;
		const { book, facts, settings, nextTurningPoint } = this.#machine;
		const naming = book.naming(account, model);
		const inUse = naming.filter((entry) => this.#isFallbackInUse(entry, call));
		const isNews = facts.noteLimit({
			account,
			model,
			now: at,
			wishMs,
			said,
			cooldownMs: cooldownMsOf((call.entry ?? naming[0])?.chain ?? defaultStateRecord),
			ticketSerial: serial,
			nextSerial: nextTurningPoint,
		});
		for (const entry of book.preferring(account, model)) {
			this.#preferredLimited(entry, call, { wishMs, said, at });
		}
		for (const entry of isNews ? inUse : []) {
			const after = onFallbackLimit(entry.circuit, {
				now: at,
				index: entry.chain.fallbackChain.indexOf(model),
				fallbackCount: entry.chain.fallbackChain.length,
				cooldownResetBy: settings.cooldownResetBy,
			});
			this.#machine.set(entry, after);
			this.#machine.settleIndex(entry);
			const isLast = this.#machine.inUse(entry) === null;
			this.#machine.tell(isLast ? 'exhausted' : 'advanced', entry, model, said);
		}
		for (const entry of naming) this.#machine.settleIndex(entry);
	}

	#preferredLimited(entry: ChainEntry, call: Call, { wishMs, said, at }: LimitWords): void {
		const { circuit, chain } = entry;
		const isOnlyHeld = circuit.hold?.from === 'closed';
		if (call.serial !== null && call.serial < entry.era && !isOnlyHeld) {
			const notBefore = wishMs === null ? null : at + wishMs;
			if (circuit.state === 'open') this.#machine.set(entry, lengthened(circuit, notBefore));
			return;
		}
		const after = onPreferredLimit(circuit, {
			now: at,
			wishMs,
			cooldownMs: cooldownMsOf(chain),
			random: this.#random(),
		});
		const isOpening = circuit.state !== 'open' || after.openedAt !== circuit.openedAt || isOnlyHeld;
		if (!isOpening || circuit.hold?.from === 'limited') {
			this.#machine.set(entry, after);
			return;
		}
		entry.because = { said, provider: call.provider };
		this.#machine.move(entry, after);
		const kind = circuit.state === 'closed' || isOnlyHeld ? 'opened' : 'probe-failed';
		this.#machine.tell(kind, entry, chain.preferredModel, said);
	}

	#answered(call: Call, now: number): void {
		const { model, serial } = call;
		const { facts, book } = this.#machine;
		for (const account of this.#accountsOf(call, false)) {
			if (facts.noteAnswer(account, model, serial, now)) this.#machine.isChanged = true;
			const naming = book.naming(account, model);
			if (facts.clearSpendTrouble(account, model)) {
				this.#machine.isChanged = true;
				const said = 'it answers again';
				for (const entry of naming) this.#machine.tell('spend-cleared', entry, model, said);
			}
			for (const entry of naming) {
				if (entry.chain.preferredModel === model) this.#preferredAnswered(entry, call, now);
				else if (entry === call.entry) this.#machine.set(entry, onFallbackSuccess(entry.circuit));
			}
		}
	}

	#preferredAnswered(entry: ChainEntry, { serial, success }: Call, now: number): void {
		if (serial !== null && serial < entry.era) return;
		if (success === 'tests') this.#machine.testIfDue(entry, now);
		const { circuit } = entry;
		if (circuit.state === 'half-open') {
			if (success === 'nothing' || (serial !== null && entry.counted.has(serial))) return;
			if (serial !== null) entry.counted.add(serial);
		}
		const after = onPreferredSuccess(circuit, now);
		if (after.state === circuit.state) this.#machine.set(entry, after);
		else this.recovered(entry.chain, now);
	}

	/** Money, not time: nothing falls back, a person is asked. */
	#spendLimited(call: Call, said: string, at: number): void {
		const { model } = call;
		const { facts, book } = this.#machine;
		for (const account of this.#accountsOf(call)) {
			if (!facts.noteSpendTrouble({ account, model, at, said })) continue;
			this.#machine.isChanged = true;
			for (const entry of book.naming(account, model)) {
				this.#machine.tell('spend-limit', entry, model, said);
			}
		}
	}

	/** A person has seen them, whoever they concern. */
	forgetSpendLimits(chain: ModelChain): void {
		const { facts, book } = this.#machine;
		for (const model of modelsOf(chain)) {
			if (!facts.clearSpendTrouble(chain.provider, model)) continue;
			this.#machine.isChanged = true;
			for (const entry of book.naming(chain.provider, model)) {
				this.#machine.tell('spend-cleared', entry, model, 'dismissed by you');
			}
		}
	}

	/** The stand-in is not served there. Of a preferred model that is its caller's affair. */
	#unserved({ entry, provider, model }: Call, said: string, at: number): void {
		if (provider === null || entry?.chain.preferredModel === model) return;
		this.#machine.facts.noteUnserved(provider, model, said, at);
		this.#machine.isChanged = true;
	}

	#isFallbackInUse(entry: ChainEntry, { model, provider }: Call): boolean {
		if (entry.circuit.state === 'closed' || entry.chain.preferredModel === model) return false;
		return this.#machine.fallback(entry, provider)?.model === model;
	}

	/**
	 * The accounts for which it counts: the one of the ticket's chain, and the provider's where chains are bound to it.
	 * A trouble of a model that no chain names gets a chain, so that it is seen.
	 */
	#accountsOf({ entry, provider, model }: Call, isTrouble = true): (string | null)[] {
		const { book } = this.#machine;
		const own = entry?.chain.provider ?? null;
		const bound = provider !== null && book.naming(provider, model).length > 0 ? [provider] : [];
		const accounts = entry === null && bound.length > 0 ? bound : [...new Set([own, ...bound])];
		const isNamed = accounts.some((account) => book.naming(account, model).length > 0);
		if (isNamed || !isTrouble) return accounts;
		return [book.see(provider, model).chain.provider];
	}
}
