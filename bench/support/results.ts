/** Tables of figures for a terminal, and the file that keeps them with what they were measured on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** Units stand in the names of the columns. */
export type BenchRow = Record<string, string | number>;

export interface BenchResult {
	readonly name: string;
	readonly title: string;
	readonly rows: readonly BenchRow[];
	readonly seconds: number;
}

const FOLDER = join(import.meta.dirname, '..', 'results');

export function table(rows: readonly BenchRow[]): string {
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const cell = (row: BenchRow, column: string): string => {
		const value = row[column] ?? '';
		return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 3 }) : value;
	};
	const widths = columns.map((column) =>
		Math.max(column.length, ...rows.map((row) => cell(row, column).length)),
	);
	const isNumeric = columns.map((column) => rows.every((row) => typeof (row[column] ?? 0) === 'number'));
	const line = (cells: readonly string[]): string =>
		cells
			.map((text, at) => (isNumeric[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
			.join('  ')
			.trimEnd();
	const rule = widths.map((width) => '─'.repeat(width));
	return [columns, rule, ...rows.map((row) => columns.map((column) => cell(row, column)))]
		.map(line)
		.join('\n');
}

/** Writes all figures to a file of its own in bench/results, and returns its path. */
export function writeResults(results: readonly BenchResult[]): string {
	const at = new Date();
	const machine = {
		processor: cpus()[0]?.model ?? 'unknown',
		cores: cpus().length,
		memoryGiB: Math.round(totalmem() / 2 ** 30),
		system: `${process.platform} ${process.arch}`,
		node: process.version,
	};
	const target = join(FOLDER, `${at.toISOString().slice(0, 19).replaceAll(':', '-')}.json`);
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(target, `${JSON.stringify({ at: at.toISOString(), machine, results }, null, '\t')}\n`);
	return target;
}
