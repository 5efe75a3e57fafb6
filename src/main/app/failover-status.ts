/** What window, tray and `GET /capability` are told of failover, put together from its parts. From memory only. */
import type { Capability } from '../../shared/capability.ts';
import type { ConsentView, FailoverView, OutboxEntryView, OutboxView } from '../../shared/failover-view.ts';
import { capabilityOf } from '../failover/capability.ts';
import type { FailoverEvent, FailoverListener } from '../failover/failover-event.ts';
import { fitsAgents } from '../failover/local-gates.ts';
import type { Orchestrator } from '../failover/orchestrator.ts';
import type { ProviderHealth } from '../failover/provider-health.ts';
import { type TierVerdict, tierOf } from '../failover/tiers.ts';
import type { LocalModels } from '../local-servers/local-models.ts';

export interface FailoverStatusParts {
	readonly health: Pick<ProviderHealth, 'down' | 'remote' | 'lastCalled' | 'views'>;
	readonly localModels: Pick<LocalModels, 'models' | 'servers'>;
	readonly orchestrator: Pick<Orchestrator, 'popups' | 'localRoutes' | 'offers'>;
	readonly consents: () => ConsentView[];
	readonly outbox: () => OutboxView;
	/** Wall clock, ms. */
	readonly now: () => number;
	/** A tier, a capability or a queue depth that differs from the one before. */
	readonly onEvent: FailoverListener;
}

const nobody = { plan: null, act: null, utility: null, embed: null };

export class FailoverStatus {
	readonly #parts: FailoverStatusParts;
	#activeSession: Capability['activeSession'] = null;
	/** A turn was refused since the first provider went down. */
	#refusedSince = false;
	#told = { tier: '', capability: '', depth: 0 };

	constructor(parts: FailoverStatusParts) {
		this.#parts = parts;
	}

	/** Who answered last, and whether somebody had to be refused. */
	readonly hear = (event: FailoverEvent): void => {
		if (event.kind !== 'turn-ended' || event.facts.isAuxiliary) return;
		const { end } = event;
		if (end.kind === 'answered') this.#activeSession = sessionOf(end);
		if (end.kind === 'refused') this.#refusedSince = true;
	};

	tier(): TierVerdict {
		const { orchestrator, outbox } = this.#parts;
		const downProviders = this.#down();
		if (downProviders.length === 0) this.#refusedSince = false;
		return tierOf({
			downProviders,
			localReady: this.#isReady(),
			sessions: orchestrator.localRoutes().length,
			pendingItems: outbox().entries.filter(waitsForProvider).length,
			refusedSince: this.#refusedSince,
		});
	}

	capability(): Capability {
		const { health, localModels } = this.#parts;
		const last = health.lastCalled();
		return capabilityOf({
			servers: localModels.servers(),
			models: localModels.models(),
			remote: last === null ? 'unknown' : health.remote(last),
			activeSession: this.#activeSession,
		});
	}

	view(): FailoverView {
		const { health, localModels, orchestrator, consents, outbox } = this.#parts;
		return {
			capability: this.capability(),
			providers: health.views(),
			localServers: localModels.servers(),
			popups: orchestrator.popups(),
			consents: consents(),
			routes: orchestrator.localRoutes(),
			offers: orchestrator.offers(),
			outbox: outbox(),
		};
	}

	/** Something changed: tells what differs. */
	recompute(): void {
		const { now, onEvent, outbox } = this.#parts;
		const at = now();
		const capability = this.capability();
		// Looking again is no news; a model that came or went is.
		const facts = {
			...capability,
			localModels: capability.localModels.map(({ checkedAt: _, ...rest }) => rest),
		};
		const text = JSON.stringify(facts);
		if (text !== this.#told.capability) onEvent({ kind: 'capability-changed', at, capability });
		const { tier, reason } = this.tier();
		if (tier !== this.#told.tier) onEvent({ kind: 'tier-changed', at, tier, reason });
		const depth = outbox().queued;
		if (depth !== this.#told.depth) onEvent({ kind: 'queue-depth', at, depth });
		this.#told = { tier, capability: text, depth };
	}

	/** The breaker's verdict, and what people see: turns that are held, sessions that went local. */
	#down(): { name: string; reason: string }[] {
		const { health, orchestrator } = this.#parts;
		const down = new Map(health.down().map(({ id, name, reason }) => [id, { name, reason }]));
		for (const { providerId, providerName, detail } of orchestrator.popups()) {
			if (!down.has(providerId)) down.set(providerId, { name: providerName, reason: detail });
		}
		const names = new Map(health.views().map(({ id, name }) => [id, name]));
		for (const { providerId } of orchestrator.localRoutes()) {
			if (down.has(providerId)) continue;
			down.set(providerId, {
				name: names.get(providerId) ?? providerId,
				reason: 'Its last turn was lost.',
			});
		}
		return [...down.values()];
	}

	/** A local model can go on: with a turn that is held, or, where none is, with what agents usually ask. */
	#isReady(): boolean {
		const { localModels, orchestrator } = this.#parts;
		const popups = orchestrator.popups();
		if (popups.length > 0) return popups.some(({ candidates }) => candidates.length > 0);
		const running = new Set(
			localModels.servers().flatMap(({ id, state }) => (state === 'running' ? [id] : [])),
		);
		return localModels.models().some((model) => running.has(model.serverId) && fitsAgents(model));
	}
}

/** A turn: a post to a webhook or a download waits for no provider. */
function waitsForProvider({ kind, state }: OutboxEntryView): boolean {
	return kind === 'cloud_turn' && (state === 'pending' || state === 'sending');
}

/** Roles are chosen by nobody yet: what acts is what answered. */
function sessionOf({
	harness,
	at,
	model,
}: {
	readonly harness: 'local' | 'cloud';
	readonly at: string;
	readonly model: string;
}): Capability['activeSession'] {
	return { harness, model, roles: { ...nobody, act: { harness, at, model } } };
}
