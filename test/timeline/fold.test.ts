import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FloorEvent, type Happening, unhookedContext } from '../../src/main/floor/events.ts';
import { foldTimeline } from '../../src/main/timeline/fold.ts';
import type { TimelineRecord } from '../../src/main/timeline/timeline-record.ts';
import type { TimelineEntry } from '../../src/shared/timeline.ts';

let serial = 0;

function event(at: number, happening: Happening, changes: Partial<FloorEvent> = {}): TimelineRecord {
	serial += 1;
	const context = unhookedContext({ at, client: 'claude-code', name: happening.kind, sessionId: 's' });
	return {
		kind: 'event',
		id: `event ${String(serial).padStart(6, '0')}`,
		at,
		event: { ...context, ...changes, ...happening } as FloorEvent,
	};
}

const prompt = (at: number, text = 'do it') => event(at, { kind: 'prompt', text });
const call = (at: number, callId: string | null, tool = 'Bash', changes: Partial<FloorEvent> = {}) =>
	event(at, { kind: 'tool-call', callId, tool, input: { command: `run ${callId}` } }, changes);
const result = (
	at: number,
	callId: string | null,
	{ failed = false, tool = 'Bash', durationMs = null as number | null, interrupted = false } = {},
) =>
	event(at, {
		kind: 'tool-result',
		callId,
		tool,
		input: { command: `run ${callId}` },
		result: undefined,
		failed,
		interrupted,
		durationMs,
		changedFile: null,
	});
const turnEnd = (at: number) => event(at, { kind: 'turn-end', message: 'done' });

function only<K extends TimelineEntry['kind']>(entries: readonly TimelineEntry[], kind: K) {
	return entries.filter((entry): entry is Extract<TimelineEntry, { kind: K }> => entry.kind === kind);
}

describe('turns', () => {
	it('go from the prompt to the end that was told', () => {
		const entries = foldTimeline([
			prompt(1000, 'mend it'),
			call(1100, 'a'),
			result(1400, 'a'),
			turnEnd(2000),
		]);
		expect(only(entries, 'turn')).toMatchObject([
			{ at: 1000, endedAt: 2000, prompt: 'mend it', outcome: 'done', reason: '' },
		]);
		expect(only(entries, 'tool')).toMatchObject([
			{ at: 1100, endedAt: 1400, tool: 'Bash', target: 'run a', outcome: 'ok' },
		]);
	});

	it.each<[string, TimelineRecord, Partial<Extract<TimelineEntry, { kind: 'turn' }>>]>([
		['goes on', event(2000, { kind: 'other' }), { outcome: 'running', endedAt: null }],
		['ended by another prompt', prompt(2000), { outcome: 'unknown', endedAt: null }],
		[
			'failed',
			event(2000, { kind: 'turn-failed', blame: 'provider', error: 'overloaded', message: '529' }),
			{ outcome: 'failed', endedAt: 2000, reason: 'overloaded: 529' },
		],
		['interrupted', result(2000, 'x', { interrupted: true }), { outcome: 'interrupted', endedAt: 2000 }],
		[
			'whose session ended',
			event(2000, { kind: 'session-end', reason: 'exit' }),
			{ outcome: 'unknown', endedAt: null },
		],
	])('a turn that %s', (_, last, expected) => {
		expect(only(foldTimeline([prompt(1000), last]), 'turn')[0]).toMatchObject(expected);
	});

	it('work without a prompt is a turn whose beginning was not told', () => {
		expect(only(foldTimeline([call(1000, 'a')]), 'turn')).toMatchObject([{ at: 1000, prompt: '' }]);
	});

	it('name who answered, from the turn on in which it began', () => {
		const model = { at: 1500, harness: 'local', place: 'ollama', model: 'qwen', asked: 'sonnet' } as const;
		const entries = foldTimeline([
			prompt(1000),
			{ kind: 'model', id: 'm', at: 1500, model },
			turnEnd(2000),
			prompt(3000),
		]);
		expect(only(entries, 'turn').map(({ models }) => models)).toEqual([[model], [model]]);
	});

	it('are the agent’s own: a subagent’s end ends none', () => {
		const entries = foldTimeline([
			prompt(1000),
			event(1500, { kind: 'turn-end', message: '' }, { subagentId: 'sub' }),
		]);
		expect(only(entries, 'turn')[0]).toMatchObject({ outcome: 'running' });
	});
});

