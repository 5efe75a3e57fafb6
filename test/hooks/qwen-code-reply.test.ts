import { qwenCodeDialect } from '../../src/main/hooks/qwen-code.ts';
import { keepsReplyContract } from './reply-contract.ts';

const note = (hookEventName: string) => ({
	hookSpecificOutput: { hookEventName, additionalContext: 'TEXT' },
});
const decision = (permissionDecision: string) => ({
	hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'TEXT' },
});
const block = { decision: 'block', reason: 'TEXT' };
const refusal = {
	hookSpecificOutput: {
		hookEventName: 'PermissionRequest',
		decision: { behavior: 'deny', message: 'TEXT' },
	},
};

keepsReplyContract(
	qwenCodeDialect,
	{
		PreToolUse: { deny: decision('deny'), ask: decision('ask'), halt: decision('deny') },
		PostToolUse: { note: note('PostToolUse'), halt: note('PostToolUse') },
		PostToolUseFailure: { note: note('PostToolUseFailure'), halt: note('PostToolUseFailure') },
		PostToolBatch: { note: note('PostToolBatch') },
		UserPromptSubmit: { note: note('UserPromptSubmit'), 'block-prompt': block, halt: block },
		SessionStart: { note: note('SessionStart') },
		PermissionRequest: { deny: refusal, halt: refusal },
		// Whatever is said to it makes the agent go on.
		Stop: {},
		StopFailure: {},
		SessionEnd: {},
		Notification: {},
		SubagentStart: {},
		SubagentStop: {},
		PreCompact: {},
		PostCompact: {},
		TomorrowsEvent: {},
	},
	10_000,
);
