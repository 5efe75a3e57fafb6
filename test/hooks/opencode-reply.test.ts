import { createOpencodeDialect } from '../../src/main/hooks/opencode.ts';
import { keepsReplyContract, type ReplyTable } from './reply-contract.ts';

const denied = { deny: 'TEXT' };
const noted = { note: 'TEXT' };
const notedAndStopped = { note: 'TEXT', stop: true };
const blocked = { block: 'TEXT' };

const table: ReplyTable = {
	'tool.execute.before': { deny: denied, ask: denied, halt: { deny: 'TEXT', stop: true } },
	'tool.execute.after': { note: noted, halt: notedAndStopped },
	'tool.execute.error': { note: noted, halt: notedAndStopped },
	'chat.message': { note: noted, 'block-prompt': blocked, halt: blocked },
	'session.seen': {},
	'session.idle': {},
	'session.error': {},
	'session.status': {},
	'permission.asked': {},
	'message.updated': {},
	hello: {},
	eventOfTomorrow: {},
	constructor: {},
	['__proto__']: {},
};

keepsReplyContract(createOpencodeDialect(), table, 10_000);
