/** Parts of a text that change from call to call without meaning anything. */
import { digestOf } from './canonical-input.ts';

/** Of a longer result the middle counts as it is, volatile parts and all, code units. */
const LONGEST = 256_000;
const HEAD = 24_000;
const TAIL = 8_000;

type Replacement = readonly [pattern: RegExp, by: string];

const UUID: Replacement = [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<uuid>'];
const DATE_TIME: Replacement = [
	/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
	'<time>',
];
const HEX: Replacement = [/\b(?:0x[0-9a-f]+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,})\b/gi, '<hex>'];

/** A date with a time of day. A date alone names a day: another partition, another log. */
const MOMENT: Replacement = [
	/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g,
	'<time>',
];

const OF_RESULTS: readonly Replacement[] = [
	// Colours and cursor moves of a terminal.
	[new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g'), ''],
	UUID,
	MOMENT,
	[/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d{1,2}(?: +\d{1,2}:\d{2})?\b/g, '<time>'],
	// With seconds only: "12:34" alone is as often a line and a column.
	[/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b/g, '<time>'],
	[/\b(?:\d+(?:\.\d+)?(?:ns|µs|us|ms|s|m|h))+\b/g, '<span>'],
	[/\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|milliseconds?|secs?|seconds?|mins?|minutes?|hours?)\b/g, '<span>'],
	// Ids that are made up for each answer.
	[/\b((?:\w*page_?token|\w*cursor|(?:request|trace|correlation)[_ -]?id)\W{1,4})[\w.:+/=-]{6,}/gi, '$1<id>'],
	// Seeds of random orders, memory in use.
	[/\b(seed\W{1,3})\d+/gi, '$1<seed>'],
	[/\b\d+(?:\.\d+)? ?[KMG]i?B\b/g, '<size>'],
	// Only the made-up parts of a temporary path, the first one and numbered directories: the rest says which file.
	[
		/(?:(?:\/private)?(?:\/var)?\/tmp|\/var\/folders\/[^/\s]+\/[^/\s]+\/T)\/[^/\s'":)]+(?:\/[^/\s'":)]*\d[^/\s'":)]*(?=\/))*/g,
		'<temp>',
	],
	[/[A-Z]:\\[^\s'"]{0,200}\\Temp\\[^\\\s'":)]+/gi, '<temp>'],
	[/\b(p[pgs]?id|process(?: group)?)\b(\W{1,3})\d+/gi, '$1$2<pid>'],
	// Rust names the thread that panicked and its number.
	[/\b(thread '[^'\n]{0,80}' \()\d+/g, '$1<pid>'],
	// Addresses. A bare hash names something: another commit is news.
	[/\b0x[0-9a-f]+\b/gi, '<address>'],
	// Seconds or milliseconds since the epoch, this century.
	[/\b1\d{9}(?:\d{3})?\b/g, '<time>'],
	[/\s+/g, ' '],
];

/** The length that a canonical string carries in front changes with what is in it. */
const LENGTHS: Replacement = [/"\d+:/g, '"#:'];

const OF_INPUTS: readonly Replacement[] = [LENGTHS, UUID, DATE_TIME, HEX, [/\d+/g, '#']];

/** Names of values that are made up for each call, or say how long or how often: they never say what is done. */
const VOLATILE_NAMES =
	'timestamp|ts|t|_|cb|cache_?bust(?:er)?|nonce|rand|random|attempt|try|retry|request_?id|correlation_?id|trace_?id|idempotency_?key|timeout(?:_?ms)?';

const NONCES_OF_INPUTS: readonly Replacement[] = [
	LENGTHS,
	// A field of its own: `{"attempt": 3}`.
	[new RegExp(`("#:(?:${VOLATILE_NAMES}))(?:n[^;]*;|"#:[^"]*)`, 'gi'), '$1#'],
	// Inside a text: "?try=3", "--timeout=60".
	[new RegExp(`(?<![\\w])(${VOLATILE_NAMES})=[\\w.:+-]+`, 'gi'), '$1=#'],
	// How long is waited says nothing of what is waited for.
	[/\b((?:start-)?sleep(?:\s+-s(?:econds)?)?)\s+\d+(?:\.\d+)?[smh]?\b/gi, '$1 #'],
];

/** Names of values that say which part of one list or text is asked for. */
const PLACE_NAMES =
	'page(?:_?(?:number|no|index|size|token))?|per_?page|offset|(?:(?:next|start|end)_?)?cursor|after|before|start(?:_?(?:at|line|index))?|end(?:_?line)?|from|since|skip|limit|top|count|first|last|next(?:_?token)?|continuation(?:_?token)?|lines?|range';

const PLACES_OF_INPUTS: readonly Replacement[] = [
	[new RegExp(`("#:(?:${PLACE_NAMES}))(?:n[^;]*;|"#:[^"]*)`, 'gi'), '$1#'],
	[new RegExp(`(?<![\\w])(${PLACE_NAMES})[= ][\\w.:+-]+`, 'gi'), '$1=#'],
	// "head -n 20", "tail -20", "sed -n 10,20p".
	[/\b((?:head|tail|sed)(?:\s+-[a-z])?\s+['"]?-?\+?)\d+(?:,\d+)?/gi, '$1#'],
];

/** A result without times, durations, temporary paths, ids, addresses and process ids. Counts stay: they mean something. */
export function withoutVolatileParts(result: string): string {
	if (result.length <= LONGEST) return replaceAll(result, OF_RESULTS).trim();
	const [head, tail] = [result.slice(0, HEAD), result.slice(-TAIL)].map((end) => replaceAll(end, OF_RESULTS));
	return `${head}\n${digestOf(result.slice(HEAD, -TAIL))}\n${tail}`.trim();
}

/** Of a failure that comes again with nothing changed in between: its counts, ids, ports and seeds
 * teach nothing. */
export function withoutNumbers(text: string): string {
	return replaceAll(text, [HEX, [/\d+(?:[.,:]\d+)*/g, '#']]);
}

/** An input with every number, id and date replaced: equal for calls that differ in nothing else. */
export function withoutVolatileArguments(canonicalInput: string): string {
	return replaceAll(canonicalInput, OF_INPUTS);
}

/** An input without the values that are volatile by their name; every other number stays. */
export function withoutNonces(canonicalInput: string): string {
	return replaceAll(canonicalInput, NONCES_OF_INPUTS);
}

/** An input without nonces and without the place in a list or a text that it asks for. */
export function withoutPlaces(canonicalInput: string): string {
	return replaceAll(canonicalInput, [...NONCES_OF_INPUTS, ...PLACES_OF_INPUTS]);
}

function replaceAll(text: string, replacements: readonly Replacement[]): string {
	return replacements.reduce((replaced, [pattern, by]) => replaced.replace(pattern, by), text);
}
