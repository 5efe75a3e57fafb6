import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/main/floor/verdict.ts';
import { geminiCliDialect } from '../../src/main/hooks/gemini-cli.ts';

const verdicts = {
	pass: { kind: 'pass' },
	note: { kind: 'note', text: 'TEXT' },
	deny: { kind: 'deny', reason: 'TEXT' },
	ask: { kind: 'ask', reason: 'TEXT' },
	'block-prompt': { kind: 'block-prompt', reason: 'TEXT' },
	halt: { kind: 'halt', reason: 'TEXT' },
} as const satisfies { readonly [kind in Verdict['kind']]: Verdict & { readonly kind: kind } };

type Replies = { readonly [kind in Verdict['kind']]?: Record<string, unknown> };

const noteOn = (hookEventName: string) => ({
	hookSpecificOutput: { hookEventName, additionalContext: 'TEXT' },
});
const denied = { decision: 'deny', reason: 'TEXT' };
const halted = { continue: false, stopReason: 'TEXT' };

/** What is not named here is `{}`. */
const table: Readonly<Record<string, Replies>> = {
	// A note here reaches nobody. Asking would hang a headless session.
	BeforeTool: { deny: denied, ask: denied, halt: { ...denied, ...halted } },
	// A denial would hide the result from the model.
	AfterTool: { note: noteOn('AfterTool'), halt: halted },
	BeforeAgent: { note: noteOn('BeforeAgent'), 'block-prompt': denied, halt: denied },
	SessionStart: { note: noteOn('SessionStart') },
	// A denial would make the agent go on.
	AfterAgent: { halt: halted },
	SessionEnd: {},
	Notification: {},
	PreCompress: {},
	BeforeModel: {},
	AfterModel: {},
	BeforeToolSelection: {},
	// Of Claude Code.
	PreToolUse: {},
	EventOfTomorrow: {},
	constructor: {},
	['__proto__']: {},
};

const rows = Object.entries(table).flatMap(([event, replies]) =>
	Object.values(verdicts).map(
		(verdict) => [event, verdict.kind, verdict, replies[verdict.kind] ?? {}] as const,
	),
);

test.each(rows)('%s answers %s', (event, _, verdict, expected) => {
	expect(geminiCliDialect.reply(event, verdict)).toEqual(expected);
});

describe('what the floor is told about events', () => {
	test.each(Object.entries(table))('%s', (event, replies) => {
		expect(geminiCliDialect.carriesNote(event)).toBe(replies.note !== undefined);
		expect(geminiCliDialect.answers(event)).toBe(Object.keys(replies).length > 0);
	});
});

test('long texts are cut, and never in the middle of a character', () => {
	const context = (text: string) =>
		JSON.stringify(geminiCliDialect.reply('AfterTool', { kind: 'note', text }));
	expect(context('é'.repeat(10_000))).toContain('é'.repeat(10_000));
	expect(context('é'.repeat(10_001))).toContain(`${'é'.repeat(9_999)}…"`);
	for (const shift of ['', 'x']) expect(context(shift + '😀'.repeat(6_000))).not.toMatch(/\\ud[89ab]/i);
});

test('an empty note is no reply; an empty reason still says who refused', () => {
	expect(geminiCliDialect.reply('AfterTool', { kind: 'note', text: ' ' })).toEqual({});
	const refusal = geminiCliDialect.reply('BeforeTool', { kind: 'deny', reason: '' });
	expect(JSON.stringify(refusal)).toContain('Agent Floor');
});
