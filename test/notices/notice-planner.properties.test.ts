import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mattersOf, type NoticeFloor } from '../../src/main/notices/matters.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { agent, consent, failover, incident, NOON, popup } from '../desktop/floor-fixture.ts';
import { asking, MINUTE, NoticeDesk, resting, seen } from './notice-desk.ts';

/** What one agent or cause may do next. */
const step = fc.record({
	/** Who does it. */
	who: fc.integer({ min: 0, max: 5 }),
	what: fc.constantFrom('ask', 'ask again', 'work', 'rest', 'leave', 'stop'),
	laterMs: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 5 * MINUTE })),
	/** Something of the floor itself comes up or goes. */
	cause: fc.constantFrom(null, null, 'incident', 'popup', 'consent'),
	after: fc.constantFrom('nothing', 'nothing', 'nothing', 'restart'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A floor that the steps change, as the engine would. */
class Floor {
	readonly #agents = new Map<string, AgentView>();
	readonly #turns: Record<string, readonly [number, number]> = {};
	#open: NoticeFloor['incidents'] = [];
	#popups: ReturnType<typeof popup>[] = [];
	#consents: ReturnType<typeof consent>[] = [];

	take({ who, what, cause }: Step, now: number): void {
		const id = `a${who}`;
		const known = this.#agents.get(id);
		if (what === 'ask' || what === 'ask again') {
			const isSame = what === 'ask' && known?.state.needsYou && known.level !== 'stopped';
			if (!isSame) this.#agents.set(id, asking(id, now));
		} else if (what === 'work') this.#agents.set(id, agent(id));
		else if (what === 'leave') this.#agents.delete(id);
		else if (what === 'stop') this.#agents.set(id, asking(id, now, { level: 'stopped', levelSince: now }));
		else {
			this.#agents.set(id, resting(id, now));
			this.#turns[id] = [now - (who + 2) * MINUTE, now];
		}
		const openedAt = now;
		if (cause === 'incident') this.#open = flip(this.#open, () => incident(`i${now}-${who}`, { openedAt }));
		if (cause === 'popup') this.#popups = flip(this.#popups, () => popup(`p${now}-${who}`, { openedAt }));
		if (cause === 'consent') {
			this.#consents = flip(this.#consents, () => consent(`c${now}-${who}`, { askedAt: openedAt }));
		}
	}

	seen(order: <T>(list: readonly T[]) => T[] = (list) => [...list]): NoticeFloor {
		return seen(
			{
				agents: order([...this.#agents.values()]),
				incidents: order(this.#open),
				failover: failover({ popups: order(this.#popups), consents: order(this.#consents) }),
			},
			this.#turns,
		);
	}
}

/** Up to three of them; then the oldest goes. */
function flip<T>(list: readonly T[], next: () => T): T[] {
	return list.length < 3 ? [...list, next()] : list.slice(1);
}

/** Occurrences that are to be told: none of a turn that was short. */
function wanted(floor: NoticeFloor): string[] {
	return mattersOf(floor, { doneAfterMs: 5 * MINUTE }).flatMap(({ muted, occurrence }) =>
		muted ? [] : occurrence,
	);
}

const runs = { numRuns: 150 };

describe('whatever happens on the floor, in whatever order, whenever it restarts', () => {
	it('nothing is told twice, nothing that lasts is lost, and the screen holds only what stands', () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const desk = new NoticeDesk();
				const floor = new Floor();
				for (const next of steps) {
					desk.now += next.laterMs;
					floor.take(next, desk.now);
					const now = floor.seen();
					desk.see(now);
					expect(desk.last?.askAgainAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(desk.now);
					if (next.after === 'restart') desk.restart(now.incidents);
				}
				desk.settle(floor.seen());
				expect(new Set(desk.told).size).toBe(desk.told.length);
				const told = new Set(desk.told);
				expect(wanted(floor.seen()).filter((occurrence) => !told.has(occurrence))).toEqual([]);
				desk.see(seen({}));
				// A notice of several that an earlier run showed is nobody's any more.
				const isRestarted = steps.some(({ after }) => after === 'restart');
				const left = [...desk.screen.keys()].filter((key) => !isRestarted || !key.startsWith('several:'));
				expect(left).toEqual([]);
			}),
			runs,
		);
	});

	it('one plan shows at most one notice of a kind, and takes away nothing that it shows', () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const desk = new NoticeDesk();
				const floor = new Floor();
				for (const next of steps) {
					desk.now += next.laterMs;
					floor.take(next, desk.now);
					desk.see(floor.seen());
					const show = desk.last?.show ?? [];
					expect(new Set(show.map(({ kind }) => kind)).size).toBe(show.length);
					const keys = new Set(show.map(({ key }) => key));
					expect(desk.last?.withdraw.filter((key) => keys.has(key))).toEqual([]);
				}
			}),
			runs,
		);
	});

	it('the order within one floor changes no plan', () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				const straight = new NoticeDesk();
				const turned = new NoticeDesk();
				const floor = new Floor();
				for (const next of steps) {
					for (const desk of [straight, turned]) desk.now += next.laterMs;
					floor.take(next, straight.now);
					straight.see(floor.seen());
					turned.see(floor.seen((list) => [...list].reverse()));
					expect(turned.last?.show).toEqual(straight.last?.show);
					expect(new Set(turned.last?.withdraw)).toEqual(new Set(straight.last?.withdraw));
					expect(new Set(turned.last?.told)).toEqual(new Set(straight.last?.told));
				}
			}),
			runs,
		);
	});

	it('while it is quiet nothing is shown', () => {
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				const desk = new NoticeDesk({ now: NOON, rules: { quietFrom: '00:00', quietUntil: '23:59' } });
				const floor = new Floor();
				for (const next of steps) {
					floor.take(next, desk.now);
					expect(desk.see(floor.seen(), next.laterMs % MINUTE)).toEqual([]);
				}
			}),
			runs,
		);
	});
});
