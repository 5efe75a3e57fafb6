/** Sentences of the gateway: what happened, what it means, what to do. Agents and people read them. */
import type { ModelFit } from '../../shared/capability.ts';
import { type ProviderSettings, providerNameOf } from '../../shared/failover-settings.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { Failure, HeldDecision } from '../failover/desk.ts';
import type { ProtocolError } from './protocol.ts';

export type GiveUp = (HeldDecision & { readonly kind: 'give-up' })['why'] | 'auxiliary' | 'not-queued';

const whys: Readonly<Record<GiveUp, string>> = {
	'hold-over': 'Agent Floor held this request, but nobody chose another model in time.',
	'no-local-fit': 'No local model can take this request over.',
	'shutting-down': 'Agent Floor is being closed, so the request could not be held any longer.',
	'provider-gone': "It was taken out of Agent Floor's settings while the request was held.",
	auxiliary: 'A helper request is not held.',
	'not-queued': 'It was given back after three attempts to queue it.',
};

/** Of a model, as a client or the settings name it. */
export function shownModel(model: string): string {
	return visibleText(model, { limit: 80 });
}

export function nameOf(provider: ProviderSettings): string {
	return providerNameOf(provider);
}

/** Said only where the provider itself said nothing that could be passed on. */
export function giveUpError(provider: ProviderSettings, failure: Failure, why: GiveUp): ProtocolError {
	const began = failure.cutMidAnswer ? 'The answer is incomplete. ' : '';
	return {
		status: 502,
		kind: 'unavailable',
		message: `${nameOf(provider)} cannot be reached: ${failure.detail} ${began}${whys[why]} Nothing of the conversation is lost: check the network or the provider's status, then ask again.`,
	};
}

/** Only thinking had been passed on: the client asks again and is answered where the choice says. */
export function askAgain(provider: ProviderSettings): ProtocolError {
	return {
		status: 529,
		kind: 'overloaded',
		message: `The connection to ${nameOf(provider)} was lost before its answer began. Ask again now: Agent Floor answers the next request at once.`,
	};
}

export function localLabel(model: ModelFit, provider: ProviderSettings): string {
	return `[${nameOf(provider)} is lost; answered locally by ${model.name}]`;
}

/** `model`: that answers now; `null`: the one that was asked for, as before. */
export function restartLabel(model: string | null, provider: ProviderSettings): string {
	const where = model === null ? '' : ` on ${shownModel(model)}`;
	return `[Connection to ${nameOf(provider)} lost; answer restarted${where}]`;
}

/** The model that was asked for has reached its limit in the middle of its answer. */
export function limitedLabel(limited: string, standIn: string): string {
	return `[${shownModel(limited)} is rate-limited; answer restarted on ${shownModel(standIn)}]`;
}

/** The client has waited so long that no header can say it any more. */
export function standInLabel(limited: string, standIn: string): string {
	return `[${shownModel(limited)} is rate-limited; answered by ${shownModel(standIn)}]`;
}

export const wrongToken: ProtocolError = {
	status: 401,
	kind: 'refused',
	message:
		'The token in this base URL is not the one of this Agent Floor. Copy the address again: in Agent Floor under Settings, Gateway, or from the command "agent-floor gateway".',
};

export const tooLarge: ProtocolError = {
	status: 413,
	kind: 'refused',
	message: 'This request is larger than 256 MB, more than Agent Floor passes on. Send less in one request.',
};

export const ownFault: ProtocolError = {
	status: 500,
	kind: 'internal',
	message:
		'Agent Floor itself failed on this request; the provider was not to blame. Ask again, and look at the incidents in Agent Floor if it happens again.',
};

export function unknownPath(method: string, path: string): ProtocolError {
	return {
		status: 404,
		kind: 'not-found',
		message: `Agent Floor's gateway knows no ${method} ${path}. It serves /v1/messages, /v1/chat/completions, /v1/responses and what else stands under /v1/. Check the base URL of this client.`,
	};
}

export function unknownProvider(
	id: string | null,
	protocol: string,
	known: readonly string[],
): ProtocolError {
	const wanted = id === null ? `No provider serves ${protocol}` : `There is no provider "${id}"`;
	const list = known.length > 0 ? `Known are ${known.join(', ')}` : 'None is set up';
	return {
		status: 404,
		kind: 'not-found',
		message: `${wanted} in Agent Floor's settings. ${list}. Add it under "providers", or correct the base URL of this client.`,
	};
}

export function loop(provider: ProviderSettings): ProtocolError {
	return {
		status: 400,
		kind: 'refused',
		message: `The address of ${nameOf(provider)} in Agent Floor's settings (${provider.baseUrl}) is Agent Floor itself, so the request would go round for ever. Set the provider's own address under "providers".`,
	};
}

export const noTokenCount: ProtocolError = {
	status: 404,
	kind: 'not-found',
	message:
		'The provider is lost and this local server cannot count tokens. Nothing is wrong with the conversation: estimate the count, or ask again when the provider is back.',
};

export function noCredentials(provider: ProviderSettings): string {
	return `Agent Floor keeps no credentials, and the agent that asked has not called ${nameOf(provider)} at its present address since the floor was started. It goes out with that agent's next call, or at once when "credentialEnv" names an environment variable with a key for ${nameOf(provider)}.`;
}
