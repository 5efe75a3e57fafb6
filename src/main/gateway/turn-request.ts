/** A model request as it came to the gateway, read once. */
import type { ProviderSettings } from '../../shared/failover-settings.ts';
import type { TurnFacts } from '../failover/desk.ts';
import type { JsonObject, Protocol } from './protocol.ts';
import type { CallerSession } from './session.ts';
import type { KeptRequest } from './turn-keeper.ts';

export interface TurnRequest {
	readonly facts: TurnFacts;
	readonly session: CallerSession;
	readonly provider: ProviderSettings;
	readonly protocol: Protocol;
	/** With its query: "/v1/messages?beta=true". */
	readonly path: string;
	/** As they came, flat. */
	readonly headers: readonly string[];
	/** The very bytes that came. */
	readonly body: Uint8Array;
	/** The same, uncompressed. */
	readonly plain: Uint8Array;
	/** The same, read. */
	readonly json: JsonObject;
	/** False for a token count: any 2xx is its answer. */
	readonly readsAnswer: boolean;
}

/** Without headers, and as JSON even where it came compressed. */
export function keptRequest({ facts, json, path }: TurnRequest): KeptRequest {
	const { providerId, protocol, sessionKey } = facts;
	return { providerId, protocol, path, sessionKey, body: Buffer.from(JSON.stringify(json)) };
}
