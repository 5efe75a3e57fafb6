/** Many processes, some of them killed, update one state file through its locks and the model breakers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModelBreakers } from '../../src/main/models/model-breakers.ts';
import { modelsSettingsSchema } from '../../src/shared/models-settings.ts';
import { type ContendedFile, type ContentionLine, timeOf } from './model-contention-file.ts';

export interface ContentionPlan {
	readonly processes: number;
	readonly updatesEach: number;
	/** Processes that are killed with SIGKILL at some moment, and started again. */
	readonly killed: number;
}

export interface ContentionReport {
	readonly seconds: number;
	readonly updates: number;
	readonly kills: number;
	/** Reads of the file while it was updated; of those, how many found anything but a whole, later state. */
	readonly reads: number;
	readonly tornReads: number;
	/** Updates that were acknowledged and are not in the file. */
	readonly lost: number;
	/** Updates in the file that nobody was told of: of processes that were killed in between. */
	readonly unacknowledged: number;
	readonly openings: number;
	readonly recoveries: number;
	/** What the circuit's own counts say of the same. */
	readonly metrics: { readonly totalFallbacks: number; readonly totalRecoveries: number };
	readonly probes: number;
	readonly mostProbesAtOnce: number;
	readonly sortedMs: readonly number[];
}

const script = join(import.meta.dirname, 'model-contention-process.ts');
/** A test call that is never reported is given up after this, on their clock. */
const LEASE_MS = 600_000;

export async function contend(plan: ContentionPlan): Promise<ContentionReport> {
	const directory = mkdtempSync(join(tmpdir(), 'agent-floor-contention-'));
	const file = join(directory, 'state.json');
	const lines: ContentionLine[] = [];
	const deaths = new Map<string, number>();
	const began = performance.now();
	const reading = { isOver: false };
	const reader = readAlways(file, reading);
	try {
		const runs = Array.from({ length: plan.processes }, (_, index) => {
			const kills = index < plan.killed;
			return runToEnd(`p${index}`, file, plan, kills, (line) => lines.push(line), deaths);
		});
		await Promise.all(runs);
		reading.isOver = true;
		const { reads, tornReads } = await reader;
		const seconds = (performance.now() - began) / 1000;
		const state = JSON.parse(readFileSync(file, 'utf8')) as ContendedFile;
		return { seconds, kills: sum([...deaths.values()]), reads, tornReads, ...judged(state, lines) };
	} finally {
		reading.isOver = true;
		await reader;
		rmSync(directory, { recursive: true, force: true });
	}
}

/** Starts it again until all its updates are made. */
async function runToEnd(
	name: string,
	file: string,
	plan: ContentionPlan,
	isKilled: boolean,
	hear: (line: ContentionLine) => void,
	deaths: Map<string, number>,
): Promise<void> {
	// Somewhere in the middle, one update after another process's or in the midst of its own.
	let killAfter = isKilled ? Math.floor(Math.random() * plan.updatesEach * 0.8) : Number.POSITIVE_INFINITY;
	for (;;) {
		const locks = join(file, '..', 'locks');
		const child = spawn(
			process.execPath,
			['--no-warnings', script, file, locks, name, String(plan.updatesEach)],
			{ stdio: ['ignore', 'pipe', 'inherit'] },
		);
		const heard = listen(child, (line) => {
			hear(line);
			if (line.number <= killAfter) return;
			killAfter = Number.POSITIVE_INFINITY;
			void sleep(Math.random() * 5).then(() => child.kill('SIGKILL'));
		});
		const [code, signal] = await once(child, 'exit');
		await heard;
		if (signal === 'SIGKILL') deaths.set(name, (deaths.get(name) ?? 0) + 1);
		else if (code === 0) return;
		else throw new Error(`${name} ended with ${code ?? signal}`);
	}
}

async function listen(child: ChildProcess, hear: (line: ContentionLine) => void): Promise<void> {
	if (!child.stdout) return;
	for await (const text of createInterface({ input: child.stdout })) {
		// The last line of a process that was killed may be cut off: it was not told.
		if (text.endsWith('}')) hear(JSON.parse(text) as ContentionLine);
	}
}

async function readAlways(
	file: string,
	state: { isOver: boolean },
): Promise<{ reads: number; tornReads: number }> {
	let reads = 0;
	let tornReads = 0;
	let last = 0;
	while (!state.isOver) {
		const text = await readFile(file, 'utf8').catch(() => null);
		if (text !== null) {
			reads += 1;
			const updates = updatesIn(text);
			if (updates === null || updates < last) tornReads += 1;
			last = updates ?? last;
		}
		await sleep(1);
	}
	return { reads, tornReads };
}

function updatesIn(text: string): number | null {
	try {
		return (JSON.parse(text) as ContendedFile).updates;
	} catch {
		// Torn: that is what is counted.
		return null;
	}
}

function judged(state: ContendedFile, lines: readonly ContentionLine[]) {
	const acknowledged = new Map<number, ContentionLine>();
	let lost = 0;
	for (const line of lines) {
		// Two updates with one number: one of them was overwritten.
		if (acknowledged.has(line.update) || line.number > (state.done[line.name] ?? 0)) lost += 1;
		acknowledged.set(line.update, line);
	}
	const breakers = new ModelBreakers({
		settings: () => modelsSettingsSchema.parse({ chains: [{ preferredModel: 'm' }] }),
		now: () => timeOf(state.updates),
		random: () => 0,
	});
	breakers.restore(state.book);
	const chain = breakers.view().chains.find(({ preferredModel }) => preferredModel === 'm');
	const { totalFallbacks = 0, totalRecoveries = 0 } = chain?.metrics ?? {};
	return {
		updates: state.updates,
		lost: lost + Math.max(0, sum(Object.values(state.done)) - state.updates),
		unacknowledged: state.updates - acknowledged.size,
		openings: state.opened,
		recoveries: state.recovered,
		metrics: { totalFallbacks, totalRecoveries },
		...probesOf([...acknowledged.values()].sort((one, other) => one.update - other.update)),
		sortedMs: lines.map(({ ms }) => ms).sort((one, other) => one - other),
	};
}

/** A test call is in flight from the update that gave it to the next one of its process, or until its lease is over. */
function probesOf(lines: readonly ContentionLine[]): { probes: number; mostProbesAtOnce: number } {
	const inFlight = new Map<string, number>();
	let probes = 0;
	let mostProbesAtOnce = 0;
	for (const { name, update, isProbe } of lines) {
		inFlight.delete(name);
		const now = timeOf(update - 1);
		for (const [holder, since] of inFlight) if (since + LEASE_MS <= now) inFlight.delete(holder);
		if (!isProbe) continue;
		probes += 1;
		inFlight.set(name, now);
		mostProbesAtOnce = Math.max(mostProbesAtOnce, inFlight.size);
	}
	return { probes, mostProbesAtOnce };
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}
