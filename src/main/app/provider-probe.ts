/**
 * Notices that a provider that did not answer at all answers again, when no agent calls it: its list of models is asked
 * for, without credentials, as the breaker's trial call. Any answer of its own says that it can be reached, nothing more.
 */
import type { ProviderSettings } from '../../shared/failover-settings.ts';
import type { CallOutcome, CallTicket, Schedule } from '../failover/call.ts';
import { classifyLoss, lossCodeOf } from '../failover/loss.ts';
import type { ProviderAdmission } from '../failover/provider-health.ts';
import { headerOf } from '../gateway/headers.ts';
import { targetOf } from '../gateway/target.ts';
import type { Upstream } from '../gateway/upstream.ts';

/** Between two looks at who is due, ms. */
const LOOK_EVERY_MS = 5_000;
const TIMEOUT_MS = 15_000;

export interface ProviderProbeOptions {
	readonly providers: () => readonly ProviderSettings[];
	readonly upstream: Upstream;
	/** It is down because nothing answered, and a trial call may go now. */
	readonly isDue: (providerId: string) => boolean;
	/** Somebody waits who will make the trial call. */
	readonly hasCaller: (providerId: string) => boolean;
	readonly admit: (providerId: string) => ProviderAdmission;
	readonly settle: (ticket: CallTicket, outcome: CallOutcome) => void;
	readonly schedule: Schedule;
	readonly onError: (where: string, error: unknown) => void;
}

export class ProviderProbe {
	readonly #options: ProviderProbeOptions;
	#cancel: (() => void) | null = null;
	#isStopped = false;

	constructor(options: ProviderProbeOptions) {
		this.#options = options;
	}

	start(): void {
		if (this.#isStopped) return;
		this.#cancel = this.#options.schedule(LOOK_EVERY_MS, () => {
			this.look();
			this.start();
		});
	}

	/** Asks every provider that is due and that nobody else will ask. */
	look(): void {
		for (const provider of this.#options.providers()) {
			const { isDue, hasCaller, admit } = this.#options;
			if (!isDue(provider.id) || hasCaller(provider.id)) continue;
			const admission = admit(provider.id);
			if (admission.ticket !== null) this.#ask(provider, admission.ticket);
		}
	}

	stop(): void {
		this.#isStopped = true;
		this.#cancel?.();
	}

	#ask(provider: ProviderSettings, ticket: CallTicket): void {
		const { upstream, settle, onError } = this.#options;
		let isOver = false;
		const end = (outcome: CallOutcome): void => {
			if (isOver) return;
			isOver = true;
			settle(ticket, outcome);
		};
		try {
			const call = upstream.call(
				{
					target: targetOf(provider.baseUrl, '/v1/models'),
					method: 'GET',
					headers: ['accept', 'application/json', 'accept-encoding', 'identity'],
					body: null,
					headersTimeoutMs: TIMEOUT_MS,
					idleTimeoutMs: TIMEOUT_MS,
				},
				{
					onHead: ({ status, headers }) => {
						end(outcomeOf(status, headerOf(headers, 'content-type') ?? ''));
						call.abort();
					},
					onData: () => {},
					onEnd: () => {},
					onError: (error) => end(classifyLoss(lossCodeOf(error))),
				},
			);
		} catch (error) {
			end({ kind: 'neutral', status: null, code: '', latencyMs: null, retryAfterMs: null });
			onError('asking a provider whether it is back', error);
		}
	}
}

/** A login page of some network answers with a page; a model service answers in JSON, a refusal included. */
function outcomeOf(status: number, contentType: string): CallOutcome {
	const isService = status < 500 && /\bjson\b/i.test(contentType);
	return {
		kind: isService ? 'ok' : 'error',
		status,
		code: isService ? '' : 'not_a_model_service',
		latencyMs: null,
		retryAfterMs: null,
		isProbe: true,
	};
}
