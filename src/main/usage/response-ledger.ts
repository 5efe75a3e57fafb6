/**
 * Every model response once, whoever reports it and however often: one response is written as several lines, and a
 * resumed session copies old ones into its own file. Of all reports of one response the largest counts hold, the earliest
 * time, and the session whose file is the oldest; so neither the order of the reports nor their repetition matters.
 */
import { localDay } from '../../shared/local-day.ts';
import { ABSENT, fingerprint, RETIRED, ResponseTable, type TableResponse } from './response-table.ts';
import { isNothing, largerOf, sameUsage, type TokenUsage } from './token-usage.ts';
import type { RetiredResponse, StoredResponse, StoredSum } from './usage-store.ts';
import { LONG_AGO, Names, type Sum, Sums } from './usage-sums.ts';

export interface LedgerReport {
	readonly key: string;
	readonly model: string;
	/** Ms since the epoch. */
	readonly at: number;
	readonly usage: TokenUsage;
	/** When the file began in which it stands, ms since the epoch. */
	readonly bornAt: number;
}

/** What the ledger must know of sessions, which it only has as numbers. */
export interface LedgerSessions {
	/** Of the session's program; responses of different programs are never the same one. */
	clientOf(session: number): string;
	/** Decides between files that began in the same moment. */
	isBefore(session: number, other: number): boolean;
	/** False: it counts for itself, and not for its program (a demonstration). */
	isCounted(session: number): boolean;
}

export interface LedgerOptions {
	readonly sessions: LedgerSessions;
	/** US dollars of one response; `null`: unknown. */
	readonly price: (model: string, usage: TokenUsage, at: number, client: string) => number | null;
}

/** Rows that changed since they were last taken. */
export interface LedgerChanges {
	readonly responses: readonly StoredResponse[];
	readonly retired: readonly RetiredResponse[];
	readonly sums: readonly StoredSum[];
}

export class ResponseLedger {
	readonly #options: LedgerOptions;
	readonly #table = new ResponseTable();
	readonly #models = new Names();
	readonly #days = new Names();
	readonly #bySession = new Map<number, Sums>();
	readonly #byClient = new Map<string, Sums>();
	/** Rows that were reported and are not in the sums: the rows of one response are priced once. */
	readonly #open = new Set<number>();
	readonly #changedRows = new Set<number>();
	readonly #retired: RetiredResponse[] = [];
	readonly #changedSums = new Set<number>();
	#day = { number: -1, from: 0, until: 0 };
	/** Of the newest response, ms since the epoch. */
	#newestAt = 0;

	constructor(options: LedgerOptions) {
		this.#options = options;
	}

	/** Rows that wait to be taken. */
	get changedRows(): number {
		return this.#changedRows.size + this.#open.size;
	}

	/** When the newest response came, ms since the epoch; 0: there was none. */
	get newestAt(): number {
		return this.#newestAt;
	}

	/** Notes a report. It counts after `settle`. */
	report(session: number, { key: name, model, at, usage, bornAt }: LedgerReport): void {
		this.#newestAt = Math.max(this.#newestAt, at);
		const key = fingerprint(`${this.#options.sessions.clientOf(session)} ${name}`);
		const row = this.#table.find(key);
		if (row === RETIRED) return;
		if (row === ABSENT) {
			const day = this.#dayOf(at);
			const modelNumber = this.#models.numberOf(model);
			const response = { key, session, model: modelNumber, day, at, bornAt, usage, nanoUsd: null };
			this.#open.add(this.#table.add(response));
			return;
		}
		const known = this.#table.read(row);
		if (known === null) return;
		const joined = this.#join(known, session, at, bornAt, usage);
		if (joined === known) return;
		if (!this.#open.has(row)) {
			this.#add(known, -1);
			this.#open.add(row);
		}
		this.#table.write(row, joined);
	}

