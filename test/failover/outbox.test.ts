import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	backoffMs,
	entriesToKeep,
	fateOf,
	isTooOld,
	type OutboxItem,
	outboxView,
	statusAtStart,
	workOf,
} from '../../src/main/failover/outbox.ts';
import {
	type OutboxEntry,
	type OutboxState,
	outboxStateSchema,
	withState,
} from '../../src/main/failover/outbox-entry.ts';
import { outboxViewSchema } from '../../src/shared/failover-view.ts';
import { downloadEntry, hookEntry, turnEntry } from './outbox-entries.ts';

const DAY = 24 * 3_600_000;

function changed(entry: OutboxEntry, state: OutboxState, at = 1_000, discarded = false): OutboxEntry {
	return withState(entry, state, {
		attempts: 1,
		detail: 'why',
		at: new Date(at).toISOString(),
		next_attempt_at: null,
		...(discarded && { discarded: true }),
	});
}

function item(entry: OutboxEntry, more: Partial<OutboxItem> = {}): OutboxItem {
	return { entry, status: statusAtStart(entry), note: '', nextAttemptAt: null, progress: null, ...more };
}

describe('after a start', () => {
	it('only what was sent and not answered is uncertain', () => {
		const states = outboxStateSchema.options.map((state) => [
			state,
			statusAtStart(changed(turnEntry(), state)),
		]);
		expect(Object.fromEntries(states)).toEqual({
			pending: 'pending',
			sent: 'uncertain',
			reconciled: 'reconciled',
			failed: 'failed',
		});
	});
});

describe('the newest input of a session', () => {
	const news = { sessionKey: 'session-1', inputHash: 'hash-2', answered: false };

	it('supersedes a waiting turn with another hash', () => {
		expect(fateOf(turnEntry(), news)).toBe('superseded');
		expect(fateOf(turnEntry(), { ...news, answered: true })).toBe('superseded');
	});

	it('with the same hash supersedes nothing, and settles it when it was answered', () => {
		expect(fateOf(turnEntry({ input_hash: 'hash-2' }), news)).toBeNull();
		expect(fateOf(turnEntry({ input_hash: 'hash-2' }), { ...news, answered: true })).toBe('answered');
	});

	it('concerns no other session, no improvement, no other kind, and nothing that was sent or is done', () => {
		const others = [
			turnEntry({ session_key: 'session-2' }),
			turnEntry({ purpose: 'improve', offer_id: 'o' }),
			hookEntry(),
			downloadEntry(),
			...(['sent', 'reconciled', 'failed'] as const).map((state) => changed(turnEntry(), state)),
		];
		expect(others.map((entry) => fateOf(entry, news))).toEqual(others.map(() => null));
	});
});

describe('the same work', () => {
	it('is a turn of one input of one session, an offer, a model on a server; two notices are two', () => {
		expect(workOf(turnEntry())).toBe(workOf(turnEntry({ body: '{}' })));
		expect(workOf(downloadEntry())).toBe(workOf(downloadEntry()));
		const different = [
			turnEntry(),
			turnEntry({ input_hash: 'hash-2' }),
			turnEntry({ session_key: 'session-2' }),
			turnEntry({ provider_id: 'other' }),
			turnEntry({ purpose: 'improve', offer_id: 'offer-1' }),
			turnEntry({ purpose: 'improve', offer_id: 'offer-2' }),
			downloadEntry(),
			downloadEntry({ model: 'other' }),
			downloadEntry({ server_id: 'other' }),
		].map(workOf);
		expect(new Set(different).size).toBe(different.length);
		expect(workOf(hookEntry())).toBeNull();
	});
});

describe('the pause before the next attempt', () => {
	const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

	it('is jittered over the whole of 1 s · 2ⁿ, ten minutes at most', () => {
		fc.assert(
			fc.property(fc.nat(5_000), random, (attempts, share) => {
				const pause = backoffMs(attempts, share);
				const ceiling = Math.min(1_000 * 2 ** attempts, 600_000);
				expect(pause).toBeGreaterThanOrEqual(0);
				expect(pause).toBeLessThanOrEqual(ceiling);
				expect(pause).toBeCloseTo(share * ceiling, 6);
			}),
		);
	});

	it('is never shorter than the other side asked for, and never the same for all', () => {
		fc.assert(
			fc.property(fc.nat(50), random, fc.nat(DAY), (attempts, share, asked) => {
				const pause = backoffMs(attempts, share, asked);
				expect(pause).toBeGreaterThanOrEqual(asked);
				expect(pause).toBeLessThanOrEqual(asked + 600_000);
			}),
		);
		expect(backoffMs(3, 0.25, 5_000)).not.toBe(backoffMs(3, 0.75, 5_000));
	});
});

