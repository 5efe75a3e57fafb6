/**
 * What the operator is told while they look elsewhere, decided once for every window and desktop. One notice for each
 * occurrence, whoever restarts; what comes close together is one notice. Pure but for its memory; times in ms.
 */
import type { Notice } from '../../shared/notice.ts';
import type { Settings } from '../../shared/settings.ts';
import { type Matter, mattersOf, type NoticeFloor, oldestFirst } from './matters.ts';
import { isQuiet, nextMinute } from './quiet-hours.ts';
import { COOLDOWN_MS, type EarlierRun, isWithin, ToldMemory } from './told-memory.ts';
import { noticeOf } from './told-notice.ts';

/** What begins within this time after the last of its kind is one burst with it … */
export const BURST_WINDOW_MS = 20_000;
/** … for this long at most; then one is told by itself again. */
export const BURST_LONGEST_MS = 120_000;
/** A burst is gathered this long before its notice comes, and again before each change of it. */
export const GATHER_MS = 3_000;
/** Some programs say once more that they ask: an ask that follows so soon, nothing in between, is the same one. */
const SAME_ASK_MS = 15_000;
/** A turn that ended longer ago than this before the start is history. */
const STALE_DONE_MS = 10 * 60_000;
/** What still needs the operator is summed up after a night, not after each change of the quiet hours. */
const SUMMARY_APART_MS = 12 * 3_600_000;

const SEVERAL = 'several:';
const kinds = ['needs-you', 'done'] as const satisfies readonly Notice['kind'][];

export interface NoticePlan {
	readonly show: readonly Notice[];
	/** Keys of notices that no longer stand for anything. */
	readonly withdraw: readonly string[];
	/** Occurrences that count as told from now on: to be kept over a restart. */
	readonly told: readonly string[];
	/** Occurrences that need no longer be kept. */
	readonly forgotten: readonly string[];
	/** When to ask again although nothing changed; `null`: no need to. */
	readonly askAgainAt: number | null;
}

/** A matter that stands now. */
interface Standing {
	matter: Matter;
	/** Since when it asks, however often it said so. */
	askedAt: number;
	/** Told, or not to be told. */
	told: boolean;
	/** The notice that may be on a screen for it. */
	noticeKey: string | null;
	/** When its notice could not be shown. */
	failedAt: number | null;
}

/** What came close together, of one kind. */
interface Burst {
	readonly startedAt: number;
	readonly lastAt: number;
	/** Of the notice that stands for all of it. */
	readonly key: string;
}

interface Due {
	readonly notice: Notice | null;
	/** Keys of notices whose matters the new one stands for. */
	readonly replaced: readonly string[];
	readonly askAgainAt: number | null;
}

type Rules = Settings['notifications'];

export class NoticePlanner {
	readonly #memory: ToldMemory;
	/** By cause. */
	readonly #standing = new Map<string, Standing>();
	readonly #bursts = new Map<Notice['kind'], Burst>();
	#isFirst = true;
	#wasQuiet = false;
	#summedUpAt = Number.NEGATIVE_INFINITY;
	/** Of the plan that is being made. */
	#newlyTold: string[] = [];

	constructor(earlier: EarlierRun) {
		this.#memory = new ToldMemory(earlier);
	}

