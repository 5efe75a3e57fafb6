/**
 * The usage index reads generated transcripts from cold, again after a restart, and after an append. Each reading has a
 * process of its own, whose whole memory is told. `INGEST_MB` and `INGEST_HUGE_MB` change the sizes; `CCUSAGE` names a
 * program that reads the same files for comparison.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openDatabase } from '../src/main/store/database.ts';
import { UsageTables } from '../src/main/store/usage-tables.ts';
import { claudeCode } from '../src/main/usage/formats/claude-code.ts';
import { UsageIndex } from '../src/main/usage/usage-index.ts';
import type { BenchRow } from './run.ts';
import { responseRow, writeHugeTranscript, writeTranscript } from './support/transcripts.ts';

export const title =
	'Usage of all sessions: target 150 MB/s from cold on one core, under 200 MB, loop held under 30 ms';

const SESSION_BYTES = 4_000_000;

interface Reading {
	readonly seconds: number;
	readonly processorSeconds: number;
	readonly bytesRead: number;
	readonly peakMB: number;
	readonly stallMs: { readonly p99: number; readonly longest: number };
	readonly work: number;
}

if (process.argv[2] === 'reader') await read(process.argv[3] ?? '', process.argv[4] ?? '');

export async function run(): Promise<BenchRow[]> {
	const home = mkdtempSync(join(tmpdir(), 'agent-floor-bench-'));
	try {
		const projects = join(home, '.claude', 'projects', '-home-dev-app');
		const now = Date.now();
		const megabytes = Number(process.env.INGEST_MB ?? 1_000);
		const sessions = Math.max(1, Math.round((megabytes * 1e6) / SESSION_BYTES));
		let responses = 0;
		for (let serial = 0; serial < sessions; serial += 1) {
			const path = join(projects, `session-${serial}.jsonl`);
			responses += writeTranscript(path, serial, SESSION_BYTES, now - (serial % 30) * 86_400_000);
		}
		const first = join(projects, 'session-0.jsonl');
		appendFileSync(first, responseRow('long', 400, now, 'x'.repeat(1_700_000)));
		const rows = [
			rowOf(`cold, ${sessions} sessions, ${responses + 1} responses`, await inOwnProcess(home, 'many')),
		];
		rows.push(rowOf('after a restart', await inOwnProcess(home, 'many')));
		appendFileSync(first, responseRow('appended', 9, now));
		rows.push(rowOf('after a restart and one response more', await inOwnProcess(home, 'many')));
		const { CCUSAGE: other } = process.env;
		if (other !== undefined) rows.push(await compared(other, home, rows));
		rmSync(projects, { recursive: true });
		writeHugeTranscript(first, Number(process.env.INGEST_HUGE_MB ?? 2_048) * 2 ** 20, now);
		rows.push(rowOf('cold, one huge file', await inOwnProcess(home, 'huge')));
		return rows;
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
}

function rowOf(what: string, reading: Reading): BenchRow {
	const megabytes = reading.bytesRead / 1e6;
	return {
		what,
		'MB read': round(megabytes),
		seconds: round(reading.seconds),
		'MB/s': round(megabytes / reading.seconds),
		'MB per second of processor': round(megabytes / reading.processorSeconds),
		'peak MB, whole process': round(reading.peakMB),
		'stall p99 ms': round(reading.stallMs.p99),
		'longest stall ms': round(reading.stallMs.longest),
		'work tokens': reading.work,
	};
}

async function inOwnProcess(home: string, database: string): Promise<Reading> {
	const child = fork(import.meta.filename, ['reader', home, database], { execArgv: ['--no-warnings'] });
	const [reading] = (await once(child, 'message')) as [Reading];
	child.disconnect();
	await once(child, 'exit');
	return reading;
}

async function read(home: string, name: string): Promise<void> {
	const directory = join(home, name);
	mkdirSync(directory, { recursive: true });
	const { database } = openDatabase(directory);
	const stalls = monitorEventLoopDelay({ resolution: 1 });
	stalls.enable();
	const before = process.cpuUsage();
	const start = performance.now();
	const index = new UsageIndex({
		formats: [claudeCode],
		env: {},
		homeDirectory: home,
		store: new UsageTables(database),
	});
	await index.look();
	const seconds = (performance.now() - start) / 1_000;
	const { user, system } = process.cpuUsage(before);
	stalls.disable();
	const reading: Reading = {
		seconds,
		processorSeconds: (user + system) / 1e6,
		bytesRead: index.bytesRead,
		peakMB: process.resourceUsage().maxRSS / 1_000,
		stallMs: { p99: stalls.percentile(99) / 1e6, longest: stalls.max / 1e6 },
		work: index.sessionsSince(0).reduce((sum, { work }) => sum + (work ?? 0), 0),
	};
	await index.stop();
	database.close();
	process.send?.(reading);
}

/** The other program's time and totals on the same files. */
async function compared(program: string, home: string, rows: BenchRow[]): Promise<BenchRow> {
	const start = performance.now();
	const child = spawn(program, ['daily', '--json', '--offline'], {
		env: { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') },
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	let peak = 0;
	const watch = setInterval(() => {
		peak = Math.max(peak, residentMB(child.pid));
	}, 20);
	let text = '';
	for await (const part of child.stdout) text += String(part);
	clearInterval(watch);
	const seconds = (performance.now() - start) / 1_000;
	const { totals } = JSON.parse(text) as {
		totals: { inputTokens: number; outputTokens: number; cacheCreationTokens: number };
	};
	const megabytes = Number(rows[0]?.['MB read'] ?? 0);
	return {
		what: 'the other program, as it is run each time',
		'MB read': megabytes,
		seconds: round(seconds),
		'MB/s': round(megabytes / seconds),
		'peak MB, whole process': round(peak),
		'work tokens': totals.inputTokens + totals.outputTokens + totals.cacheCreationTokens,
	};
}

/** Of the process alone; 0 where the system does not tell. */
function residentMB(pid: number | undefined): number {
	try {
		return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000;
	} catch {
		return 0;
	}
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
