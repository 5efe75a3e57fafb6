/** All agent programs whose hooks the floor understands. Some dialects remember sessions: a floor or a replay makes its own. */
import { claudeCodeDialect } from './claude-code.ts';
import { codexDialect } from './codex.ts';
import { createCopilotCliDialect } from './copilot-cli.ts';
import { cursorDialect } from './cursor.ts';
import type { Dialect } from './dialect.ts';
import { createGeminiCliDialect } from './gemini-cli.ts';
import { createOpencodeDialect } from './opencode.ts';
import { qwenCodeDialect } from './qwen-code.ts';

export function createDialects(): Dialect[] {
	return [
		claudeCodeDialect,
		codexDialect,
		createGeminiCliDialect(),
		createCopilotCliDialect(),
		createOpencodeDialect(),
		qwenCodeDialect,
		cursorDialect,
	];
}
