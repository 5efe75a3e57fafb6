/** What a tool of Qwen Code gave back. Measured with 0.24.4; the layout of a shell's result: shell.ts of that version. */
import type { ToolResult } from '../floor/events.ts';
import { textOfContent } from './gemini-cli-result.ts';
import { field, LONGEST_RESULT, shorten, textField } from './payload-fields.ts';

export type Outcome = Pick<ToolResult, 'result' | 'failed' | 'interrupted'>;

/** Of PostToolUse: `tool_response` is `{llmContent, returnDisplay}`. */
export function succeeded(payload: unknown, isShell: boolean): Outcome {
	const text = textOfContent(field(field(payload, 'tool_response'), 'llmContent'));
	return { result: outcomeText(text, isShell), failed: false, interrupted: false };
}

/** Of PostToolUseFailure: a command that ended with another code than 0 is a failure, too. */
export function failed(payload: unknown, isShell: boolean): Outcome {
	return {
		result: outcomeText(textField(payload, 'error') ?? undefined, isShell),
		failed: true,
		interrupted: field(payload, 'is_interrupt') === true,
	};
}

function outcomeText(text: string | undefined, isShell: boolean): string | undefined {
	if (text === undefined) return undefined;
	return shorten((isShell ? shellText(text) : null) ?? text, LONGEST_RESULT);
}

/** Lines that follow the output, last to first. */
const ENDING = ['\nProcess Group PGID: ', '\nSignal: ', '\nExit Code: ', '\nError: '] as const;
const NONE = '(none)';

/**
 * `Command`, `Directory`, `Output`, `Error`, `Exit Code`, `Signal` and `Process Group PGID`, each at the start of a line.
 * What the program printed, and how it ended where that was not well. Process ids differ from run to run, and what
 * stands behind them (a hint that it took long) says nothing of the outcome. `null`: laid out in another way.
 */
function shellText(text: string): string | null {
	const values: string[] = [];
	let rest = text;
	for (const mark of ENDING) {
		const at = rest.lastIndexOf(mark);
		if (at < 0) return null;
		values.push(rest.slice(at + mark.length));
		rest = rest.slice(0, at);
	}
	const [, signal = NONE, exitCode = '0', error = NONE] = values;
	const output = /(?:^|\n)Directory: [^\n]*\nOutput: /.exec(rest);
	if (output === null) return null;
	const printed = rest.slice(output.index + output[0].length);
	return [
		...(printed === '(empty)' ? [] : [printed]),
		...(error === NONE ? [] : [`Error: ${error}`]),
		...(exitCode === '0' ? [] : [`Exit Code: ${exitCode}`]),
		...(signal === NONE ? [] : [`Signal: ${signal}`]),
	].join('\n');
}
