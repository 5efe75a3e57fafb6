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

/** Questions whose end is remembered; older ones make room. */
const KEPT = 12;
/** Notes on screen at one time. */
const SHOWN = 2;

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

function settledPopup({ id, incidentId, providerId, sentence }: FailoverPopup): Settled {
	return { kind: 'popup', id, incidentId, providerId, sentence };
}

function expiredConsent({ id, agentName, tool, target }: ConsentView): Settled {
	return { kind: 'expired-consent', id, agentName, tool, target };
}

/** How the incident of a popup ended; `null` while it is open or not known. Pure. */
export function endOf(picture: Pick<FloorPicture, 'incidents'>, incidentId: string): Incident | null {
	const incident = picture.incidents.get(incidentId)?.value ?? null;
	return incident?.endedAt == null ? null : incident;
}

/** The newest is told; of a provider only its newest. Pure. Oldest first. */
export function withSettled(settled: readonly Settled[], more: readonly Settled[]): readonly Settled[] {
	const keyOf = (note: Settled) => (note.kind === 'popup' ? `popup ${note.providerId}` : note.id);
	const byKey = new Map<string, Settled>();
	for (const note of [...settled, ...more]) {
		// Taken out first, so that it comes last.
		byKey.delete(keyOf(note));
		byKey.set(keyOf(note), note);
	}
	return [...byKey.values()].slice(-KEPT);
}

export interface ShownNotes {
	/** The newest consent that nobody answered; it stays until it is put aside. */
	readonly expired: Extract<Settled, { kind: 'expired-consent' }> | null;
	/** Older ones that it stands for. */
	readonly olderExpired: number;
	/** Of incidents that have ended, the newest first. */
	readonly over: readonly Extract<Settled, { kind: 'popup' }>[];
}

/** What is on screen of all that is to be told: two notes at most. Pure. */
export function shownNotes(
	settled: readonly Settled[],
	picture: Pick<FloorPicture, 'incidents'>,
): ShownNotes {
	const expired = settled.filter((note) => note.kind === 'expired-consent');
	// Answered and not over yet: the incident itself still tells of it.
	const over = settled
		.filter((note) => note.kind === 'popup')
		.filter(({ incidentId }) => endOf(picture, incidentId) !== null);
	return {
		expired: expired.at(-1) ?? null,
		olderExpired: Math.max(0, expired.length - 1),
		over: over.toReversed().slice(0, expired.length > 0 ? SHOWN - 1 : SHOWN),
	};
}

/**
 * Without the note `id`, with what it stands for, and without those that found no room beside it: they are not told
 * later, out of their time. Pure.
 */
export function withoutNote(
	settled: readonly Settled[],
	id: string,
	picture: Pick<FloorPicture, 'incidents'>,
): readonly Settled[] {
	const { expired, over } = shownNotes(settled, picture);
	return settled.filter((note) => {
		if (note.kind === 'expired-consent') return expired?.id !== id;
		if (note.id === id) return false;
		return endOf(picture, note.incidentId) === null || over.includes(note);
	});
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
		if (notes.length > 0) view.setState({ settled: withSettled(settled, notes) });
		for (const popup of picture.failover.value?.popups ?? []) {
			const known = before.failover.value?.popups.find(({ id }) => id === popup.id);
			if (known && isAsking(known) !== isAsking(popup)) setDecisionSize(view, popup.id, null);
		}
	});
	return { dispose: end };
}
