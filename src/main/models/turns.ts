/** The turns of the gateway, and what hooks see of others: a model is handed out with a ticket. */
import type { ChainEntry } from './chain-book.ts';
import {
	type Asking,
	type Decision,
	hasStandIn,
	SHORTEST_WAIT_MS,
	type Wait,
	waitForPreferred,
} from './decide.ts';
import type { ModelMachine } from './machine.ts';
import { modelsOf } from './model-chain.ts';
import type { AskedModel, ModelChain, ModelChoice, ModelOutcome, ModelTicket } from './model-desk.ts';
import { isTooLong, spelledIn } from './model-names.ts';
import type { Outcomes } from './outcomes.ts';
import { waitWords } from './words.ts';

type TicketKind = 'preferred' | 'probe' | 'fallback';

export class Turns {
	readonly #machine: ModelMachine;
	readonly #outcomes: Outcomes;

	constructor(machine: ModelMachine, outcomes: Outcomes) {
		this.#machine = machine;
		this.#outcomes = outcomes;
	}

	/** See `ModelDesk.choose`. */
	choose({ provider, model, holder, tried }: AskedModel, now: number): ModelChoice | null {
		const machine = this.#machine;
		if (isTooLong(model)) return null;
		const entry = machine.book.find(provider, model);
		if (entry === null) return null;
		if (entry.circuit.state === 'closed' && tried.size === 0) {
			return { kind: 'use', ticket: this.#ticket(entry, provider, model, 'preferred') };
		}
		const asking = { provider, tried: asChainWrites(entry.chain, tried, model), now };
		const decision = machine.decide(entry, asking);
		const mayMove = machine.settings.gatewayFallback && hasStandIn(entry, asking, machine.parts);
		const { provider: account, preferredModel } = entry.chain;
		const isTest = mayMove && decision.kind === 'fallback' && machine.beginTestOf(account, decision.model);
		const choice = mayMove
			? this.#chosen(entry, model, asking, decision)
			: this.#unmoved(entry, model, asking, decision);
		if (choice.kind === 'use' && (isTest || choice.ticket.isProbe)) {
			const { serial, isProbe } = choice.ticket;
			const tested = isProbe ? preferredModel : choice.ticket.model;
			machine.takeProbe({ account, model: tested, holder, caller: null, serial });
		}
		return choice;
	}

	#chosen(entry: ChainEntry, model: string, { provider, now }: Asking, decision: Decision): ModelChoice {
		if (decision.kind === 'wait') return waiting(decision, now);
		const use = decision.kind === 'fallback' ? decision.model : model;
		return { kind: 'use', ticket: this.#ticket(entry, provider, use, decision.kind) };
	}

	/** There is nothing to move to, or the settings do not want it: the call goes where it was meant to go. */
	#unmoved(entry: ChainEntry, model: string, asking: Asking, decision: Decision): ModelChoice {
		if (asking.tried.has(entry.chain.preferredModel)) {
			return waiting(waitForPreferred(entry, asking, this.#machine.parts), asking.now);
		}
		const kind = decision.kind === 'probe' ? 'probe' : 'preferred';
		return { kind: 'use', ticket: this.#ticket(entry, asking.provider, model, kind) };
	}

	#ticket(entry: ChainEntry, provider: string | null, model: string, kind: TicketKind): ModelTicket {
		return {
			chainId: entry.id,
			provider,
			model,
			isFallback: kind === 'fallback',
			isProbe: kind === 'probe',
			era: entry.era,
			serial: this.#machine.nextSerial(),
		};
	}

	settle({ chainId, provider, serial, ...ticket }: ModelTicket, outcome: ModelOutcome, now: number): void {
		const entry = this.#machine.book.get(chainId);
		// The client's own spelling of the preferred model is not the chain's.
		const model = ticket.isFallback ? ticket.model : (entry?.chain.preferredModel ?? ticket.model);
		if (entry !== null) this.#machine.releaseProbe(entry.chain.provider, model, serial);
		this.#outcomes.take({ entry, provider, model, serial, success: 'counts' }, outcome, now);
	}

	/** See `ModelDesk.observe`. */
	observe(
		{ provider, model }: Pick<AskedModel, 'provider' | 'model'>,
		outcome: ModelOutcome,
		now: number,
	): void {
		if (isTooLong(model)) return;
		const name = this.#machine.book.spelled(provider, model);
		this.#outcomes.take({ entry: null, provider, model: name, serial: null, success: 'tests' }, outcome, now);
	}
}

function waiting(wait: Wait, now: number): ModelChoice {
	const { resumeAt, model } = wait;
	// The clock has fractions: what is added and subtracted again may come out a hair shorter.
	const waitMs = Math.max(SHORTEST_WAIT_MS, resumeAt - now);
	return { kind: 'wait', resumeAt, waitMs, model, reason: waitWords(wait) };
}

function asChainWrites(chain: ModelChain, tried: ReadonlySet<string>, asked: string): ReadonlySet<string> {
	if (tried.size === 0) return tried;
	const names = modelsOf(chain);
	const written = (model: string) =>
		model === asked ? chain.preferredModel : (spelledIn(names, model) ?? model);
	return new Set([...tried].map(written));
}
