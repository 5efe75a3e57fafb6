/** A timeline as it is drawn: turns, the newest first, and in each what happened, in order of time. Pure. */
import type { TimelineEntry } from '../../shared/timeline.ts';

export type TurnEntry = Extract<TimelineEntry, { kind: 'turn' }>;
export type OtherEntry = Exclude<TimelineEntry, { kind: 'turn' }>;

/** What is shown of a timeline. */
export type TimelineShown = 'all' | 'tools' | 'levels' | 'words';

const shownKinds: Record<Exclude<TimelineShown, 'all'>, ReadonlySet<TimelineEntry['kind']>> = {
	tools: new Set(['tool']),
	levels: new Set(['level', 'order']),
	words: new Set(['note', 'wait', 'mark', 'session']),
};

/** The time of a turn, ms: bars in it are drawn on this scale. */
export interface Scale {
	readonly from: number;
	readonly to: number;
}

export type TimelineRow =
	/** `turn` null: what happened before the first turn that is known. */
	| {
			readonly key: string;
			readonly kind: 'turn';
			readonly turn: TurnEntry | null;
			readonly entries: number;
			readonly at: number;
	  }
	| { readonly key: string; readonly kind: 'entry'; readonly entry: OtherEntry; readonly scale: Scale };

interface Section {
	readonly turn: TurnEntry | null;
	readonly entries: OtherEntry[];
}

/** `entries`: oldest first. `text`: all its words must be found in an entry or its turn's prompt. */
export function timelineRows(
	entries: readonly TimelineEntry[],
	shown: TimelineShown,
	text: string,
	now: number,
): TimelineRow[] {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	return sectionsOf(entries)
		.reverse()
		.flatMap(({ turn, entries: all }): TimelineRow[] => {
			const scale = scaleOf(turn, all, now);
			const turnMatches = words.length > 0 && turn !== null && hasWords(turn, words);
			const kept = all.filter(
				(entry) =>
					(shown === 'all' || shownKinds[shown].has(entry.kind)) && (turnMatches || hasWords(entry, words)),
			);
			const isAsked = words.length > 0 || shown !== 'all';
			if (kept.length === 0 && isAsked && !turnMatches) return [];
			const key = turn?.id ?? 'before';
			const at = turn?.at ?? all[0]?.at ?? now;
			return [
				{ key, kind: 'turn', turn, entries: all.length, at },
				...kept.map((entry): TimelineRow => ({ key: `${key} ${entry.id}`, kind: 'entry', entry, scale })),
			];
		});
}

/** Where a key leads from a row; undefined: nowhere, or the key is not the list's. */
export function rowAfter(key: string, rows: readonly TimelineRow[], from: number): number | undefined {
	const isLevel = (row: TimelineRow) => row.kind === 'entry' && row.entry.kind === 'level';
	const found = (index: number) => (index === -1 ? undefined : index);
	switch (key) {
		case 'ArrowDown':
			return Math.min(rows.length - 1, from + 1);
		case 'ArrowUp':
			return Math.max(0, from - 1);
		case 'Home':
			return 0;
		case 'End':
			return rows.length - 1;
		case '[':
			return found(rows.findLastIndex((row, index) => index < from && isLevel(row)));
		case ']':
			return found(rows.findIndex((row, index) => index > from && isLevel(row)));
		default:
			return undefined;
	}
}

/** What an entry says, for finding it. */
export function textOf(entry: TimelineEntry): string {
	switch (entry.kind) {
		case 'turn':
			return [entry.prompt, entry.reason, ...entry.models.map(({ model }) => model)].join(' ');
		case 'tool':
			return [entry.tool, entry.target, entry.reason, entry.outcome].join(' ');
		case 'level':
			return [entry.from, entry.to, entry.reason].join(' ');
		case 'order':
			return `${entry.action} ${entry.words}`;
		case 'wait':
			return entry.reason;
		case 'note':
		case 'mark':
		case 'session':
			return entry.text;
	}
}

function hasWords(entry: TimelineEntry, words: readonly string[]): boolean {
	const text = textOf(entry).toLowerCase();
	return words.every((word) => text.includes(word));
}

function sectionsOf(entries: readonly TimelineEntry[]): Section[] {
	const sections: Section[] = [];
	for (const entry of entries) {
		if (entry.kind === 'turn') {
			sections.push({ turn: entry, entries: [] });
			continue;
		}
		const last = sections.at(-1) ?? { turn: null, entries: [] };
		if (sections.length === 0) sections.push(last);
		last.entries.push(entry);
	}
	return sections;
}

function scaleOf(turn: TurnEntry | null, entries: readonly OtherEntry[], now: number): Scale {
	const from = turn?.at ?? entries[0]?.at ?? now;
	const told = turn?.endedAt ?? null;
	const last = entries.reduce((latest, { at, endedAt }) => Math.max(latest, endedAt ?? at), from);
	const to = told ?? (turn?.outcome === 'running' ? now : last);
	return { from, to: Math.max(to, last, from + 1) };
}
