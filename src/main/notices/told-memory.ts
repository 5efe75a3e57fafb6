/** What the operator was told, over restarts, and how lately. Pure; times in ms. */
import type { Incident } from '../../shared/snapshot.ts';
import { incidentTheme, type Matter } from './matters.ts';

/** The same theme again within this time is told when it is over, if it still stands. */
export const COOLDOWN_MS = 60_000;
/** What an earlier run had open and this one opens again so soon after its start has gone on meanwhile. */
const REOPENED_WITHIN_MS = 60_000;
/** What was told is remembered this long after it was told, and as long as it stands. */
const KEPT_MS = 7 * 24 * 3_600_000;
const FORGET_EVERY_MS = 3_600_000;

export interface EarlierRun {
	/** Occurrence → when it was told. */
	readonly told: ReadonlyMap<string, number>;
	/** Incidents that were open when it ended. */
	readonly openIncidents: readonly Incident[];
	/** When the present run began. */
	readonly startedAt: number;
}

export class ToldMemory {
	readonly #told: Map<string, number>;
	/** Themes of what was told and open when the last run ended. */
	readonly #openThemes: ReadonlySet<string>;
	readonly #startedAt: number;
	/** Theme → when one of it was last shown. */
	readonly #shownThemes = new Map<string, number>();
	#forgotAt = Number.NEGATIVE_INFINITY;

	constructor({ told, openIncidents, startedAt }: EarlierRun) {
		this.#told = new Map(told);
		this.#startedAt = startedAt;
		this.#openThemes = new Set(
			openIncidents.filter(({ id }) => told.has(`incident:${id}`)).map(incidentTheme),
		);
	}

	/** Everything that counts as told. */
	occurrences(): Iterable<string> {
		return this.#told.keys();
	}

	has({ occurrence }: Matter): boolean {
		return this.#told.has(occurrence);
	}

	/** An earlier run told it, and only the incident of it is new. */
	goesOn({ cause, theme, since }: Matter): boolean {
		if (theme === null || !cause.startsWith('incident:') || !this.#openThemes.has(theme)) return false;
		return isWithin(this.#startedAt, REOPENED_WITHIN_MS, since);
	}

	/** It counts as told. False: a restart need not know of it. */
	remember({ occurrence, demo }: Matter, now: number): boolean {
		this.#told.set(occurrence, now);
		return !demo;
	}

	/** It does not count as told any more. False: it never did. */
	forget({ occurrence, theme }: Matter): boolean {
		// Only what was shown makes the next one wait.
		if (theme !== null) this.#shownThemes.delete(theme);
		return this.#told.delete(occurrence);
	}

	shown({ theme }: Matter, now: number): void {
		if (theme !== null) this.#shownThemes.set(theme, now);
	}

	/** When the cooldown of its theme ends; `null`: it may be told. */
	coolAt({ theme }: Matter, now: number): number | null {
		const at = theme === null ? undefined : this.#shownThemes.get(theme);
		return at !== undefined && isWithin(at, COOLDOWN_MS, now) ? at + COOLDOWN_MS : null;
	}

	/** Forgets, now and then, what is old and does not stand; returns it. */
	forgetOld(standing: readonly Matter[], now: number): string[] {
		if (isWithin(this.#forgotAt, FORGET_EVERY_MS, now)) return [];
		this.#forgotAt = now;
		for (const [theme, at] of this.#shownThemes) {
			if (!isWithin(at, COOLDOWN_MS, now)) this.#shownThemes.delete(theme);
		}
		const open = new Set(standing.map(({ occurrence }) => occurrence));
		const old = [...this.#told].filter(([occurrence, at]) => now - at > KEPT_MS && !open.has(occurrence));
		for (const [occurrence] of old) this.#told.delete(occurrence);
		return old.map(([occurrence]) => occurrence);
	}
}

/** False also when the clock was set back: no time of the future holds anything up. */
export function isWithin(from: number, spanMs: number, at: number): boolean {
	return from <= at && at - from < spanMs;
}
