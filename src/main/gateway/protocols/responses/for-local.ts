/**
 * A Responses request for a local server, which keeps no state and reads no encrypted reasoning. A conversation that
 * lies with the vendor (`previous_response_id`, `conversation`, references to stored items) cannot come along.
 */
import type { JsonObject } from '../../protocol.ts';
import { objectOf, objectsOf, textOf, without } from '../json-fields.ts';

const vendorFields: ReadonlySet<string> = new Set([
	'previous_response_id',
	'conversation',
	'include',
	'reasoning',
	'service_tier',
	'prompt_cache_key',
	'prompt_cache_retention',
	'safety_identifier',
	'metadata',
	'client_metadata',
	'context_management',
	'background',
	'prompt',
	'moderation',
	'max_tool_calls',
]);
/** Ids belong to the vendor's store, a phase to its models. */
const vendorItemFields: ReadonlySet<string> = new Set([
	'id',
	'phase',
	'encrypted_content',
	'internal_chat_message_metadata_passthrough',
]);
const plainItems: ReadonlySet<string> = new Set(['message', 'function_call', 'function_call_output']);
const NOTHING_LEFT = '(the earlier conversation is kept by its provider)';

export function forLocal(body: JsonObject, model: string): JsonObject {
	const local: Record<string, unknown> = { ...without(body, vendorFields), model };
	if (body.store !== undefined) local.store = false;
	const text = objectOf(body.text);
	if (text?.verbosity !== undefined) local.text = without(text, new Set(['verbosity']));
	if (Array.isArray(body.input)) local.input = plainInput(objectsOf(body.input));
	if (body.tools !== undefined) offerFunctions(local, objectsOf(body.tools));
	return local;
}

/** Functions only: freeform tools (apply_patch), web search and shells of the vendor need a model trained for them. */
function offerFunctions(local: Record<string, unknown>, tools: readonly JsonObject[]): void {
	const functions = tools.filter((tool) => tool.type === 'function');
	delete local.tools;
	if (functions.length > 0) local.tools = functions;
	const choice = objectOf(local.tool_choice);
	const isOffered = choice === null || functions.some((tool) => tool.name === choice.name);
	if (functions.length === 0 || !isOffered) delete local.tool_choice;
	if (functions.length === 0) delete local.parallel_tool_calls;
}

function plainInput(items: readonly JsonObject[]): JsonObject[] {
	const plain: JsonObject[] = [];
	for (const item of items) {
		const next = plainItem(item);
		if (next !== null) plain.push(next);
	}
	return plain.length > 0
		? plain
		: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: NOTHING_LEFT }] }];
}

function plainItem(item: JsonObject): JsonObject | null {
	const type = textOf(item.type) || 'message';
	const kept = without(item, vendorItemFields);
	// Calls of freeform tools stay in the conversation as calls of functions, each with its output.
	if (type === 'custom_tool_call') {
		const args = JSON.stringify({ input: textOf(item.input) });
		return { type: 'function_call', call_id: item.call_id, name: item.name, arguments: args };
	}
	if (type === 'custom_tool_call_output') return { ...kept, type: 'function_call_output' };
	if (type === 'local_shell_call') {
		const args = JSON.stringify(item.action ?? {});
		return { type: 'function_call', call_id: item.call_id, name: 'local_shell', arguments: args };
	}
	if (type === 'local_shell_call_output') {
		return { type: 'function_call_output', call_id: item.call_id ?? item.id, output: item.output };
	}
	if (!plainItems.has(type)) return null;
	if (type !== 'message') return kept;
	const message = item.role === 'developer' ? { ...kept, role: 'system' } : kept;
	if (!Array.isArray(item.content)) return message;
	const parts = objectsOf(item.content).filter((part) => part.type !== 'encrypted_content');
	return { ...message, content: parts.length > 0 ? parts : [emptyPart(item)] };
}

function emptyPart(item: JsonObject): JsonObject {
	return { type: item.role === 'assistant' ? 'output_text' : 'input_text', text: '' };
}
