/** What the processes of the contention trial keep in their one file, and say of each update. */

export interface ContendedFile {
	readonly updates: number;
	/** How many of them each process has made. */
	readonly done: Readonly<Record<string, number>>;
	/** Openings and recoveries that the updates told of. */
	readonly opened: number;
	readonly recovered: number;
	readonly book: unknown;
}

export const emptyFile: ContendedFile = { updates: 0, done: {}, opened: 0, recovered: 0, book: null };

export interface ContentionLine {
	readonly name: string;
	/** How many updates this process has made. */
	readonly number: number;
	/** How many all have made: the one order of them all. */
	readonly update: number;
	readonly did: 'asked' | 'reported';
	readonly model: string | null;
	readonly isProbe: boolean;
	/** From asking for the lock to the end, ms. */
	readonly ms: number;
}

/** Each update takes three seconds of their time, so that cooldowns and leases end within the trial. */
export function timeOf(updates: number): number {
	return Date.UTC(2026, 10, 30) + updates * 3_000;
}
