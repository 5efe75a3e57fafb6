/** Posts what needs the operator to a webhook, through the outbox: with a key that makes a second delivery harmless. */

import { retryAfterMs } from '../../shared/retry-after.ts';
import type { Incident } from '../../shared/snapshot.ts';
import type { OutboxEntryOf } from '../failover/outbox-entry.ts';
import { type NewPayload, postingAddress } from '../failover/outbox-entry.ts';
import type { Send, SendResult } from './outbox-sender.ts';

const TIMEOUT_MS = 10_000;

/** What is posted. No detail of an incident: that may quote what an agent was asked or did. */
export interface IncidentNotice {
	readonly source: 'agent-floor';
	readonly state: 'opened' | 'recovered';
	readonly id: string;
	readonly kind: string;
	readonly severity: Incident['severity'];
	/** What happened, in one sentence. */
	readonly title: string;
	readonly agent_id: string | null;
	readonly opened_at: string;
	readonly ended_at: string | null;
	readonly end_reason: string | null;
}

/** `null`: nobody outside needs to hear of it (not urgent, or only counted once more). */
export function incidentNotice(incident: Incident): IncidentNotice | null {
	const { id, kind, severity, title, agentId, openedAt, endedAt, endReason, count } = incident;
	if (severity !== 'urgent' || (endedAt === null && count > 1)) return null;
	return {
		source: 'agent-floor',
		state: endedAt === null ? 'opened' : 'recovered',
		id,
		kind,
		severity,
		title,
		agent_id: agentId,
		opened_at: new Date(openedAt).toISOString(),
		ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
		end_reason: endReason,
	};
}

/** For the outbox. `url`: the webhook of the settings. */
export function noticePayload(url: string, notice: IncidentNotice): NewPayload<'hook'> {
	return { url: postingAddress(url), body: JSON.stringify(notice) };
}

export interface WebhookSenderOptions {
	/** `settings.webhook.url`: the whole address, which the outbox does not keep. */
	readonly url: () => string | null;
	/** Wall clock, ms. */
	readonly now?: () => number;
	readonly timeoutMs?: number;
}

/**
 * The outbox's sender for notices. 2xx is done, 4xx is refused for good (but 408 and 429), everything else that answers
 * is tried again; redirects are not followed. When the request went out and nobody answered, it rejects.
 */
export function createWebhookSender(options: WebhookSenderOptions): Send<OutboxEntryOf<'hook'>> {
	return async (entry, signal) => {
		const url = options.url();
		if (url === null || postingAddress(url) !== entry.payload.url) {
			return { kind: 'failed', detail: 'the webhook of the settings was changed or taken out' };
		}
		const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
		let answer: Response;
		try {
			answer = await post(url, entry, AbortSignal.any([signal, deadline]));
		} catch (error) {
			const why = causeOf(error);
			if (neverSent.test(why))
				return { kind: 'retry', detail: `${entry.payload.url} cannot be reached (${why})` };
			throw new Error(deadline.aborted ? 'nobody answered in time' : why, { cause: error });
		}
		// What it says does not matter, and may never end.
		await answer.body?.cancel();
		return resultOf(answer, entry.payload.url, (options.now ?? Date.now)());
	};
}

/** The connection was never made, so nothing can have arrived. */
const neverSent =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|\w+_CERT\w*|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO)$/;

function post(url: string, entry: OutboxEntryOf<'hook'>, signal: AbortSignal): Promise<Response> {
	const target = new URL(url);
	const { username, password } = target;
	// `fetch` refuses an address with a password in it.
	target.username = '';
	target.password = '';
	const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
	return fetch(target, {
		method: 'POST',
		redirect: 'manual',
		headers: {
			'content-type': 'application/json',
			'idempotency-key': entry.idempotency_key,
			'user-agent': 'agent-floor',
			...(username !== '' && { authorization: `Basic ${credentials.toString('base64')}` }),
		},
		body: entry.payload.body,
		signal,
	});
}

function resultOf(answer: Response, where: string, now: number): SendResult {
	const { status } = answer;
	if (answer.ok) return { kind: 'done', detail: `${where} took it (HTTP ${status})` };
	const detail =
		status >= 300 && status < 400
			? `${where} answered with a redirect (HTTP ${status}), which is not followed`
			: `${where} answered HTTP ${status}`;
	const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
	if (isRefusal) return { kind: 'failed', detail };
	const afterMs = retryAfterMs(Object.fromEntries(answer.headers), now);
	return { kind: 'retry', detail, ...(afterMs !== null && { afterMs }) };
}

/** The code of what `fetch` failed of, or its words. Several addresses of one host may each have failed. */
function causeOf(error: unknown): string {
	let cause = error;
	while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
	if (cause instanceof AggregateError) cause = cause.errors[0];
	if (!(cause instanceof Error)) return String(cause);
	return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
