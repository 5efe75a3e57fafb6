/** What others than the session's own files count of it: the gateway's answers, the program's telemetry. */

import type { FloorEvent } from '../floor/events.ts';
import { knownTokens } from '../gateway/answer-count.ts';
import type { CountedAnswer } from '../gateway/options.ts';
import type { HookUsage } from '../hooks/dialect.ts';
import type { TelemetryUsage } from '../telemetry/telemetry-sink.ts';
import { isObject } from '../usage/formats/json-values.ts';
import { priceUsd } from '../usage/prices.ts';
import type { SessionCount } from '../usage/reconcile.ts';
import { type KeptTally, SessionTally, type SessionTallyOptions } from '../usage/session-tally.ts';
import { TelemetrySession } from '../usage/telemetry-session.ts';
import { NO_TOKENS } from '../usage/token-usage.ts';
import type { EvidenceStore, StoredServed } from '../usage/usage-store.ts';

/** Sessions that are remembered; the one that was quiet longest is forgotten first. */
const KEPT_SESSIONS = 2_000;

/** Their session files name the model that was asked for, whoever answered. */
const NAMES_THE_ASKED: readonly string[] = ['codex'];
/** Of one model under two names: the release's date, and the client's own suffix. */
const suffix = /(?:-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest))?(?:\[[^\]]*\])?$/;

export interface SessionCountersOptions {
	/** Keeps over a restart what no file tells. */
	readonly store?: Pick<EvidenceStore, 'served' | 'keepServed'>;
	readonly onError?: (where: string, error: unknown) => void;
}

interface Counters {
	readonly client: string;
	readonly sessionId: string;
	/** Other models answered than those that were asked, and the session's file will name the latter. */
	hasStandIns: boolean;
	gateway: SessionTally | null;
	telemetry: TelemetrySession | null;
}

export class SessionCounters {
	readonly #isLocal: (model: string) => boolean;
	readonly #options: SessionCountersOptions;
	readonly #sessions = new Map<string, Counters>();

	/** `isLocal`: a model that this machine serves. */
	constructor(isLocal: (model: string) => boolean, options: SessionCountersOptions = {}) {
		this.#isLocal = isLocal;
		this.#options = options;
		const reading = 'reading what the gateway served';
		this.#guarded(reading, () => {
			for (const served of options.store?.served() ?? []) this.#guarded(reading, () => this.#restore(served));
		});
	}

	/** An answer without counts stays unknown: it is never taken for nothing. */
	answered({ client, sessionKey, key, asked, served, usage, at }: CountedAnswer): void {
		const tokens = knownTokens(usage);
		if (tokens === null) return;
		const counters = this.#of(client, sessionKey);
		const gateway = this.#gatewayOf(counters);
		const isLocal = served.harness === 'local';
		gateway.answer({ key, model: served.model, at, usage: tokens, isLocal });
		const isStandIn = isLocal || nameOf(served.model) !== nameOf(asked);
		if (isStandIn && NAMES_THE_ASKED.includes(client)) counters.hasStandIns = true;
		if (!counters.hasStandIns) return;
		const state = JSON.stringify(gateway.kept());
		this.#guarded('keeping what the gateway served', () =>
			this.#options.store?.keepServed({ client, sessionId: sessionKey, at, state }, KEPT_SESSIONS),
		);
	}

	/** Sessions of which the file prices models that did not answer. */
	withStandIns(now: number): { client: string; sessionId: string; count: SessionCount }[] {
		return [...this.#sessions.values()].flatMap(({ client, sessionId, hasStandIns, gateway }) => {
			const count = hasStandIns ? gateway?.takeCount(now) : null;
			return count ? [{ client, sessionId, count: { ...count, hasStandIns } }] : [];
		});
	}

	/** A hook told it, of a program that keeps no files and sends no telemetry of its own. Its clock may be ahead. */
	hooked({ client, sessionId, at }: FloorEvent, { key, model, usage, at: told }: HookUsage): void {
		this.#telemetryOf(client, sessionId).answer({ key, model, usage, at: Math.min(told ?? at, at) });
	}

	told({ client, sessionId, told }: TelemetryUsage): void {
		const telemetry = this.#telemetryOf(client, sessionId);
		if (told.by === 'log') telemetry.answer(told);
		else telemetry.grow(told);
	}

	counts(client: string, sessionId: string, now: number): SessionCount[] {
		const known = this.#sessions.get(keyOf(client, sessionId));
		if (known === undefined) return [];
		const { gateway, telemetry, hasStandIns } = known;
		const answered = gateway?.takeCount(now);
		return [answered && { ...answered, hasStandIns }, telemetry?.takeCount(now)].flatMap(
			(count) => count ?? [],
		);
	}

	#telemetryOf(client: string, sessionId: string): TelemetrySession {
		const counters = this.#of(client, sessionId);
		counters.telemetry ??= new TelemetrySession(this.#optionsOf(client));
		return counters.telemetry;
	}

	/** What it answered it knows itself to be local or not: a name says nothing more. */
	#gatewayOf(counters: Counters): SessionTally {
		const options = { ...this.#optionsOf(counters.client), isLocal: () => false };
		counters.gateway ??= new SessionTally('gateway', options);
		return counters.gateway;
	}

	#restore({ client, sessionId, state }: StoredServed): void {
		const kept: unknown = JSON.parse(state);
		if (!isKeptTally(kept)) throw new Error(`what was served to ${sessionId} is not as it was stored`);
		const counters = this.#of(client, sessionId);
		this.#gatewayOf(counters).restore(kept);
		counters.hasStandIns = true;
	}

	#guarded(where: string, run: () => void): void {
		try {
			run();
		} catch (error) {
			this.#options.onError?.(where, error);
		}
	}

	#optionsOf(client: string): SessionTallyOptions {
		return { price: (model, usage, at) => priceUsd(model, usage, at, client), isLocal: this.#isLocal };
	}

	#of(client: string, sessionId: string): Counters {
		const key = keyOf(client, sessionId);
		const counters = this.#sessions.get(key) ?? {
			client,
			sessionId,
			hasStandIns: false,
			gateway: null,
			telemetry: null,
		};
		// Re-inserted at the end: the map is in order of last use.
		this.#sessions.delete(key);
		this.#sessions.set(key, counters);
		const [quietest] = this.#sessions.keys();
		if (this.#sessions.size > KEPT_SESSIONS && quietest !== undefined) this.#sessions.delete(quietest);
		return counters;
	}
}

function keyOf(client: string, sessionId: string): string {
	return `${client}\u0000${sessionId}`;
}

function nameOf(model: string): string {
	return model.toLowerCase().replace(suffix, '');
}

/** A damaged row must blame nobody. */
function isKeptTally(value: unknown): value is KeptTally {
	if (!isObject(value) || typeof value.asOf !== 'number' || !Array.isArray(value.buckets)) return false;
	return value.buckets.every((bucket: unknown) => {
		if (!isObject(bucket) || !isObject(bucket.usage)) return false;
		const { usage, nanoUsd, priced, unpriced } = bucket;
		const counts = Object.keys(NO_TOKENS).map((name) => usage[name]);
		return (
			typeof bucket.model === 'string' &&
			typeof bucket.isLocal === 'boolean' &&
			(bucket.day === null || typeof bucket.day === 'string') &&
			[...counts, nanoUsd, priced, unpriced].every(
				(count) => typeof count === 'number' && Number.isFinite(count) && count >= 0,
			)
		);
	});
}
