/** What a tool call is about, in one line, for a card. */

/** Input fields that name the object of a call, best first. */
const TARGET_FIELDS = [
	'command',
	'file_path',
	'notebook_path',
	'pattern',
	'path',
	'url',
	'query',
	'description',
	'prompt',
];
const TARGET_LIMIT = 300;

/** Empty when the input is not known or names nothing. Never throws. */
export function targetOf(input: unknown): string {
	if (typeof input === 'string') return clip(input);
	if (typeof input !== 'object' || input === null) return '';
	for (const field of TARGET_FIELDS) {
		const value: unknown = Object.getOwnPropertyDescriptor(input, field)?.value;
		if (typeof value === 'string' && value.trim() !== '') return clip(value);
	}
	return '';
}

function clip(text: string): string {
	const line = text.trim();
	return line.length > TARGET_LIMIT ? `${line.slice(0, TARGET_LIMIT)}…` : line;
}
