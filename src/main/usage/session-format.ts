/**
 * What one program's session files look like: where they lie, whose they are, what their lines tell. One file per
 * program implements it; the index reads all of them alike, by byte offset. Nothing here does more I/O than `open`.
 */
import type { HookClient } from '../../shared/words.ts';
import type { TokenUsage } from './token-usage.ts';

/** One response of a model, or the part of one that a line tells. */
export interface UsageReport {
	/** The same for every report of one response, in whatever file it is repeated: global, without session or path. */
	readonly key: string;
	readonly model: string;
	/** Ms since the epoch; `null` where the file does not tell. */
	readonly at: number | null;
	/** Written by a subagent: billed like any other, but not the agent's own model. */
	readonly sidechain: boolean;
	/** Cumulative for the key: of two reports of one key the larger of each count holds. */
	readonly usage: TokenUsage;
}

/** A call that met trouble at its provider. Never the agent's fault. */
export interface ProviderTrouble {
	readonly at: number | null;
	/** "rate_limit", "overloaded", "server_error", "billing_error", "authentication_failed", "connection", "unknown". */
	readonly error: string;
	/** The program's own words, for people and for the reset time in them. */
	readonly message: string;
	/** HTTP; `null`: no answer came, or it is not told. */
	readonly status: number | null;
	readonly model: string | null;
	/** When the provider said it works again, ms since the epoch; `null`: it did not say. */
	readonly resetsAt: number | null;
	/** The program tries again by itself: the turn has not failed. */
	readonly isRetry: boolean;
}

/** What a file tells of its session. Every field may come late, or never. */
export interface SessionFacts {
	/** Where it differs from what the path says. */
	readonly sessionId?: string;
	/** It is a subagent's file: what it used belongs to that session. */
	readonly parentSessionId?: string;
	readonly directory?: string;
	readonly model?: string;
}

/** Takes what the lines of one file tell, in the order in which they stand there. */
export interface LogSink {
	response(report: UsageReport): void;
	trouble(trouble: ProviderTrouble): void;
	about(facts: SessionFacts): void;
	/** A line, or a number in it, that cannot be read and was left out. */
	unreadable(what: 'line' | 'number'): void;
}

/** Reads the lines of one file, one after the other. */
export interface LineReader {
	/** One line without its line feed (or the whole document). The buffer is only valid during the call. Never throws. */
	line(line: Buffer): void;
	/** What must be known to go on after the last line, as small plain JSON; `null`: nothing. */
	memory(): unknown;
}

export interface SessionFile {
	/** Of the file itself; facts may correct it. Of a subagent's file: its parent's, where the path tells. */
	readonly sessionId: string;
	/** `document`: written anew as a whole at every change; it is read again from its start. */
	readonly mode: 'lines' | 'document';
	/** A subagent's file: not a session of its own. */
	readonly isSubagent: boolean;
}

export interface SessionFormat {
	readonly client: HookClient;
	/** Directories under which the program keeps its sessions; they need not be there. */
	roots(env: NodeJS.ProcessEnv, homeDirectory: string): readonly string[];
	/** How deep below a root its files lie, at most (1: directly in it). */
	readonly depth: number;
	/** What that path is, by its name alone; `null`: no session file. Works for paths outside the roots too. */
	identify(path: string): SessionFile | null;
	/** The directory in which the subagents' files of that file's session lie, where its place is known. */
	subagents?(path: string): string | null;
	/**
	 * A reader for the file from its start, or from where `memory` was taken. May read other files (the parent of a fork).
	 * Never rejects.
	 */
	open(path: string, sink: LogSink, memory: unknown): Promise<LineReader>;
}
