/** Requests of the last local turns, for "Improve this with …?". In memory only, bounded. */
import type { ProtocolId } from '../../shared/failover-settings.ts';

/** A request as the agent sent it, without headers: no credentials in it. */
export interface KeptRequest {
	readonly providerId: string;
	readonly protocol: ProtocolId;
	/** With its query: "/v1/messages?beta=true". */
	readonly path: string;
	/** JSON, as it came. */
	readonly body: Uint8Array;
	readonly sessionKey: string;
}

const TURNS = 20;
const BYTES = 64 * 1_048_576;

export class TurnKeeper {
	/** Oldest first. */
	readonly #kept = new Map<string, KeptRequest>();
	#bytes = 0;

	/** A request that alone is beyond the bound is not kept. */
	keep(turnId: string, request: KeptRequest): void {
		this.drop(turnId);
		if (request.body.byteLength > BYTES) return;
		this.#kept.set(turnId, request);
		this.#bytes += request.body.byteLength;
		for (const oldest of this.#kept.keys()) {
			if (this.#kept.size <= TURNS && this.#bytes <= BYTES) break;
			this.drop(oldest);
		}
	}

	/** `null`: forgotten, or never kept. */
	of(turnId: string): KeptRequest | null {
		return this.#kept.get(turnId) ?? null;
	}

	drop(turnId: string): void {
		const known = this.#kept.get(turnId);
		if (!known) return;
		this.#kept.delete(turnId);
		this.#bytes -= known.body.byteLength;
	}
}
