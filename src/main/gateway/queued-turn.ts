/** Asks a provider for one whole answer without the agent: queued turns, and "Improve this with …?". */
import type { ProviderSettings } from '../../shared/failover-settings.ts';
import { type CallOutcome, isProviderLoss } from '../failover/call.ts';
import { classifyAnswer } from '../failover/classify-answer.ts';
import { classifyLoss, describeLoss, lossCodeOf, mayHaveArrived } from '../failover/loss.ts';
import { requestIdOf } from './answer-count.ts';
import { answerInWords } from './answer-words.ts';
import type { AnswerCount } from './attempt-contract.ts';
import { decompressed } from './content-encoding.ts';
import type { CredentialKeeper, CredentialPlace } from './credentials.ts';
import { headerOf, headerRecord } from './headers.ts';
import { masked } from './masked.ts';
import type { JsonObject, Protocol } from './protocol.ts';
import { BODY_LIMIT, parseJson } from './request-body.ts';
import { saidByStatus, saidInAnswer } from './said.ts';
import { targetOf } from './target.ts';
import { ambiguousCaller } from './try-words.ts';
import type { Upstream, UpstreamHead, UpstreamRequest } from './upstream.ts';
import { nameOf, noCredentials } from './words.ts';

export interface CloudTurn {
	readonly provider: ProviderSettings;
	readonly protocol: Protocol;
	/** With its query. */
	readonly path: string;
	/** JSON, as the agent sent it. */
	readonly body: Uint8Array;
	readonly sessionKey: string;
}

export interface CloudProblem {
	/** What happened and what to do, in words. */
	readonly problem: string;
	/** The provider's own wish, as a span from now, ms; `null` without one. */
	readonly retryAfterMs: number | null;
	/** The provider cannot be reached, is in trouble or wants a pause: the same may work later. */
	readonly lost: boolean;
	/** Nothing was sent: it waits for the next call of its agent, or for a `credentialEnv`. */
	readonly lacksCredentials: boolean;
	/** It may have reached the provider, which may have worked on it. */
	readonly isUncertain: boolean;
	/** What it says about the provider. */
	readonly outcome: CallOutcome;
}

export interface CloudReply {
	readonly text: string;
	readonly model: string;
	/** What it took: it is billed to the session that the turn was of. */
	readonly count: AnswerCount;
}

export type CloudAnswer = CloudReply | CloudProblem;

export interface CloudAskerOptions {
	readonly upstream: Upstream;
	readonly credentials: CredentialKeeper;
	/** An environment variable of the floor. */
	readonly environment: (name: string) => string | undefined;
	/** Wall clock, ms. */
	readonly now: () => number;
}

const notCalled: CallOutcome = {
	kind: 'neutral',
	status: null,
	code: '',
	latencyMs: null,
	retryAfterMs: null,
};

/** A whole answer may take minutes before its head comes, ms. */
const TIMEOUT_MS = 600_000;

export class CloudAsker {
	readonly #options: CloudAskerOptions;

	constructor(options: CloudAskerOptions) {
		this.#options = options;
	}

