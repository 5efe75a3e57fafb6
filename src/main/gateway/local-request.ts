/** A turn's request as it goes to a local server: no cloud credentials, the local model's name, foreign thinking left out. */
import type { ModelFit } from '../../shared/capability.ts';
import type { LocalServerSettings } from '../../shared/failover-settings.ts';
import { surelyInUse } from '../failover/local-gates.ts';
import type { JsonObject, Protocol } from './protocol.ts';
import { isOwnAddress, targetOf } from './target.ts';
import type { UpstreamRequest } from './upstream.ts';

export type LocalRequest =
	| { readonly ok: true; readonly request: UpstreamRequest }
	/** `problem`: why it cannot be sent, with what to do. */
	| { readonly ok: false; readonly problem: string };

export interface LocalRequestOptions {
	readonly servers: readonly LocalServerSettings[];
	readonly ownPort: number;
	readonly environment: (name: string) => string | undefined;
	readonly protocol: Protocol;
	readonly model: ModelFit;
	/** "/v1/messages"; what of its query only the cloud knows is left out. */
	readonly path: string;
	readonly json: JsonObject;
	/** Of the prompt, rather too high than too low. */
	readonly estimatedTokens: number;
	readonly isStream: boolean;
	readonly headersTimeoutMs: number;
	readonly idleTimeoutMs: number;
}

export function localRequest(options: LocalRequestOptions): LocalRequest {
	const { model, protocol, isStream } = options;
	const server = options.servers.find(({ id }) => id === model.serverId);
	if (!server) {
		return {
			ok: false,
			problem: `The local server "${model.serverId}" is no longer in the settings. Choose another model.`,
		};
	}
	if (isOwnAddress(server.baseUrl, options.ownPort)) {
		return {
			ok: false,
			problem: `The address of the local server "${server.id}" (${server.baseUrl}) is Agent Floor itself. Correct it under "localServers".`,
		};
	}
	const body = bodyOf(options);
	if (body === null) {
		return { ok: false, problem: 'This request is nested too deeply to be rewritten for a local model.' };
	}
	const token = server.credentialEnv ? options.environment(server.credentialEnv) : undefined;
	return {
		ok: true,
		request: {
			target: targetOf(server.baseUrl, options.path.split('?')[0] ?? options.path),
			method: 'POST',
			headers: [
				'content-type',
				'application/json',
				'accept',
				isStream ? 'text/event-stream' : 'application/json',
				'accept-encoding',
				'identity',
				...(protocol.id === 'anthropic-messages' ? ['anthropic-version', '2023-06-01'] : []),
				...(token ? ['authorization', `Bearer ${token}`] : []),
			],
			body,
			headersTimeoutMs: options.headersTimeoutMs,
			idleTimeoutMs: options.idleTimeoutMs,
		},
	};
}

/** `null`: nested so deeply that it can be read, but not written. */
function bodyOf(options: LocalRequestOptions): Buffer | null {
	const { protocol, json, model } = options;
	try {
		return Buffer.from(JSON.stringify(fitted(protocol.forLocal(json, model.model), options)));
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}

/** What each protocol calls the longest answer that is wanted. */
const answerLimits = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;

/** vLLM refuses a request whose answer could be longer than what the prompt leaves of its context. */
function fitted(json: JsonObject, { model, estimatedTokens }: LocalRequestOptions): JsonObject {
	const { tokens } = surelyInUse(model);
	if (tokens === null) return json;
	const room = Math.max(1, tokens - estimatedTokens);
	const changed = answerLimits.filter((name) => typeof json[name] === 'number' && json[name] > room);
	return { ...json, ...Object.fromEntries(changed.map((name) => [name, room])) };
}

/** Ollama and LM Studio have no endpoint for it. */
export function countsTokens(model: ModelFit): boolean {
	return model.serverKind === 'llamacpp' || model.serverKind === 'vllm';
}
