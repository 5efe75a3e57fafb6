/** Failover, built once and connected: providers, local models, orchestrator, outbox, consents, gateway. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Capability } from '../../shared/capability.ts';
import type { Disposable } from '../../shared/disposable.ts';
import { providerNameOf } from '../../shared/failover-settings.ts';
import type { FailoverView } from '../../shared/failover-view.ts';
import type { Incident } from '../../shared/snapshot.ts';
import { Consents } from '../failover/consents.ts';
import type { FailoverEvent } from '../failover/failover-event.ts';
import { Orchestrator } from '../failover/orchestrator.ts';
import { ProviderHealth } from '../failover/provider-health.ts';
import type { TierVerdict } from '../failover/tiers.ts';
import type { Floor } from '../floor/floor.ts';
import { CredentialKeeper } from '../gateway/credentials.ts';
import type { CountedAnswer } from '../gateway/options.ts';
import { protocols } from '../gateway/protocols/all.ts';
import { CloudAsker } from '../gateway/queued-turn.ts';
import { gatewayRoutes } from '../gateway/routes.ts';
import { TurnKeeper } from '../gateway/turn-keeper.ts';
import { Upstream } from '../gateway/upstream.ts';
import { LocalModels } from '../local-servers/local-models.ts';
import { ModelWarmer } from '../local-servers/warm.ts';
import type { ModelDesk } from '../models/model-desk.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { SettingsFile } from '../store/settings-file.ts';
import { CloudTurns } from './cloud-turns.ts';
import { settleConsent } from './consent-incidents.ts';
import { DailyNote } from './daily-note.ts';
import { FailoverHistory } from './failover-history.ts';
import { FailoverStatus } from './failover-status.ts';
import { createGatewayFloor } from './gateway-floor.ts';
import { LocalAcceptance } from './local-acceptance.ts';
import { createOutbox } from './outbox-parts.ts';
import type { OutboxWorker } from './outbox-worker.ts';
import { ProviderProbe } from './provider-probe.ts';
import { QueuedTurns } from './queued-turns.ts';
import { SloRecorder } from './slo-recorder.ts';
import { clockOfThisMachine, scheduleTimer } from './timers.ts';
import { incidentNotice, noticePayload } from './webhook.ts';

export interface FailoverOptions {
	readonly floor: Floor;
	readonly store: FloorStore;
	readonly settings: SettingsFile;
	readonly models: ModelDesk;
	readonly dataDirectory: string;
	readonly agentToken: string;
	readonly ownPort: () => number;
	/** A window may want to see it. */
	readonly onChange: () => void;
	readonly onCapability: (capability: Capability) => void;
	/** An agent was heard of through the gateway. */
	readonly onAgent: (agentId: string) => void;
	/** An answer of the gateway was counted. */
	readonly onAnswer: (answer: CountedAnswer) => void;
	readonly onError: (where: string, error: unknown) => void;
}

/** Evidence about providers changes with every call; it is written this often at most, ms. */
const SAVE_HEALTH_MS = 2_000;

export class FailoverParts implements Disposable {
	readonly consents: Consents;
	readonly orchestrator: Orchestrator;
	readonly outbox: OutboxWorker;
	readonly localModels: LocalModels;
	readonly #options: FailoverOptions;
	readonly #clock = clockOfThisMachine();
	readonly #health: ProviderHealth;
	readonly #status: FailoverStatus;
	readonly #warmer: ModelWarmer;
	readonly #upstream = new Upstream();
	readonly #credentials = new CredentialKeeper(this.#clock.steady);
	readonly #turns = new TurnKeeper();
	readonly #cloudTurns: CloudTurns;
	readonly #queuedTurns: QueuedTurns;
	readonly #probe: ProviderProbe;
	readonly #history: FailoverHistory;
	readonly #slo: SloRecorder;
	readonly #dailyNote: DailyNote;
	readonly #acceptance: LocalAcceptance;
	#cancelSave: (() => void) | null = null;

