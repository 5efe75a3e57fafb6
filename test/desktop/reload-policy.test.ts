import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	afterPageGone,
	type GoneReason,
	type GoneVerdict,
	RELOAD_LIMIT,
	RELOAD_WINDOW_MS,
} from '../../src/main/desktop/window/reload-policy.ts';

const reasons: readonly GoneReason[] = [
	'clean-exit',
	'abnormal-exit',
	'killed',
	'crashed',
	'oom',
	'launch-failed',
	'integrity-failure',
	'memory-eviction',
];

interface Death {
	readonly reason: GoneReason;
	readonly at: number;
	readonly visible?: boolean;
	readonly showing?: 'floor' | 'crash-page';
}

function verdicts(deaths: readonly Death[]): GoneVerdict[] {
	let reloads: readonly number[] = [];
	return deaths.map((death) => {
		const outcome = afterPageGone(reloads, { visible: true, showing: 'floor', ...death });
		reloads = outcome.reloads;
		return outcome.verdict;
	});
}

const crashes = (...times: number[]): Death[] => times.map((at) => ({ reason: 'crashed', at }));

describe('the reload policy', () => {
	it('reloads three times within a minute, then shows the crash page', () => {
		expect(verdicts(crashes(0, 10_000, 20_000, 59_999))).toEqual([
			{ kind: 'reload' },
			{ kind: 'reload' },
			{ kind: 'reload' },
			{ kind: 'crash-page', cause: 'crashed' },
		]);
	});

	it('counts only the last minute', () => {
		expect(verdicts(crashes(0, 1, 2, RELOAD_WINDOW_MS + 2)).at(-1)).toEqual({ kind: 'reload' });
	});

	it('ignores a page that ended as it should, and does not count it', () => {
		const ends: Death[] = [0, 1, 2, 3, 4].map((at) => ({ reason: 'clean-exit', at }));
		expect(verdicts([...ends, ...crashes(5)])).toEqual([
			...ends.map(() => ({ kind: 'ignore' })),
			{ kind: 'reload' },
		]);
	});

	it.each([
		['oom', 'memory'],
		['memory-eviction', 'memory'],
		['killed', 'killed'],
		['crashed', 'crashed'],
		['abnormal-exit', 'crashed'],
	] as const)('says in the end that the cause was %s', (reason, cause) => {
		expect(verdicts([...crashes(0, 1, 2), { reason, at: 3 }]).at(-1)).toEqual({ kind: 'crash-page', cause });
	});

	it.each(['launch-failed', 'integrity-failure'] as const)('does not try again after %s', (reason) => {
		expect(verdicts([{ reason, at: 0 }])).toEqual([{ kind: 'crash-page', cause: 'cannot-start' }]);
	});

	it('gives a hidden page that was evicted its memory back only when somebody looks', () => {
		const evicted = { reason: 'memory-eviction', at: 0 } as const;
		expect(verdicts([{ ...evicted, visible: false }])).toEqual([{ kind: 'reload-when-shown' }]);
		expect(verdicts([{ ...evicted, visible: true }])).toEqual([{ kind: 'reload' }]);
	});

	it('does not load the crash page again when that dies', () => {
		expect(verdicts([{ reason: 'launch-failed', at: 0, showing: 'crash-page' }])).toEqual([
			{ kind: 'give-up' },
		]);
	});

	it('never reloads more often than the limit within any minute', () => {
		const death = fc.record({
			reason: fc.constantFrom(...reasons),
			pause: fc.nat(40_000),
			visible: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(death, { maxLength: 60 }), (trace) => {
				let at = 0;
				const deaths = trace.map(({ pause, ...rest }) => {
					at += pause;
					return { ...rest, at };
				});
				const reloadedAt = verdicts(deaths).flatMap((verdict, index) =>
					verdict.kind === 'reload' ? [deaths[index]?.at ?? 0] : [],
				);
				for (const start of reloadedAt) {
					const within = reloadedAt.filter((time) => time >= start && time < start + RELOAD_WINDOW_MS);
					expect(within.length).toBeLessThanOrEqual(RELOAD_LIMIT);
				}
			}),
		);
	});
});
