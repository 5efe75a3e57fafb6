/**
 * What came of a program that called a model, by its exit code, its error output and what it printed as data. Words in
 * its answer never count: an agent may well write about rate limits. Pure.
 */
import { limitIn, type SaidLimit } from './error-words.ts';
import { jsonDocumentsIn } from './json-documents.ts';
import { endsWithResult, errorObjectIn, type ProgramReport, reportIn } from './program-report.ts';

/** How a program ended, with the end of what it printed. */
export interface ProgramEnd {
	/** `null`: a signal ended it. */
	readonly exitCode: number | null;
	readonly stdout: string;
	/** The beginning of `stdout` was not kept. */
	readonly isStdoutCut: boolean;
	readonly stderr: string;
}

export type ProgramVerdict =
	| { readonly kind: 'success' }
	| { readonly kind: 'rate-limit'; readonly retryAfterMs: number | null; readonly said: string }
	| { readonly kind: 'spend-limit'; readonly said: string }
	/** It failed, and says nothing of limits: neither success nor limit. */
	| { readonly kind: 'other' };

const other: ProgramVerdict = { kind: 'other' };
/** An error stands at the end of what was printed; above it are hours of work. */
const LINES_READ = 60;
/** The seed's `$LASTEXITCODE -eq 429`; POSIX systems keep only eight bits of it (173), which say nothing. */
const EXIT_RATE_LIMITED = 429;

/** `now`: wall clock, ms. */
export function classifyProgram(end: ProgramEnd, now: number): ProgramVerdict {
	const hasFailed = end.exitCode !== 0;
	const printed = jsonDocumentsIn(end.stdout, end.isStdoutCut);
	// Where the program did well, an answer that is JSON must not be taken for what the program says of itself.
	const isOwn = hasFailed || (printed.isPure && endsWithResult(printed.documents));
	const documents = isOwn ? printed.documents : [];
	const report = reportIn(documents, now);
	if (report?.outcome === 'fine') return fine(hasFailed);
	if (report?.isExplained) return verdictOf(report);
	if (!hasFailed) return report === null ? { kind: 'success' } : other;
	const said =
		limitOf(errorObjectIn(documents, now)) ??
		limitOf(errorObjectIn(jsonDocumentsIn(end.stderr, false).documents, now)) ??
		limitIn(lastLines(end.stderr), now, 'output') ??
		printedError(end, now);
	if (said !== null) return verdictOf({ limit: said.kind, ...said });
	if (end.exitCode === EXIT_RATE_LIMITED)
		return { kind: 'rate-limit', retryAfterMs: null, said: 'exit code 429' };
	return other;
}

function fine(hasFailed: boolean): ProgramVerdict {
	return hasFailed ? other : { kind: 'success' };
}

function verdictOf({
	limit,
	retryAfterMs,
	said,
}: Pick<ProgramReport, 'limit' | 'retryAfterMs' | 'said'>): ProgramVerdict {
	if (limit === null) return other;
	return limit === 'spend-limit' ? { kind: limit, said } : { kind: limit, retryAfterMs, said };
}

function limitOf(report: ProgramReport | null): SaidLimit | null {
	if (report === null || report.limit === null) return null;
	const { limit, retryAfterMs, said } = report;
	return { kind: limit, retryAfterMs, said };
}

/**
 * `claude -p` without an output format prints its error where the answer would be, and fails. So where one line is all
 * that a failed program printed, and it begins as such an error does, it is no answer.
 */
function printedError({ stdout, isStdoutCut }: ProgramEnd, now: number): SaidLimit | null {
	const line = stdout.trim();
	if (isStdoutCut || line.length > 1_000 || line.includes('\n') || !errorStart.test(line)) return null;
	return limitIn(line, now);
}

const errorStart =
	/^\[?(?:API Error: |Claude (?:AI )?usage limit reached|You['’]ve (?:hit|reached) your |Credit balance is too low)/;

function lastLines(text: string): string {
	return text
		.split(/\r?\n/)
		.filter((line) => line.trim() !== '')
		.slice(-LINES_READ)
		.join('\n');
}
