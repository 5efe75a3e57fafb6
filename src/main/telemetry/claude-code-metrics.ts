/**
 * Claude Code's counters. Source: code.claude.com/docs/en/monitoring-usage, "Metrics". A program that was started again
 * begins at 0, and a batch may be sent twice.
 */
import { isTokenCount, MOST_IN_RESPONSE, MOST_IN_SESSION, NO_TOKENS } from '../usage/token-usage.ts';
import { type Attributes, type MetricPoint, msOfNano } from './otlp-records.ts';
import type { TelemetryUsage } from './telemetry-sink.ts';

/** Counters with a session, type and model of their own that are remembered. */
const MOST_SERIES = 2_000;
/** Runs of one counter that are remembered: its restarts, or its last batches. */
const MOST_RUNS = 64;
/** No session costs more: garbage must not blame anybody. */
const MOST_USD = 1e6;
const kinds: ReadonlySet<unknown> = new Set(['input', 'output', 'cacheRead', 'cacheCreation']);

/** What a run had reached, and when that was told last, ms since the epoch. */
interface Reached {
	readonly value: number;
	readonly at: number;
}

/** When a session last told its counters, and when before that; ms since the epoch. */
interface Exports {
	readonly last: number;
	readonly before: number;
}

export class ClaudeCodeMetrics {
	/** Counter → run → what it had reached; both in the order of their last use. */
	readonly #series = new Map<string, Map<string, Reached>>();
	/** Session, counter's name and run → its exports. */
	readonly #exports = new Map<string, Exports>();

	/**
	 * `foreign`: nothing that is counted here, or nothing new. `unreadable`: ours, and no such value can be. `now`: ms since
	 * the epoch; no point is of a later moment.
	 */
	read(point: MetricPoint, now: number): TelemetryUsage | 'foreign' | 'unreadable' {
		const { name, attributes, value } = point;
		const isTokens = name === 'claude_code.token.usage';
		if (!isTokens && name !== 'claude_code.cost.usage') return 'foreign';
		const sessionId = attributes.get('session.id');
		const type = attributes.get('type');
		if (typeof sessionId !== 'string' || sessionId === '') return 'unreadable';
		if (value === null || !isPossible(point, value, isTokens)) return 'unreadable';
		// Kinds of tokens that are still to be invented.
		if (isTokens && !kinds.has(type)) return 'foreign';
		const toldAt = msOfNano(point.nano);
		if (toldAt === null || point.temporality === 'unknown') return 'unreadable';
		const at = Math.min(toldAt, now);
		const exportedBefore = this.#exported(`${name} ${point.startedNano} ${sessionId}`, at);
		const grown = this.#growth(`${name} ${seriesOf(attributes)}`, point, { value, at });
		if (grown.by === 0) return 'foreign';
		const model = attributes.get('model');
		return {
			client: 'claude-code',
			sessionId,
			told: {
				by: 'metric',
				model: typeof model === 'string' && model !== '' ? model : 'unknown',
				usage: isTokens && typeof type === 'string' ? { ...NO_TOKENS, [type]: grown.by } : NO_TOKENS,
				costUsd: isTokens ? null : grown.by,
				from: Math.min(grown.since ?? Math.max(msOfNano(point.startedNano) ?? at, exportedBefore), at),
				at,
			},
		};
	}

	/**
	 * What a value adds to what is known of its run, and since when (`null`: it is the first of its run). A cumulative counter
	 * runs from its start; a delta is a run of its own, so the same one told again adds nothing. The order does not matter.
	 */
	#growth(key: string, { temporality, startedNano, nano }: MetricPoint, { value, at }: Reached): Growth {
		const run = temporality === 'delta' ? `${startedNano} ${nano}` : startedNano;
		const runs = this.#series.get(key) ?? new Map<string, Reached>();
		const known = runs.get(run);
		const reached = known === undefined ? { value, at } : later(known, { value, at });
		touch(this.#series, key, runs, MOST_SERIES);
		touch(runs, run, reached, MOST_RUNS);
		return { by: Math.max(0, value - (known?.value ?? 0)), since: known?.at ?? null };
	}

	/**
	 * Notes an export; when the one before it was, 0 where none is known. A counter that was not in that one (another model,
	 * the first output) has grown since then, however long its program runs.
	 */
	#exported(key: string, at: number): number {
		const known = this.#exports.get(key) ?? { last: at, before: 0 };
		const exports = at > known.last ? { last: at, before: known.last } : known;
		touch(this.#exports, key, exports, MOST_SERIES);
		return exports.before < at ? exports.before : 0;
	}
}

interface Growth {
	readonly by: number;
	readonly since: number | null;
}

function later(a: Reached, b: Reached): Reached {
	return { value: Math.max(a.value, b.value), at: Math.max(a.at, b.at) };
}

function isPossible({ temporality }: MetricPoint, value: number, isTokens: boolean): boolean {
	if (!isTokens) return value >= 0 && value <= MOST_USD;
	// What came in between two exports is no more than one response could be.
	return isTokenCount(value, temporality === 'delta' ? MOST_IN_RESPONSE : MOST_IN_SESSION);
}

/** Equal for the points of one counter, whatever the order of its attributes. */
function seriesOf(attributes: Attributes): string {
	return JSON.stringify([...attributes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Sets it last; the one that was not used for longest goes when there are too many. */
function touch<T>(map: Map<string, T>, key: string, value: T, most: number): void {
	map.delete(key);
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > most && oldest !== undefined) map.delete(oldest);
}
