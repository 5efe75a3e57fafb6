import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { climbNote, liftedNote, operatorNote } from '../../src/main/floor/notes.ts';
import {
	agoWords,
	beatWords,
	callDurationWords,
	clientWords,
	compactNumber,
	costParts,
	costWords,
	evidenceCountWords,
	minuteWords,
	modelWords,
	noteGist,
	noteWords,
	sentenceWords,
	spanWords,
	stateWords,
	stopProgressWords,
	timeWords,
	usd,
} from '../../src/shared/format.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('lengths of time', () => {
	it.each([
		[0, '0 s'],
		[999, '0 s'],
		[59_999, '59 s'],
		[minute, '1 m'],
		[hour - 1, '59 m'],
		[2 * hour + 5 * minute, '2 h 5 m'],
		[3 * hour, '3 h'],
		[76 * hour, '3 d 4 h'],
		[-5000, '0 s'],
		[Number.NaN, '0 s'],
	])('%d ms is %s', (ms, words) => {
		expect(spanWords(ms)).toBe(words);
	});

	it('does not count the first second aloud, nor a clock that runs ahead', () => {
		expect(agoWords(10_000, 11_000)).toBe('just now');
		expect(agoWords(15_000, 11_000)).toBe('just now');
		expect(agoWords(10_000, 22_000)).toBe('12 s ago');
	});

	it('gives short calls their milliseconds', () => {
		expect([0, 340.4, 1234, 12_000, 240_000].map(callDurationWords)).toEqual([
			'0 ms',
			'340 ms',
			'1.2 s',
			'12 s',
			'4 m',
		]);
	});

	it('says when something is free to the minute, never too early', () => {
		const noon = Date.UTC(2026, 10, 30, 12, 0, 0);
		expect(minuteWords(noon, noon, 'UTC')).toBe('12:00');
		expect(minuteWords(noon + 1, noon, 'UTC')).toBe('12:01');
		expect(minuteWords(noon + 12 * hour, noon, 'UTC')).toBe('1 Dec 00:00');
		expect(minuteWords(noon + 12 * hour - 1, noon, 'UTC')).toBe('1 Dec 00:00');
	});

	it('names the day only when it is another one', () => {
		const at = Date.UTC(2026, 10, 28, 14, 2, 11);
		expect(timeWords(at, at + hour, 'UTC')).toBe('14:02:11');
		expect(timeWords(at, at + 24 * hour, 'UTC')).toBe('28 Nov 14:02');
		expect(timeWords(Date.UTC(2026, 10, 28, 0, 2, 11), at, 'UTC')).toBe('00:02:11');
	});
});

describe('numbers', () => {
	it.each([
		[0, '0'],
		[950, '950'],
		[999.6, '1k'],
		[1000, '1k'],
		[12_345, '12.3k'],
		[99_960, '100k'],
		[182_400, '182k'],
		[999_499, '999k'],
		[999_500, '1M'],
		[3_140_000, '3.1M'],
		[2_400_000_000, '2.4B'],
		[Number.POSITIVE_INFINITY, '?'],
	])('%d is %s', (value, words) => {
		expect(compactNumber(value)).toBe(words);
	});

	it('never needs more than six characters below a trillion', () => {
		fc.assert(
			fc.property(fc.double({ min: 0, max: 9.99e11, noNaN: true }), (value) => {
				expect(compactNumber(value).length).toBeLessThanOrEqual(6);
			}),
		);
	});

	it.each([
		[0, '$0.00'],
		[0.004, '< $0.01'],
		[1.2, '$1.20'],
		[999.994, '$999.99'],
		[12_400.4, '$12\u00a0400'],
		[Number.NaN, '?'],
	])('%d USD is %s', (value, words) => {
		expect(usd(value)).toBe(words);
	});
});