	/** What to show and take away now. It follows from the floor as it is, not from what changed in which order. */
	plan(floor: NoticeFloor, rules: Rules, now: number): NoticePlan {
		this.#newlyTold = [];
		const matters = mattersOf(floor, { doneAfterMs: rules.doneAfterMinutes * 60_000 });
		const loose = this.#dropEnded(matters);
		// What an earlier run showed may be over by now, and stand on a screen still.
		if (this.#isFirst) for (const occurrence of this.#memory.occurrences()) loose.add(occurrence);
		for (const matter of matters) this.#take(matter, now);
		this.#silence(rules, now);
		this.#isFirst = false;
		const quiet = isQuiet(now, rules);
		if (this.#wasQuiet && !quiet) this.#endQuiet(now);
		this.#wasQuiet = quiet;
		const due = quiet ? [] : kinds.map((kind) => this.#due(kind, rules, now));
		const times = due.flatMap(({ askAgainAt }) => askAgainAt ?? []);
		if (quiet && matters.some(({ kind }) => kind === 'needs-you')) times.push(nextMinute(now));
		const used = new Set([...this.#standing.values()].map(({ noticeKey }) => noticeKey));
		const gone = new Set([...loose, ...due.flatMap(({ replaced }) => replaced)]);
		return {
			show: due.flatMap(({ notice }) => notice ?? []),
			withdraw: [...gone].filter((key) => !used.has(key)),
			told: this.#newlyTold,
			forgotten: this.#memory.forgetOld(matters, now),
			askAgainAt: times.length === 0 ? null : Math.min(...times),
		};
	}

	/**
	 * The notice of this key could not be shown: what it was to tell is told again after the cooldown. Returns the
	 * occurrences that no longer count as told.
	 */
	notShown(key: string, now: number): string[] {
		const forgotten: string[] = [];
		for (const standing of this.#standing.values()) {
			if (standing.noticeKey !== key) continue;
			Object.assign(standing, { told: false, noticeKey: null, failedAt: now });
			if (this.#memory.forget(standing.matter)) forgotten.push(standing.matter.occurrence);
		}
		for (const [kind, burst] of this.#bursts) if (burst.key === key) this.#bursts.delete(kind);
		return forgotten;
	}

	/** Drops what is over; returns the keys of the notices that stood for it. */
	#dropEnded(matters: readonly Matter[]): Set<string> {
		const present = new Set(matters.map(({ cause }) => cause));
		const loose = new Set<string>();
		for (const [cause, { noticeKey }] of this.#standing) {
			if (present.has(cause)) continue;
			this.#standing.delete(cause);
			if (noticeKey !== null) loose.add(noticeKey);
		}
		return loose;
	}

	#take(matter: Matter, now: number): void {
		const known = this.#standing.get(matter.cause);
		const told = this.#memory.has(matter);
		if (known === undefined) {
			// An earlier run may have shown it under this key.
			const noticeKey = told ? matter.occurrence : null;
			const standing = { matter, askedAt: matter.since, told, noticeKey, failedAt: null };
			this.#standing.set(matter.cause, standing);
			if (!told && this.#memory.goesOn(matter)) this.#countAsTold(standing, now);
			return;
		}
		const isNews = known.matter.occurrence !== matter.occurrence;
		const isSame = isSameAsk(known, matter);
		known.matter = matter;
		if (!isNews) return;
		if (!isSame) {
			known.told = told;
			known.askedAt = matter.since;
		} else if (known.told && !told) this.#countAsTold(known, now);
	}

	/** What is not to be told counts as told, so that nothing of it comes up later. */
	#silence(rules: Rules, now: number): void {
		for (const standing of this.#standing.values()) {
			const { kind, muted, since } = standing.matter;
			if (standing.told) continue;
			const isHistory = this.#isFirst && kind === 'done' && now - since > STALE_DONE_MS;
			if (muted || isHistory) standing.told = true;
			else if (!isWanted(kind, rules) || (kind === 'done' && isQuiet(now, rules))) {
				this.#countAsTold(standing, now);
			}
		}
	}

	/** What was told and still needs the operator is told once more, in one notice with what was not. */
	#endQuiet(now: number): void {
		if (isWithin(this.#summedUpAt, SUMMARY_APART_MS, now)) return;
		this.#summedUpAt = now;
		for (const standing of this.#standing.values()) {
			if (standing.matter.kind === 'needs-you' && standing.noticeKey !== null) standing.told = false;
		}
	}

	/** The one notice of a kind that is due, if any. */
	#due(kind: Notice['kind'], rules: Rules, now: number): Due {
		const all = [...this.#standing.values()]
			.filter(({ matter }) => matter.kind === kind)
			.sort((a, b) => oldestFirst(a.matter, b.matter));
		const untold = all.filter(({ told }) => !told);
		const due = untold.filter((standing) => this.#waitsUntil(standing, now) === null);
		const waits = untold.flatMap((standing) => this.#waitsUntil(standing, now) ?? []);
		if (due.length === 0) return { notice: null, replaced: [], askAgainAt: earliest(waits) };
		const burst = this.#openBurst(kind, now);
		if (burst !== null && now < burst.lastAt + GATHER_MS) {
			return { notice: null, replaced: [], askAgainAt: earliest([...waits, burst.lastAt + GATHER_MS]) };
		}
		const members = all.filter(
			(standing) => due.includes(standing) || (burst !== null && standing.noticeKey === burst.key),
		);
		const key = keyOf(members, burst) ?? `${SEVERAL}${kind}@${now}`;
		const replaced: string[] = [];
		for (const standing of members) {
			if (standing.noticeKey !== null && standing.noticeKey !== key) replaced.push(standing.noticeKey);
			standing.noticeKey = key;
		}
		for (const standing of due) {
			this.#countAsTold(standing, now);
			this.#memory.shown(standing.matter, now);
		}
		this.#bursts.set(kind, { startedAt: burst?.startedAt ?? now, lastAt: now, key });
		// A burst sounds once.
		const sound = burst === null && (kind === 'done' ? rules.soundDone : rules.soundNeedsYou);
		const matters = members.map(({ matter }) => matter);
		return { notice: noticeOf(matters, { key, at: now, sound }), replaced, askAgainAt: earliest(waits) };
	}

	#openBurst(kind: Notice['kind'], now: number): Burst | null {
		const burst = this.#bursts.get(kind);
		if (burst === undefined) return null;
		const { lastAt, startedAt } = burst;
		const isOpen = isWithin(lastAt, BURST_WINDOW_MS, now) && isWithin(startedAt, BURST_LONGEST_MS, now);
		return isOpen ? burst : null;
	}

	/** `null`: it may be told now. */
	#waitsUntil({ matter, failedAt }: Standing, now: number): number | null {
		const failed = failedAt !== null && isWithin(failedAt, COOLDOWN_MS, now) ? failedAt + COOLDOWN_MS : null;
		return failed ?? this.#memory.coolAt(matter, now);
	}

	#countAsTold(standing: Standing, now: number): void {
		standing.told = true;
		standing.failedAt = null;
		if (this.#memory.remember(standing.matter, now)) this.#newlyTold.push(standing.matter.occurrence);
	}
}

/** `null`: they are several, and no notice stands for several yet. */
function keyOf(members: readonly Standing[], burst: Burst | null): string | null {
	const [only] = members;
	if (only !== undefined && members.length === 1) return only.matter.occurrence;
	return burst?.key.startsWith(SEVERAL) ? burst.key : null;
}

function isWanted(kind: Notice['kind'], rules: Rules): boolean {
	return kind === 'done' ? rules.done : rules.needsYou;
}

/** Whether the agent only says once more that it asks. Its stop is another matter than its question. */
function isSameAsk({ matter, askedAt }: Standing, next: Matter): boolean {
	const isOneKind = stemOf(matter.occurrence) === stemOf(next.occurrence);
	return isOneKind && next.kind === 'needs-you' && isWithin(askedAt, SAME_ASK_MS, next.since);
}

/** Without the time. */
function stemOf(occurrence: string): string {
	return occurrence.slice(0, occurrence.lastIndexOf('@'));
}

function earliest(times: readonly number[]): number | null {
	return times.length === 0 ? null : Math.min(...times);
}
