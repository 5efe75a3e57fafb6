import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withNewest } from '../../src/renderer/screens/timeline/use-timeline.ts';
import { rowAfter, timelineRows } from '../../src/renderer/store/timeline-rows.ts';
import { levelBands, skipQuiet, standingAt } from '../../src/renderer/store/timeline-standing.ts';
import type { TimelineEntry } from '../../src/shared/timeline.ts';
import { breakerLevelSchema } from '../../src/shared/words.ts';

const NOW = 100_000;

function turn(id: string, at: number, changes: object = {}): TimelineEntry {
	return {
		kind: 'turn',
		id,
		at,
		endedAt: null,
		prompt: `do ${id}`,
		outcome: 'running',
		reason: '',
		models: [],
		...changes,
	};
}

function tool(id: string, at: number, endedAt: number | null, changes: object = {}): TimelineEntry {
	const outcome = endedAt === null ? 'running' : 'ok';
	return {
		kind: 'tool',
		id,
		at,
		endedAt,
		tool: 'Bash',
		target: id,
		outcome,
		reason: '',
		subagentId: null,
		...changes,
	};
}

function level(
	id: string,
	at: number,
	from: 'healthy' | 'steering',
	to: 'steering' | 'constrained',
): TimelineEntry {
	return { kind: 'level', id, at, endedAt: at, from, to, reason: 'it loops', evidence: null };
}

const entries: readonly TimelineEntry[] = [
	tool('early', 500, 600),
	turn('one', 1_000, { endedAt: 5_000, outcome: 'done' }),
	tool('a', 1_100, 2_000),
	level('l1', 2_500, 'healthy', 'steering'),
	tool('b', 3_000, 4_000, { outcome: 'denied', reason: 'only reading' }),
	turn('two', 50_000),
	tool('c', 60_000, null),
];

describe('the rows of a timeline', () => {
	it('are turns, the newest first, each with what happened in it in order', () => {
		expect(timelineRows(entries, 'all', '', NOW).map(({ key }) => key)).toEqual([
			'two',
			'two c',
			'one',
			'one a',
			'one l1',
			'one b',
			'before',
			'before early',
		]);
	});

	it('have the time of their turn as a scale; a turn that goes on lasts until now', () => {
		const rows = timelineRows(entries, 'all', '', NOW);
		const scaleOf = (key: string) => rows.find((row) => row.key === key && row.kind === 'entry');
		expect(scaleOf('one a')).toMatchObject({ scale: { from: 1_000, to: 5_000 } });
		expect(scaleOf('two c')).toMatchObject({ scale: { from: 50_000, to: NOW } });
	});

	it.each([
		['tools', '', ['two', 'two c', 'one', 'one a', 'one b', 'before', 'before early']],
		['levels', '', ['one', 'one l1']],
		['all', 'only reading', ['one', 'one b']],
		['all', 'do two', ['two', 'two c']],
		['all', 'nowhere', []],
	] as const)('shown %s and searched for "%s" are %j', (shown, text, keys) => {
		expect(timelineRows(entries, shown, text, NOW).map(({ key }) => key)).toEqual(keys);
	});

	it('are walked by keys, from level to level with [ and ]', () => {
		const rows = timelineRows(entries, 'all', '', NOW);
		expect(
			['ArrowDown', 'ArrowUp', 'Home', 'End', ']', '[', 'x'].map((key) => rowAfter(key, rows, 1)),
		).toEqual([2, 0, 0, 7, 4, undefined, undefined]);
		expect(rowAfter('[', rows, 7)).toBe(4);
		expect([rowAfter('ArrowDown', rows, 7), rowAfter('ArrowUp', rows, 0)]).toEqual([7, 0]);
	});
});

describe('pages of a timeline', () => {
	const page = (from: number | null, ...ids: number[]) => ({
		entries: ids.map((at) => tool(`t${at}`, at, at)),
		olderBefore: from,
		missing: '',
	});
	const times = ({ entries: read }: { entries: readonly TimelineEntry[] | null }) =>
		read?.map(({ at }) => at);

	it('the newest takes the place of what it covers, older ones that were read stay', () => {
		const before = { ...page(10, 10, 20, 30, 40), missing: 'cut' };
		expect(times(withNewest(before, page(30, 30, 40, 50)))).toEqual([10, 20, 30, 40, 50]);
		expect(withNewest(before, page(30, 30, 50))).toMatchObject({ olderBefore: 10, missing: 'cut' });
	});

	it('what does not meet is read anew: a hole is never drawn', () => {
		expect(times(withNewest(page(null, 1, 2), page(100, 100, 101)))).toEqual([100, 101]);
		expect(times(withNewest(page(5, 5, 6), page(null, 1, 5, 6)))).toEqual([1, 5, 6]);
	});
});