describe('giving up', () => {
	it('is for notices of more than a day ago', () => {
		const entries = [hookEntry({}, 0), turnEntry({}, 0), downloadEntry({}, 0)];
		expect(entries.map((entry) => isTooOld(entry, DAY + 1))).toEqual([true, false, false]);
		expect(isTooOld(hookEntry({}, 0), DAY)).toBe(false);
	});
});

describe('a compaction', () => {
	const now = 100 * DAY;

	it('keeps all that is open however old, and what ended within seven days', () => {
		const pending = turnEntry({}, 0);
		const uncertain = changed(turnEntry({}, 0), 'sent');
		const done = changed(turnEntry({}, 0), 'reconciled', now - 7 * DAY);
		const failed = changed(turnEntry({}, 0), 'failed', now);
		const old = changed(turnEntry({}, 0), 'failed', now - 7 * DAY - 1);
		const away = changed(turnEntry({}, 0), 'failed', now, true);
		const kept = [pending, uncertain, done, failed];
		expect(entriesToKeep([pending, old, uncertain, away, done, failed], now)).toEqual(kept);
	});

	it('keeps the newest five hundred of what ended, in their order', () => {
		const many = Array.from({ length: 600 }, (_, index) =>
			changed(turnEntry(), 'failed', now - 1_000 + index),
		);
		const open = turnEntry();
		expect(entriesToKeep([open, ...many], now)).toEqual([open, ...many.slice(100)]);
	});

	it('never drops what is open and never changes anything', () => {
		const entry = fc
			.record({ state: fc.constantFrom(...outboxStateSchema.options), at: fc.integer({ min: 0, max: now }) })
			.map(({ state, at }) => (state === 'pending' ? turnEntry({}, at) : changed(turnEntry(), state, at)));
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
				const kept = entriesToKeep(entries, now);
				expect(entries.filter((one) => kept.includes(one))).toEqual(kept);
				for (const one of entries) {
					if (one.state === 'pending' || one.state === 'sent') expect(kept).toContain(one);
				}
				expect(entriesToKeep(kept, now)).toEqual(kept);
			}),
		);
	});
});

describe('what the window sees', () => {
	it('counts what is to be done and what is uncertain, newest first', () => {
		const items = [
			item(turnEntry({}, 1_000), { nextAttemptAt: 9_000, note: 'the network is gone' }),
			item(downloadEntry({}, 3_000), { status: 'sending', progress: 0.5, nextAttemptAt: 9_000 }),
			item(changed(hookEntry({}, 2_000), 'sent')),
			item(changed(turnEntry({ purpose: 'improve', offer_id: 'o' }, 4_000), 'reconciled')),
			item(changed(turnEntry({}, 5_000), 'failed', 1_000, true)),
		];
		const view = outboxViewSchema.parse(outboxView(items, 'the disk is full'));
		expect(view).toMatchObject({ queued: 2, uncertain: 1, problem: 'the disk is full' });
		const shown = view.entries.map(({ title, state, detail, nextAttemptAt, progress, attempts }) => ({
			title,
			state,
			detail,
			nextAttemptAt,
			progress,
			attempts,
		}));
		expect(shown).toEqual([
			{
				title: 'Ask claude-opus-4-8 to improve an answer for app',
				state: 'reconciled',
				detail: 'why',
				nextAttemptAt: null,
				progress: null,
				attempts: 1,
			},
			{
				title: 'Download qwen3-coder:30b to ollama',
				state: 'sending',
				detail: '',
				nextAttemptAt: null,
				progress: 0.5,
				attempts: 0,
			},
			{
				title: 'Notify 127.0.0.1:9',
				state: 'uncertain',
				detail: 'why',
				nextAttemptAt: null,
				progress: null,
				attempts: 1,
			},
			{
				title: 'Ask claude-opus-4-8 again for app',
				state: 'pending',
				detail: 'the network is gone',
				nextAttemptAt: 9_000,
				progress: null,
				attempts: 0,
			},
		]);
	});

	it('is a hundred entries at most, and no open one gives way to a finished one', () => {
		const open = Array.from({ length: 60 }, (_, index) => item(turnEntry({}, index)));
		const finished = Array.from({ length: 300 }, (_, index) =>
			item(changed(turnEntry({}, 1_000 + index), 'failed')),
		);
		const view = outboxView([...open, ...finished], '');
		expect(view.entries).toHaveLength(100);
		expect(view.entries.filter(({ state }) => state === 'pending')).toHaveLength(60);
		expect(view.entries.map(({ createdAt }) => createdAt)).toEqual(
			view.entries.map(({ createdAt }) => createdAt).sort((a, b) => b - a),
		);
	});
});
