/**
 * Runs the benchmarks, each in a process of its own, so that none measures the leftovers of another. Prints a table
 * for each and writes all figures, with what they were measured on, to bench/results. `--only=name` runs one.
 */
import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchResult, type BenchRow, table, writeResults } from './support/results.ts';

/** What every bench/*.bench.ts exports. */
export interface Bench {
	/** One line: what is measured. */
	readonly title: string;
	/** The rows of its table; units stand in the names of the columns. */
	run(): Promise<BenchRow[]>;
}

export type { BenchRow };

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
	if (results.length > 0) console.log(`\n${writeResults(results)}`);
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
