/**
 * Runs the benchmarks, each in a process of its own, so that none measures the leftovers of another. Prints a table
 * for each and writes all figures, with what they were measured on, to bench/results. `--only=name` runs one.
 */
import { fork } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** What every bench/*.bench.ts exports. */
export interface Bench {
	/** One line: what is measured. */
	readonly title: string;
	/** The rows of its table; units stand in the names of the columns. */
	run(): Promise<BenchRow[]>;
}

export type BenchRow = Record<string, string | number>;

interface BenchResult {
	readonly name: string;
	readonly title: string;
	readonly rows: BenchRow[];
	readonly seconds: number;
}

const SUFFIX = '.bench.ts';
const folder = import.meta.dirname;

if (process.send) await runOne(process.argv[2] ?? '');
else await runAll();

async function runAll(): Promise<void> {
	const { values } = parseArgs({ options: { only: { type: 'string' } } });
	const names = readdirSync(folder)
		.filter((file) => file.endsWith(SUFFIX))
		.map((file) => file.slice(0, -SUFFIX.length))
		.sort();
	const wanted = values.only === undefined ? names : names.filter((name) => name === values.only);
	if (wanted.length === 0) {
		console.error(`There is no benchmark "${values.only ?? ''}"; there are ${names.join(', ')}.`);
		process.exitCode = 2;
		return;
	}
	const results: BenchResult[] = [];
	for (const name of wanted) {
		const result = await inOwnProcess(name);
		if (result === null) {
			console.error(`\n${name}: failed\n`);
			process.exitCode = 1;
			continue;
		}
		results.push(result);
		console.log(`\n${result.title} (${name}, ${result.seconds} s)\n${table(result.rows)}`);
	}
	if (results.length > 0) console.log(`\n${write(results)}`);
}

function inOwnProcess(name: string): Promise<BenchResult | null> {
	return new Promise((resolve) => {
		const child = fork(import.meta.filename, [name], { execArgv: ['--no-warnings', '--expose-gc'] });
		let result: BenchResult | null = null;
		child.once('message', (message) => {
			result = message as BenchResult;
		});
		child.once('error', (error) => console.error(error.message));
		child.once('close', (code) => resolve(code === 0 ? result : null));
	});
}

async function runOne(name: string): Promise<void> {
	const bench: Partial<Bench> = await import(pathToFileURL(join(folder, name + SUFFIX)).href);
	if (typeof bench.title !== 'string' || typeof bench.run !== 'function') {
		throw new Error(`${name}${SUFFIX} does not export "title" and "run"`);
	}
	const began = performance.now();
	const rows = await bench.run();
	const seconds = Math.round((performance.now() - began) / 100) / 10;
	// Servers and timers that a benchmark left open must not keep the others waiting.
	process.send?.({ name, title: bench.title, rows, seconds }, () => process.exit(0));
}

function table(rows: readonly BenchRow[]): string {
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

/** Returns the path of the file. */
function write(results: readonly BenchResult[]): string {
	const at = new Date();
	const machine = {
		processor: cpus()[0]?.model ?? 'unknown',
		cores: cpus().length,
		memoryGiB: Math.round(totalmem() / 2 ** 30),
		system: `${process.platform} ${process.arch}`,
		node: process.version,
	};
	const target = join(folder, 'results', `${at.toISOString().slice(0, 19).replaceAll(':', '-')}.json`);
	mkdirSync(join(folder, 'results'), { recursive: true });
	writeFileSync(target, `${JSON.stringify({ at: at.toISOString(), machine, results }, null, '\t')}\n`);
	return target;
}
