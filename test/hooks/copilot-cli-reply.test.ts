import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/main/floor/verdict.ts';
import { copilotCliDialect } from '../../src/main/hooks/copilot-cli.ts';

const verdicts = {
	pass: { kind: 'pass' },
	note: { kind: 'note', text: 'TEXT' },
	deny: { kind: 'deny', reason: 'TEXT' },
	ask: { kind: 'ask', reason: 'TEXT' },
	'block-prompt': { kind: 'block-prompt', reason: 'TEXT' },
	halt: { kind: 'halt', reason: 'TEXT' },
} as const satisfies { readonly [kind in Verdict['kind']]: Verdict & { readonly kind: kind } };

type Replies = { readonly [kind in Verdict['kind']]?: Record<string, unknown> };

const noted = { additionalContext: 'TEXT' };
const denied = { permissionDecision: 'deny', permissionDecisionReason: 'TEXT' };
const asked = { permissionDecision: 'ask', permissionDecisionReason: 'TEXT' };
const blocked = { decision: 'block', reason: 'TEXT' };
const refused = { behavior: 'deny', message: 'TEXT' };

/** What is not named here is `{}`. */
const table: Readonly<Record<string, Replies>> = {
	preToolUse: { note: noted, deny: denied, ask: asked, halt: denied },
	// The only halt there is; where nobody can be asked, it must not run.
	permissionRequest: { deny: refused, ask: refused, halt: { ...refused, interrupt: true } },
	postToolUse: { note: noted, halt: noted },
	postToolUseFailure: { note: noted, halt: noted },
	userPromptSubmitted: { note: noted, 'block-prompt': blocked, halt: blocked },
	sessionStart: { note: noted },
	// A block would make the agent go on.
	agentStop: {},
	// Its note would reach the subagent, and the floor would believe the agent had read it.
	subagentStart: {},
	subagentStop: {},
	userPromptTransformed: {},
	sessionEnd: {},
	errorOccurred: {},
	notification: {},
	preCompact: {},
	PreToolUse: {},
	eventOfTomorrow: {},
	constructor: {},
	['__proto__']: {},
};

const rows = Object.entries(table).flatMap(([event, replies]) =>
	Object.values(verdicts).map(
		(verdict) => [event, verdict.kind, verdict, replies[verdict.kind] ?? {}] as const,
	),
);

test.each(rows)('%s answers %s', (event, _, verdict, expected) => {
	expect(copilotCliDialect.reply(event, verdict)).toEqual(expected);
});

describe('what the floor is told about events', () => {
	test.each(Object.entries(table))('%s', (event, replies) => {
		expect(copilotCliDialect.carriesNote(event)).toBe(replies.note !== undefined);
		expect(copilotCliDialect.answers(event)).toBe(Object.keys(replies).length > 0);
	});
});

test('long texts are cut, and never leave half a character behind', () => {
	for (const shift of ['', 'x']) {
		const reason = `${shift}${'😀'.repeat(6_000)}`;
		const text = JSON.stringify(copilotCliDialect.reply('preToolUse', { kind: 'deny', reason }));
		expect(text.length).toBeLessThan(10_200);
		expect(text).not.toMatch(/\\ud[89ab]/i);
	}
});

test('an empty note is no reply; an empty reason still says who refused', () => {
	expect(copilotCliDialect.reply('preToolUse', { kind: 'note', text: ' ' })).toEqual({});
	expect(JSON.stringify(copilotCliDialect.reply('preToolUse', { kind: 'deny', reason: '' }))).toContain(
		'Agent Floor',
	);
});
