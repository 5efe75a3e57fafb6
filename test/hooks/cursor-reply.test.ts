import { cursorDialect } from '../../src/main/hooks/cursor.ts';
import { keepsReplyContract } from './reply-contract.ts';

const deny = { permission: 'deny', user_message: 'TEXT', agent_message: 'TEXT' };
const note = { additional_context: 'TEXT' };
const block = { continue: false, user_message: 'TEXT' };

keepsReplyContract(
	cursorDialect,
	{
		preToolUse: { deny, ask: deny, halt: deny },
		postToolUse: { note, halt: note },
		beforeSubmitPrompt: { 'block-prompt': block, halt: block },
		sessionStart: { note },
		postToolUseFailure: {},
		afterFileEdit: {},
		// Whatever is said to it makes the agent go on.
		stop: {},
		sessionEnd: {},
		beforeShellExecution: {},
		tomorrowsEvent: {},
	},
	10_000,
);
