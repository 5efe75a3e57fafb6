/** How failover did, a day and a provider at a time (seed 003: "SLO dashboards local-only"). Nothing leaves the machine. */
import type { Database, Statement } from 'better-sqlite3';
import type { SloDay } from '../../shared/failover-view.ts';
import { boundsOf, dayAfter, localDay } from '../../shared/local-day.ts';

/** One thing to be counted. Times are ms since the epoch, days dates on this machine's calendar. */
export type SloRow =
	| {
			readonly kind: 'turn';
			readonly day: string;
			readonly providerId: string;
			/** `fallback`: answered locally, or by another model than asked for. */
			readonly end: 'answered' | 'fallback' | 'refused' | 'queued' | 'failed';
	  }
	/** From the failure until the popup could be seen, ms. */
	| { readonly kind: 'popup'; readonly day: string; readonly providerId: string; readonly ms: number }
	/** A provider was down; told again and again with a later `knownUntil` while that goes on. */
	| {
			readonly kind: 'degraded';
			readonly id: string;
			readonly providerId: string;
			readonly startedAt: number;
			readonly knownUntil: number;
	  }
	| { readonly kind: 'queue-depth'; readonly day: string; readonly depth: number };

/** A whole day over all providers. */
export interface SloTotal {
	readonly turns: number;
	readonly fallbackTurns: number;
	/** Time in which at least one provider was down, ms. */
	readonly degradedMs: number;
	readonly popupMs: SloDay['popupMs'];
	readonly queueDepthMax: number;
}

/** A day of the floor, whoever provided. */
export interface SloFloorDay {
	/** Local, `YYYY-MM-DD`. */
	readonly day: string;
	readonly turns: number;
	readonly fallbackTurns: number;
	readonly refusedTurns: number;
	readonly queuedTurns: number;
	/** Time in which at least one provider was down, ms: two that are down at once count once. */
	readonly degradedMs: number;
	readonly queueDepthMax: number;
}

interface Span {
	readonly providerId: string;
	readonly startedAt: number;
	readonly knownUntil: number;
}

type TurnCounts = Pick<
	SloDay,
	'day' | 'providerId' | 'turns' | 'fallbackTurns' | 'refusedTurns' | 'queuedTurns'
>;

/** As long as anybody can ask for it, days. */
const KEPT_DAYS = 366;

export class SloTables {
	readonly #countTurn: Statement<[TurnCounts]>;
	readonly #addPopup: Statement<[{ day: string; providerId: string; ms: number }]>;
	readonly #saveSpan: Statement<[Span & { id: string }]>;
	readonly #saveDepth: Statement<[{ day: string; depth: number }]>;
	readonly #turns: Statement<[string, string], TurnCounts>;
	readonly #popups: Statement<[string, string], { day: string; providerId: string; ms: number }>;
	readonly #spans: Statement<[number, number], Span>;
	readonly #depths: Statement<[string, string], { day: string; most: number }>;
	readonly #firstDay: Statement<[], { day: string | null }>;
	readonly #prune: readonly Statement<[string]>[];
	readonly #pruneSpans: Statement<[number]>;

