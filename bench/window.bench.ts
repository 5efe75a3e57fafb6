/** From the start of the program to a painted window, and what 500 agents cost in memory. */
import { execFileSync } from 'node:child_process';
import { chromium } from '@playwright/test';
import { ClaudeSession } from '../e2e/support/claude-session.ts';
import { FloorProcess } from '../e2e/support/floor-process.ts';
import { findBrowser } from '../src/main/machine/browsers.ts';
import type { BenchRow } from './run.ts';

export const title = 'Start, first paint, memory';

const RUNS = 5;
const AGENTS = 500;

export async function run(): Promise<BenchRow[]> {
	const started: number[] = [];
	const painted: number[] = [];
	const paintedFull: number[] = [];
	const memory: BenchRow[] = [];
	const browser = await findBrowser();
	const chrome = await chromium.launch({
		...(browser && { executablePath: browser.executable }),
		args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
	});
	for (let turn = 0; turn < RUNS; turn += 1) {
		const began = performance.now();
		const floor = await FloorProcess.start({ heartbeatSeconds: 5 });
		started.push(performance.now() - began);
		painted.push(await firstPaint(floor));
		if (turn === RUNS - 1) {
			memory.push({
				what: 'memory of the floor, empty',
				median: megabytes(floor.pid),
				worst: '',
				unit: 'MB',
			});
			await fill(floor);
			for (let again = 0; again < RUNS; again += 1) paintedFull.push(await firstPaint(floor));
			memory.push({
				what: `memory of the floor, ${AGENTS} agents`,
				median: megabytes(floor.pid),
				worst: '',
				unit: 'MB',
			});
		}
		await floor.dispose();
	}
	await chrome.close();
	return [
		row('start of the program to “Agent Floor is at …”', started),
		row('opening the window to its first paint, empty floor', painted),
		row(`opening the window to its first paint, ${AGENTS} agents`, paintedFull),
		...memory,
	];

	/** First contentful paint of the snapshot: the page is blank until the floor is known. */
	async function firstPaint(floor: FloorProcess): Promise<number> {
		const page = await chrome.newPage();
		const began = performance.now();
		await page.goto(floor.address);
		await page.locator('[data-testid="agent-card"], [data-testid="empty-floor"]').first().waitFor();
		const took = performance.now() - began;
		await page.close();
		return took;
	}
}

async function fill(floor: FloorProcess): Promise<void> {
	const sessions = Array.from(
		{ length: AGENTS },
		(_, index) => new ClaudeSession(floor, `/home/dev/app-${index}`),
	);
	for (const session of sessions) {
		await session.prompt();
		for (let step = 0; step < 5; step += 1) await session.run(`make step-${step}`);
	}
}

function megabytes(pid: number): number {
	const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString());
	return Math.round(kilobytes / 1024);
}

function row(what: string, times: number[]): BenchRow {
	const sorted = times.toSorted((one, other) => one - other);
	return {
		what,
		median: Math.round(sorted[sorted.length >> 1] ?? Number.NaN),
		worst: Math.round(sorted.at(-1) ?? Number.NaN),
		unit: 'ms',
	};
}
