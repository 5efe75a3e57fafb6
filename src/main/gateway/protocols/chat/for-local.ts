/** A Chat Completions request for a local server: reasoning of another model and what only its vendor knows left out. */
import type { JsonObject } from '../../protocol.ts';
import { numberOf, objectOf, objectsOf, textOf, without } from '../json-fields.ts';

const vendorFields: ReadonlySet<string> = new Set([
	'store',
	'metadata',
	'service_tier',
	'reasoning_effort',
	'reasoning',
	'include_reasoning',
	'thinking',
	'thinking_budget',
	'verbosity',
	'prediction',
	'modalities',
	'audio',
	'web_search_options',
	'prompt_cache_key',
	'prompt_cache_retention',
	'safety_identifier',
	'provider',
	'plugins',
	'transforms',
	'models',
	'route',
	'extra_body',
	'max_completion_tokens',
]);

/** Thoughts under the names that vendors and proxies give them. */
export const reasoningFields: ReadonlySet<string> = new Set([
	'reasoning_content',
	'reasoning',
	'reasoning_text',
	'reasoning_details',
	'reasoning_opaque',
	'encrypted_content',
	'thinking',
	'thinking_blocks',
	'cot_id',
]);

const vendorMessageFields: ReadonlySet<string> = new Set([
	...reasoningFields,
	'audio',
	'annotations',
	'copilot_cache_control',
]);
const vendorCallFields: ReadonlySet<string> = new Set([
	'extra_content',
	'provider_specific_fields',
	'thought_signature',
]);
const reasoningParts: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);

export function forLocal(body: JsonObject, model: string): JsonObject {
	const local: Record<string, unknown> = { ...without(body, vendorFields), model };
	// Ollama reads the older name only.
	const limit = numberOf(body.max_completion_tokens);
	if (limit !== null && local.max_tokens === undefined) local.max_tokens = limit;
	if (Array.isArray(body.messages)) local.messages = objectsOf(body.messages).map(plainMessage);
	if (body.tools !== undefined) offerFunctions(local, objectsOf(body.tools));
	return local;
}

/** Local servers know functions only. */
function offerFunctions(local: Record<string, unknown>, tools: readonly JsonObject[]): void {
	const functions = tools.filter((tool) => tool.type === 'function' || objectOf(tool.function) !== null);
	delete local.tools;
	if (functions.length > 0) local.tools = functions;
	const chosen = textOf(objectOf(objectOf(local.tool_choice)?.function)?.name);
	const isOffered =
		typeof local.tool_choice === 'string' || functions.some((tool) => nameOf(tool) === chosen);
	if (functions.length === 0 || !isOffered) delete local.tool_choice;
	if (functions.length === 0) delete local.parallel_tool_calls;
}

function nameOf(tool: JsonObject): string {
	return textOf(objectOf(tool.function)?.name);
}

function plainMessage(message: JsonObject): JsonObject {
	// Chat templates of local models know no developer.
	if (message.role === 'developer') return { ...message, role: 'system' };
	if (message.role !== 'assistant') return message;
	const plain: Record<string, unknown> = { ...without(message, vendorMessageFields) };
	if (Array.isArray(message.content)) {
		const parts = objectsOf(message.content).filter((part) => !reasoningParts.has(textOf(part.type)));
		plain.content = parts.length > 0 ? parts : '';
	}
	const calls = objectsOf(message.tool_calls);
	if (calls.length > 0) plain.tool_calls = calls.map((call) => without(call, vendorCallFields));
	else {
		delete plain.tool_calls;
		// Without calls a message has to say something, were it nothing.
		plain.content ??= '';
	}
	return plain;
}
