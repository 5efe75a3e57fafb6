/** The value of a setting as somebody types it. */
import { UsageError } from './command.ts';

/**
 * What is JSON is taken as that (`true`, `12`, `null`, `"local"`, a list); anything else is text, so that a word needs
 * no quotes inside quotes. Throws a `UsageError` for what begins like JSON and is none: it was not meant as text.
 */
export function readSettingValue(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		if (!/^\s*[[{"]/.test(text)) return text;
		const why = error instanceof Error ? error.message : String(error);
		throw new UsageError(`the value begins like JSON and is none (${why})`);
	}
}
