/** An outbox worker on virtual time, with the real log on the real disk and senders that answer as they are told. */
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { SendResult, SentAnswer } from '../../src/main/app/outbox-sender.ts';
import { OutboxWorker, type OutboxWorkerOptions } from '../../src/main/app/outbox-worker.ts';
import { type OutboxEntry, outboxEntrySchema } from '../../src/main/failover/outbox-entry.ts';
import { type DiskCalls, realDisk } from '../../src/main/store/log-file.ts';
import { OUTBOX_FILE, OutboxLog } from '../../src/main/store/outbox-log.ts';
import type { OutboxEntryView } from '../../src/shared/failover-view.ts';
import { VirtualTime } from '../failover/orchestrator-fixture.ts';

export type Answer = SendResult | Error | 'never';

interface Sent {
	readonly key: string;
	readonly signal: AbortSignal;
	readonly onProgress: (share: number) => void;
	readonly answer: (answer: Exclude<Answer, 'never'>) => void;
	/** The state of the entry on the disk when the sender was called. */
	readonly lineThen: string | undefined;
}

export interface OpenedOutbox {
	readonly worker: OutboxWorker;
	readonly time: VirtualTime;
	/** Every call of a sender, in order. */
	readonly sent: Sent[];
	/** What the next calls are answered; a call beyond them waits for its `answer`. */
	readonly answers: Answer[];
	readonly kept: { readonly key: string; readonly answer: SentAnswer }[];
	readonly ended: OutboxEntry[];
	readonly errors: string[];
	readonly damage: string[];
	entry(key: string): OutboxEntryView;
	/** Lets time pass, and waits until nothing of the worker is on its way to the disk. */
	pass(ms: number): Promise<void>;
}

export function linesOf(directory: string): OutboxEntry[] {
	const file = join(directory, OUTBOX_FILE);
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	return text.split('\n').flatMap((line) => (line === '' ? [] : [outboxEntrySchema.parse(JSON.parse(line))]));
}

export function stateOnDisk(directory: string, key: string): string | undefined {
	return linesOf(directory).findLast((line) => line.idempotency_key === key)?.state;
}

/** A real disk that refuses every open and every write while it is told to. */
export function refusingDisk(): { disk: DiskCalls; refuse: (code: string | null) => void } {
	let code: string | null = null;
	const check = () => {
		if (code !== null) throw Object.assign(new Error(`${code}: refused`), { code });
	};
	const disk: DiskCalls = {
		...realDisk,
		open: async (file, flags, mode) => {
			check();
			const handle = await open(file, flags, mode);
			const write = handle.write.bind(handle) as (...given: unknown[]) => ReturnType<typeof handle.write>;
			return Object.assign(handle, {
				write: (...given: unknown[]) => {
					check();
					return write(...given);
				},
			});
		},
	};
	return {
		disk,
		refuse: (next) => {
			code = next;
		},
	};
}

export function openOutbox(
	directory: string,
	options: Partial<Pick<OutboxWorkerOptions, 'random' | 'waitsFor' | 'keepAnswer'>> & {
		disk?: DiskCalls;
	} = {},
): OpenedOutbox {
	const time = new VirtualTime();
	const sent: Sent[] = [];
	const answers: Answer[] = [];
	const kept: OpenedOutbox['kept'] = [];
	const ended: OutboxEntry[] = [];
	const errors: string[] = [];
	const damage: string[] = [];
	const { disk, ...more } = options;
	const send = (entry: OutboxEntry, signal: AbortSignal, onProgress: (share: number) => void) =>
		new Promise<SendResult>((resolve, reject) => {
			const answer = (given: Exclude<Answer, 'never'>) =>
				given instanceof Error ? reject(given) : resolve(given);
			const lineThen = stateOnDisk(directory, entry.idempotency_key);
			sent.push({ key: entry.idempotency_key, signal, onProgress, answer, lineThen });
			signal.addEventListener('abort', () => reject(signal.reason));
			const next = answers.shift();
			if (next !== undefined && next !== 'never') answer(next);
		});
	let pending = 0;
	const log = new OutboxLog({
		directory,
		schema: outboxEntrySchema,
		onDamage: (problem) => damage.push(problem),
		...(disk && { disk }),
	});
	for (const name of ['append', 'compact', 'read'] as const) {
		const real = log[name].bind(log) as (...given: unknown[]) => Promise<unknown>;
		Object.assign(log, {
			[name]: (...given: unknown[]) => {
				pending += 1;
				return real(...given).finally(() => {
					pending -= 1;
				});
			},
		});
	}
	const worker = new OutboxWorker({
		log,
		senders: { cloud_turn: send, hook: send, download: send },
		clock: time.clock,
		schedule: time.schedule,
		random: () => 0.5,
		keepAnswer: ({ idempotency_key }, answer) => kept.push({ key: idempotency_key, answer }),
		onEnd: (entry) => ended.push(entry),
		onChange: () => {},
		onError: (where, error) => errors.push(`${where}: ${String(error)}`),
		...more,
	});
	onTestFinished(async () => {
		const stopped = worker.stop();
		await time.advance(10_000);
		await stopped;
	});
	const quiet = () =>
		vi.waitFor(
			async () => {
				// Continuations behind a write that has just ended may begin the next one.
				await new Promise(setImmediate);
				expect(pending).toBe(0);
			},
			{ interval: 1, timeout: 10_000 },
		);
	return {
		worker,
		time,
		sent,
		answers,
		kept,
		ended,
		errors,
		damage,
		entry: (key) => {
			const entry = worker.view().entries.find(({ idempotencyKey }) => idempotencyKey === key);
			if (!entry) throw new Error(`no entry ${key} is shown`);
			return entry;
		},
		pass: async (ms) => {
			// In steps: the disk does its work on real time.
			const steps = ms === 0 ? 1 : 20;
			for (let step = 0; step < steps; step += 1) {
				await time.advance(ms / steps);
				await quiet();
			}
			// What was planned while the disk was busy.
			await time.advance(0);
			await quiet();
		},
	};
}