describe('tools', () => {
	it.each<[string, TimelineRecord[], object]>([
		['runs', [call(1000, 'a')], { outcome: 'running', endedAt: null }],
		['failed', [call(1000, 'a'), result(1200, 'a', { failed: true })], { outcome: 'failed', endedAt: 1200 }],
		['nobody spoke of again', [call(1000, 'a'), turnEnd(3000)], { outcome: 'unknown', endedAt: null }],
		['is known by its end only', [result(5000, 'a', { durationMs: 700 })], { at: 4300, endedAt: 5000 }],
		['has no id', [call(1000, null), result(1300, null)], { outcome: 'ok', endedAt: 1300 }],
		['is told twice', [call(1000, 'a'), call(1001, 'a'), result(1200, 'a')], { outcome: 'ok', at: 1000 }],
		[
			'ends twice',
			[call(1000, 'a'), result(1200, 'a'), result(5000, 'a', { failed: true })],
			{ outcome: 'ok', endedAt: 1200 },
		],
		[
			'was refused',
			[
				call(1000, 'a'),
				{ kind: 'denial', id: 'd', at: 1003, tool: 'Bash', reason: 'only reading is allowed' },
				result(1010, 'a', { failed: true }),
			],
			{ outcome: 'denied', reason: 'only reading is allowed', endedAt: 1000 },
		],
	])('a call that %s is one entry', (_, records, expected) => {
		const tools = only(foldTimeline([prompt(500), ...records]), 'tool');
		expect(tools).toHaveLength(1);
		expect(tools[0]).toMatchObject(expected);
	});

	it('a refusal without its call stands by itself', () => {
		const entries = foldTimeline([
			{ kind: 'denial', id: 'd', at: 1003, tool: 'prompt', reason: 'stopped by you' },
		]);
		expect(only(entries, 'tool')).toMatchObject([
			{ tool: 'prompt', outcome: 'denied', reason: 'stopped by you' },
		]);
	});

	it('of a subagent and of the agent are not mixed up', () => {
		const entries = foldTimeline([
			prompt(900),
			call(1000, null, 'Bash', { subagentId: 'sub' }),
			call(1100, null),
			result(1200, null),
		]);
		expect(only(entries, 'tool')).toMatchObject([
			{ subagentId: 'sub', outcome: 'running' },
			{ subagentId: null, outcome: 'ok' },
		]);
	});
});

