/** The outbox with everybody who carries its entries out: queued turns, posts to the webhook, downloads of models. */
import type { Settings } from '../../shared/settings.ts';
import type { Clock, Schedule } from '../failover/call.ts';
import type { CloudAnswer } from '../failover/orchestrator-parts.ts';
import { type OutboxEntry, type OutboxEntryOf, outboxEntrySchema } from '../failover/outbox-entry.ts';
import type { ProviderHealth } from '../failover/provider-health.ts';
import type { LocalTarget } from '../local-servers/local-http.ts';
import { LocalServerError } from '../local-servers/local-server-error.ts';
import { pull } from '../local-servers/pull.ts';
import type { FloorStore } from '../store/floor-store.ts';
import { OutboxLog } from '../store/outbox-log.ts';
import type { CloudTurns } from './cloud-turns.ts';
import type { Send, SendResult, SentAnswer } from './outbox-sender.ts';
import { OutboxWorker } from './outbox-worker.ts';
import { createWebhookSender } from './webhook.ts';

export interface OutboxPartsOptions {
	readonly dataDirectory: string;
	readonly settings: () => Pick<Settings, 'localServers' | 'webhook'>;
	readonly store: FloorStore;
	readonly health: Pick<ProviderHealth, 'isDown' | 'retryInMs' | 'reason'>;
	/** Another reason for an entry to wait; `null`: none. */
	readonly obstacleOf: (entry: OutboxEntry) => string | null;
	readonly cloudTurns: CloudTurns;
	readonly localTarget: (serverId: string) => LocalTarget | null;
	/** A model was downloaded. */
	readonly onModel: () => void;
	/** What came of "Improve this" that had to wait. */
	readonly onImproved: (offerId: string, answer: CloudAnswer) => void;
	readonly clock: Clock;
	readonly schedule: Schedule;
	readonly random: () => number;
	readonly onChange: () => void;
	readonly onError: (where: string, error: unknown) => void;
}

export function createOutbox(options: OutboxPartsOptions): OutboxWorker {
	const { dataDirectory, settings, cloudTurns, clock, schedule, random, onChange, onError } = options;
	return new OutboxWorker({
		log: new OutboxLog({
			directory: dataDirectory,
			schema: outboxEntrySchema,
			onDamage: (problem) => onError('reading the outbox', new Error(problem)),
		}),
		senders: {
			cloud_turn: (entry, signal) => cloudTurns.send(entry, signal),
			hook: createWebhookSender({ url: () => settings().webhook.url }),
			download: (...sent) => download(options, ...sent),
		},
		clock,
		schedule,
		random,
		waitsFor: (entry) => options.obstacleOf(entry) ?? breakerOf(options, entry),
		keepAnswer: (entry, answer) => keepAnswer(options, entry, answer),
		onEnd: (entry) => tellFailure(options, entry),
		onChange,
		onError,
	});
}

/** While its provider's breaker is open a turn is not even tried. */
function breakerOf({ health }: OutboxPartsOptions, entry: OutboxEntry): string | null {
	if (entry.kind !== 'cloud_turn') return null;
	const { provider_id: providerId } = entry.payload;
	return health.isDown(providerId) && health.retryInMs(providerId) > 0 ? health.reason(providerId) : null;
}

async function download(
	{ settings, localTarget, onModel }: OutboxPartsOptions,
	...[entry, signal, onProgress]: Parameters<Send<OutboxEntryOf<'download'>>>
): Promise<SendResult> {
	const { server_id: serverId, model } = entry.payload;
	const server = settings().localServers.find(({ id }) => id === serverId);
	const target = localTarget(serverId);
	if (!server || !target) {
		return { kind: 'failed', detail: `The settings no longer have a local server "${serverId}".` };
	}
	try {
		await pull(server.kind, target.baseUrl, model, {
			signal,
			token: target.token,
			onProgress: (share) => {
				if (share !== null) onProgress(share);
			},
		});
	} catch (error) {
		if (!(error instanceof LocalServerError)) throw error;
		// Pulling again goes on where it stopped, so nothing about it is ever uncertain.
		const isFinal = error.kind === 'unsupported' || error.kind === 'no-such-model';
		return { kind: isFinal ? 'failed' : 'retry', detail: error.message };
	}
	onModel();
	return { kind: 'done', detail: `${model} is there` };
}

function keepAnswer(
	{ store, clock, onImproved }: OutboxPartsOptions,
	entry: OutboxEntry,
	{ model, text }: SentAnswer,
): void {
	if (entry.kind !== 'cloud_turn') return;
	const { offer_id: offerId, provider_id: place } = entry.payload;
	if (offerId !== undefined) onImproved(offerId, { kind: 'answered', model, text });
	const key = entry.idempotency_key;
	store.saveTurnAnswer({ key, harness: 'cloud', place, model, text, at: clock.wall() });
}

function tellFailure({ onImproved }: OutboxPartsOptions, entry: OutboxEntry): void {
	if (entry.kind !== 'cloud_turn' || entry.payload.offer_id === undefined || entry.state !== 'failed') return;
	const problem = entry.payload.delivery?.detail ?? 'It could not be asked.';
	onImproved(entry.payload.offer_id, { kind: 'failed', problem });
}
