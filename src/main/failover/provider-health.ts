/**
 * All providers of the settings: one breaker each, and what the calls so far prove about them. Answers from memory;
 * pure but for the clock it is given. Only results of calls are evidence, never what the system says about networks.
 */
import type { ProviderView } from '../../shared/capability.ts';
import { type ProviderSettings, providerNameOf } from '../../shared/failover-settings.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { BREAKER_RULES } from './breaker-rules.ts';
import type { CallOutcome, CallTicket, Clock } from './call.ts';
import { ProviderBreaker } from './provider-breaker.ts';
import { type Moment, ProviderRecord } from './provider-record.ts';
import { type SavedHealth, savedHealthSchema, savedProviderSchema } from './saved-health.ts';

/** A trial comes up to this much later than it could, ms, so that two providers are not tried in the same ms. */
export const TRIAL_JITTER_MS = 3_000;

export interface ProviderHealthOptions {
	/** Asked at every use, so a change of the settings holds at once. */
	readonly providers: () => readonly ProviderSettings[];
	readonly clock: Clock;
	/** 0 (inclusive) to 1 (exclusive). */
	readonly random?: () => number;
	/**
	 * Told when a provider's breaker, reachability or reason changed, and when a trial call began or ended. Not for
	 * counters, and not for what time alone changes (a trial that falls due, evidence that grows old).
	 */
	readonly onChange: (providerId: string) => void;
}

export type ProviderAdmission =
	| { readonly ticket: CallTicket }
	/** `retryInMs`: above 0; ask again then at the latest, or when `onChange` tells of this provider. */
	| { readonly ticket: null; readonly retryInMs: number; readonly reason: string };

export class ProviderHealth {
	readonly #options: ProviderHealthOptions;
	readonly #records = new Map<string, ProviderRecord>();
	#serial = 0;
	#lastCalled: string | null = null;

	constructor(options: ProviderHealthOptions) {
		this.#options = options;
	}

