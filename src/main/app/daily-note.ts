/** One line a day in `<data>/AGENT_NOTES.md` (seed 003, gate). The file is its reader's: lines are only ever added. */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boundsOf, dayAfter, localDay } from '../../shared/local-day.ts';
import type { Clock, Schedule } from '../failover/call.ts';
import type { SloTotal } from '../store/slo-tables.ts';
import { systemCodeOf } from '../store/store-error.ts';

export const NOTES_FILE = 'AGENT_NOTES.md';
/** Days that are made up for after the floor was not running. */
const MOST_MISSED = 14;
/** The calendar is looked at this often at the latest, ms: timers stand still while the machine sleeps. */
const LOOK_EVERY_MS = 3_600_000;
/** After midnight, ms: turns that end in the last moment of a day are counted by then. */
const AFTER_MIDNIGHT_MS = 60_000;

export interface DailyNoteOptions {
	/** The data directory. */
	readonly directory: string;
	readonly clock: Clock;
	readonly schedule: Schedule;
	/** `FloorStore.sloTotal` */
	readonly total: (day: string) => SloTotal;
	/** `FloorStore.firstSloDay` */
	readonly firstDay: () => string | null;
	readonly onError: (where: string, error: unknown) => void;
}

export class DailyNote {
	readonly #options: DailyNoteOptions;
	readonly #startDay: string;
	/** The last day that is done with in this run. */
	#notedUntil: string | null = null;
	#writing: Promise<void> = Promise.resolve();
	#cancelTimer: (() => void) | null = null;
	#isStopped = false;

	constructor(options: DailyNoteOptions) {
		this.#options = options;
		this.#startDay = localDay(options.clock.wall());
	}

	/** Writes what was missed, then a line after each day. Never rejects. */
	start(): Promise<void> {
		this.#plan();
		return this.#write();
	}

	/** Resolves when no line is being written. */
	idle(): Promise<void> {
		return this.#writing;
	}

	stop(): Promise<void> {
		this.#isStopped = true;
		this.#cancelTimer?.();
		return this.#writing;
	}

	#plan(): void {
		if (this.#isStopped) return;
		const now = this.#options.clock.wall();
		const midnight = boundsOf(localDay(now - AFTER_MIDNIGHT_MS)).until + AFTER_MIDNIGHT_MS;
		this.#cancelTimer = this.#options.schedule(Math.min(LOOK_EVERY_MS, midnight - now), () => {
			void this.#write();
			this.#plan();
		});
	}

	#write(): Promise<void> {
		this.#writing = this.#writing.then(async () => {
			try {
				await this.#writeMissing();
			} catch (error) {
				this.#options.onError(`writing ${NOTES_FILE}`, error);
			}
		});
		return this.#writing;
	}

	async #writeMissing(): Promise<void> {
		const { clock, directory, firstDay, total } = this.#options;
		const yesterday = dayAfter(localDay(clock.wall() - AFTER_MIDNIGHT_MS), -1);
		const earliest = dayAfter(yesterday, 1 - MOST_MISSED);
		const file = join(directory, NOTES_FILE);
		const text = await readIfThere(file);
		const noted = notedDays(text).filter((day) => day <= yesterday);
		const lines: string[] = [];
		let day = this.#notedUntil ?? noted.at(-1) ?? firstDay() ?? this.#startDay;
		if (day < earliest) day = earliest;
		for (; day <= yesterday; day = dayAfter(day, 1)) {
			if (day !== this.#notedUntil && !noted.includes(day)) lines.push(noteOf(day, total(day)));
		}
		if (lines.length > 0) {
			const newline = text.includes('\r\n') ? '\r\n' : '\n';
			const lead = text === '' || text.endsWith('\n') ? '' : newline;
			await append(file, Buffer.from(lead + lines.map((line) => line + newline).join('')));
		}
		// Whoever takes a line out does not want it back.
		this.#notedUntil = yesterday;
	}
}

async function readIfThere(file: string): Promise<string> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		if (systemCodeOf(error) === 'ENOENT') return '';
		throw error;
	}
}

/** Adds to the end, whoever else writes: what a person's editor has saved meanwhile stays. */
async function append(file: string, bytes: Buffer): Promise<void> {
	const handle = await open(file, 'a', 0o600);
	try {
		await add(handle, bytes);
	} finally {
		await handle.close();
	}
}

/** All in one write. One that the disk took only in part is taken back, if nobody has written behind it. */
async function add(handle: FileHandle, bytes: Buffer): Promise<void> {
	const { size } = await handle.stat();
	let written = 0;
	try {
		({ bytesWritten: written } = await handle.write(bytes));
		if (written < bytes.length) throw new Error('the disk took only a part of a line');
		await handle.sync();
	} catch (error) {
		if (written > 0 && (await handle.stat()).size === size + written) await handle.truncate(size);
		throw error;
	}
}

const mark = 'Gateway:';
const noteLine = /^- (\d{4}-\d{2}-\d{2}) Gateway: .*\.\r?$/gm;

/** Days that have their line already, in order. A line that was cut short has no full stop and is none. */
function notedDays(text: string): string[] {
	return [...text.matchAll(noteLine)].flatMap(([, day]) => day ?? []).sort();
}

/** "- 2026-11-30 Gateway: 120 turns, 4.2 % fallback, 12.5 min degraded, popup p99 240 ms, queue depth 3." */
export function noteOf(day: string, total: SloTotal): string {
	const { turns, fallbackTurns, degradedMs, popupMs, queueDepthMax } = total;
	const parts =
		turns === 0
			? ['no turns through the gateway']
			: [
					`${turns} ${turns === 1 ? 'turn' : 'turns'}`,
					`${((fallbackTurns / turns) * 100).toFixed(1)} % fallback`,
				];
	if (turns > 0 || degradedMs > 0) parts.push(`${(degradedMs / 60_000).toFixed(1)} min degraded`);
	if (popupMs) parts.push(`popup p99 ${Math.round(popupMs.p99)} ms`);
	else if (turns > 0) parts.push('no popup');
	if (turns > 0 || queueDepthMax > 0) parts.push(`queue depth ${queueDepthMax}`);
	return `- ${day} ${mark} ${parts.join(', ')}.`;
}
