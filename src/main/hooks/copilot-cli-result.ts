/** What a tool of Copilot CLI gave back: `toolResult {resultType, textResultForLlm}`, as 1.0.102 sends it. */
import type { Payload } from './dialect.ts';
import { field, jsonText } from './payload-fields.ts';

export interface CopilotOutcome {
	/** undefined: not known. */
	readonly text: string | undefined;
	readonly failed: boolean;
}

/** In the last line of a shell's result: `<shellId: 0 completed with exit code 3>`. */
const ENDED = /\bexit(?:ed with)? code:? (-?\d+)>$/;
/** A last line longer than this is not about the shell. */
const LONGEST_LAST_LINE = 400;

/**
 * Equal outcomes give equal texts, so the ids of shells are left out. A command that exits with another code than 0
 * comes as a success; here it is a failure.
 */
export function outcomeOf(payload: Payload, isOfShell: boolean): CopilotOutcome {
	const result = field(payload, 'toolResult');
	const type = field(result, 'resultType');
	const failed = typeof type === 'string' && type !== 'success';
	const text = textOf(result);
	if (text === undefined || !isOfShell) return { text, failed };
	const whole = text.trimEnd();
	const start = whole.lastIndexOf('\n') + 1;
	const last = whole.slice(start);
	if (last.length > LONGEST_LAST_LINE || !/^<[^<>]+>$/.test(last)) return { text, failed };
	const code = ENDED.exec(last)?.[1];
	// Of a command that runs on: `<command started in background with shellId: 0>`.
	if (code === undefined) return { text: whole.slice(0, start) + withoutIds(last), failed };
	const printed = whole.slice(0, Math.max(0, start - 1));
	if (Number(code) === 0) return { text: printed, failed };
	return { text: `Exit code ${code}\n${printed}`.trimEnd(), failed: true };
}

function withoutIds(line: string): string {
	return line.replace(/\b(shellId|id):? [\w.-]+/g, '$1');
}

function textOf(result: unknown): string | undefined {
	if (typeof result === 'string') return result;
	const text = field(result, 'textResultForLlm');
	if (typeof text === 'string') return text;
	return result === undefined || result === null ? undefined : jsonText(result);
}
