/** What the index answers: usage of sessions, of programs and of the machine, and which sessions are about. */
import { localDay, mondayOf } from '../../shared/local-day.ts';
import type { Sighting } from '../../shared/sighting.ts';
import type { FloorUsage, UsageAmount } from '../../shared/usage-view.ts';
import type { FollowedFile } from './followed-file.ts';
import type { ResponseLedger } from './response-ledger.ts';
import type { Session, SessionBook } from './session-book.ts';
import type { SessionFormat } from './session-format.ts';
import { AmountBuilder, type Sum } from './usage-sums.ts';

/** What could not be read or counted. */
export interface ReadingProblems {
	/** Lines that were torn or were no JSON objects. */
	readonly invalidLines: number;
	/** Lines over the length limit, skipped. */
	readonly overlongLines: number;
	/** Counts that were no numbers of tokens, left out. */
	readonly invalidNumbers: number;
	/** Files that the system would not let us read, with its words. */
	readonly unreadable: readonly string[];
}

export const NO_PROBLEMS: ReadingProblems = {
	invalidLines: 0,
	overlongLines: 0,
	invalidNumbers: 0,
	unreadable: [],
};

export interface Periods {
	readonly total: UsageAmount;
	/** Since midnight on this machine. */
	readonly today: UsageAmount;
	/** Since Monday, midnight. */
	readonly week: UsageAmount;
}

/** Usage of some sessions of one program, with those of their subagents. */
export interface SessionsUsage extends Periods {
	/** Of the newest response of the agent itself; `null` when only subagents have answered. */
	readonly lastModel: string | null;
	readonly problems: ReadingProblems;
	/** Rises whenever work came in that was done before its file was known. */
	readonly earlierWork: number;
	/** No response was counted yet. */
	readonly isEmpty: boolean;
}

export type ProgramUsage = FloorUsage['programs'][number];

export interface AnswerSources {
	readonly ledger: ResponseLedger;
	readonly book: SessionBook;
	readonly files: ReadonlyMap<string, FollowedFile>;
	readonly formats: readonly SessionFormat[];
	readonly isLocal: (model: string) => boolean;
	readonly now: number;
}

export function usageOf(sources: AnswerSources, client: string, sessionIds: Iterable<string>): SessionsUsage {
	const { book, ledger } = sources;
	ledger.settle();
	const family = book.family(client, sessionIds);
	const periods = new PeriodSums(sources);
	let newest: Session | null = null;
	let earlierWork = 0;
	for (const session of family) {
		periods.add(ledger.ofSession(session.id));
		earlierWork += session.earlierWork;
		// A subagent's model is not the agent's.
		if (
			!session.isSubagent &&
			session.lastModel !== null &&
			session.lastModelAt >= (newest?.lastModelAt ?? 0)
		)
			newest = session;
	}
	const files = [...sources.files.values()].filter(({ session }) => family.has(session));
	return {
		...periods.build(),
		lastModel: newest?.lastModel ?? null,
		problems: problemsOf(files),
		earlierWork,
		isEmpty: periods.isEmpty,
	};
}

/** Work of one session with one model on one day. */
export interface SessionWork {
	readonly client: string;
	/** Of the agent: a subagent's work is its parent's. */
	readonly sessionId: string;
	readonly directory: string | null;
	readonly model: string;
	readonly local: boolean;
	readonly day: string;
	readonly amount: UsageAmount;
}

/** One response of a model, as the ladder would have heard of it. */
export interface HeardResponse {
	readonly at: number;
	/** Of the agent: a subagent's work is its parent's. */
	readonly sessionId: string;
	readonly model: string;
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheCreation: number;
	/** US dollars; `null`: no price is known. What this machine serves is free. */
	readonly usd: number | null;
}

/** Of all sessions but demonstrations, from that time (ms) on; in no order. */
export function* responsesSince(
	{ book, ledger, isLocal }: Pick<AnswerSources, 'book' | 'ledger' | 'isLocal'>,
	at: number,
): Generator<HeardResponse> {
	for (const { session: id, at: heardAt, model, usage, nanoUsd } of ledger.responsesSince(at)) {
		const session = book.session(id);
		if (!session || session.isDemo) continue;
		const { input, output, cacheRead, cacheCreation } = usage;
		const usd = isLocal(model) ? 0 : nanoUsd === null ? null : nanoUsd / 1e9;
		const sessionId = book.rootIdOf(session);
		yield { at: heardAt, sessionId, model, input, output, cacheRead, cacheCreation, usd };
	}
}

/** Of all sessions but demonstrations, since that day (`YYYY-MM-DD`). */
export function* workSince(sources: AnswerSources, since: string): Generator<SessionWork> {
	const { book, ledger, isLocal } = sources;
	ledger.settle();
	for (const session of book.all()) {
		if (session.isDemo) continue;
		const sessionId = book.rootIdOf(session);
		// A subagent may work elsewhere: its work is where its agent is.
		const directory = book.find(session.client, sessionId)?.directory ?? session.directory;
		for (const { model, day, sum } of ledger.ofSession(session.id)) {
			if (day < since) continue;
			const builder = new AmountBuilder(isLocal);
			builder.add(model, sum);
			const local = isLocal(model);
			yield { client: session.client, sessionId, directory, model, local, day, amount: builder.build() };
		}
	}
}