	/** Prices what was reported and adds it to the sums. */
	settle(): void {
		for (const row of this.#open) {
			const response = this.#table.read(row);
			if (response === null) continue;
			const priced = { ...response, nanoUsd: this.#nanoUsd(response) };
			this.#table.write(row, priced);
			this.#add(priced, 1);
			this.#changedRows.add(row);
		}
		this.#open.clear();
	}

	/** Responses from that time (ms) on, in no order. */
	*responsesSince(
		at: number,
	): Generator<{ session: number; at: number; model: string } & Pick<TableResponse, 'usage' | 'nanoUsd'>> {
		this.settle();
		for (let row = 0; row < this.#table.rows; row += 1) {
			// Most rows are of other days: they are not worth an object each.
			if ((this.#table.atOf(row) ?? Number.NEGATIVE_INFINITY) < at) continue;
			const response = this.#table.read(row);
			if (response === null) continue;
			const { session, usage, nanoUsd } = response;
			yield { session, at: response.at, model: this.#models.nameOf(response.model), usage, nanoUsd };
		}
	}

	/** What a session's settled responses add up to, by model and day. */
	*ofSession(session: number): Generator<{ model: string; day: string; sum: Readonly<Sum> }> {
		yield* this.#named(this.#bySession.get(session));
	}

	/** The same of all sessions of a program. */
	*ofClient(client: string): Generator<{ model: string; day: string; sum: Readonly<Sum> }> {
		yield* this.#named(this.#byClient.get(client));
	}

	/**
	 * Lets go of up to `most` responses of days before `day` (`YYYY-MM-DD`), beginning at that row: they stay in their
	 * session's sum and are never counted again. Returns the row to go on with; `null`: all were looked at.
	 */
	retire(day: string, from: number, most: number): number | null {
		this.settle();
		const until = Math.min(this.#table.rows, from + most);
		for (let row = from; row < until; row += 1) {
			const response = this.#table.read(row);
			if (response === null || this.#days.nameOf(response.day) >= day) continue;
			this.#add(response, -1);
			this.#add({ ...response, day: this.#days.numberOf(LONG_AGO) }, 1);
			this.#table.retire(response.key);
			this.#retired.push({ row, key: response.key });
			this.#changedRows.delete(row);
			this.#changedSums.add(response.session);
		}
		return until < this.#table.rows ? until : null;
	}

	/** Tells the days of all responses anew: the calendar is another one (the time zone changed). */
	redate(): void {
		this.settle();
		this.#day = { number: -1, from: 0, until: 0 };
		for (let row = 0; row < this.#table.rows; row += 1) {
			const response = this.#table.read(row);
			if (response === null) continue;
			const day = this.#dayOf(response.at);
			if (day === response.day) continue;
			this.#add(response, -1);
			const dated = { ...response, day };
			this.#table.write(row, dated);
			this.#add(dated, 1);
		}
	}

	get hasChanges(): boolean {
		return this.changedRows > 0 || this.#retired.length > 0 || this.#changedSums.size > 0;
	}

	/** What is to be stored. `restore` of it gives the same ledger. */
	changes(): LedgerChanges {
		this.settle();
		return {
			responses: [...this.#changedRows].flatMap((row) => this.#stored(row)),
			retired: [...this.#retired],
			sums: [...this.#changedSums].flatMap((session) => this.#storedSums(session)),
		};
	}

	/** Those changes were stored. Nothing was reported in between. */
	taken(): void {
		this.#changedRows.clear();
		this.#retired.length = 0;
		this.#changedSums.clear();
	}

	/** Takes back what was stored, in the order of the rows. A response whose price was not known gets one where it is known now. */
	restore(stored: StoredResponse): void {
		if (this.#table.find(stored.key) !== ABSENT) return;
		const { key, session, at, bornAt, nanoUsd } = stored;
		this.#newestAt = Math.max(this.#newestAt, at);
		const model = this.#models.numberOf(stored.model);
		const response = { key, session, model, day: this.#dayOf(at), at, bornAt, usage: stored, nanoUsd };
		const priced = nanoUsd === null ? { ...response, nanoUsd: this.#nanoUsd(response) } : response;
		this.#table.addAt(stored.row, priced);
		this.#add(priced, 1);
		if (priced.nanoUsd !== nanoUsd) this.#changedRows.add(stored.row);
	}

	restoreRetired(key: number): void {
		this.#table.retire(key);
	}

	restoreSum(stored: StoredSum): void {
		const [model, day] = [this.#models.numberOf(stored.model), this.#days.numberOf(LONG_AGO)];
		for (const sums of this.#sumsOf(stored.session)) sums.addSum(model, day, stored);
	}

	#join(known: TableResponse, session: number, at: number, bornAt: number, usage: TokenUsage): TableResponse {
		const isOlder =
			session !== known.session &&
			(bornAt < known.bornAt ||
				(bornAt === known.bornAt && this.#options.sessions.isBefore(session, known.session)));
		const larger = largerOf(known.usage, usage);
		if (!isOlder && at >= known.at && bornAt >= known.bornAt && sameUsage(larger, known.usage)) return known;
		const earliest = Math.min(at, known.at);
		return {
			...known,
			session: isOlder ? session : known.session,
			bornAt: Math.min(bornAt, known.bornAt),
			at: earliest,
			day: this.#dayOf(earliest),
			usage: larger,
		};
	}

	#nanoUsd({ model, session, usage, at }: TableResponse): number | null {
		const { price, sessions } = this.#options;
		const usd = price(this.#models.nameOf(model), usage, at, sessions.clientOf(session));
		return usd === null ? null : Math.round(usd * 1e9);
	}

	#add({ session, model, day, usage, nanoUsd }: TableResponse, sign: 1 | -1): void {
		if (isNothing(usage)) return;
		for (const sums of this.#sumsOf(session)) sums.add(model, day, usage, nanoUsd, sign);
	}

	#sumsOf(session: number): Sums[] {
		const { sessions } = this.#options;
		const own = sumsIn(this.#bySession, session);
		return sessions.isCounted(session) ? [own, sumsIn(this.#byClient, sessions.clientOf(session))] : [own];
	}

	*#named(sums: Sums | undefined): Generator<{ model: string; day: string; sum: Readonly<Sum> }> {
		if (sums === undefined) return;
		for (const { model, day, sum } of sums.entries()) {
			yield { model: this.#models.nameOf(model), day: this.#days.nameOf(day), sum };
		}
	}

	#dayOf(at: number): number {
		// Reports come in the order of time, so the day is nearly always the one before.
		if (at >= this.#day.from && at < this.#day.until) return this.#day.number;
		// Every zone is whole quarters of an hour off, so no day ends inside one.
		const from = Math.floor(at / QUARTER_MS) * QUARTER_MS;
		const number = this.#days.numberOf(localDay(at));
		this.#day = { number, from, until: from + QUARTER_MS };
		return number;
	}

	#stored(row: number): StoredResponse[] {
		const response = this.#table.read(row);
		if (response === null) return [];
		const { key, session, model, at, bornAt, usage, nanoUsd } = response;
		return [{ row, key, session, model: this.#models.nameOf(model), at, bornAt, ...usage, nanoUsd }];
	}

	#storedSums(session: number): StoredSum[] {
		return [...this.ofSession(session)].flatMap(({ model, day, sum }) =>
			day === LONG_AGO ? { session, model, ...sum } : [],
		);
	}
}

const QUARTER_MS = 15 * 60_000;

function sumsIn<K>(map: Map<K, Sums>, key: K): Sums {
	const known = map.get(key);
	if (known !== undefined) return known;
	const sums = new Sums();
	map.set(key, sums);
	return sums;
}
