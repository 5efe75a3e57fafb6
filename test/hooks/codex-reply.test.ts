import { expect, test } from 'vitest';
import { codexDialect } from '../../src/main/hooks/codex.ts';
import { keepsReplyContract, type ReplyTable, VERDICT_KINDS, verdictOf } from './reply-contract.ts';

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

const table: ReplyTable = {
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

keepsReplyContract(codexDialect, table, 8_000);

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
	for (const verdict of VERDICT_KINDS.map((kind) => verdictOf(kind))) {
		for (const event of Object.keys(table)) {
			const { hookSpecificOutput, ...rest } = codexDialect.reply(event, verdict);
			for (const key of Object.keys(rest)) expect(universal).toContain(key);
			for (const key of Object.keys(hookSpecificOutput ?? {})) expect(specific).toContain(key);
		}
	}
});
