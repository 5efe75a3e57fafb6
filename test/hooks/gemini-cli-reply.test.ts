import { createGeminiCliDialect } from '../../src/main/hooks/gemini-cli.ts';
import { keepsReplyContract, type ReplyTable } from './reply-contract.ts';

const noteOn = (hookEventName: string) => ({
	hookSpecificOutput: { hookEventName, additionalContext: 'TEXT' },
});
const denied = { decision: 'deny', reason: 'TEXT' };
const halted = { continue: false, stopReason: 'TEXT' };

const table: ReplyTable = {
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

keepsReplyContract(createGeminiCliDialect(), table, 10_000);