/** Usage of those sessions by model, the most work first. */
export function modelsOf(
	sources: AnswerSources,
	client: string,
	sessionIds: Iterable<string>,
): { readonly model: string; readonly local: boolean; readonly amount: UsageAmount }[] {
	const { book, ledger, isLocal } = sources;
	ledger.settle();
	const amounts = new Map<string, AmountBuilder>();
	for (const session of book.family(client, sessionIds)) {
		for (const { model, sum } of ledger.ofSession(session.id)) {
			const amount = amounts.get(model) ?? new AmountBuilder(isLocal);
			amounts.set(model, amount);
			amount.add(model, sum);
		}
	}
	return [...amounts]
		.map(([model, amount]) => ({ model, local: isLocal(model), amount: amount.build() }))
		.sort((a, b) => b.amount.work - a.amount.work || (a.model < b.model ? -1 : 1));
}

/** By program, of those of which there are files. */
export function programsOf(sources: AnswerSources): ProgramUsage[] {
	sources.ledger.settle();
	return sources.formats.flatMap(({ client }) => {
		const files = [...sources.files.values()].filter(
			({ session, format }) => format.client === client && !session.isDemo,
		);
		if (files.length === 0) return [];
		const periods = new PeriodSums(sources);
		periods.add(sources.ledger.ofClient(client));
		const { today, week } = periods.build();
		const bytes = files.reduce((sum, { size }) => sum + size, 0);
		return [{ client, files: files.length, bytes, today, week }];
	});
}

export function machineTotals(sources: AnswerSources): Pick<Periods, 'today' | 'week'> {
	sources.ledger.settle();
	const periods = new PeriodSums(sources);
	for (const { client } of sources.formats) periods.add(sources.ledger.ofClient(client));
	return periods.build();
}

/** What could not be read of all files, a sentence for each program and for each file that is not open to us. */
export function problemSentences({ files, formats }: AnswerSources): string[] {
	return formats.flatMap(({ client }) => {
		const own = [...files.values()].filter(({ format }) => format.client === client);
		const { invalidLines, overlongLines, invalidNumbers, unreadable } = problemsOf(own);
		const left = [
			counted(invalidLines, 'torn line'),
			counted(overlongLines, 'line over the length limit', 'lines over the length limit'),
			counted(invalidNumbers, 'number that is no count of tokens', 'numbers that are no counts of tokens'),
		].filter((words) => words !== '');
		const sentences = unreadable.slice(0, UNREADABLE_TOLD).map((words) => `${client}: ${words}`);
		const more = unreadable.length - UNREADABLE_TOLD;
		if (more > 0) sentences.push(`${client}: ${more} more files cannot be read.`);
		if (left.length > 0) sentences.push(`${client}: ${left.join(', ')} left out.`);
		return sentences;
	});
}

/** Sessions whose files were written since then, subagents apart, newest first. */
export function sessionsSince(sources: AnswerSources, since: number): Sighting[] {
	const { files, book, ledger } = sources;
	ledger.settle();
	const bySession = new Map<
		Session,
		{ main: FollowedFile | null; lastActivityAt: number; isRead: boolean }
	>();
	for (const file of files.values()) {
		const { session } = file;
		if (session.isDemo || file.changedAt < since) continue;
		const found = bySession.get(session) ?? { main: null, lastActivityAt: 0, isRead: false };
		if (!file.isSubagent && file.changedAt >= (found.main?.changedAt ?? 0)) found.main = file;
		found.lastActivityAt = Math.max(found.lastActivityAt, file.changedAt);
		found.isRead ||= file.isRead;
		bySession.set(session, found);
	}
	return [...bySession]
		.flatMap(([session, { main, lastActivityAt, isRead }]): Sighting[] => {
			if (main === null || session.isSubagent) return [];
			const sessionId = book.rootIdOf(session);
			const { directory } = session;
			const model = session.lastModel ?? session.model;
			const client = main.format.client;
			const work = isRead ? workOf(ledger, book.family(client, [sessionId])) : null;
			return [{ client, sessionId, directory, model, lastActivityAt, file: main.path, work }];
		})
		.sort((a, b) => b.lastActivityAt - a.lastActivityAt);
}

const UNREADABLE_TOLD = 5;

function workOf(ledger: ResponseLedger, family: Iterable<Session>): number {
	let work = 0;
	for (const { id } of family) {
		for (const { sum } of ledger.ofSession(id)) work += sum.input + sum.output + sum.cacheCreation;
	}
	return work;
}

function counted(count: number, one: string, many = `${one}s`): string {
	return count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
}

function problemsOf(files: readonly FollowedFile[]): ReadingProblems {
	const sum = (of: (file: FollowedFile) => number) => files.reduce((total, file) => total + of(file), 0);
	return {
		invalidLines: sum((file) => file.invalidLines),
		overlongLines: sum((file) => file.overlongLines),
		invalidNumbers: sum((file) => file.invalidNumbers),
		unreadable: files.flatMap((file) => file.unreadable ?? []),
	};
}

class PeriodSums {
	readonly #today: string;
	readonly #monday: string;
	readonly #amounts: { total: AmountBuilder; today: AmountBuilder; week: AmountBuilder };
	isEmpty = true;

	constructor({ now, isLocal }: AnswerSources) {
		this.#today = localDay(now);
		this.#monday = mondayOf(this.#today);
		const amount = (): AmountBuilder => new AmountBuilder(isLocal);
		this.#amounts = { total: amount(), today: amount(), week: amount() };
	}

	add(sums: Iterable<{ model: string; day: string; sum: Readonly<Sum> }>): void {
		const { total, today, week } = this.#amounts;
		for (const { model, day, sum } of sums) {
			this.isEmpty = false;
			total.add(model, sum);
			if (day >= this.#monday) week.add(model, sum);
			if (day >= this.#today) today.add(model, sum);
		}
	}

	build(): Periods {
		const { total, today, week } = this.#amounts;
		return { total: total.build(), today: today.build(), week: week.build() };
	}
}
