/**
 * What opencode tells of the tokens of one model call, with its `message.updated`. It keeps no session files: all sessions
 * lie in one SQLite database, from which only what the floor did not hear would have to be read.
 */
import type { HookUsage, Payload } from './dialect.ts';
import { field, idField, textField } from './payload-fields.ts';

/** `null` for any other event, and for a call that used nothing (it was broken off, or refused). Never throws. */
export function opencodeUsage(eventName: string, payload: Payload): HookUsage | null {
	const message = eventName === 'message.updated' ? field(payload, 'message') : undefined;
	const id = idField(message, 'id');
	const model = textField(message, 'modelID');
	if (id === null || model === null) return null;
	const tokens = field(message, 'tokens');
	const cache = field(tokens, 'cache');
	const usage = {
		input: count(tokens, 'input'),
		// What the model thought is billed as output, and counted apart here.
		output: count(tokens, 'output') + count(tokens, 'reasoning'),
		cacheRead: count(cache, 'read'),
		cacheCreation: count(cache, 'write'),
		cacheCreation1h: 0,
		webSearches: 0,
	} as const;
	if (usage.input + usage.output + usage.cacheRead + usage.cacheCreation === 0) return null;
	const at = field(field(message, 'time'), 'completed');
	return {
		key: `opencode ${id}`,
		model,
		at: typeof at === 'number' && Number.isFinite(at) && at > 0 ? at : null,
		usage,
	};
}

function count(tokens: unknown, name: string): number {
	const told = field(tokens, name);
	return typeof told === 'number' && Number.isSafeInteger(told) && told > 0 ? told : 0;
}
