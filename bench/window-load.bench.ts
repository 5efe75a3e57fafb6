/** A window on a full floor: 2 000 agents, 200 hook events a second over HTTP, while a person uses it. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { ClaudeSession } from '../e2e/support/claude-session.ts';
import { FloorProcess } from '../e2e/support/floor-process.ts';
import { findBrowser } from '../src/main/machine/browsers.ts';
import type { BenchRow } from './run.ts';

export const title =
	'A window with 2 000 agents and 200 events a second (targets: first paint under 1 s, no frame over 50 ms, memory flat)';

const AGENTS = 2000;
const REPOSITORIES = 60;
const EVENTS_PER_SECOND = 200;
/** How long a person uses it, s. */
const USED_SECONDS = 60;
/** The engine gathers changes for 100 ms. */
const DELTAS_PER_MINUTE = 600;
/** What is played at speed, as far as the time allows. */
const HOUR_OF_DELTAS = 60 * DELTAS_PER_MINUTE;
/** The hour is played no longer than this, s. */
const REPLAY_SECONDS = 35;
const OPENINGS = 3;

/** What the page saw since it was last asked. */
interface LoadWatch {
	/** From the navigation to the first agent on screen, ms. */
	readonly firstCardMs: number;
	readonly frames: number;
	readonly frameP99Ms: number;
	readonly longestFrameMs: number;
	readonly framesOver50: number;
	readonly longTasks: number;
	readonly longestTaskMs: number;
}

export async function run(): Promise<BenchRow[]> {
	const browser = await findBrowser();
	const floor = await FloorProcess.start({ heartbeatSeconds: 30 });
	const chrome = await chromium.launch({
		...(browser && { executablePath: browser.executable }),
		args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
	});
	try {
		const sessions = await fill(floor);
		const paints: number[] = [];
		for (let opening = 0; opening < OPENINGS; opening += 1) {
			const page = await open(chrome.newPage.bind(chrome), floor);
			paints.push((await readWatch(page)).firstCardMs);
			await page.close();
		}
		const page = await open(chrome.newPage.bind(chrome), floor);
		const debug = await page.context().newCDPSession(page);
		const events = startEvents(sessions);
		// What is drawn and compiled for the first time is part of the first paint, not of the use.
		await sleep(2000);
		await readWatch(page);
		await use(page);
		const used = await readWatch(page);
		const sent = await events.stop();
		const before = await heapMegabytes(debug);
		const replayed = await page.evaluate<number>(`loadWatch.replay(${HOUR_OF_DELTAS}, ${REPLAY_SECONDS})`);
		const after = await heapMegabytes(debug);
		const drawn = await page.getByTestId('agent-card').count();
		return rows({ paints, used, sent, before, after, replayed, drawn });
	} finally {
		await chrome.close();
		await floor.dispose();
	}
}

/** A few of every kind: most are quiet, some loop, some ask. */
async function fill(floor: FloorProcess): Promise<ClaudeSession[]> {
	const sessions = Array.from(
		{ length: AGENTS },
		(_, at) => new ClaudeSession(floor, `/home/dev/repository-${at % REPOSITORIES}/part-${at}`),
	);
	const fillOne = async (session: ClaudeSession, at: number): Promise<void> => {
		await session.prompt();
		await session.use('Read', { file_path: `${session.cwd}/src/file-${at}.ts` });
		if (at % 100 === 0) await session.loop(9);
		if (at % 100 === 1) {
			await session.send('Notification', {
				notification_type: 'permission_prompt',
				message: 'Claude needs your permission to use Bash',
			});
		}
		if (at % 3 === 2) await session.send('Stop');
	};
	// Several at a time, as real ones come; the order within one session is its own.
	const lanes = Array.from({ length: 8 }, async (_, lane) => {
		for (let at = lane; at < AGENTS; at += 8) {
			const session = sessions[at];
			if (session) await fillOne(session, at);
		}
	});
	await Promise.all(lanes);
	return sessions;
}

async function open(newPage: () => Promise<Page>, floor: FloorProcess): Promise<Page> {
	const page = await newPage();
	await page.setViewportSize({ width: 1440, height: 900 });
	await page.addInitScript({ path: join(import.meta.dirname, 'support', 'load-watch.page.js') });
	await page.goto(floor.address);
	await page.getByTestId('agent-card').first().waitFor();
	return page;
}

