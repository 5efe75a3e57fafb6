/**
 * Qwen Code's chats: `<home>/projects/<directory>/chats/<session>.jsonl`, and `archive/` in it. Its subagents' own files
 * lie elsewhere and are not read: the session's tells their calls.
 */
import { join } from 'node:path';
import type { LogSink, SessionFormat } from '../session-format.ts';
import { textOf } from './json-values.ts';
import { QwenChat } from './qwen-chat.ts';

const SESSION_NAME = /^([0-9a-f-]{32,36})\.jsonl$/i;

export const qwenCode: SessionFormat = {
	client: 'qwen-code',
	depth: 4,

	roots(env, homeDirectory) {
		const home = textOf(env.QWEN_RUNTIME_DIR) ?? textOf(env.QWEN_HOME) ?? join(homeDirectory, '.qwen');
		return [join(home, 'projects')];
	},

	identify(path) {
		const segments = path.split(/[\\/]/);
		const sessionId = SESSION_NAME.exec(segments.at(-1) ?? '')?.[1];
		const folder = segments.at(-2) === 'archive' ? segments.at(-3) : segments.at(-2);
		if (sessionId === undefined || folder !== 'chats') return null;
		return { sessionId, mode: 'lines', isSubagent: false };
	},

	open(_path: string, sink: LogSink, memory: unknown) {
		return Promise.resolve(new QwenChat(sink, memory));
	},
};
