/** Why the floor could not start, in the three sentences that a person needs. Pure. */
import { loopbackLink } from './origin.ts';

export interface StartProblem {
	readonly what: string;
	readonly means: string;
	readonly remedy: string;
	/** Address of a floor on this machine that runs already on the same data; `null` when that is not the trouble. */
	readonly address: string | null;
}

/** Reads whatever start-up threw: an error with these fields as it is, any other as a fault of ours. */
export function startProblemOf(error: unknown): StartProblem {
	const fields: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {};
	const { what, means, remedy, address } = fields;
	if (typeof what === 'string' && typeof means === 'string' && typeof remedy === 'string') {
		return { what, means, remedy, address: typeof address === 'string' ? loopbackLink(address) : null };
	}
	return {
		what: `Agent Floor could not start: ${error instanceof Error ? error.message : String(error)}`,
		means: 'Agents work on as if there were no floor: nobody watches, steers or stops them.',
		remedy: 'Start it again; if it fails in the same way, run "agent-floor doctor".',
		address: null,
	};
}