/** 200 events a second, spread over all agents; each agent turns between working and waiting now and then. */
function startEvents(sessions: readonly ClaudeSession[]) {
	let sent = 0;
	let due = 0;
	const began = performance.now();
	const pending = new Set<Promise<unknown>>();
	const sendOne = (): void => {
		const session = sessions[(sent * 37) % sessions.length];
		const turn = Math.floor(sent / sessions.length) % 4;
		sent += 1;
		if (!session) return;
		const call = {
			tool_name: 'Read',
			tool_input: { file_path: `src/${sent}.ts` },
			tool_use_id: `load-${sent}`,
		};
		const event =
			turn === 0
				? session.send('PreToolUse', call)
				: turn === 1
					? session.send('PostToolUse', { ...call, tool_response: `${sent}` })
					: turn === 2
						? session.send('Stop')
						: session.prompt();
		pending.add(event);
		void event.finally(() => pending.delete(event));
	};
	const timer = setInterval(() => {
		due = ((performance.now() - began) / 1000) * EVENTS_PER_SECOND;
		while (sent < due) sendOne();
	}, 10);
	return {
		/** Ends it; how many events a second there really were. */
		stop: async (): Promise<number> => {
			clearInterval(timer);
			const seconds = (performance.now() - began) / 1000;
			await Promise.allSettled(pending);
			return Math.round(sent / seconds);
		},
	};
}

/** What a person does in a minute, and then once more. */
async function use(page: Page): Promise<void> {
	const end = performance.now() + USED_SECONDS * 1000;
	const filter = page.getByLabel('Filter agents');
	const steps: (() => Promise<unknown>)[] = [
		() => scroll(page, 1, 30),
		() => scroll(page, -1, 30),
		() => page.keyboard.press('ArrowDown'),
		() => press(page, 'ArrowDown', 25),
		() => page.keyboard.press('End'),
		() => press(page, 'ArrowUp', 10),
		() => page.keyboard.press('Home'),
		() => page.keyboard.press('Enter'),
		() => sleep(700),
		() => page.keyboard.press('Escape'),
		() => page.keyboard.press('/'),
		() => filter.pressSequentially('repo:repository-7 state:waiting', { delay: 40 }),
		() => filter.press('Escape'),
		() => page.keyboard.press('b'),
		() => scroll(page, 1, 15),
		() => page.keyboard.press('v'),
		() => scroll(page, 1, 15),
		() => page.keyboard.press('v'),
		() => page.keyboard.press('b'),
		() => scroll(page, -1, 40),
	];
	for (let step = 0; performance.now() < end; step += 1) {
		await steps[step % steps.length]?.();
		await sleep(120);
	}
}

async function press(page: Page, key: string, times: number): Promise<void> {
	for (let at = 0; at < times; at += 1) {
		await page.keyboard.press(key);
		await sleep(30);
	}
}

async function scroll(page: Page, direction: 1 | -1, steps: number): Promise<void> {
	await page.mouse.move(800, 500);
	for (let at = 0; at < steps; at += 1) {
		await page.mouse.wheel(0, direction * 240);
		await sleep(30);
	}
}

function readWatch(page: Page): Promise<LoadWatch> {
	return page.evaluate<LoadWatch>('loadWatch.read()');
}

async function heapMegabytes(debug: CDPSession): Promise<number> {
	await debug.send('HeapProfiler.collectGarbage');
	const { usedSize } = await debug.send('Runtime.getHeapUsage');
	return Math.round(usedSize / 1e5) / 10;
}

interface Figures {
	readonly paints: readonly number[];
	readonly used: LoadWatch;
	readonly sent: number;
	readonly before: number;
	readonly after: number;
	readonly replayed: number;
	readonly drawn: number;
}

function rows({ paints, used, sent, before, after, replayed, drawn }: Figures): BenchRow[] {
	const sorted = paints.toSorted((one, other) => one - other);
	const row = (what: string, value: number, unit: string): BenchRow => ({
		what,
		value: Math.round(value),
		unit,
	});
	return [
		row('first agent on screen, median', sorted[sorted.length >> 1] ?? Number.NaN, 'ms'),
		row('first agent on screen, worst', sorted.at(-1) ?? Number.NaN, 'ms'),
		row('events sent', sent, '/s'),
		row(`frames in ${USED_SECONDS} s of use`, used.frames, ''),
		row('time between two frames, p99', used.frameP99Ms, 'ms'),
		row('longest time between two frames', used.longestFrameMs, 'ms'),
		row('frames over 50 ms', used.framesOver50, ''),
		row('tasks over 50 ms', used.longTasks, ''),
		row('longest task', used.longestTaskMs, 'ms'),
		row('agents in the document', drawn, ''),
		row('heap after the use', before, 'MB'),
		row(
			`heap after ${Math.round(replayed / DELTAS_PER_MINUTE)} more minutes of deltas, played at speed`,
			after,
			'MB',
		),
	];
}
