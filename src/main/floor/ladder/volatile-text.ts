/** Parts of a text that change from call to call without meaning anything. */

/** A longer text keeps its two ends: what differs between two runs of a command stands there. */
const HEAD = 24_000;
const TAIL = 8_000;

type Replacement = readonly [pattern: RegExp, by: string];

const UUID: Replacement = [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<uuid>'];
const DATE_TIME: Replacement = [
	/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
	'<time>',
];
const HEX: Replacement = [/\b(?:0x[0-9a-f]+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,})\b/gi, '<hex>'];

const OF_RESULTS: readonly Replacement[] = [
	// Colours and cursor moves of a terminal.
	[new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g'), ''],
	UUID,
	DATE_TIME,
	[/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d{1,2}(?: +\d{1,2}:\d{2})?\b/g, '<time>'],
	// With seconds only: "12:34" alone is as often a line and a column.
	[/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b/g, '<time>'],
	[/\b(?:\d+(?:\.\d+)?(?:ns|µs|us|ms|s|m|h))+\b/g, '<span>'],
	[/\b\d+(?:\.\d+)? (?:ms|milliseconds?|secs?|seconds?|mins?|minutes?|hours?)\b/g, '<span>'],
	// Only the first, made-up part of a temporary path: the rest says which file it is about.
	[/(?:\/private)?(?:\/var)?\/tmp\/[^/\s'":)]+|\/var\/folders\/[^/\s]+\/[^/\s]+\/T\/[^/\s'":)]+/g, '<temp>'],
	[/[A-Z]:\\[^\s'"]{0,200}\\Temp\\[^\\\s'":)]+/gi, '<temp>'],
	[/\b(p[pgs]?id|process(?: group)?)\b(\W{1,3})\d+/gi, '$1$2<pid>'],
	HEX,
	// Seconds or milliseconds since the epoch, this century.
	[/\b1\d{9}(?:\d{3})?\b/g, '<time>'],
	[/\s+/g, ' '],
];

const OF_INPUTS: readonly Replacement[] = [UUID, DATE_TIME, HEX, [/\d+/g, '#']];

/** A result without times, durations, temporary paths, ids, addresses and process ids. Counts stay: they mean something. */
export function withoutVolatileParts(result: string): string {
	const text = result.length > HEAD + TAIL ? `${result.slice(0, HEAD)}\n…\n${result.slice(-TAIL)}` : result;
	return replaceAll(text, OF_RESULTS).trim();
}

/** An input with every number, id and date replaced: equal for calls that differ in nothing else. */
export function withoutVolatileArguments(canonicalInput: string): string {
	return replaceAll(canonicalInput, OF_INPUTS);
}

function replaceAll(text: string, replacements: readonly Replacement[]): string {
	return replacements.reduce((replaced, [pattern, by]) => replaced.replace(pattern, by), text);
}