describe('the standing at a moment', () => {
	it.each([
		[400, { level: 'healthy', turn: null, running: [], notes: 0, refused: 0 }],
		[1_500, { level: 'healthy', turn: { id: 'one' }, running: [{ id: 'a' }] }],
		[2_500, { level: 'steering', levelReason: 'it loops' }],
		[4_500, { turn: { id: 'one' }, running: [], refused: 1, lastTool: { id: 'b' } }],
		[20_000, { turn: null, running: [] }],
		[NOW, { turn: { id: 'two' }, running: [{ id: 'c' }] }],
	])('%d ms', (at, standing) => {
		expect(standingAt(entries, at)).toMatchObject(standing);
	});

	it('an order holds until it is lifted, a wait until its end', () => {
		const order = (id: string, at: number, action: 'hold' | 'resume'): TimelineEntry => ({
			kind: 'order',
			id,
			at,
			endedAt: at,
			action,
			words: '',
		});
		const all: TimelineEntry[] = [
			order('h', 1, 'hold'),
			order('r', 10, 'resume'),
			{ kind: 'wait', id: 'w', at: 3, endedAt: 8, reason: 'may I?' },
		];
		expect(standingAt(all, 5)).toMatchObject({ order: { action: 'hold' }, waiting: { reason: 'may I?' } });
		expect(standingAt(all, 12)).toMatchObject({ order: null, waiting: null });
	});

	const entry = fc.record({
		at: fc.nat(20),
		took: fc.option(fc.nat(50)),
		kind: fc.constantFrom('tool', 'turn', 'level'),
	});
	const anyEntries = fc.array(entry, { maxLength: 30 }).map((all) =>
		all.map(({ at, took, kind }, index) => {
			if (kind === 'level')
				return level(`l${index}`, at, index % 2 === 0 ? 'healthy' : 'steering', 'constrained');
			if (kind === 'tool') return tool(`t${index}`, at, took === null ? null : at + took);
			return turn(`u${index}`, at, took === null ? {} : { endedAt: at + took, outcome: 'done' });
		}),
	);

	it('is the same in whatever order entries come', () => {
		fc.assert(
			fc.property(anyEntries, fc.nat(150), (all, at) => {
				expect(standingAt(all.toReversed(), at)).toEqual(standingAt(all, at));
				expect(levelBands(all.toReversed(), 0, 200)).toEqual(levelBands(all, 0, 200));
			}),
		);
	});

	it('knows nothing of what comes after, but from where the first change of level came', () => {
		fc.assert(
			fc.property(anyEntries, fc.nat(150), (all, at) => {
				const past = all.filter((one) => one.at <= at);
				const { level: known, ...standing } = standingAt(all, at);
				expect(standingAt(past, at)).toMatchObject(standing);
				if (past.some(({ kind }) => kind === 'level')) expect(standingAt(past, at).level).toBe(known);
			}),
		);
	});
});

describe('the bands of levels', () => {
	it('cover the time without gaps', () => {
		const change = fc.record({
			at: fc.integer({ min: 0, max: 100 }),
			from: fc.constantFrom(...breakerLevelSchema.options),
			to: fc.constantFrom(...breakerLevelSchema.options),
		});
		fc.assert(
			fc.property(fc.array(change, { minLength: 1, maxLength: 10 }), (changes) => {
				const all = changes.map(
					(one, index): TimelineEntry => ({
						kind: 'level',
						id: `l${index}`,
						endedAt: one.at,
						reason: '',
						evidence: null,
						...one,
					}),
				);
				const bands = levelBands(all, 0, 100);
				expect(bands.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(100);
				for (const [index, band] of bands.entries()) expect(band.from).toBe(bands[index - 1]?.to ?? 0);
			}),
		);
		expect(levelBands([tool('a', 1, 2)], 0, 100)).toEqual([]);
	});
});

describe('quiet times in a replay', () => {
	it.each([
		['is played on', [0, 10_000], 1_000, 1_000],
		['is skipped to shortly before the next thing', [0, 100_000], 1_000, 98_000],
		['at the end', [0], 1_000, 1_000],
	])('%s', (_, times, at, expected) => {
		expect(skipQuiet(times, at)).toBe(expected);
	});
});
