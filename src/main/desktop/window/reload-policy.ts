/** What to do when the window's page dies. Pure: bounded, so that a page that always dies does not reload for ever. */

/** Reloads allowed within `RELOAD_WINDOW_MS`. */
export const RELOAD_LIMIT = 3;
/** ms */
export const RELOAD_WINDOW_MS = 60_000;
/** Reloads allowed within an hour: a page that dies every minute or two is as broken, only slower. */
export const HOURLY_RELOAD_LIMIT = 10;
const HOUR_MS = 3_600_000;

/** Electron's `RenderProcessGoneDetails.reason`. */
export type GoneReason =
	| 'clean-exit'
	| 'abnormal-exit'
	| 'killed'
	| 'crashed'
	| 'oom'
	| 'launch-failed'
	| 'integrity-failure'
	| 'memory-eviction';

/** What the crash page tells apart. */
export type CrashCause = 'crashed' | 'memory' | 'killed' | 'cannot-start';

export type GoneVerdict =
	/** The page ended as it should. */
	| { readonly kind: 'ignore' }
	| { readonly kind: 'reload' }
	/** The system took the memory of a hidden page; loading it at once would only be taken again. */
	| { readonly kind: 'reload-when-shown' }
	| { readonly kind: 'crash-page'; readonly cause: CrashCause }
	/** Not even the crash page stays up. */
	| { readonly kind: 'give-up' };

/** Decides on one death and remembers it: `reloads` holds the times (ms) of the reloads that still count. */
export function afterPageGone(
	reloads: readonly number[],
	gone: {
		readonly reason: GoneReason;
		readonly visible: boolean;
		/** What the page that died was. */
		readonly showing: 'floor' | 'crash-page';
		readonly at: number;
	},
): { readonly verdict: GoneVerdict; readonly reloads: readonly number[] } {
	const recent = reloads.filter((at) => gone.at - at < HOUR_MS);
	if (gone.reason === 'clean-exit') return { verdict: { kind: 'ignore' }, reloads: recent };
	if (gone.showing === 'crash-page') return { verdict: { kind: 'give-up' }, reloads: recent };
	// These fail in the same way each time.
	if (gone.reason === 'launch-failed' || gone.reason === 'integrity-failure') {
		return { verdict: { kind: 'crash-page', cause: 'cannot-start' }, reloads: recent };
	}
	if (gone.reason === 'memory-eviction' && !gone.visible) {
		return { verdict: { kind: 'reload-when-shown' }, reloads: recent };
	}
	const justNow = recent.filter((at) => gone.at - at < RELOAD_WINDOW_MS);
	if (justNow.length >= RELOAD_LIMIT || recent.length >= HOURLY_RELOAD_LIMIT) {
		return { verdict: { kind: 'crash-page', cause: causeOf(gone.reason) }, reloads: recent };
	}
	return { verdict: { kind: 'reload' }, reloads: [...recent, gone.at] };
}

function causeOf(reason: GoneReason): CrashCause {
	if (reason === 'oom' || reason === 'memory-eviction') return 'memory';
	return reason === 'killed' ? 'killed' : 'crashed';
}