describe('what else happens', () => {
	it('a wait ends with what its owner does, not with a subagent’s doing', () => {
		const asks = event(1000, { kind: 'waiting', on: 'permission', message: 'may I?' });
		const busy = call(2000, 's', 'Bash', { subagentId: 'sub' });
		expect(only(foldTimeline([asks, busy]), 'wait')).toMatchObject([
			{ at: 1000, endedAt: null, reason: 'may I?' },
		]);
		expect(only(foldTimeline([asks, busy, call(3000, 'a')]), 'wait')).toMatchObject([{ endedAt: 3000 }]);
	});

	it('the end of a turn is no wait for a person', () => {
		const idle = event(1000, { kind: 'waiting', on: 'turn-done', message: 'idle' });
		expect(only(foldTimeline([idle]), 'wait')).toEqual([]);
	});

	it('a note is queued and delivered, by the ladder or in the operator’s words', () => {
		const note = (at: number, delivered: boolean, text: string): TimelineRecord => ({
			kind: 'note',
			id: `n ${at}`,
			at,
			delivered,
			text,
		});
		const entries = foldTimeline([
			{ kind: 'order', id: 'o', at: 1000, action: 'steer', words: 'look at the log' },
			note(1001, false, 'look at the log'),
			note(1500, false, 'you repeat yourself'),
			note(2000, true, 'look at the log'),
			note(3000, true, 'of long ago'),
		]);
		expect(only(entries, 'note')).toMatchObject([
			{ at: 1001, source: 'operator', deliveredAt: 2000 },
			{ at: 1500, source: 'ladder', deliveredAt: null },
			{ at: 3000, source: 'unknown', deliveredAt: 3000 },
		]);
	});

	it.each([
		['claude-sonnet-5 is rate-limited; haiku of Anthropic stands in', 'rate-limit'],
		['Anthropic was lost; qwen of ollama goes on locally', 'failover'],
		['nobody answered in time whether to allow: rm', 'trouble'],
	])('"%s" is a mark of %s', (text, mark) => {
		const entries = foldTimeline([{ kind: 'trouble', id: 't', at: 1, text }]);
		expect(entries).toMatchObject([{ kind: 'mark', mark, text }]);
	});

	it('a compaction has its time, another session is said', () => {
		const entries = foldTimeline([
			event(1000, { kind: 'compact-start' }),
			event(4000, { kind: 'compact-end' }),
			event(5000, { kind: 'session-start', source: 'clear' }, { sessionId: 's2' }),
		]);
		expect(only(entries, 'session')).toMatchObject([
			{ at: 1000, endedAt: 4000, text: 'compacts its context' },
			{ at: 5000, text: 'session s2 started (clear)' },
		]);
	});
});

describe('any records', () => {
	const time = fc.integer({ min: 0, max: 5_000 });
	const id = fc.constantFrom('a', 'b', 'c', null);
	const record = fc.oneof(
		time.map((at) => prompt(at)),
		fc.tuple(time, id).map(([at, callId]) => call(at, callId)),
		fc.tuple(time, id, fc.boolean()).map(([at, callId, failed]) => result(at, callId, { failed })),
		time.map(turnEnd),
		time.map((at) => event(at, { kind: 'waiting', on: 'permission', message: 'may I?' })),
		time.map((at): TimelineRecord => ({ kind: 'denial', id: `d${at}`, at, tool: 'Bash', reason: 'no' })),
		time.map(
			(at): TimelineRecord => ({ kind: 'note', id: `n${at}`, at, delivered: at % 2 === 0, text: 'x' }),
		),
	);

	it('give the same in whatever order they were read', () => {
		fc.assert(
			fc.property(fc.array(record, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (records, keys) => {
				const shuffled = records
					.map((one) => ({ one, key: keys.next().value ?? 0 }))
					.sort((a, b) => a.key - b.key)
					.map(({ one }) => one);
				expect(foldTimeline(shuffled)).toEqual(foldTimeline(records));
			}),
		);
	});

	it('give ids that are all different, times that do not go back, and no end before its start', () => {
		fc.assert(
			fc.property(fc.uniqueArray(record, { maxLength: 40, selector: ({ id }) => id }), (records) => {
				const entries = foldTimeline(records);
				expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
				for (const [index, { at, endedAt }] of entries.entries()) {
					expect(at).toBeGreaterThanOrEqual(entries[index - 1]?.at ?? 0);
					if (endedAt !== null) expect(endedAt).toBeGreaterThanOrEqual(at);
				}
			}),
		);
	});

	it('leave at most one turn running', () => {
		fc.assert(
			fc.property(fc.array(record, { maxLength: 40 }), (records) => {
				const running = only(foldTimeline(records), 'turn').filter(({ outcome }) => outcome === 'running');
				expect(running.length).toBeLessThanOrEqual(1);
			}),
		);
	});
});
