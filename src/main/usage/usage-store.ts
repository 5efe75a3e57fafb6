/** What the usage index keeps over a restart. The store writes it; the index alone knows what it means. */

/** One response, until it is too old for any period. */
export interface StoredResponse {
	/** Given out in the order in which responses come, so that what is stored together lies together. */
	readonly row: number;
	/** See `fingerprint`. */
	readonly key: number;
	/** `StoredSession.id` */
	readonly session: number;
	readonly model: string;
	/** Ms since the epoch. */
	readonly at: number;
	/** When the file began in which it was reported, ms since the epoch. */
	readonly bornAt: number;
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheCreation: number;
	readonly cacheCreation1h: number;
	readonly webSearches: number;
	/** Billionths of a dollar; `null`: unpriced. */
	readonly nanoUsd: number | null;
}

export interface StoredSession {
	readonly id: number;
	readonly client: string;
	readonly sessionId: string;
	/** Plain JSON of the index. */
	readonly state: string;
}

export interface StoredFile {
	readonly path: string;
	/** `StoredSession.id` */
	readonly session: number;
	/** Plain JSON of the index: how far it was read, what its reader remembers, what could not be read. */
	readonly state: string;
}

/** One that is too old. */
export interface RetiredResponse {
	/** The row that it had; another response may take it. */
	readonly row: number;
	readonly key: number;
}

/** A key that is kept, at its place among the others. */
export interface RetiredKey {
	readonly place: number;
	readonly key: number;
}

/** What a session's responses of one model add up to, of those that are kept no more. */
export interface StoredSum {
	readonly session: number;
	readonly model: string;
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheCreation: number;
	readonly nanoUsd: number;
	readonly priced: number;
	readonly unpriced: number;
}

/** All or none. Rows replace those of the same key. */
export interface UsageChanges {
	readonly sessions: readonly StoredSession[];
	readonly files: readonly StoredFile[];
	/** Paths. */
	readonly removedFiles: readonly string[];
	readonly responses: readonly StoredResponse[];
	/** Responses of which nothing but the key is kept from now on. */
	readonly retired: readonly RetiredResponse[];
	readonly sums: readonly StoredSum[];
}

/** Each method throws when the disk refuses. Pages are in the order of id, path, row or place: those after `after`. */
export interface UsageStore {
	/** What the index said about the meaning of what is stored; `null`: nothing is. */
	layout(): string | null;
	/** Drops everything. */
	clear(layout: string): void;
	sessions(after: number, limit: number): StoredSession[];
	files(after: string, limit: number): StoredFile[];
	responses(after: number, limit: number): StoredResponse[];
	retired(after: number, limit: number): RetiredKey[];
	sums(): StoredSum[];
	save(changes: UsageChanges): void;
}

/** What one session's answers were really served by, as the gateway knows it and no file tells. */
export interface StoredServed {
	readonly client: string;
	readonly sessionId: string;
	/** Of the newest answer, ms since the epoch. */
	readonly at: number;
	/** Plain JSON of its tally. */
	readonly state: string;
}

/** What only this floor saw, and cannot be counted again from any file. Each method throws when the disk refuses. */
export interface EvidenceStore {
	/** The names of the models that this machine served, those seen last first. */
	localModels(): string[];
	/** Keeps them as seen then, and no more than `most` in all. */
	keepLocalModels(names: readonly string[], at: number, most: number): void;
	/** Oldest first. */
	served(): StoredServed[];
	/** Replaces the same session's; keeps the newest `most`. */
	keepServed(served: StoredServed, most: number): void;
}