	/** Asks for one call of a provider. A ticket is to be settled once, whatever comes of the call. */
	admit(providerId: string): ProviderAdmission {
		const settings = this.#settingsOf(providerId);
		// Asking again is no use before somebody changes the settings; the trial's interval keeps it from spinning.
		if (settings === null)
			return {
				ticket: null,
				retryInMs: BREAKER_RULES.trialAfterMs,
				reason: `The settings have no provider "${visibleText(providerId, { limit: 40 })}".`,
			};
		const record = this.#recordOf(settings) ?? this.#newRecord(settings);
		const admission = record.admit(this.#now());
		if (!admission.admitted)
			return {
				ticket: null,
				retryInMs: admission.retryInMs,
				reason: record.reason(providerNameOf(settings)),
			};
		this.#lastCalled = providerId;
		if (admission.call.isTrial) this.#options.onChange(providerId);
		return { ticket: { providerId, baseUrl: settings.baseUrl, ...admission.call } };
	}

	/** Takes the result of a call as evidence. Late, double and foreign results change nothing. */
	settle(ticket: CallTicket, outcome: CallOutcome): void {
		const { providerId } = ticket;
		const settings = this.#settingsOf(providerId);
		const record = settings && this.#recordOf(settings);
		if (settings === null || record === null) return;
		const now = this.#now();
		const facts = (): string =>
			JSON.stringify([record.isDown(), record.remote(now), record.reason(providerNameOf(settings))]);
		const before = facts();
		const isForeign = ticket.baseUrl !== undefined && ticket.baseUrl !== record.baseUrl;
		// Its place is free again, and that is all.
		if (!record.settle(ticket, isForeign ? noEvidence : outcome, now)) return;
		if (ticket.isTrial || facts() !== before) this.#options.onChange(providerId);
	}

	/** True while the breaker is not closed: its calls go to failover. False for what was never called. */
	isDown(providerId: string): boolean {
		return this.#read(providerId, false, (record) => record.isDown());
	}

	/** It is down because nothing answers there. */
	isUnanswered(providerId: string): boolean {
		return this.#read(providerId, false, (record) => record.isUnanswered());
	}

	/** Every provider that is down; only one that was used can be. For the tier. */
	down(): { readonly id: string; readonly name: string; readonly reason: string }[] {
		return this.#options.providers().flatMap((settings) => {
			const record = this.#recordOf(settings);
			if (record === null || !record.isDown()) return [];
			const name = providerNameOf(settings);
			return { id: settings.id, name, reason: record.reason(name) };
		});
	}

	/**
	 * What the evidence says. `reachable`: a success within five minutes and nothing worse since. `unauthorised`: the
	 * credentials were refused and no success followed. `unreachable`: the breaker is not closed.
	 */
	remote(providerId: string): ProviderView['remote'] {
		return this.#read(providerId, 'unknown', (record) => record.remote(this.#now()));
	}

	/** Until a call may go, ms; 0 when one may go now. While a trial runs: the rest of its lease. */
	retryInMs(providerId: string): number {
		return this.#read(providerId, 0, (record) => {
			const nextTrialAt = record.nextTrialAt();
			return nextTrialAt === null ? 0 : Math.max(0, nextTrialAt - this.#now().steady);
		});
	}

	/** Why it is down or refuses the credentials, in one sentence; empty otherwise. */
	reason(providerId: string): string {
		return this.#read(providerId, '', (record, settings) => record.reason(providerNameOf(settings)));
	}

	/** The provider that was called last; `null` before the first call and when it left the settings. */
	lastCalled(): string | null {
		return this.#lastCalled !== null && this.#settingsOf(this.#lastCalled) !== null ? this.#lastCalled : null;
	}

	/** Every provider of the settings, in their order. */
	views(): ProviderView[] {
		const now = this.#now();
		return this.#options.providers().map((settings) => {
			const record = this.#recordOf(settings) ?? new ProviderRecord(settings.baseUrl, new ProviderBreaker());
			return record.view(settings.id, providerNameOf(settings), now);
		});
	}

	/** Plain JSON for the store; to be saved on `onChange` and at the end. */
	saved(): SavedHealth {
		const now = this.#now();
		const providers = this.#options
			.providers()
			.flatMap((settings) => this.#recordOf(settings)?.save(settings.id, now) ?? []);
		return { savedAt: now.wall, lastCalled: this.#lastCalled, providers };
	}

	/**
	 * Takes over what was saved by an earlier run; to be called before the first call. Whatever cannot be read, or is
	 * about a provider or an address that the settings no longer have, is left out: that provider starts without
	 * evidence. Returns one sentence for each part that could not be read.
	 */
	restore(value: unknown): string[] {
		const saved = savedHealthSchema.safeParse(value);
		if (!saved.success)
			return ['What was known of the providers could not be read; all of them start without evidence.'];
		const now = this.#now();
		const { savedAt, lastCalled, providers } = saved.data;
		// A stamp from the future: the clock was set back, and no age can be told.
		const elapsedMs = savedAt <= now.wall ? now.wall - savedAt : null;
		this.#lastCalled = lastCalled;
		return providers.flatMap((part) => {
			const provider = savedProviderSchema.safeParse(part);
			if (!provider.success)
				return ['What was known of one provider could not be read; it starts without evidence.'];
			const settings = this.#settingsOf(provider.data.id);
			if (settings?.baseUrl === provider.data.baseUrl)
				this.#newRecord(settings).restore(provider.data, now, elapsedMs);
			return [];
		});
	}

	#read<T>(
		providerId: string,
		without: T,
		read: (record: ProviderRecord, settings: ProviderSettings) => T,
	): T {
		const settings = this.#settingsOf(providerId);
		const record = settings && this.#recordOf(settings);
		return settings === null || record === null ? without : read(record, settings);
	}

	#settingsOf(providerId: string): ProviderSettings | null {
		return this.#options.providers().find(({ id }) => id === providerId) ?? null;
	}

	/** What is known of this provider under its present address; another address starts without evidence. */
	#recordOf({ id, baseUrl }: ProviderSettings): ProviderRecord | null {
		const record = this.#records.get(id);
		return record?.baseUrl === baseUrl ? record : null;
	}

	#newRecord({ id, baseUrl }: ProviderSettings): ProviderRecord {
		const providers = this.#options.providers();
		for (const known of this.#records.keys())
			if (!providers.some((provider) => provider.id === known)) this.#records.delete(known);
		const breaker = new ProviderBreaker({
			jitterMs: (dueAt) => this.#jitter(dueAt),
			nextSerial: () => {
				this.#serial += 1;
				return this.#serial;
			},
		});
		const record = new ProviderRecord(baseUrl, breaker);
		this.#records.set(id, record);
		return record;
	}

	/** Random, then moved on until no other provider's trial falls into the same ms. */
	#jitter(dueAt: number): number {
		const taken = new Set(
			[...this.#records.values()].map((record) => Math.floor(record.nextTrialAt() ?? -1)),
		);
		const chance = (this.#options.random ?? Math.random)();
		const start = Math.floor(Math.min(Math.max(chance, 0) || 0, 1) * TRIAL_JITTER_MS);
		for (let step = 0; step < TRIAL_JITTER_MS; step += 1) {
			const jitter = (start + step) % TRIAL_JITTER_MS;
			if (!taken.has(Math.floor(dueAt + jitter))) return jitter;
		}
		return start % TRIAL_JITTER_MS;
	}

	#now(): Moment {
		return { wall: this.#options.clock.wall(), steady: this.#options.clock.steady() };
	}
}

const noEvidence: CallOutcome = {
	kind: 'neutral',
	status: null,
	code: '',
	latencyMs: null,
	retryAfterMs: null,
};
