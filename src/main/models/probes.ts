/** Test calls: one of a model at a time on the whole machine, whatever chain it is for. */
import { modelKey } from './model-names.ts';

/** A test call that nobody settles ends with its lease, ms. */
export const PROBE_LEASE_MS = 10 * 60_000;

export interface Probe {
	readonly account: string | null;
	readonly model: string;
	readonly serial: number;
	/** In words, for people. */
	readonly holder: string;
	/** Tells the loop that holds it; `null`: a turn of the gateway, which does not outlive the program. */
	readonly caller: string | null;
	readonly since: number;
	/** End of the lease. */
	readonly until: number;
}

export class Probes {
	readonly #probes = new Map<string, Probe>();

	/** The last test call of that model, whether its lease is over or not; `null`: none that was not given back. */
	get(account: string | null, model: string): Probe | null {
		return this.#probes.get(modelKey(account, model)) ?? null;
	}

	/** The test call of that model under way; `null`: none, or its lease is over. */
	underWay(account: string | null, model: string, now: number): Probe | null {
		const probe = this.get(account, model);
		return probe !== null && probe.until > now ? probe : null;
	}

	/** Whether `caller` may make the test call: nobody does, or it asks again itself and so has given up the first. */
	isFree(account: string | null, model: string, caller: string | null, now: number): boolean {
		const probe = this.underWay(account, model, now);
		return probe === null || (caller !== null && probe.caller === caller);
	}

	take(probe: Omit<Probe, 'until'>): void {
		this.put({ ...probe, until: probe.since + PROBE_LEASE_MS });
	}

	put(probe: Probe): void {
		this.#probes.set(modelKey(probe.account, probe.model), probe);
	}

	/** Gives back the test call with that number; returns whether it was out. */
	release(account: string | null, model: string, serial: number): boolean {
		return this.get(account, model)?.serial === serial && this.drop(account, model);
	}

	/** Whatever test call of the model is out holds up nobody any more; returns whether one was. */
	drop(account: string | null, model: string): boolean {
		return this.#probes.delete(modelKey(account, model));
	}

	all(): Probe[] {
		return [...this.#probes.values()];
	}

	clear(): void {
		this.#probes.clear();
	}
}
