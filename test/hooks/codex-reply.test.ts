import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/main/floor/verdict.ts';
import { codexDialect } from '../../src/main/hooks/codex.ts';

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
const denied = {
	hookSpecificOutput: {
		hookEventName: 'PreToolUse',
		permissionDecision: 'deny',
		permissionDecisionReason: 'TEXT',
	},
};
const refused = {
	hookSpecificOutput: {
		hookEventName: 'PermissionRequest',
		decision: { behavior: 'deny', message: 'TEXT' },
	},
};
const halted = { continue: false, stopReason: 'TEXT' };
const blocked = { decision: 'block', reason: 'TEXT' };

/** What is not named here is `{}`. */
const table: Readonly<Record<string, Replies>> = {
	// "ask" and `continue: false` are invalid here: the tool would run.
	PreToolUse: { note: noteOn('PreToolUse'), deny: denied, ask: denied, halt: denied },
	PostToolUse: { note: noteOn('PostToolUse'), halt: noteOn('PostToolUse') },
	UserPromptSubmit: { note: noteOn('UserPromptSubmit'), 'block-prompt': blocked, halt: blocked },
	SessionStart: { note: noteOn('SessionStart'), halt: halted },
	// `interrupt` would make the denial invalid.
	PermissionRequest: { deny: refused, halt: refused },
	PreCompact: { halt: halted },
	// A block would make the agent go on.
	Stop: { halt: halted },
	// Its note would reach the subagent, and the floor would believe the agent had read it.
	SubagentStart: {},
	SubagentStop: {},
	SessionEnd: {},
	PostCompact: {},
	Interrupt: {},
	PreModelRequest: {},
	StopFailure: {},
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
	expect(codexDialect.reply(event, verdict)).toEqual(expected);
});

describe('what the floor is told about events', () => {
	test.each(Object.entries(table))('%s', (event, replies) => {
		expect(codexDialect.carriesNote(event)).toBe(replies.note !== undefined);
		expect(codexDialect.answers(event)).toBe(Object.keys(replies).length > 0);
	});
});

/** Of codex-rs/hooks/schema/generated: every other key makes the whole reply invalid, and the tool runs. */
test('no reply has a key that Codex does not know', () => {
	const universal = ['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason'];
	const specific = [
		'hookEventName',
		'additionalContext',
		'permissionDecision',
		'permissionDecisionReason',
		'decision',
	];
	for (const [event, , verdict] of rows) {
		const { hookSpecificOutput, ...rest } = codexDialect.reply(event, verdict);
		for (const key of Object.keys(rest)) expect(universal).toContain(key);
		for (const key of Object.keys(hookSpecificOutput ?? {})) expect(specific).toContain(key);
	}
});

test('texts stay below what Codex would put into a file, and never end in half a character', () => {
	for (const shift of ['', 'x']) {
		const text = `${shift}${'😀'.repeat(6_000)}`;
		const reply = JSON.stringify(codexDialect.reply('PreToolUse', { kind: 'deny', reason: text }));
		expect(reply.length).toBeLessThan(8_300);
		expect(reply).not.toMatch(/\\ud[89ab]/i);
	}
});

test('an empty note is no reply; an empty reason still says who refused', () => {
	expect(codexDialect.reply('PreToolUse', { kind: 'note', text: ' ' })).toEqual({});
	expect(JSON.stringify(codexDialect.reply('PreToolUse', { kind: 'deny', reason: ' ' }))).toContain(
		'Agent Floor',
	);
});
