/** How many tokens a prompt will take, without a tokenizer: for "does it fit this model's context?". */
import { isObject, textOf } from './json-fields.ts';

/**
 * English prose has about 4 bytes a token, code and JSON 3 to 3.5, Chinese or Japanese text (3 bytes a character in
 * UTF-8) about 3 to 4. Rather too many tokens than too few: a prompt that does not fit is cut off silently by some servers.
 */
const BYTES_PER_TOKEN = 3.2;
/** Of one picture at the size that agents send; vendors count from 85 to about 1 600. */
const IMAGE_TOKENS = 2_000;
/** Of one document or sound, whose length is not known from here. */
const DOCUMENT_TOKENS = 10_000;
/** Names and braces that a prompt template puts around each part. */
const PART_TOKENS = 2;

const fixedCosts: ReadonlyMap<string, number> = new Map([
	['image', IMAGE_TOKENS],
	['image_url', IMAGE_TOKENS],
	['input_image', IMAGE_TOKENS],
	['computer_screenshot', IMAGE_TOKENS],
	['document', DOCUMENT_TOKENS],
	['file', DOCUMENT_TOKENS],
	['input_file', DOCUMENT_TOKENS],
	['input_audio', DOCUMENT_TOKENS],
	['audio', DOCUMENT_TOKENS],
]);

/** Thoughts of earlier turns: they are stripped for another model and not counted by their own vendor. */
const uncounted: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const uncountedFields: ReadonlySet<string> = new Set(['signature', 'encrypted_content', 'cache_control']);

/** Tokens of these parts of a request: system text, tools, messages. Pictures and documents cost a fixed number each. */
export function estimateTokens(parts: readonly unknown[]): number {
	let bytes = 0;
	let tokens = 0;
	// A list instead of recursion: a body may be nested as deeply as its sender likes.
	const open: unknown[] = [...parts];
	while (open.length > 0) {
		const part = open.pop();
		if (typeof part === 'string') bytes += Buffer.byteLength(part);
		else if (typeof part === 'number' || typeof part === 'boolean') tokens += 1;
		else if (Array.isArray(part)) for (const item of part) open.push(item);
		else if (isObject(part)) {
			const type = textOf(part.type);
			if (uncounted.has(type)) continue;
			tokens += PART_TOKENS;
			const inline = isObject(part.source) && (part.source.type === 'text' || part.source.type === 'content');
			const cost = inline ? undefined : fixedCosts.get(type);
			if (cost !== undefined) {
				tokens += cost;
				continue;
			}
			for (const [field, value] of Object.entries(part)) {
				if (uncountedFields.has(field)) continue;
				bytes += field.length;
				open.push(value);
			}
		}
	}
	return Math.ceil(tokens + bytes / BYTES_PER_TOKEN);
}
