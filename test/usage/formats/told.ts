/** What session files tell, gathered as the index gathers it: the larger of each count for a key, keys across files. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import type {
	LogSink,
	ProviderTrouble,
	SessionFacts,
	SessionFormat,
	UsageReport,
} from '../../../src/main/usage/session-format.ts';
import { addUsage, largerOf, NO_TOKENS, type TokenUsage } from '../../../src/main/usage/token-usage.ts';

export class Told implements LogSink {
	readonly reports: UsageReport[] = [];
	readonly troubles: ProviderTrouble[] = [];
	readonly facts: SessionFacts[] = [];
	readonly left = { lines: 0, numbers: 0 };

	response(report: UsageReport): void {
		this.reports.push(report);
	}
	trouble(trouble: ProviderTrouble): void {
		this.troubles.push(trouble);
	}
	about(facts: SessionFacts): void {
		this.facts.push(facts);
	}
	unreadable(what: 'line' | 'number'): void {
		this.left[what === 'line' ? 'lines' : 'numbers'] += 1;
	}

	get known(): SessionFacts {
		return Object.assign({}, ...this.facts);
	}
	byModel(): Record<string, TokenUsage> {
		return byModel([this]);
	}
	total(): TokenUsage {
		return Object.values(this.byModel()).reduce((sum, usage) => addUsage(sum, usage), NO_TOKENS);
	}
}

/** Of all files together: a response that several of them tell counts once. */
export function byModel(all: readonly Told[]): Record<string, TokenUsage> {
	const responses = new Map<string, { model: string; usage: TokenUsage }>();
	for (const { key, model, usage } of all.flatMap(({ reports }) => reports)) {
		const known = responses.get(key);
		responses.set(key, { model: known?.model ?? model, usage: known ? largerOf(known.usage, usage) : usage });
	}
	const totals = new Map<string, TokenUsage>();
	for (const { model, usage } of responses.values())
		totals.set(model, addUsage(totals.get(model) ?? NO_TOKENS, usage));
	return Object.fromEntries(totals);
}

export const tokens = (input: number, cacheRead: number, output: number, cacheCreation = 0): TokenUsage => ({
	...NO_TOKENS,
	input,
	cacheRead,
	output,
	cacheCreation,
});

/** Reads lines, as of the file of that path (which need not be there), from its start or from a memory. */
export async function readLines(
	format: SessionFormat,
	path: string,
	lines: readonly (string | Buffer)[],
	{ memory = null, told = new Told() }: { memory?: unknown; told?: Told } = {},
): Promise<{ told: Told; memory: unknown }> {
	const reader = await format.open(path, told, memory);
	for (const line of lines) reader.line(Buffer.from(line));
	// As the index keeps it: on disk.
	return { told, memory: JSON.parse(JSON.stringify(reader.memory())) };
}

export async function readFile(format: SessionFormat, path: string): Promise<Told> {
	const mode = format.identify(path)?.mode;
	const text = readFileSync(path, 'utf8');
	const lines = mode === 'document' ? [text] : text.split('\n').slice(0, -1);
	return (await readLines(format, path, lines)).told;
}

/** The files of a recording that the format knows, by path. */
export async function readRecording(format: SessionFormat, name: string): Promise<Map<string, Told>> {
	const files = new Map<string, Told>();
	for await (const path of glob(`test/recordings/sessions/${name}/**/*.json*`)) {
		if (format.identify(path) !== null) files.set(path, await readFile(format, path));
	}
	return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Read in two parts with a memory between them, everything is told as read at once, wherever the parts meet. */
export async function tellsTheSameInParts(
	format: SessionFormat,
	path: string,
	lines: readonly string[],
	cut: number,
): Promise<{ whole: Told; parts: Told }> {
	const { told: whole } = await readLines(format, path, lines);
	const first = await readLines(format, path, lines.slice(0, cut));
	const { told: parts } = await readLines(format, path, lines.slice(cut), first);
	return { whole, parts };
}
