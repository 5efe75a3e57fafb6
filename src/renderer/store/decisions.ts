/**
 * Popups and consents as this window shows them: which are large, and what became of those that went away. The engine
 * owns the questions; here is only what the operator has not read yet.
 */
import { isAsking } from '../../shared/attention.ts';
import type { Disposable } from '../../shared/disposable.ts';
import type { ConsentView, FailoverPopup } from '../../shared/failover-view.ts';
import type { FloorPicture } from '../../shared/picture.ts';
import type { Incident } from '../../shared/snapshot.ts';
import type { FloorStore } from './floor-store.ts';
import { type DecisionSize, type Settled, setDecisionSize, type ViewStore } from './view-store.ts';

/** Older notes make room. */
const KEPT = 12;

/** What went away between two pictures and is worth a note. Pure. `answered`: consents that this window answered. */
export function settledBetween(
	before: FloorPicture,
	after: FloorPicture,
	answered: ReadonlySet<string>,
): Settled[] {
	// Another start of the engine has forgotten its questions; it did not settle them.
	if (before.epoch !== after.epoch || before.failover === after.failover) return [];
	const gone = <T extends { readonly id: string }>(was: readonly T[], is: readonly T[]): T[] =>
		was.filter(({ id }) => !is.some((one) => one.id === id));
	const was = before.failover.value;
	const is = after.failover.value;
	if (was === null || is === null) return [];
	return [
		...gone(was.popups, is.popups).map(settledPopup),
		...gone(was.consents, is.consents)
			// An answer, here or in another window, comes before its time is over.
			.filter(({ id, expiresAt }) => !answered.has(id) && after.at >= expiresAt)
			.map(expiredConsent),
	];
}

function settledPopup({ id, incidentId, sentence }: FailoverPopup): Settled {
	return { kind: 'popup', id, incidentId, sentence };
}

function expiredConsent({ id, agentName, tool, target }: ConsentView): Settled {
	return { kind: 'expired-consent', id, agentName, tool, target };
}

/** How the incident of a popup ended; `null` while it is open or not known. Pure. */
export function endOf(picture: Pick<FloorPicture, 'incidents'>, incidentId: string): Incident | null {
	const incident = picture.incidents.get(incidentId)?.value ?? null;
	return incident?.endedAt == null ? null : incident;
}

/** Whether a popup is drawn whole: as the operator chose, else while it asks. */
export function isLarge(popup: FailoverPopup, sizes: ReadonlyMap<string, DecisionSize>): boolean {
	return (sizes.get(popup.id) ?? (isAsking(popup) ? 'large' : 'small')) === 'large';
}

/** Keeps notes of what goes away, and lets a popup that begins or ceases to ask choose its size anew. */
export function followDecisions(floor: FloorStore, view: ViewStore): Disposable {
	const end = floor.subscribe(({ picture }, { picture: before }) => {
		if (picture.failover === before.failover) return;
		const { answeredConsents, settled } = view.getState();
		const notes = settledBetween(before, picture, answeredConsents);
		if (notes.length > 0) view.setState({ settled: [...settled, ...notes].slice(-KEPT) });
		for (const popup of picture.failover.value?.popups ?? []) {
			const known = before.failover.value?.popups.find(({ id }) => id === popup.id);
			if (known && isAsking(known) !== isAsking(popup)) setDecisionSize(view, popup.id, null);
		}
	});
	return { dispose: end };
}
