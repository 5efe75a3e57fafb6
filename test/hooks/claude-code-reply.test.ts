import { claudeCodeDialect } from '../../src/main/hooks/claude-code.ts';
import { keepsReplyContract, type ReplyTable } from './reply-contract.ts';

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

const table: ReplyTable = {
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

keepsReplyContract(claudeCodeDialect, table, 10_000);
