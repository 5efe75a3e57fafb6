/** A whole answer in words: what a person reads of a turn that was answered without its agent. */
import type { JsonObject } from './protocol.ts';
import { isObject, objectsOf } from './protocols/json-fields.ts';

/** Characters of one call's arguments. */
const ARGUMENTS_LIMIT = 2_000;

/** The text, then each tool call that the model wanted, a line each. No tool was run. Never throws. */
export function answerInWords(text: string, answer: JsonObject | null): string {
	const calls =
		answer === null ? [] : [...anthropicCalls(answer), ...chatCalls(answer), ...responsesCalls(answer)];
	const lines = calls.map(
		({ name, given }) => `[It wanted to call ${name} ${clipped(given)}; nothing was run]`,
	);
	return [text, ...lines].filter((part) => part !== '').join('\n\n');
}

interface WantedCall {
	readonly name: string;
	readonly given: unknown;
}

function anthropicCalls({ content }: JsonObject): WantedCall[] {
	return objectsOf(content).flatMap(({ type, name, input }) =>
		type === 'tool_use' ? [{ name: String(name), given: input }] : [],
	);
}

function chatCalls({ choices }: JsonObject): WantedCall[] {
	const [choice] = objectsOf(choices);
	const { message } = choice ?? {};
	const calls = isObject(message) ? objectsOf(message.tool_calls) : [];
	return calls.flatMap(({ function: called }) =>
		isObject(called) ? [{ name: String(called.name), given: called.arguments }] : [],
	);
}

function responsesCalls({ output }: JsonObject): WantedCall[] {
	return objectsOf(output).flatMap(({ type, name, arguments: given, input }) =>
		type === 'function_call' || type === 'custom_tool_call'
			? [{ name: String(name), given: given ?? input }]
			: [],
	);
}

function clipped(given: unknown): string {
	const text = typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
	return text.length > ARGUMENTS_LIMIT ? `${text.slice(0, ARGUMENTS_LIMIT)}…` : text;
}
