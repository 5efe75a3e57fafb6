/** The session files that are read, one format for each program. */
import { claudeCode } from './formats/claude-code.ts';
import { codex } from './formats/codex.ts';
import { copilotCli } from './formats/copilot.ts';
import { geminiCli } from './formats/gemini.ts';
import { qwenCode } from './formats/qwen.ts';
import type { SessionFormat } from './session-format.ts';

export const sessionFormats: readonly SessionFormat[] = [claudeCode, codex, geminiCli, copilotCli, qwenCode];
