/**
 * What a tool of Gemini CLI gave back: `tool_response` is `{llmContent, returnDisplay, error?}`. Measured with 0.61.0;
 * the layout of a shell's result: shell.ts of that version.
 */
import type { ToolResult } from '../floor/events.ts';
import { field, jsonText, LONGEST_RESULT, shorten, textField } from './payload-fields.ts';

export type Outcome = Pick<ToolResult, 'result' | 'failed' | 'interrupted'>;

/** Around what came from outside; it says nothing about what was found. */
const WRAPPER = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/;

const CANCELLED = 'Command was cancelled by user before it could';
const TIMED_OUT = 'Command was automatically cancelled because it exceeded the timeout';

/** `isShell`: of run_shell_command, whose text tells how the command ended. */
export function outcomeOf(response: unknown, isShell: boolean): Outcome {
	const error = field(response, 'error');
	const failed = error !== undefined && error !== null;
	const text = textOfContent(field(response, 'llmContent')) ?? textField(error, 'message') ?? undefined;
	const plain = text === undefined ? undefined : unwrapped(text);
	const outcome =
		isShell && plain !== undefined
			? shellOutcome(plain)
			: { result: plain, failed: false, interrupted: false };
	return {
		result: outcome.result === undefined ? undefined : shorten(outcome.result, LONGEST_RESULT),
		failed: failed || outcome.failed,
		interrupted: outcome.interrupted,
	};
}

/** A string, one part or a list of parts; the JSON of anything else. */
export function textOfContent(content: unknown): string | undefined {
	if (content === undefined || content === null) return undefined;
	if (typeof content === 'string') return content;
	const parts = Array.isArray(content) ? content : [content];
	const texts = parts.map((part: unknown) => (typeof part === 'string' ? part : field(part, 'text')));
	if (texts.length > 0 && texts.every((part) => typeof part === 'string')) return texts.join('\n');
	return jsonText(content);
}

function unwrapped(text: string): string {
	return WRAPPER.exec(text)?.[1] ?? text;
}

/**
 * `Output: …`, then, one per line and only where they apply: Error, Exit Code, Signal, Background PIDs, Process Group
 * PGID. Process ids differ from run to run and are left out; an empty output is an empty text.
 */
function shellOutcome(text: string): Outcome {
	if (text.startsWith(CANCELLED)) return { result: text, failed: true, interrupted: true };
	if (text.startsWith(TIMED_OUT)) return { result: text, failed: true, interrupted: false };
	if (!text.startsWith('Output: ')) {
		// "Command moved to background (PID: 1234)." and "Command is running in background. PID: 1234."
		return { result: text.replace(/\bPID: \d+/, 'PID'), failed: false, interrupted: false };
	}
	const lines = text.slice('Output: '.length).split('\n');
	const dropLast = (pattern: RegExp) => (pattern.test(lines.at(-1) ?? '') ? lines.pop() : undefined);
	dropLast(/^Process Group PGID: \d+$/);
	dropLast(/^Background PIDs: [\d, ]+$/);
	const signal = dropLast(/^Signal: \S+$/);
	const exitCode = dropLast(/^Exit Code: -?\d+$/);
	const output = lines.join('\n');
	const ending = [exitCode, signal].filter((line) => line !== undefined);
	return {
		result: [...(output === '(empty)' || output === '' ? [] : [output]), ...ending].join('\n'),
		failed: ending.length > 0,
		interrupted: false,
	};
}
