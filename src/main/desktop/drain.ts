/** Waiting for an end, but not for ever. */

export type DrainOutcome =
	| { readonly kind: 'done' }
	| { readonly kind: 'failed'; readonly error: unknown }
	/** The deadline passed first; what was going on is left to itself. */
	| { readonly kind: 'late' };

/** Runs `stop` and resolves when it has settled or `deadlineMs` have passed. Never rejects. */
export async function drain(stop: () => Promise<void>, deadlineMs: number): Promise<DrainOutcome> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<DrainOutcome>((resolve) => {
		timer = setTimeout(() => resolve({ kind: 'late' }), deadlineMs);
	});
	const stopped = (async (): Promise<DrainOutcome> => {
		try {
			await stop();
			return { kind: 'done' };
		} catch (error) {
			return { kind: 'failed', error };
		}
	})();
	const outcome = await Promise.race([stopped, late]);
	clearTimeout(timer);
	return outcome;
}