	constructor(database: Database) {
		this.#countTurn = database.prepare(`
			INSERT INTO slo_turns (day, provider_id, turns, fallback_turns, refused_turns, queued_turns)
			VALUES (@day, @providerId, @turns, @fallbackTurns, @refusedTurns, @queuedTurns)
			ON CONFLICT (day, provider_id) DO UPDATE SET turns = turns + @turns,
				fallback_turns = fallback_turns + @fallbackTurns, refused_turns = refused_turns + @refusedTurns,
				queued_turns = queued_turns + @queuedTurns`);
		this.#addPopup = database.prepare(
			'INSERT INTO popup_times (day, provider_id, ms) VALUES (@day, @providerId, @ms)',
		);
		this.#saveSpan = database.prepare(`
			INSERT INTO degraded_spans (id, provider_id, started_at, known_until)
			VALUES (@id, @providerId, @startedAt, @knownUntil)
			ON CONFLICT (id) DO UPDATE SET known_until = max(known_until, @knownUntil)`);
		this.#saveDepth = database.prepare(`
			INSERT INTO queue_depths (day, most) VALUES (@day, @depth)
			ON CONFLICT (day) DO UPDATE SET most = max(most, @depth)`);
		this.#turns = database.prepare(`
			SELECT day, provider_id AS providerId, turns, fallback_turns AS fallbackTurns, refused_turns AS refusedTurns,
				queued_turns AS queuedTurns
			FROM slo_turns WHERE day BETWEEN ? AND ?`);
		this.#popups = database.prepare(`
			SELECT day, provider_id AS providerId, ms FROM popup_times WHERE day BETWEEN ? AND ? ORDER BY ms`);
		this.#spans = database.prepare(`
			SELECT provider_id AS providerId, started_at AS startedAt, known_until AS knownUntil
			FROM degraded_spans WHERE known_until > ? AND started_at < ?`);
		this.#depths = database.prepare('SELECT day, most FROM queue_depths WHERE day BETWEEN ? AND ?');
		this.#firstDay = database.prepare('SELECT min(day) AS day FROM slo_turns');
		this.#prune = ['slo_turns', 'popup_times', 'queue_depths'].map((table) =>
			database.prepare(`DELETE FROM ${table} WHERE day < ?`),
		);
		this.#pruneSpans = database.prepare('DELETE FROM degraded_spans WHERE known_until < ?');
	}

	add(row: SloRow): void {
		switch (row.kind) {
			case 'turn': {
				const { day, providerId, end } = row;
				this.#countTurn.run({
					day,
					providerId,
					turns: 1,
					fallbackTurns: end === 'fallback' ? 1 : 0,
					refusedTurns: end === 'refused' ? 1 : 0,
					queuedTurns: end === 'queued' ? 1 : 0,
				});
				break;
			}
			case 'popup':
				this.#addPopup.run({ day: row.day, providerId: row.providerId, ms: row.ms });
				break;
			case 'degraded': {
				const { id, providerId, startedAt, knownUntil } = row;
				this.#saveSpan.run({ id, providerId, startedAt, knownUntil });
				break;
			}
			case 'queue-depth':
				this.#saveDepth.run({ day: row.day, depth: row.depth });
				break;
		}
	}

	/**
	 * The last `days` days up to and with the one of `now`, newest first, a row for each provider that had a turn or a
	 * popup then. Days without are left out.
	 */
	days(days: number, now: number): SloDay[] {
		const last = localDay(now);
		const first = dayAfter(last, 1 - days);
		const turns = keyed(this.#turns.all(first, last));
		const popups = Map.groupBy(this.#popups.all(first, last), keyOf);
		const spans = this.#spans.all(boundsOf(first).from, boundsOf(last).until);
		const depths = new Map(this.#depths.all(first, last).map(({ day, most }) => [day, most]));
		return [...new Set([...turns.keys(), ...popups.keys()])]
			.map((key): SloDay => {
				const times = popups.get(key) ?? [];
				const { day, providerId } = turns.get(key) ?? times[0] ?? { day: '', providerId: '' };
				const { turns: all, fallbackTurns, refusedTurns, queuedTurns } = turns.get(key) ?? noTurns;
				const own = spans.filter((span) => span.providerId === providerId);
				return {
					day,
					providerId,
					turns: all,
					fallbackTurns,
					refusedTurns,
					queuedTurns,
					degradedMs: coveredMs(own, boundsOf(day)),
					popupMs: percentilesOf(times.map(({ ms }) => ms)),
					queueDepthMax: depths.get(day) ?? 0,
				};
			})
			.sort((a, b) => compare(b.day, a.day) || compare(a.providerId, b.providerId));
	}

	/** One day over all providers. */
	total(day: string): SloTotal {
		const rows = this.#turns.all(day, day);
		const bounds = boundsOf(day);
		return {
			turns: rows.reduce((sum, { turns }) => sum + turns, 0),
			fallbackTurns: rows.reduce((sum, { fallbackTurns }) => sum + fallbackTurns, 0),
			degradedMs: coveredMs(this.#spans.all(bounds.from, bounds.until), bounds),
			popupMs: percentilesOf(this.#popups.all(day, day).map(({ ms }) => ms)),
			queueDepthMax: this.#depths.all(day, day)[0]?.most ?? 0,
		};
	}

	/** The last `days` days up to and with the one of `now`, oldest first: all of them, also those without a turn. */
	floorDays(days: number, now: number): SloFloorDay[] {
		const last = localDay(now);
		const first = dayAfter(last, 1 - days);
		const turns = Map.groupBy(this.#turns.all(first, last), ({ day }) => day);
		const spans = this.#spans.all(boundsOf(first).from, boundsOf(last).until);
		const depths = new Map(this.#depths.all(first, last).map(({ day, most }) => [day, most]));
		return Array.from({ length: days }, (_, index) => {
			const day = dayAfter(first, index);
			const rows = turns.get(day) ?? [];
			return {
				day,
				turns: rows.reduce((sum, row) => sum + row.turns, 0),
				fallbackTurns: rows.reduce((sum, row) => sum + row.fallbackTurns, 0),
				refusedTurns: rows.reduce((sum, row) => sum + row.refusedTurns, 0),
				queuedTurns: rows.reduce((sum, row) => sum + row.queuedTurns, 0),
				degradedMs: coveredMs(spans, boundsOf(day)),
				queueDepthMax: depths.get(day) ?? 0,
			};
		});
	}

	/** The first day with a turn; `null` before that. */
	firstDay(): string | null {
		return this.#firstDay.get()?.day ?? null;
	}

	prune(now: number): void {
		const first = dayAfter(localDay(now), 1 - KEPT_DAYS);
		for (const statement of this.#prune) statement.run(first);
		this.#pruneSpans.run(boundsOf(first).from);
	}
}

const noTurns = { turns: 0, fallbackTurns: 0, refusedTurns: 0, queuedTurns: 0 };

function keyOf({ day, providerId }: { day: string; providerId: string }): string {
	return `${day} ${providerId}`;
}

function keyed(rows: readonly TurnCounts[]): Map<string, TurnCounts> {
	return new Map(rows.map((row) => [keyOf(row), row]));
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/** How much of the time between two moments the spans cover; where they overlap they count once. */
export function coveredMs(
	spans: readonly Pick<Span, 'startedAt' | 'knownUntil'>[],
	{ from, until }: { readonly from: number; readonly until: number },
): number {
	let covered = 0;
	let reached = from;
	for (const { startedAt, knownUntil } of [...spans].sort((a, b) => a.startedAt - b.startedAt)) {
		const start = Math.max(startedAt, reached);
		const end = Math.min(knownUntil, until);
		if (end > start) {
			covered += end - start;
			reached = end;
		}
	}
	return covered;
}

/** Nearest rank: each is a time that was really measured. `sorted`: ascending. `null` for none. */
export function percentilesOf(sorted: readonly number[]): SloDay['popupMs'] {
	const max = sorted.at(-1);
	if (max === undefined) return null;
	const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? max;
	return { count: sorted.length, p50: rank(0.5), p99: rank(0.99), max };
}
