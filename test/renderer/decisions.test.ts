import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	endOf,
	followDecisions,
	isLarge,
	settledBetween,
	shownNotes,
	withoutNote,
	withSettled,
} from '../../src/renderer/store/decisions.ts';
import { createFloorStore } from '../../src/renderer/store/floor-store.ts';
import { createViewStore, type Settled, setDecisionSize } from '../../src/renderer/store/view-store.ts';
import type { FailoverView } from '../../src/shared/failover-view.ts';
import { pictureOf } from '../../src/shared/picture.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import { failoverViews } from '../support/failover-views.ts';
import { anIncident, aSnapshot, NOW } from './agents.ts';

const make = failoverViews(NOW);
const picture = (failover: Partial<FailoverView>, change: Partial<FloorSnapshot> = {}) =>
	pictureOf(aSnapshot([], { failover: make.failover(failover), ...change }));
const popup = make.popup('p');
const consent = make.consent('c', { expiresAt: NOW + 1000 });
const unanswered: ReadonlySet<string> = new Set();

describe('what becomes of questions', () => {
	it('is noted of a popup that went away, with its incident', () => {
		expect(settledBetween(picture({ popups: [popup] }), picture({}), unanswered)).toEqual([
			{
				kind: 'popup',
				id: 'p',
				incidentId: 'incident-p',
				providerId: 'anthropic',
				sentence: popup.sentence,
			},
		]);
		expect(
			settledBetween(
				picture({ popups: [popup] }),
				picture({ popups: [{ ...popup, waiting: true }] }),
				unanswered,
			),
		).toEqual([]);
	});

	it('is noted of a consent that expired, not of one that was answered here or elsewhere', () => {
		const before = picture({ consents: [consent] });
		const late = { at: NOW + 1000 };
		const expired = {
			kind: 'expired-consent',
			id: 'c',
			agentName: 'shop',
			tool: 'Bash',
			target: consent.target,
		};
		expect(settledBetween(before, picture({}, late), unanswered)).toEqual([expired]);
		expect(settledBetween(before, picture({}, late), new Set(['c']))).toEqual([]);
		expect(settledBetween(before, picture({}, { at: NOW + 999 }), unanswered)).toEqual([]);
	});

	it('is not told by an engine that was started anew', () => {
		const after = picture({}, { epoch: 'second', at: NOW + 60_000 });
		expect(settledBetween(picture({ popups: [popup], consents: [consent] }), after, unanswered)).toEqual([]);
	});

	it('is how the incident ended, once it has', () => {
		const open = anIncident('i');
		const ended = { ...open, endedAt: NOW, endReason: 'it answers again' };
		expect(endOf(picture({}, { incidents: [open] }), 'i')).toBeNull();
		expect(endOf(picture({}, { incidents: [ended] }), 'i')).toEqual(ended);
		expect(endOf(picture({}), 'i')).toBeNull();
	});
});

describe('the notes of what is over', () => {
	const over = (id: string, providerId: string): Settled => ({
		kind: 'popup',
		id,
		incidentId: `i-${id}`,
		providerId,
		sentence: 'Lost.',
	});
	const expired = (id: string): Settled => ({
		kind: 'expired-consent',
		id,
		agentName: 'shop',
		tool: 'Bash',
		target: 'git push',
	});
	const ended = (...ids: string[]) =>
		picture({}, { incidents: ids.map((id) => anIncident(`i-${id}`, { endedAt: NOW, endReason: 'back' })) });
	const ids = (notes: readonly Settled[]) => notes.map(({ id }) => id);

	it('are one of each provider, its newest', () => {
		const once = withSettled([], [over('a', 'anthropic'), over('b', 'openai')]);
		expect(ids(withSettled(once, [over('c', 'anthropic')]))).toEqual(['b', 'c']);
	});

	it('are two on screen, the newest first, and one beside a consent that nobody answered', () => {
		const settled = [over('a', 'x'), over('b', 'y'), over('c', 'z')];
		expect(ids(shownNotes(settled, ended('a', 'b', 'c')).over)).toEqual(['c', 'b']);
		const shown = shownNotes([expired('d'), expired('e'), ...settled], ended('a', 'b', 'c'));
		expect([shown.expired?.id, shown.olderExpired, ids(shown.over)]).toEqual(['e', 1, ['c']]);
	});

	it('are on screen only once the incident has ended', () => {
		const settled = [over('a', 'x'), over('b', 'y'), over('c', 'z')];
		expect(ids(shownNotes(settled, ended('a')).over)).toEqual(['a']);
	});

	it('make no room for older ones when they leave, and take along what they stand for', () => {
		const settled = [over('a', 'x'), over('b', 'y'), over('c', 'z'), over('open', 'w')];
		const seen = ended('a', 'b', 'c');
		expect(ids(withoutNote(settled, 'c', seen))).toEqual(['b', 'open']);
		expect(ids(withoutNote([expired('d'), expired('e'), over('c', 'z')], 'e', ended('c')))).toEqual(['c']);
	});

	it('are two at most for any history', () => {
		const note = fc.oneof(
			fc.tuple(fc.nat(40), fc.nat(5)).map(([id, provider]) => over(`p${id}`, `${provider}`)),
			fc.nat(40).map((id) => expired(`c${id}`)),
		);
		fc.assert(
			fc.property(fc.array(note, { maxLength: 40 }), (notes) => {
				const settled = notes.reduce((all: readonly Settled[], one) => withSettled(all, [one]), []);
				const shown = shownNotes(settled, ended(...notes.map(({ id }) => id)));
				expect(shown.over.length + (shown.expired ? 1 : 0)).toBeLessThanOrEqual(2);
				expect(new Set(shown.over.map(({ providerId }) => providerId)).size).toBe(shown.over.length);
			}),
		);
	});
});

describe('the size of a popup', () => {
	it('is large while it asks, small while it waits, and what the operator made it', () => {
		expect(isLarge(popup, new Map())).toBe(true);
		expect(isLarge({ ...popup, waiting: true }, new Map())).toBe(false);
		expect(isLarge({ ...popup, turns: [make.heldTurn('t', { state: 'switching' })] }, new Map())).toBe(false);
		expect(isLarge(popup, new Map([['p', 'small']]))).toBe(false);
		expect(isLarge({ ...popup, waiting: true }, new Map([['p', 'large']]))).toBe(true);
	});

	function following(before: Partial<FailoverView>) {
		const floor = createFloorStore(NOW, picture(before));
		const view = createViewStore();
		const end = followDecisions(floor, view);
		return { view, end, see: (after: Partial<FailoverView>) => floor.setState({ picture: picture(after) }) };
	}

	it('is chosen anew when it begins or ceases to ask, and stays otherwise', () => {
		const { view, see } = following({ popups: [popup] });
		setDecisionSize(view, 'p', 'small');
		see({ popups: [{ ...popup, updatedAt: NOW }] });
		expect(view.getState().decisionSizes.get('p')).toBe('small');
		see({ popups: [{ ...popup, waiting: true }] });
		setDecisionSize(view, 'p', 'large');
		see({ popups: [popup] });
		expect(view.getState().decisionSizes.has('p')).toBe(false);
	});

	it('leaves a note when it is over, and none after the end of following', () => {
		const { view, see, end } = following({ popups: [popup] });
		see({});
		expect(view.getState().settled.map(({ id }) => id)).toEqual(['p']);
		see({ popups: [popup] });
		end.dispose();
		see({});
		expect(view.getState().settled).toHaveLength(1);
	});
});
