import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DailyNote, NOTES_FILE, noteOf } from '../../src/main/app/daily-note.ts';
import type { SloTotal } from '../../src/main/store/slo-tables.ts';
import { boundsOf } from '../../src/shared/local-day.ts';
import { VirtualTime } from '../failover/orchestrator-fixture.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

const HOUR = 3_600_000;
const nothing: SloTotal = { turns: 0, fallbackTurns: 0, degradedMs: 0, popupMs: null, queueDepthMax: 0 };
const busy: SloTotal = {
	turns: 120,
	fallbackTurns: 5,
	degradedMs: 750_000,
	popupMs: { count: 3, p50: 80, p99: 240.4, max: 240.4 },
	queueDepthMax: 3,
};

interface Opened {
	readonly note: DailyNote;
	readonly time: VirtualTime;
	readonly errors: string[];
	text(): string;
	days(): string[];
}

function open(directory: string, today: string, firstDay: string | null = null): Opened {
	const time = new VirtualTime();
	const start = boundsOf(today).from + 10 * HOUR - time.now;
	const errors: string[] = [];
	const note = new DailyNote({
		directory,
		clock: { wall: () => start + time.now, steady: time.clock.steady },
		schedule: time.schedule,
		total: (day) => (day === '2026-11-29' ? busy : nothing),
		firstDay: () => firstDay,
		onError: (where, error) => errors.push(`${where}: ${String(error)}`),
	});
	onTestFinished(() => note.stop());
	const text = () => readFileSync(join(directory, NOTES_FILE), 'utf8');
	return {
		note,
		time,
		errors,
		text,
		days: () => [...text().matchAll(/^- (\S+) Gateway: .*\.\r?$/gm)].map(([, day]) => day ?? ''),
	};
}

/** Until what time has begun is written. */
async function advance({ time, note }: Opened, ms: number): Promise<void> {
	await time.advance(ms);
	await note.idle();
}

describe('the line of a day', () => {
	it('has its numbers with their units', () => {
		expect(noteOf('2026-11-29', busy)).toBe(
			'- 2026-11-29 Gateway: 120 turns, 4.2 % fallback, 12.5 min degraded, popup p99 240 ms, queue depth 3.',
		);
		expect(noteOf('2026-11-29', { ...nothing, turns: 1 })).toBe(
			'- 2026-11-29 Gateway: 1 turn, 0.0 % fallback, 0.0 min degraded, no popup, queue depth 0.',
		);
	});

	it('says so when there were no turns, and still tells what is known', () => {
		expect(noteOf('2026-11-29', nothing)).toBe('- 2026-11-29 Gateway: no turns through the gateway.');
		expect(noteOf('2026-11-29', { ...nothing, degradedMs: 60_000, queueDepthMax: 2 })).toBe(
			'- 2026-11-29 Gateway: no turns through the gateway, 1.0 min degraded, queue depth 2.',
		);
	});
});

describe('the notes', () => {
	it('get a line after each day, once', async () => {
		const directory = temporaryDirectory();
		const opened = open(directory, '2026-11-29');
		await opened.note.start();
		expect(() => statSync(join(directory, NOTES_FILE))).toThrow('ENOENT');
		await advance(opened, 14 * HOUR + 59_000);
		expect(() => statSync(join(directory, NOTES_FILE))).toThrow('ENOENT');
		await advance(opened, 2_000);
		expect(opened.text()).toBe(`${noteOf('2026-11-29', busy)}\n`);
		for (let day = 0; day < 3; day += 1) await advance(opened, 24 * HOUR);
		expect(opened.days()).toEqual(['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02']);
		expect(statSync(join(directory, NOTES_FILE)).mode & 0o777).toBe(0o600);
	});

	it('are made up for when the floor was not running, for two weeks at most', async () => {
		const directory = temporaryDirectory();
		const first = open(directory, '2026-12-01', '2026-11-28');
		await first.note.start();
		expect(first.days()).toEqual(['2026-11-28', '2026-11-29', '2026-11-30']);
		const again = open(directory, '2026-12-01', '2026-11-28');
		await again.note.start();
		expect(again.text()).toBe(first.text());
		const later = open(directory, '2027-03-01', '2026-11-28');
		await later.note.start();
		expect(later.days()).toHaveLength(3 + 14);
		expect(later.days().at(-1)).toBe('2027-02-28');
	});

	it('begin with the first day on which there was anything', async () => {
		const directory = temporaryDirectory();
		const opened = open(directory, '2026-12-01');
		await opened.note.start();
		expect(() => opened.text()).toThrow('ENOENT');
	});

	const written: readonly [string, string][] = [
		['prose', '# My notes\n\nDo not touch the staging database.\n'],
		['a last line without its end', '# My notes\nremember'],
		['lines of Windows', '# My notes\r\nremember\r\n'],
		['a line of theirs about the same day', '- 2026-11-30 it rained.\n- 2026-11-30: Gateway was slow.\n'],
		['a line that was cut short', '- 2026-11-30 Gateway: 12 turns, 4'],
		['nothing', ''],
	];
	it.each(written)('keep every byte that a person wrote: %s', async (_what, before) => {
		const directory = temporaryDirectory();
		writeFileSync(join(directory, NOTES_FILE), before, { mode: 0o640 });
		const opened = open(directory, '2026-12-01', '2026-11-30');
		await opened.note.start();
		expect(opened.text().startsWith(before)).toBe(true);
		const newline = before.includes('\r\n') ? '\r\n' : '\n';
		const lead = before === '' || before.endsWith('\n') ? '' : newline;
		expect(opened.text()).toBe(`${before}${lead}${noteOf('2026-11-30', nothing)}${newline}`);
		expect(statSync(join(directory, NOTES_FILE)).mode & 0o777).toBe(0o640);
	});

	it('are not written again where a person took a line out', async () => {
		const directory = temporaryDirectory();
		const opened = open(directory, '2026-12-01', '2026-11-30');
		await opened.note.start();
		writeFileSync(join(directory, NOTES_FILE), 'I need no lines.\n');
		await advance(opened, 5 * HOUR);
		expect(opened.text()).toBe('I need no lines.\n');
	});

	it('are not stopped by a line from the future, as a wrong clock leaves it', async () => {
		const directory = temporaryDirectory();
		writeFileSync(join(directory, NOTES_FILE), `${noteOf('2099-01-01', nothing)}\n`);
		const opened = open(directory, '2026-12-01', '2026-11-30');
		await opened.note.start();
		expect(opened.days()).toEqual(['2099-01-01', '2026-11-30']);
	});

	it('that cannot be written are told of, and tried again within the hour', async () => {
		const directory = temporaryDirectory();
		mkdirSync(join(directory, NOTES_FILE));
		const opened = open(directory, '2026-12-01', '2026-11-30');
		await opened.note.start();
		expect(opened.errors).toEqual([expect.stringContaining(NOTES_FILE)]);
		rmSync(join(directory, NOTES_FILE), { recursive: true });
		await advance(opened, HOUR);
		expect(opened.days()).toEqual(['2026-11-30']);
	});

	it('end with the floor: no timer stays', async () => {
		const opened = open(temporaryDirectory(), '2026-12-01');
		await opened.note.start();
		await opened.note.stop();
		expect(opened.time.timers).toBe(0);
	});
});