	constructor(options: FailoverOptions) {
		this.#options = options;
		const { settings, store, floor, onError } = options;
		const clock = this.#clock;
		const schedule = scheduleTimer;
		const random = Math.random;
		const providers = () => settings.current.providers;
		const changed = (): void => this.#changed();
		this.#slo = new SloRecorder({
			append: (row) => store.appendSlo(row),
			clock,
			schedule,
			isDemo: (agentId) => floor.agent(agentId)?.demo ?? false,
		});
		this.#acceptance = new LocalAcceptance(store, (error) =>
			onError('keeping what became of local answers', error),
		);
		this.#dailyNote = new DailyNote({
			directory: options.dataDirectory,
			clock,
			schedule,
			total: (day) => store.sloTotal(day),
			firstDay: () => store.firstSloDay(),
			onError,
		});
		this.#health = new ProviderHealth({
			providers,
			clock,
			random,
			onChange: (providerId) => this.#providerChanged(providerId),
		});
		this.localModels = new LocalModels({
			servers: () => settings.current.localServers,
			now: clock.wall,
			onChange: (isNews) => {
				if (isNews) this.orchestrator.refresh();
				else options.onChange();
			},
			onError: (error) => onError('looking at local model servers', error),
			isFailedOver: () => this.orchestrator.localRoutes().length > 0,
		});
		this.#warmer = new ModelWarmer({
			targetOf: (serverId) => this.localModels.targetOf(serverId),
			now: clock.wall,
			onState: changed,
		});
		const asker = new CloudAsker({
			upstream: this.#upstream,
			credentials: this.#credentials,
			environment,
			now: clock.wall,
		});
		this.#cloudTurns = new CloudTurns({
			providers,
			protocols,
			turns: this.#turns,
			admit: (providerId) => this.#health.admit(providerId),
			settle: (ticket, outcome) => this.orchestrator.settle(ticket, outcome),
			ask: (turn, key, signal) => asker.askCloud(turn, key, signal),
			enqueue: (payload) => this.outbox.enqueue('cloud_turn', payload),
		});
		this.#queuedTurns = new QueuedTurns({
			isQueued: (conversation, inputHash) => this.outbox.holds(conversation, inputHash),
			superseded: (conversation, inputHash, answered) => {
				this.outbox
					.superseded(conversation, inputHash, answered)
					.catch((error: unknown) => onError('dropping a queued turn that is superseded', error));
			},
			drain: (reason, providerId) => this.outbox.drain(reason, providerId),
			providerName: (providerId) => this.#nameOf(providerId),
		});
		this.#probe = new ProviderProbe({
			providers,
			upstream: this.#upstream,
			isDue: (id) => this.#health.isUnanswered(id) && this.#health.retryInMs(id) === 0,
			hasCaller: (id) => this.orchestrator.popups().some(({ providerId }) => providerId === id),
			admit: (providerId) => this.#health.admit(providerId),
			settle: (ticket, outcome) => this.orchestrator.settle(ticket, outcome),
			schedule,
			onError,
		});
		this.outbox = createOutbox({
			dataDirectory: options.dataDirectory,
			settings: () => settings.current,
			store,
			health: this.#health,
			obstacleOf: (entry) => this.#queuedTurns.obstacleOf(entry),
			cloudTurns: this.#cloudTurns,
			localTarget: (serverId) => this.localModels.targetOf(serverId),
			onModel: () => void this.localModels.refresh(),
			onImproved: (offerId, answer) => this.orchestrator.improveAnswered(offerId, answer),
			clock,
			schedule,
			random,
			onChange: changed,
			onError,
		});
		this.#history = new FailoverHistory(
			(record) => floor.record(record),
			(providerId) => this.#nameOf(providerId),
		);
		this.consents = new Consents({
			clock,
			schedule,
			onChange: (ended) => {
				if (ended) {
					this.#history.consent(ended.consent, ended.answer, clock.wall());
					settleConsent(floor.incidents, ended.consent, ended.answer, clock.wall());
				}
				changed();
			},
		});
		this.orchestrator = new Orchestrator({
			clock,
			schedule,
			random,
			gate: this.#health,
			incidents: floor.incidents,
			settings: () => settings.current.failover,
			providerName: (providerId) => this.#nameOf(providerId),
			providerIds: () => providers().map(({ id }) => id),
			localModels: () => ({ models: this.localModels.models(), servers: this.localModels.servers() }),
			acceptance: (workspace, modelId) => this.#acceptance.of(workspace, modelId),
			recordAcceptance: (workspace, modelId, accepted, turnId) =>
				this.#acceptance.record({ workspace, modelId, accepted, turnId, at: clock.wall() }),
			probingPaused: (isPaused) => this.localModels.pause(isPaused),
			askCloud: (offerId, facts) => this.#cloudTurns.improve(offerId, facts),
		});
		this.#status = new FailoverStatus({
			health: this.#health,
			localModels: this.localModels,
			orchestrator: this.orchestrator,
			consents: () => this.consents.views(),
			outbox: () => this.outbox.view(),
			now: clock.wall,
			onEvent: (event) => this.#happened(event),
		});
		this.orchestrator.onChange(changed);
		this.orchestrator.onEvent((event) => this.#happened(event));
	}

	/** Takes over what an earlier run knew, reads the outbox, begins to look around. */
	async start(): Promise<void> {
		const { store, onError } = this.#options;
		for (const problem of this.#health.restore(store.loadProviderHealth() ?? this.#health.saved())) {
			onError('reading what was known of the providers', new Error(problem));
		}
		// The time for which it has been down already belongs to the earlier run; from now on it counts here.
		for (const { id } of this.#health.down()) this.orchestrator.providerChanged(id);
		this.#acceptance.load();
		await this.outbox.start();
		this.localModels.start();
		this.#probe.start();
		await this.#dailyNote.start();
		this.#status.recompute();
	}

	/** The front doors, for the listener. */
	readonly gateway = async (app: FastifyInstance): Promise<void> => {
		const { agentToken, ownPort, settings, floor, onAgent, onAnswer, onError } = this.#options;
		await gatewayRoutes(app, {
			agentToken,
			ownPort,
			settings: () => settings.current,
			protocols,
			desk: this.#queuedTurns.desk(this.orchestrator),
			models: this.#options.models,
			floor: createGatewayFloor({ floor, onAgent, onAnswer }),
			clock: this.#clock,
			schedule: scheduleTimer,
			upstream: this.#upstream,
			credentials: this.#credentials,
			turns: this.#turns,
			warm: async (model) => {
				await this.#warmer.warm(model);
			},
			enqueue: (facts, request) => this.#cloudTurns.queue(facts, request),
			newTurnId: randomUUID,
			environment,
			onUnexpected: onError,
		});
	};

	view(): FailoverView {
		return this.#status.view();
	}

	tier(): TierVerdict {
		return this.#status.tier();
	}

	capability(): Capability {
		return this.#status.capability();
	}

	/** Settings changed. */
	settingsChanged(): void {
		this.orchestrator.refresh();
		void this.localModels.refresh();
	}

	/** The machine slept: nobody's hold is over before somebody could see it. */
	noteWake(): void {
		this.orchestrator.noteWake();
		this.outbox.drain('the machine woke up');
		void this.localModels.refresh();
	}

	/** An incident was written: those that need the operator go to their webhook. */
	incidentChanged(incident: Incident): void {
		const { webhook } = this.#options.settings.current;
		const notice = webhook.url === null ? null : incidentNotice(incident);
		if (notice === null || webhook.url === null) return;
		this.outbox
			.enqueue('hook', noticePayload(webhook.url, notice))
			.catch((error: unknown) => this.#options.onError('queueing a notification', error));
	}

	/** Held turns are given back, what is queued is on the disk. */
	async stop(): Promise<void> {
		this.consents.stop();
		this.#probe.stop();
		this.orchestrator.stop();
		await Promise.all([this.outbox.stop(), this.#dailyNote.stop()]);
	}

	dispose(): void {
		this.#cancelSave?.();
		this.#saveHealth();
		this.localModels.dispose();
		this.#warmer.dispose();
		this.#slo.dispose();
		this.#upstream.close();
	}

	#happened(event: FailoverEvent): void {
		this.#status.hear(event);
		this.#slo.listen(event);
		this.#queuedTurns.hear(event);
		this.#history.hear(event);
		if (event.kind === 'capability-changed') this.#options.onCapability(event.capability);
	}

	#providerChanged(providerId: string): void {
		this.orchestrator.providerChanged(providerId);
		if (!this.#health.isDown(providerId)) {
			this.outbox.drain(`${this.#nameOf(providerId)} answers again`, providerId);
		}
		this.#saveHealthSoon();
		this.#changed();
	}

	#nameOf(providerId: string): string {
		const provider = this.#options.settings.current.providers.find(({ id }) => id === providerId);
		return providerNameOf(provider ?? { id: providerId });
	}

	#changed(): void {
		this.#status.recompute();
		this.#options.onChange();
	}

	#saveHealthSoon(): void {
		this.#cancelSave ??= scheduleTimer(SAVE_HEALTH_MS, () => this.#saveHealth());
	}

	#saveHealth(): void {
		this.#cancelSave = null;
		try {
			this.#options.store.saveProviderHealth(this.#health.saved());
		} catch (error) {
			// A disk that refuses must not stop a turn; it is reported and shown.
			this.#options.onError('keeping what is known of the providers', error);
		}
	}
}

function environment(name: string): string | undefined {
	return process.env[name];
}
