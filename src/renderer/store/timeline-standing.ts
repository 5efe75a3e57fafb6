/** What was known of an agent at a moment: the replay of its timeline. Pure. */
import type { TimelineEntry } from '../../shared/timeline.ts';
import type { BreakerLevel } from '../../shared/words.ts';

type Entry<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>;

export interface TimelineStanding {
	/** `null`: no change of it is known before that. */
	readonly level: BreakerLevel | null;
	readonly levelReason: string;
	/** The turn it was in. */
	readonly turn: Entry<'turn'> | null;
	/** Calls in flight. */
	readonly running: readonly Entry<'tool'>[];
	readonly lastTool: Entry<'tool'> | null;
	readonly waiting: Entry<'wait'> | null;
	/** The operator's order in force. */
	readonly order: Entry<'order'> | null;
	readonly notes: number;
	readonly refused: number;
	readonly lastMark: Entry<'mark'> | null;
}

const lasting: ReadonlySet<string> = new Set(['hold', 'constrain', 'stop']);

/** `entries`: in any order. `at`: ms; what happens at that very moment has happened. */
export function standingAt(entries: readonly TimelineEntry[], at: number): TimelineStanding {
	const past = entries.filter((entry) => entry.at <= at).sort(inOrder);
	const last = <K extends TimelineEntry['kind']>(kind: K) =>
		past.findLast((entry): entry is Entry<K> => entry.kind === kind) ?? null;
	const all = <K extends TimelineEntry['kind']>(kind: K) =>
		past.filter((entry): entry is Entry<K> => entry.kind === kind);
	const first = entries
		.filter((entry): entry is Entry<'level'> => entry.kind === 'level')
		.reduce<Entry<'level'> | null>(
			(known, one) => (known === null || inOrder(one, known) < 0 ? one : known),
			null,
		);
	const level = last('level');
	const turn = last('turn');
	const tools = all('tool');
	const order = all('order').findLast(({ action }) => lasting.has(action) || action === 'resume') ?? null;
	return {
		// Before the first change it stood where that came from.
		level: level?.to ?? first?.from ?? null,
		levelReason: level?.reason ?? '',
		turn: turn !== null && goesOn(turn, at) ? turn : null,
		running: tools.filter((tool) => goesOn(tool, at)),
		lastTool: tools.at(-1) ?? null,
		waiting: all('wait').findLast((wait) => goesOn(wait, at)) ?? null,
		order: order?.action === 'resume' ? null : order,
		notes: all('note').length,
		refused: tools.filter(({ outcome }) => outcome === 'denied').length,
		lastMark: last('mark'),
	};
}

/** Entries of the same millisecond have an order, too. */
function inOrder(a: TimelineEntry, b: TimelineEntry): number {
	return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** What has an end that was not told goes on only where it is said to. */
function goesOn(entry: Entry<'turn' | 'tool' | 'wait'>, at: number): boolean {
	if (entry.endedAt !== null) return entry.endedAt > at;
	return entry.kind === 'wait' || entry.outcome === 'running';
}

/** A stretch at one level. */
export interface LevelBand {
	readonly level: BreakerLevel;
	readonly from: number;
	readonly to: number;
}

/** The levels from one time to another, without gaps; empty when no change is known. */
export function levelBands(entries: readonly TimelineEntry[], from: number, to: number): LevelBand[] {
	const changes = entries.filter((entry): entry is Entry<'level'> => entry.kind === 'level').sort(inOrder);
	const [first] = changes;
	if (first === undefined) return [];
	const bands: LevelBand[] = [];
	let level = first.from;
	let since = from;
	for (const change of changes) {
		if (change.at > since) bands.push({ level, from: since, to: Math.min(change.at, to) });
		level = change.to;
		since = Math.max(from, change.at);
	}
	if (to > since) bands.push({ level, from: since, to });
	return bands;
}

/** Quiet times longer than this are skipped in a replay, ms. */
const QUIET_MS = 30_000;
/** So long before something happens the play goes on, ms. */
const LEAD_MS = 2_000;

/** Where the play goes on from `at`: there, or shortly before the next thing that happens. */
export function skipQuiet(times: readonly number[], at: number): number {
	const next = times.find((time) => time > at);
	if (next === undefined || next - at <= QUIET_MS) return at;
	return next - LEAD_MS;
}
