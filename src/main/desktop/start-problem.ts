/** Why the floor could not start, in the three sentences that a person needs. Pure. */
import { StartError } from '../server/start-error.ts';
import { StoreError } from '../store/store-error.ts';
import { loopbackLink } from './origin.ts';

export interface StartProblem {
	readonly what: string;
	readonly means: string;
	readonly remedy: string;
	/** Address of a floor on this machine that runs already on the same data; `null` when that is not the trouble. */
	readonly address: string | null;
}

/** Reads whatever start-up threw: an error that brings these sentences as it is, any other as a fault of ours. */
export function startProblemOf(error: unknown): StartProblem {
	if (error instanceof StartError) {
		const { what, means, remedy, address } = error;
		return { what, means, remedy, address: address === null ? null : loopbackLink(address) };
	}
	if (error instanceof StoreError) {
		return { what: error.message, means: error.meaning, remedy: error.remedy, address: null };
	}
	return {
		what: `Agent Floor could not start: ${error instanceof Error ? error.message : String(error)}`,
		means:
			'Agents connected by hooks work on, and nobody watches, steers or stops them; those that talk through the gateway reach no provider.',
		remedy: 'Start it again; if it fails in the same way, run "agent-floor doctor".',
		address: null,
	};
}
