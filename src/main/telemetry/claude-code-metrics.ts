/**
 * Claude Code's counters. Source: code.claude.com/docs/en/monitoring-usage, "Metrics". A program that was started again
 * begins at 0, and a batch may be sent twice.
 */
import { MOST_IN_SESSION, NO_TOKENS } from '../usage/token-usage.ts';
import { type Attributes, type MetricPoint, msOfNano } from './otlp-records.ts';
import type { TelemetryUsage } from './telemetry-sink.ts';

/** Counters with a session, type and model of their own that are remembered. */
const MOST_SERIES = 2_000;
/** Runs of one counter that are remembered: its restarts, or its last batches. */
const MOST_RUNS = 64;
/** No session costs more: garbage must not blame anybody. */
const MOST_USD = 1e6;
const kinds: ReadonlySet<unknown> = new Set(['input', 'output', 'cacheRead', 'cacheCreation']);

export class ClaudeCodeMetrics {
	/** Counter → run → value; both in the order of their last use. */
	readonly #series = new Map<string, Map<string, number>>();

	/** `foreign`: nothing that is counted here, or nothing new. `unreadable`: ours, and no such value can be. */
	read(point: MetricPoint): TelemetryUsage | 'foreign' | 'unreadable' {
		const { name, attributes, value } = point;
		const isTokens = name === 'claude_code.token.usage';
		if (!isTokens && name !== 'claude_code.cost.usage') return 'foreign';
		const sessionId = attributes.get('session.id');
		const type = attributes.get('type');
		const most = isTokens ? MOST_IN_SESSION : MOST_USD;
		if (typeof sessionId !== 'string' || sessionId === '') return 'unreadable';
		if (value === null || value < 0 || value > most) return 'unreadable';
		// Kinds of tokens that are still to be invented.
		if (isTokens && !kinds.has(type)) return 'foreign';
		const at = msOfNano(point.nano);
		if (at === null || point.temporality === 'unknown') return 'unreadable';
		const growth = this.#growth(`${name} ${seriesOf(attributes)}`, point, value);
		if (growth === 0) return 'foreign';
		const model = attributes.get('model');
		return {
			client: 'claude-code',
			sessionId,
			told: {
				by: 'metric',
				model: typeof model === 'string' && model !== '' ? model : 'unknown',
				usage: isTokens && typeof type === 'string' ? { ...NO_TOKENS, [type]: growth } : NO_TOKENS,
				costUsd: isTokens ? null : growth,
				from: Math.min(msOfNano(point.startedNano) ?? at, at),
				at,
			},
		};
	}

	/**
	 * What a value adds to what is known of its run. A cumulative counter runs from its start; a delta is a run of its own,
	 * so the same one told again adds nothing. The order does not matter.
	 */
	#growth(key: string, { temporality, startedNano, nano }: MetricPoint, value: number): number {
		const run = temporality === 'delta' ? `${startedNano} ${nano}` : startedNano;
		const runs = this.#series.get(key) ?? new Map<string, number>();
		const known = runs.get(run) ?? 0;
		touch(this.#series, key, runs, MOST_SERIES);
		touch(runs, run, Math.max(known, value), MOST_RUNS);
		return Math.max(0, value - known);
	}
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