describe('cost', () => {
	it('says unpriced, never $0, for what has no price', () => {
		expect(costWords({ costUsd: null, unpricedModels: ['local/qwen'] })).toBe('unpriced');
		expect(costWords({ costUsd: 0, unpricedModels: ['local/qwen'] })).toBe('unpriced');
	});

	it('is a lower bound when a part has no price', () => {
		expect(costWords({ costUsd: 1.2, unpricedModels: ['x'] })).toBe('≥ $1.20, some models unpriced');
		expect(costWords({ costUsd: 0.001, unpricedModels: ['x'] })).toBe('> $0, some models unpriced');
	});

	it('is free where this machine served all of it, and nowhere else', () => {
		const own = { costUsd: null, unpricedModels: [], work: 12_400, localWork: 12_400 };
		expect(costWords(own)).toBe('free, served on this machine');
		expect(costWords({ ...own, costUsd: 0 })).toBe('free, served on this machine');
		expect(costWords({ ...own, localWork: 400 })).toBe('unpriced');
		expect(costWords({ ...own, unpricedModels: ['x'] })).toBe('unpriced');
		expect(costWords({ ...own, costUsd: 1.2 })).toBe('$1.20');
	});

	it('is nothing yet where nothing was worked', () => {
		const none = { costUsd: null, unpricedModels: [], work: 0, localWork: 0 };
		expect(costParts(none)).toEqual({ amount: '–', note: 'nothing spent yet' });
	});

	it('says when nothing was read', () => {
		expect(costParts(null)).toEqual({ amount: '–', note: 'no usage read yet' });
		expect(costWords(null)).toBe('no usage read yet');
	});

	it('shows a zero dollar amount only for a known price', () => {
		fc.assert(
			fc.property(
				fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
				fc.array(fc.string()),
				(costUsd, unpricedModels) => {
					const zero = costParts({ costUsd, unpricedModels }).amount === '$0.00';
					expect(zero).toBe(costUsd === 0 && unpricedModels.length === 0);
				},
			),
		);
	});
});

describe('evidence', () => {
	it.each([
		[{ arm: 'repeated-tool', count: 13, limit: 8, unit: 'calls' }, '13 calls, limit 8'],
		[{ arm: 'error-storm', count: 1, limit: 8, unit: 'errors' }, '1 error, limit 8'],
		[{ arm: 'cost-cap', count: 12.4, limit: 10, unit: 'USD' }, '$12.40, limit $10.00 (US dollars)'],
		[
			{ arm: 'token-velocity', count: 71_240, limit: 60_000, unit: 'output tokens/min' },
			'71.2k output tokens/min, limit 60k',
		],
		[
			{ arm: 'agent-token-cap', count: 512_300, limit: 500_000, unit: 'tokens' },
			'512k work tokens, limit 500k',
		],
		[{ arm: 'token-cap', count: 1, limit: 500, unit: 'tokens' }, '1 work token, limit 500'],
	] as const)('%j', (evidence, words) => {
		expect(evidenceCountWords(evidence)).toBe(words);
	});
});

describe('states', () => {
	const base = { reason: '', needsYou: false, since: 0, lastHeardAt: 0 };

	it('says no more than is known', () => {
		const now = 4 * minute;
		expect(stateWords({ ...base, kind: 'live' }, now)).toBe('live');
		expect(stateWords({ ...base, kind: 'waiting', reason: 'turn done' }, now)).toBe('waiting: turn done');
		expect(stateWords({ ...base, kind: 'waiting', reason: 'permission for Bash', needsYou: true }, now)).toBe(
			'waiting for you: permission for Bash',
		);
		expect(stateWords({ ...base, kind: 'unverifiable', reason: 'nothing heard' }, now)).toBe(
			'unverifiable, last heard 4 m ago',
		);
		expect(stateWords({ ...base, kind: 'exited', reason: 'stopped by you' }, now)).toBe(
			'exited: stopped by you',
		);
		expect(stateWords({ ...base, kind: 'exited' }, now)).toBe('exited');
	});
});

