import { createCopilotCliDialect } from '../../src/main/hooks/copilot-cli.ts';
import { keepsReplyContract, type ReplyTable } from './reply-contract.ts';

const noted = { additionalContext: 'TEXT' };
const denied = { permissionDecision: 'deny', permissionDecisionReason: 'TEXT' };
const asked = { permissionDecision: 'ask', permissionDecisionReason: 'TEXT' };
const blocked = { decision: 'block', reason: 'TEXT' };
const refused = { behavior: 'deny', message: 'TEXT' };

const table: ReplyTable = {
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

keepsReplyContract(createCopilotCliDialect(), table, 10_000);
