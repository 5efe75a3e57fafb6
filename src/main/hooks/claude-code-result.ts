/** What a tool gave back, as text. */
import { field } from './payload-fields.ts';

/**
 * The text of a tool's response: what the program printed, what the file held, the text of content blocks; the JSON of
 * anything else. `undefined` when nothing is known. Equal outcomes give equal texts: measured times are left out.
 */
export function resultText(response: unknown): string | undefined {
	if (response === undefined || response === null) return undefined;
	if (typeof response === 'string') return response;
	return (
		printed(response) ??
		blocks(response) ??
		blocks(field(response, 'content')) ??
		fileText(response) ??
		json(response)
	);
}

/** Bash and PowerShell: `{stdout, stderr, …}`. */
function printed(response: unknown): string | undefined {
	const parts = [field(response, 'stdout'), field(response, 'stderr')].filter(
		(part) => typeof part === 'string',
	);
	return parts.length === 0 ? undefined : parts.filter((part) => part !== '').join('\n');
}

/** Content blocks of the Messages API, or plain text. */
function blocks(content: unknown): string | undefined {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return undefined;
	const texts = content.map((block) => field(block, 'text')).filter((text) => typeof text === 'string');
	return texts.length === 0 || texts.length < content.length ? undefined : texts.join('\n');
}

/** Read: `{type: 'text', file: {content}}`. */
function fileText(response: unknown): string | undefined {
	const content = field(field(response, 'file'), 'content');
	return typeof content === 'string' ? content : undefined;
}

function json(response: unknown): string | undefined {
	try {
		return JSON.stringify(response, (key, value: unknown) =>
			/^(total)?_?duration/i.test(key) ? undefined : value,
		);
	} catch {
		// Circular, too deep or with a BigInt: nothing that JSON brought here. Its text is not known.
		return undefined;
	}
}