	/** Sends one request; the key makes a repeated one harmless. Rejects only with the signal's own reason. */
	async askCloud(turn: CloudTurn, idempotencyKey: string, signal: AbortSignal): Promise<CloudAnswer> {
		const { provider } = turn;
		const credentials = this.#credentialsFor(turn);
		if (credentials === null) {
			const isAmbiguous = this.#options.credentials.isAmbiguous(placeOf(turn));
			const words = isAmbiguous ? ambiguousCaller(provider) : noCredentials(provider);
			return problem(words, { lacksCredentials: true });
		}
		const json = parseJson(turn.body);
		if (json === null) return problem('The queued request cannot be read. Discard it.');
		signal.throwIfAborted();
		const request: UpstreamRequest = {
			target: targetOf(provider.baseUrl, turn.path),
			method: 'POST',
			headers: [
				...credentials,
				'content-type',
				'application/json',
				'accept-encoding',
				'identity',
				'idempotency-key',
				idempotencyKey,
			],
			body: Buffer.from(JSON.stringify(unstreamed(json))),
			headersTimeoutMs: TIMEOUT_MS,
			idleTimeoutMs: TIMEOUT_MS,
		};
		try {
			const { head, body } = await wholeAnswer(this.#options.upstream, request, signal);
			const encoding = headerOf(head.headers, 'content-encoding');
			const isGood = head.status >= 200 && head.status < 300;
			const plain = isGood ? await decompressed(body, encoding, BODY_LIMIT) : body;
			return this.#read(turn, json, request.headers, { head, body: plain ?? body });
		} catch (error) {
			signal.throwIfAborted();
			const code = lossCodeOf(error);
			const outcome = classifyLoss(code);
			return problem(describeLoss(code, nameOf(provider)), {
				lost: isProviderLoss(outcome.kind),
				isUncertain: mayHaveArrived(code),
				outcome,
			});
		}
	}

	/** The session's own; else the floor's, where the operator gave it one. */
	#credentialsFor(turn: CloudTurn): readonly string[] | null {
		const { provider, protocol } = turn;
		const kept = this.#options.credentials.of(placeOf(turn));
		if (kept) return kept;
		const key = provider.credentialEnv ? this.#options.environment(provider.credentialEnv) : undefined;
		if (!key) return null;
		if (protocol.id !== 'anthropic-messages') return ['authorization', `Bearer ${key}`];
		return ['x-api-key', key, 'anthropic-version', '2023-06-01'];
	}

	#read(
		{ provider, protocol }: CloudTurn,
		json: JsonObject,
		headers: readonly string[],
		{ head, body }: Whole,
	): CloudAnswer {
		const isGood = head.status >= 200 && head.status < 300;
		const answer = isGood ? protocol.readAnswer(body) : null;
		if (answer && answer.error === null) {
			const said = parseJson(body);
			const { usage, origin } = answer;
			const count: AnswerCount = { ...origin, requestId: requestIdOf(head), usage, isWhole: true };
			return { text: answerInWords(answer.text, said), model: modelOf(said) || modelOf(json), count };
		}
		const asked = { protocol, name: nameOf(provider), headers };
		const said = answer?.error ?? saidByStatus(head, body, asked);
		const { type, message } = said;
		const words = 'detail' in said ? said.detail : saidInAnswer(type, message, asked);
		const outcome = classifyAnswer({
			status: answer?.error?.status ?? head.status,
			type: masked(type, headers),
			message,
			headers: headerRecord(head.headers),
			latencyMs: null,
			now: this.#options.now(),
		});
		const lost = isProviderLoss(outcome.kind) || outcome.kind === 'rate-limited';
		return problem(words, {
			lost,
			retryAfterMs: outcome.retryAfterMs,
			outcome,
		});
	}
}

function placeOf({ provider, sessionKey }: CloudTurn): CredentialPlace {
	return { sessionKey, providerId: provider.id, baseUrl: provider.baseUrl };
}

interface Whole {
	readonly head: UpstreamHead;
	readonly body: Buffer;
}

function wholeAnswer(upstream: Upstream, request: UpstreamRequest, signal: AbortSignal): Promise<Whole> {
	return new Promise((resolve, reject) => {
		const chunks: Uint8Array[] = [];
		let head: UpstreamHead = { status: 0, headers: [] };
		const leave = (): void => {
			call.abort();
			reject(signal.reason);
		};
		const call = upstream.call(request, {
			onHead: (came) => {
				head = came;
			},
			onData: (chunk) => chunks.push(chunk),
			onEnd: () => {
				signal.removeEventListener('abort', leave);
				resolve({ head, body: Buffer.concat(chunks) });
			},
			onError: (error) => {
				signal.removeEventListener('abort', leave);
				reject(error);
			},
		});
		signal.addEventListener('abort', leave, { once: true });
	});
}

/** The same request, answered in one piece. */
function unstreamed(json: JsonObject): JsonObject {
	const { stream: _stream, stream_options: _options, ...rest } = json;
	return { ...rest, stream: false };
}

function modelOf(json: JsonObject | null): string {
	return typeof json?.model === 'string' ? json.model : '';
}

function problem(words: string, fields: Partial<CloudProblem> = {}): CloudProblem {
	return {
		problem: words,
		retryAfterMs: null,
		lost: false,
		lacksCredentials: false,
		isUncertain: false,
		outcome: notCalled,
		...fields,
	};
}