describe('stop', () => {
	it('calls an agent stopped only when its processes were seen gone', () => {
		expect(stopProgressWords({ phase: 'refusing', pids: [] })).toBe(
			'every tool call is refused; process not ended',
		);
		expect(stopProgressWords({ phase: 'stopping', pids: [12] })).toBe('stopping…');
		expect(stopProgressWords({ phase: 'stopped', pids: [] })).toBe('stopped');
		expect(stopProgressWords({ phase: 'still-running', pids: [12, 13] })).toBe('still running: pids 12, 13');
		expect(stopProgressWords({ phase: 'still-running', pids: [12] })).toBe('still running: pid 12');
		expect(stopProgressWords({ phase: 'process-unknown', pids: [] })).toMatch(
			/not known, so it was not ended/,
		);
	});
});

describe('notes', () => {
	it('tells queued from delivered', () => {
		expect(noteWords({ queuedAt: 0, deliveredAt: null }, 12_000)).toBe('queued 12 s ago, not read yet');
		expect(noteWords({ queuedAt: 0, deliveredAt: 8000 }, 12_000)).toBe('delivered 4 s ago');
	});
});

describe('the heartbeat', () => {
	const status = { lastBeatAt: 100_000, nextBeatAt: 130_000, lastBeatLateMs: 0, heartbeatSeconds: 30 };

	it('is quiet while on time', () => {
		expect(beatWords(status, 112_000)).toEqual({ words: 'beat 12 s ago', late: false });
		expect(beatWords({ ...status, lastBeatAt: null, nextBeatAt: 130_000 }, 112_000)).toEqual({
			words: 'no beat yet',
			late: false,
		});
	});

	it('says that a beat came late', () => {
		expect(beatWords({ ...status, lastBeatLateMs: 14_000 }, 112_000)).toEqual({
			words: 'beat 12 s ago, came 14 s late',
			late: true,
		});
	});

	it('says that a beat is missing, also when none has come at all', () => {
		expect(beatWords(status, 170_000)).toEqual({ words: 'beat overdue by 40 s', late: true });
		expect(beatWords({ ...status, lastBeatAt: null }, 170_000).late).toBe(true);
	});
});

describe('models', () => {
	it.each([
		['claude-sonnet-4-5-20250929', 'sonnet-4-5'],
		['claude-opus-4-5', 'opus-4-5'],
		['gpt-5.2-codex', 'gpt-5.2-codex'],
		['claude-', 'claude-'],
		['', ''],
	])('%j is shown as %j', (model, words) => {
		expect(modelWords(model)).toBe(words);
	});
});

describe('clients', () => {
	it('have their own names; an unknown one keeps what it came with', () => {
		expect(['claude-code', 'my-agent', 'constructor'].map(clientWords)).toEqual([
			'Claude Code',
			'my-agent',
			'constructor',
		]);
	});
});

describe('noteGist', () => {
	it('leaves out the opening of every kind of note, and nothing else', () => {
		expect(noteGist(operatorNote('Try the other file.'))).toBe('Try the other file.');
		expect(noteGist(climbNote('steering', 'same call 9 times', null))).toMatch(/^same call 9 times\./);
		expect(noteGist(liftedNote())).toMatch(/^the restriction to reading is lifted/);
		expect(noteGist('You said: Note from the operator')).toBe('You said: Note from the operator');
	});
});

describe('what somebody else wrote, as a sentence', () => {
	it.each([
		['anthropic is down', 'Anthropic is down.'],
		['anthropic is down.', 'Anthropic is down.'],
		['anthropic is down..', 'Anthropic is down.'],
		['it waits...', 'It waits…'],
		['qwen3-coder:30b went away', 'qwen3-coder:30b went away.'],
		['/home/ada is full', '/home/ada is full.'],
		['iOS is lost', 'iOS is lost.'],
		['(it was closed.)', '(it was closed.)'],
		['Is it back?', 'Is it back?'],
		['  ', ''],
	])('“%s” is “%s”', (text, sentence) => {
		expect(sentenceWords(text)).toBe(sentence);
	});

	it('keeps its first letter inside another', () => {
		expect(sentenceWords('recovered', 'inside')).toBe('recovered.');
	});
});
