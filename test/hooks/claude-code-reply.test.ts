import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/main/floor/verdict.ts';
import { claudeCodeDialect } from '../../src/main/hooks/claude-code.ts';

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
const asked = {
	hookSpecificOutput: {
		hookEventName: 'PreToolUse',
		permissionDecision: 'ask',
		permissionDecisionReason: 'TEXT',
	},
};
const halted = { continue: false, stopReason: 'TEXT' };
const blocked = { decision: 'block', reason: 'TEXT' };
const permission = (decision: Record<string, unknown>) => ({
	hookSpecificOutput: {
		hookEventName: 'PermissionRequest',
		decision: { behavior: 'deny', message: 'TEXT', ...decision },
	},
});

/** What is not named here is `{}`. */
const table: Readonly<Record<string, Replies>> = {
	// `continue: false` alone would let the tool run.
	PreToolUse: { note: noteOn('PreToolUse'), deny: denied, ask: asked, halt: { ...denied, ...halted } },
	PostToolUse: { note: noteOn('PostToolUse'), halt: halted },
	PostToolUseFailure: {
		note: noteOn('PostToolUseFailure'),
		halt: { ...halted, ...noteOn('PostToolUseFailure') },
	},
	PostToolBatch: { note: noteOn('PostToolBatch'), halt: halted },
	UserPromptSubmit: { note: noteOn('UserPromptSubmit'), 'block-prompt': blocked, halt: blocked },
	SessionStart: { note: noteOn('SessionStart') },
	// Where nobody can be asked, it must not run.
	PermissionRequest: { deny: permission({}), ask: permission({}), halt: permission({ interrupt: true }) },
	// A note or a block would make the agent go on.
	Stop: { halt: halted },
	// Its note would reach the subagent, and the floor would believe the agent had read it.
	SubagentStart: {},
	SubagentStop: {},
	SessionEnd: {},
	StopFailure: {},
	Notification: {},
	PreCompact: {},
	PostCompact: {},
	UserPromptExpansion: {},
	Elicitation: {},
	PreModelSwitch: {},
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
	expect(claudeCodeDialect.reply(event, verdict)).toEqual(expected);
});

describe('what the floor is told about events', () => {
	test.each(Object.entries(table))('%s', (event, replies) => {
		expect(claudeCodeDialect.carriesNote(event)).toBe(replies.note !== undefined);
		expect(claudeCodeDialect.answers(event)).toBe(Object.keys(replies).length > 0);
	});
});

describe('long texts', () => {
	test('are cut where Claude Code would cut them', () => {
		const text = 'é'.repeat(10_000);
		const context = (given: string) =>
			JSON.stringify(claudeCodeDialect.reply('PostToolUse', { kind: 'note', text: given }));
		expect(context(text)).toContain(text);
		expect(context(`${text}é`)).toContain(`${'é'.repeat(9_999)}…"`);
	});

	test('never leave half a character behind', () => {
		for (const shift of ['', 'x']) {
			const reply = claudeCodeDialect.reply('PreToolUse', {
				kind: 'deny',
				reason: `${shift}${'😀'.repeat(6_000)}`,
			});
			expect(JSON.stringify(reply)).not.toMatch(/\\ud[89ab]/i);
		}
	});
});

test('an empty note is no reply; an empty reason still says who refused', () => {
	expect(claudeCodeDialect.reply('PreToolUse', { kind: 'note', text: ' ' })).toEqual({});
	expect(JSON.stringify(claudeCodeDialect.reply('PreToolUse', { kind: 'deny', reason: '' }))).toContain(
		'Agent Floor',
	);
});

test('a reply can be changed by its receiver without changing the next one', () => {
	const first = claudeCodeDialect.reply('PreToolUse', verdicts.deny);
	first.hookSpecificOutput = null;
	expect(claudeCodeDialect.reply('PreToolUse', verdicts.deny)).toEqual(denied);
});
