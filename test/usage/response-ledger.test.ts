import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LedgerReport, ResponseLedger } from '../../src/main/usage/response-ledger.ts';
import { addUsage, isNothing, largerOf, NO_TOKENS } from '../../src/main/usage/token-usage.ts';
import { localDay } from '../../src/shared/local-day.ts';

/** Session 0 to 3; 3 is a demonstration, and of another program. */
const CLIENTS = ['claude-code', 'claude-code', 'claude-code', 'codex'];

function newLedger(): ResponseLedger {
	return new ResponseLedger({
		price: (model, usage) => (model === 'unknown' ? null : usage.output / 1_000),
		sessions: {
			clientOf: (session) => CLIENTS[session] ?? '',
			isBefore: (session, other) => session < other,
			isCounted: (session) => session !== 3,
		},
	});
}

interface Told extends LedgerReport {
	readonly session: number;
}

const tokens = fc.nat(1_000);
const told: fc.Arbitrary<Told> = fc
	.record({
		session: fc.nat(3),
		key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
		at: fc.integer({ min: Date.UTC(2026, 9, 20), max: Date.UTC(2026, 9, 30) }),
		bornAt: fc.nat(3),
		usage: fc.record({
			input: tokens,
			output: tokens,
			cacheRead: tokens,
			cacheCreation: tokens,
			cacheCreation1h: tokens,
			webSearches: fc.nat(3),
		}),
		// Never another one for the same key.
		model: fc.constant(''),
	})
	.map((each) => ({ ...each, model: each.key < 'd' ? 'known' : 'unknown' }));

function report(ledger: ResponseLedger, { session, ...rest }: Told): void {
	ledger.report(session, rest);
}

/** What the ledger says, in plain objects and an order of its own. */
function figures(ledger: ResponseLedger) {
	ledger.settle();
	const list = (sums: ReturnType<ResponseLedger['ofSession']>) =>
		[...sums]
			.map(({ model, day, sum }) => ({ model, day, ...sum }))
			.sort((a, b) => (a.model + a.day < b.model + b.day ? -1 : 1));
	return {
		sessions: CLIENTS.map((_, session) => list(ledger.ofSession(session))),
		clients: [...new Set(CLIENTS)].map((client) => list(ledger.ofClient(client))),
	};
}

/** The same, counted in the plainest way. */
function plainly(all: readonly Told[]) {
	const byKey = Map.groupBy(all, ({ session, key }) => `${CLIENTS[session]} ${key}`);
	const counted = [...byKey.values()].map((same) => {
		const [owner] = same.toSorted((a, b) => a.bornAt - b.bornAt || a.session - b.session);
		const usage = same.reduce((largest, each) => largerOf(largest, each.usage), NO_TOKENS);
		const at = Math.min(...same.map((each) => each.at));
		return { session: owner?.session ?? -1, model: owner?.model ?? '', day: localDay(at), usage };
	});
	const list = (mine: typeof counted) =>
		[
			...Map.groupBy(
				mine.filter(({ usage }) => !isNothing(usage)),
				({ model, day }) => model + day,
			).values(),
		]
			.map((same) => {
				const { input, output, cacheRead, cacheCreation } = same.reduce(
					(sum, { usage }) => addUsage(sum, usage),
					NO_TOKENS,
				);
				const { model = '', day = '' } = same[0] ?? {};
				const isPriced = model === 'known';
				return {
					model,
					day,
					input,
					output,
					cacheRead,
					cacheCreation,
					nanoUsd: isPriced ? output * 1e6 : 0,
					priced: isPriced ? same.length : 0,
					unpriced: isPriced ? 0 : same.length,
				};
			})
			.sort((a, b) => (a.model + a.day < b.model + b.day ? -1 : 1));
	return {
		sessions: CLIENTS.map((_, session) => list(counted.filter((each) => each.session === session))),
		clients: [...new Set(CLIENTS)].map((client) =>
			list(counted.filter(({ session }) => session !== 3 && CLIENTS[session] === client)),
		),
	};
}

describe('the ledger', () => {
	it('counts each response once, by model and day, whatever comes in what order, and after any restart', () => {
		const step = fc.oneof(
			{ weight: 8, arbitrary: told },
			fc.constantFrom<'settle' | 'restart'>('settle', 'restart'),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				let ledger = newLedger();
				const rows = new Map<number, ReturnType<ResponseLedger['changes']>['responses'][number]>();
				for (const each of steps) {
					if (typeof each === 'object') report(ledger, each);
					else if (each === 'settle') ledger.settle();
					else {
						for (const row of ledger.changes().responses) rows.set(row.key, row);
						ledger = newLedger();
						for (const row of [...rows.values()].sort((a, b) => a.row - b.row)) ledger.restore(row);
					}
				}
				const all = steps.filter((each) => typeof each === 'object');
				expect(figures(ledger)).toEqual(plainly(all));
				// The same again changes nothing.
				for (const each of all.toReversed()) report(ledger, each);
				expect(figures(ledger)).toEqual(plainly(all));
			}),
		);
	});

	it('keeps old responses in the total, and takes no report of them any more', () => {
		fc.assert(
			fc.property(fc.array(told, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (all, atOnce) => {
				const ledger = newLedger();
				for (const each of all) report(ledger, each);
				const before = figures(ledger);
				const day = '2026-10-25';
				let from: number | null = 0;
				while (from !== null) from = ledger.retire(day, from, atOnce);
				const after = figures(ledger);
				const total = (lists: typeof before.sessions) =>
					lists.map((list) => list.reduce((sum, each) => sum + each.input + each.output + each.nanoUsd, 0));
				expect(total(after.sessions)).toEqual(total(before.sessions));
				expect(total(after.clients)).toEqual(total(before.clients));
				const young = (lists: typeof before.sessions) =>
					lists.map((list) => list.filter((each) => each.day >= day));
				expect(young(after.sessions)).toEqual(young(before.sessions));
				expect(after.sessions.flat().filter((each) => each.day !== '' && each.day < day)).toEqual([]);
				const changes = ledger.changes();
				const restored = newLedger();
				for (const sum of changes.sums) restored.restoreSum(sum);
				for (const { key } of changes.retired) restored.restoreRetired(key);
				for (const row of changes.responses.toSorted((a, b) => a.row - b.row)) restored.restore(row);
				for (const each of all) report(restored, each);
				expect(figures(restored)).toEqual(after);
			}),
		);
	});

	it('prices the rows of one response once', () => {
		let asked = 0;
		const ledger = new ResponseLedger({
			price: () => {
				asked += 1;
				return 1;
			},
			sessions: { clientOf: () => 'claude-code', isBefore: () => false, isCounted: () => true },
		});
		for (const output of [2, 120, 311]) {
			ledger.report(0, { key: 'a', model: 'm', at: 0, bornAt: 0, usage: { ...NO_TOKENS, output } });
		}
		ledger.settle();
		expect(asked).toBe(1);
	});
});
