/**
 * A Messages request for a local server: Ollama, LM Studio, llama.cpp and vLLM speak the protocol's plain part. What
 * only the vendor can read (signed thoughts, server tools and their encrypted results) or do is left out.
 */
import type { JsonObject } from '../../protocol.ts';
import { isObject, objectOf, objectsOf, textOf, without } from '../json-fields.ts';
import { systemBlocks } from './request.ts';

const vendorFields: ReadonlySet<string> = new Set([
	'thinking',
	'output_config',
	'context_management',
	'container',
	'mcp_servers',
	'betas',
	'service_tier',
	'inference_geo',
	'speed',
	'fallbacks',
	'system',
]);
const vendorToolFields: ReadonlySet<string> = new Set([
	'defer_loading',
	'allowed_callers',
	'eager_input_streaming',
	'input_examples',
]);
const vendorBlockFields: ReadonlySet<string> = new Set(['signature', 'caller', 'citations']);
/** Blocks of an assistant's message that every server knows. */
const plainAssistantBlocks: ReadonlySet<string> = new Set(['text', 'tool_use', 'image', 'document']);
/** Stands for a message of which nothing is left: an empty one is refused everywhere. */
const NOTHING_LEFT = '(thought about it)';

export function forLocal(body: JsonObject, model: string): JsonObject {
	const local: Record<string, unknown> = { ...without(body, vendorFields), model };
	const system = systemBlocks(body.system);
	if (typeof body.system === 'string') local.system = body.system;
	else if (system.length > 0) local.system = system;
	const format = objectOf(body.output_config)?.format;
	if (format !== undefined) local.output_config = { format };
	if (Array.isArray(body.messages)) local.messages = plainMessages(objectsOf(body.messages));
	if (body.tools !== undefined) offerPlainTools(local, objectsOf(body.tools));
	return local;
}

/** Tools without an input schema (web search, bash, text editor of the vendor) exist only where the vendor is. */
function offerPlainTools(local: Record<string, unknown>, tools: readonly JsonObject[]): void {
	const plain = tools
		.filter((tool) => isObject(tool.input_schema))
		.map((tool) => without(tool, vendorToolFields));
	delete local.tools;
	if (plain.length > 0) local.tools = plain;
	const choice = objectOf(local.tool_choice);
	const isOffered = choice?.type !== 'tool' || plain.some((tool) => tool.name === choice.name);
	if (plain.length === 0 || !isOffered) delete local.tool_choice;
}

/**
 * Messages with the roles that every chat template knows. A system message in the middle goes to the user's message
 * before it, or behind the next one: never between a tool call and its result.
 */
function plainMessages(messages: readonly JsonObject[]): JsonObject[] {
	const plain: JsonObject[] = [];
	let waiting: JsonObject[] = [];
	for (const message of messages) {
		if (message.role === 'system') {
			const blocks = reminders(message.content);
			const last = plain.at(-1);
			if (last?.role === 'user' && waiting.length === 0) plain[plain.length - 1] = withBlocks(last, blocks);
			else waiting = [...waiting, ...blocks];
			continue;
		}
		const next = message.role === 'assistant' ? plainAnswer(message) : plainQuestion(message);
		plain.push(message.role === 'user' && waiting.length > 0 ? withBlocks(next, waiting) : next);
		if (message.role === 'user') waiting = [];
	}
	if (waiting.length > 0) plain.push({ role: 'user', content: waiting });
	return plain;
}

function withBlocks(message: JsonObject, blocks: readonly JsonObject[]): JsonObject {
	const content =
		typeof message.content === 'string'
			? [{ type: 'text', text: message.content }]
			: objectsOf(message.content);
	return { ...message, content: [...content, ...blocks] };
}

function reminders(content: unknown): JsonObject[] {
	const texts =
		typeof content === 'string' ? [content] : objectsOf(content).map((block) => textOf(block.text));
	return texts
		.filter((text) => text !== '')
		.map((text) => ({ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` }));
}

function plainAnswer(message: JsonObject): JsonObject {
	if (!Array.isArray(message.content)) return message;
	const kept = objectsOf(message.content)
		.filter((block) => plainAssistantBlocks.has(textOf(block.type)))
		.filter((block) => block.type !== 'text' || textOf(block.text) !== '')
		.map((block) => without(block, vendorBlockFields));
	return { ...message, content: kept.length > 0 ? kept : [{ type: 'text', text: NOTHING_LEFT }] };
}

function plainQuestion(message: JsonObject): JsonObject {
	if (!Array.isArray(message.content)) return message;
	return {
		...message,
		content: objectsOf(message.content).map((block) =>
			block.type === 'tool_result' && Array.isArray(block.content)
				? { ...block, content: plainResult(objectsOf(block.content)) }
				: block,
		),
	};
}

/** A result of the client's tool search names tools by reference, which only the vendor resolves. */
function plainResult(content: readonly JsonObject[]): JsonObject[] {
	const plain = content.map((block) =>
		block.type === 'tool_reference'
			? { type: 'text', text: `Tool available: ${textOf(block.tool_name)}` }
			: without(block, vendorBlockFields),
	);
	return plain.length > 0 ? plain : [{ type: 'text', text: '(empty result)' }];
}
