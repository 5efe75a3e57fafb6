/** What others than the session's own files count of it: the gateway's answers, the program's telemetry. */

import type { FloorEvent } from '../floor/events.ts';
import { knownTokens } from '../gateway/answer-count.ts';
import type { CountedAnswer } from '../gateway/options.ts';
import type { HookUsage } from '../hooks/dialect.ts';
import type { TelemetryUsage } from '../telemetry/telemetry-sink.ts';
import { priceUsd } from '../usage/prices.ts';
import type { SessionCount } from '../usage/reconcile.ts';
import { SessionTally, type SessionTallyOptions } from '../usage/session-tally.ts';
import { TelemetrySession } from '../usage/telemetry-session.ts';

/** Sessions that are remembered; the one that was quiet longest is forgotten first. */
const KEPT_SESSIONS = 2_000;

interface Counters {
	gateway: SessionTally | null;
	telemetry: TelemetrySession | null;
}

export class SessionCounters {
	readonly #isLocal: (model: string) => boolean;
	readonly #sessions = new Map<string, Counters>();

	/** `isLocal`: a model that this machine serves. */
	constructor(isLocal: (model: string) => boolean) {
		this.#isLocal = isLocal;
	}

	/** An answer without counts stays unknown: it is never taken for nothing. */
	answered({ client, sessionKey, key, served, usage, at }: CountedAnswer): void {
		const tokens = knownTokens(usage);
		if (tokens === null) return;
		const counters = this.#of(client, sessionKey);
		counters.gateway ??= new SessionTally('gateway', this.#optionsOf(client));
		const isLocal = served.harness === 'local';
		counters.gateway.answer({ key, model: served.model, at, usage: tokens, isLocal });
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
		return [known?.gateway?.takeCount(now), known?.telemetry?.takeCount(now)].flatMap((count) => count ?? []);
	}

	#telemetryOf(client: string, sessionId: string): TelemetrySession {
		const counters = this.#of(client, sessionId);
		counters.telemetry ??= new TelemetrySession(this.#optionsOf(client));
		return counters.telemetry;
	}

	#optionsOf(client: string): SessionTallyOptions {
		return { price: (model, usage, at) => priceUsd(model, usage, at, client), isLocal: this.#isLocal };
	}

	#of(client: string, sessionId: string): Counters {
		const key = keyOf(client, sessionId);
		const counters = this.#sessions.get(key) ?? { gateway: null, telemetry: null };
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
