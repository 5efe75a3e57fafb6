import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutboxEntry } from '../../src/main/failover/outbox-entry.ts';
import type { DiskCalls } from '../../src/main/store/log-file.ts';
import { realDisk } from '../../src/main/store/log-file.ts';
import { OUTBOX_FILE } from '../../src/main/store/outbox-log.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { outboxViewSchema } from '../../src/shared/failover-view.ts';
import { cloudTurn, hook } from '../failover/outbox-entries.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { linesOf, type OpenedOutbox, openOutbox, refusingDisk, stateOnDisk } from './outbox-fixture.ts';

const done = { kind: 'done', detail: 'taken' } as const;
const retry = { kind: 'retry', detail: 'HTTP 503' } as const;
const MINUTE = 60_000;

async function queueTurn(
	outbox: OpenedOutbox,
	payload: Parameters<typeof cloudTurn>[0] = {},
): Promise<string> {
	return (await outbox.worker.enqueue('cloud_turn', cloudTurn(payload))).idempotency_key;
}

async function queueHook(outbox: OpenedOutbox): Promise<string> {
	return (await outbox.worker.enqueue('hook', hook())).idempotency_key;
}

describe('what is queued', () => {
	it('is on the disk before it is acknowledged', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const key = await queueTurn(outbox);
		expect(stateOnDisk(directory, key)).toBe('pending');
		expect(outboxViewSchema.parse(outbox.worker.view())).toMatchObject({
			queued: 1,
			uncertain: 0,
			problem: '',
		});
	});

	it('stands on the disk as sent before its sender is called, and as reconciled after', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const key = await queueHook(outbox);
		outbox.answers.push(done);
		await outbox.pass(0);
		expect(outbox.sent).toMatchObject([{ key, lineThen: 'sent' }]);
		expect(stateOnDisk(directory, key)).toBe('reconciled');
		expect(outbox.entry(key)).toMatchObject({ state: 'reconciled', detail: 'taken', attempts: 1 });
		expect(outbox.worker.view().queued).toBe(0);
		expect(outbox.ended.map(({ state }) => state)).toEqual(['reconciled']);
	});

	it('about the same work is queued once, also when asked twice at the same time', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const [first, twin] = await Promise.all([queueTurn(outbox), queueTurn(outbox)]);
		expect([twin, await queueTurn(outbox)]).toEqual([first, first]);
		expect(await queueTurn(outbox, { input_hash: 'hash-2' })).not.toBe(first);
		expect(linesOf(directory)).toHaveLength(2);
	});

	it('is refused, and nothing is kept of it, when it would carry credentials', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		const stolen = queueTurn(outbox, { path: '/v1/messages?key=secret' });
		await expect(stolen).rejects.toBeInstanceOf(ChannelError);
		expect(outbox.worker.view().entries).toEqual([]);
	});

	it('is bounded: a full outbox says so and takes nothing more', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		const many = Array.from({ length: 500 }, (_, index) => queueTurn(outbox, { input_hash: String(index) }));
		await Promise.all(many);
		await expect(queueTurn(outbox, { input_hash: 'one more' })).rejects.toThrow('The outbox is full');
		await outbox.worker.superseded('session-1', 'newest');
		await queueTurn(outbox, { input_hash: 'one more' });
	});
});

describe('a disk that refuses', () => {
	it('acknowledges nothing, says why, and goes on when it can', async () => {
		const directory = temporaryDirectory();
		const { disk, refuse } = refusingDisk();
		const outbox = openOutbox(directory, { disk });
		await outbox.worker.start();
		refuse('ENOSPC');
		await expect(queueTurn(outbox)).rejects.toMatchObject({ name: 'StoreError', code: 'disk-full' });
		expect(outbox.worker.view()).toMatchObject({ queued: 0, problem: expect.stringContaining('ENOSPC') });
		refuse(null);
		const key = await queueTurn(outbox);
		expect(outbox.worker.view()).toMatchObject({ queued: 1, problem: '' });
		expect(linesOf(directory).map(({ idempotency_key }) => idempotency_key)).toEqual([key]);
	});

	it('lets nobody be called: what cannot be noted as sent is not sent', async () => {
		const directory = temporaryDirectory();
		const { disk, refuse } = refusingDisk();
		const outbox = openOutbox(directory, { disk });
		await outbox.worker.start();
		const key = await queueHook(outbox);
		refuse('EIO');
		await outbox.pass(10 * MINUTE);
		expect(outbox.sent).toEqual([]);
		expect(outbox.entry(key)).toMatchObject({ state: 'pending', attempts: 0 });
		refuse(null);
		outbox.answers.push(done);
		await outbox.pass(MINUTE);
		expect(outbox.sent).toHaveLength(1);
		expect(stateOnDisk(directory, key)).toBe('reconciled');
	});

	it('cannot make a thing that was done be done again: it is noted later', async () => {
		const directory = temporaryDirectory();
		const { disk, refuse } = refusingDisk();
		const outbox = openOutbox(directory, { disk });
		await outbox.worker.start();
		const key = await queueHook(outbox);
		await outbox.pass(0);
		refuse('ENOSPC');
		outbox.sent[0]?.answer(done);
		await outbox.pass(10 * MINUTE);
		expect(stateOnDisk(directory, key)).toBe('sent');
		expect(outbox.entry(key).state).toBe('reconciled');
		refuse(null);
		await outbox.pass(2 * MINUTE);
		expect(stateOnDisk(directory, key)).toBe('reconciled');
		expect(outbox.sent).toHaveLength(1);
	});

	it('never leaves a line that would have it sent again while it is being sent', async () => {
		const directory = temporaryDirectory();
		const { disk, refuse } = refusingDisk();
		const outbox = openOutbox(directory, { disk });
		await outbox.worker.start();
		const key = await queueHook(outbox);
		await outbox.pass(0);
		refuse('ENOSPC');
		outbox.sent[0]?.answer(retry);
		await outbox.pass(0);
		refuse(null);
		// What the disk refused is written in the same moment in which the entry is sent once more.
		await outbox.pass(5_000);
		expect(outbox.sent).toHaveLength(2);
		expect(stateOnDisk(directory, key)).toBe('sent');
		const crashed = openOutbox(directory);
		await crashed.worker.start();
		expect(crashed.entry(key).state).toBe('uncertain');
	});

	it('that cannot be read at the start is tried again, and queues nothing before', async () => {
		const directory = temporaryDirectory();
		const file = join(directory, OUTBOX_FILE);
		mkdirSync(file, { recursive: true });
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		expect(outbox.worker.view().problem).toContain('outbox.log');
		await expect(queueTurn(outbox)).rejects.toBeInstanceOf(StoreError);
		rmSync(file, { recursive: true });
		await outbox.pass(2 * MINUTE);
		expect(outbox.worker.view().problem).toBe('');
		await queueTurn(outbox);
	});
});

describe('sending', () => {
	it('is at most two at once, and one download of those', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		await outbox.worker.enqueue('download', { server_id: 'ollama', model: 'a' });
		await outbox.worker.enqueue('download', { server_id: 'ollama', model: 'b' });
		await outbox.pass(0);
		expect(outbox.sent).toHaveLength(1);
		const hooks = [await queueHook(outbox), await queueHook(outbox)];
		await outbox.pass(MINUTE);
		expect(outbox.sent).toMatchObject([{}, { key: hooks[0] }]);
		outbox.sent[1]?.answer(done);
		await outbox.pass(0);
		expect(outbox.sent[2]?.key).toBe(hooks[1]);
		// A second download that waits keeps no timer spinning.
		expect(outbox.time.timers).toBe(1);
		outbox.sent[0]?.answer(done);
		outbox.sent[2]?.answer(done);
		await outbox.pass(MINUTE);
		expect(outbox.sent).toHaveLength(4);
	});

	it('is tried again after a pause with jitter that grows, and not before the other side wished', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory, { random: () => 0.5 });
		await outbox.worker.start();
		const key = await queueHook(outbox);
		outbox.answers.push(retry, retry, { ...retry, afterMs: 5 * MINUTE });
		await outbox.pass(0);
		const waits: number[] = [];
		for (let attempt = 0; attempt < 3; attempt += 1) {
			const { nextAttemptAt } = outbox.entry(key);
			waits.push((nextAttemptAt ?? 0) - outbox.time.clock.wall());
			await outbox.pass(waits[attempt] ?? 0);
		}
		expect(waits).toEqual([1_000, 2_000, 5 * MINUTE + 4_000]);
		expect(outbox.sent).toHaveLength(4);
		expect(stateOnDisk(directory, key)).toBe('sent');
	});

	it('keeps a wish of the other side over a reconnect and over a restart', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		await queueHook(outbox);
		outbox.answers.push({ ...retry, afterMs: 5 * MINUTE });
		await outbox.pass(0);
		outbox.worker.drain('the network is back');
		await outbox.pass(4 * MINUTE);
		expect(outbox.sent).toHaveLength(1);
		const stopped = outbox.worker.stop();
		await outbox.time.advance(0);
		await stopped;
		const again = openOutbox(directory);
		again.time.now = outbox.time.now;
		await again.worker.start();
		await again.pass(30_000);
		expect(again.sent).toHaveLength(0);
		await again.pass(MINUTE);
		expect(again.sent).toHaveLength(1);
	});

	it('that gave up is shown with its reason, and a person can have it tried again', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const key = await queueHook(outbox);
		outbox.answers.push({ kind: 'failed', detail: 'HTTP 410' }, done);
		await outbox.pass(0);
		expect(outbox.entry(key)).toMatchObject({ state: 'failed', detail: 'HTTP 410' });
		await outbox.worker.retry(key);
		await outbox.pass(0);
		expect(outbox.sent.map((sent) => sent.key)).toEqual([key, key]);
		expect(outbox.entry(key)).toMatchObject({ state: 'reconciled', attempts: 2 });
		await expect(outbox.worker.retry(key)).rejects.toThrow('has arrived already');
	});

	it('of a notice ends after a day', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		const key = await queueHook(outbox);
		outbox.answers.push(...Array.from({ length: 500 }, () => retry));
		await outbox.pass(25 * 60 * MINUTE);
		expect(outbox.entry(key)).toMatchObject({ state: 'failed', detail: 'given up after a day: HTTP 503' });
		expect(outbox.sent.length).toBeLessThan(350);
	});

	it('waits where something is missing, and costs the disk nothing while that is known', async () => {
		const directory = temporaryDirectory();
		let missing: string | null = 'Anthropic is down';
		const outbox = openOutbox(directory, { waitsFor: () => missing });
		await outbox.worker.start();
		const key = await queueTurn(outbox);
		await outbox.pass(30 * MINUTE);
		expect(outbox.entry(key)).toMatchObject({ state: 'pending', detail: missing, nextAttemptAt: null });
		expect({ lines: linesOf(directory).length, sent: outbox.sent.length }).toEqual({ lines: 1, sent: 0 });
		missing = null;
		outbox.answers.push({ kind: 'wait', detail: 'no credentials' }, done);
		await outbox.pass(2 * MINUTE);
		expect(outbox.entry(key)).toMatchObject({ state: 'pending', detail: 'no credentials', attempts: 0 });
		expect(stateOnDisk(directory, key)).toBe('pending');
		await outbox.pass(60 * MINUTE);
		expect(outbox.sent).toHaveLength(1);
		outbox.worker.drain('app has called', 'anthropic');
		await outbox.pass(MINUTE);
		expect(outbox.entry(key).state).toBe('reconciled');
	});

	it('shows how far a download is', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		const { idempotency_key } = await outbox.worker.enqueue('download', { server_id: 'ollama', model: 'a' });
		await outbox.pass(0);
		expect(outbox.entry(idempotency_key).progress).toBeNull();
		outbox.sent[0]?.onProgress(0.25);
		expect(outbox.entry(idempotency_key)).toMatchObject({ state: 'sending', progress: 0.25 });
	});

	it('keeps the answer before the entry is done, and a store that refuses it costs no second call', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory, {
			keepAnswer: (entry) => {
				expect(stateOnDisk(directory, entry.idempotency_key)).toBe('sent');
				throw new Error('the disk is full');
			},
		});
		await outbox.worker.start();
		const key = await queueTurn(outbox);
		outbox.answers.push({ ...done, answer: { model: 'claude-opus-4-8', text: 'here it is' } });
		await outbox.pass(2 * MINUTE);
		expect(outbox.errors).toEqual(['keeping the answer of a queued turn: Error: the disk is full']);
		expect(outbox.entry(key).state).toBe('reconciled');
	});
});

describe('draining', () => {
	it('sends what waits for that provider, spread over two seconds', async () => {
		let share = 0;
		const random = () => {
			share = (share + 0.3) % 1;
			return share;
		};
		const waitsFor = (entry: OutboxEntry): string | null =>
			entry.kind === 'cloud_turn' && entry.payload.provider_id === 'openai' ? 'OpenAI is down' : null;
		const outbox = openOutbox(temporaryDirectory(), { random, waitsFor });
		await outbox.worker.start();
		const mine = [await queueTurn(outbox, { input_hash: 'a' }), await queueTurn(outbox, { input_hash: 'b' })];
		const other = await queueTurn(outbox, { provider_id: 'openai' });
		outbox.worker.drain('Anthropic answers again', 'anthropic');
		expect(outbox.entry(mine[0] ?? '').detail).toBe('Anthropic answers again');
		const times = mine.map((key) => (outbox.entry(key).nextAttemptAt ?? 0) - outbox.time.clock.wall());
		expect(new Set(times).size).toBe(2);
		for (const time of times) expect(time).toBeLessThanOrEqual(2_000);
		outbox.answers.push(done, done);
		await outbox.pass(2_000);
		expect(new Set(outbox.sent.map(({ key }) => key))).toEqual(new Set(mine));
		expect(outbox.entry(other).state).toBe('pending');
	});

	it('is not waited for where nothing stands in the way', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		await queueTurn(outbox);
		await outbox.pass(2_000);
		expect(outbox.sent).toHaveLength(1);
	});

	it('goes on after a night in which timers stood still', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		await queueTurn(outbox);
		await outbox.time.sleep(8 * 60 * MINUTE);
		await outbox.pass(0);
		expect(outbox.sent).toHaveLength(1);
	});
});

describe('what is uncertain', () => {
	it('was sent and never answered: it is shown, and only a person sends it again, with the same key', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const key = await queueHook(outbox);
		outbox.answers.push(new Error('ECONNRESET'));
		await outbox.pass(0);
		outbox.worker.drain('the network is back');
		await outbox.pass(60 * MINUTE);
		expect(outbox.sent).toHaveLength(1);
		expect(outbox.worker.view()).toMatchObject({ queued: 0, uncertain: 1 });
		expect(outbox.entry(key)).toMatchObject({
			state: 'uncertain',
			detail: 'It may or may not have arrived: ECONNRESET',
			nextAttemptAt: null,
		});
		outbox.answers.push(done);
		await outbox.worker.retry(key);
		await outbox.pass(0);
		expect(outbox.sent.map((sent) => sent.key)).toEqual([key, key]);
		expect(stateOnDisk(directory, key)).toBe('reconciled');
	});

	it('stays so over a restart, and over what the session does next', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const key = await queueTurn(outbox);
		outbox.answers.push(new Error('ECONNRESET'));
		await outbox.pass(MINUTE);
		const again = openOutbox(directory);
		await again.worker.start();
		await again.worker.superseded('session-1', 'hash-2');
		again.worker.drain('the network is back');
		await again.pass(60 * MINUTE);
		expect(again.sent).toHaveLength(0);
		expect(again.entry(key)).toMatchObject({
			state: 'uncertain',
			detail: expect.stringContaining('ECONNRESET'),
		});
		await again.worker.discard(key);
		expect(again.worker.view()).toMatchObject({ uncertain: 0, entries: [] });
		const last = openOutbox(directory);
		await last.worker.start();
		expect(last.worker.view().entries).toEqual([]);
	});

	it('is what was on its way when the floor stopped, unless it ends in time', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const [first, second] = [await queueHook(outbox), await queueHook(outbox)];
		await outbox.pass(0);
		const stopped = outbox.worker.stop();
		outbox.sent[0]?.answer(done);
		await outbox.pass(1_500);
		expect(outbox.sent[1]?.signal.aborted).toBe(true);
		await stopped;
		expect([first, second].map((key) => stateOnDisk(directory, key))).toEqual(['reconciled', 'sent']);
		await expect(queueTurn(outbox)).rejects.toBeInstanceOf(StoreError);
		expect(outbox.time.timers).toBe(0);
	});
});

describe('discarding', () => {
	it('takes an entry out for good', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const key = await queueTurn(outbox);
		await outbox.worker.discard(key);
		await outbox.pass(60 * MINUTE);
		expect({ sent: outbox.sent, entries: outbox.worker.view().entries }).toEqual({ sent: [], entries: [] });
		await expect(outbox.worker.retry(key)).rejects.toBeInstanceOf(ChannelError);
		await expect(outbox.worker.discard('no such key')).rejects.toBeInstanceOf(ChannelError);
		const again = openOutbox(directory);
		await again.worker.start();
		await again.pass(60 * MINUTE);
		expect({ sent: again.sent, entries: again.worker.view().entries }).toEqual({ sent: [], entries: [] });
	});

	it('calls off what is on its way', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		const { idempotency_key } = await outbox.worker.enqueue('download', { server_id: 'ollama', model: 'a' });
		await outbox.pass(0);
		await outbox.worker.discard(idempotency_key);
		expect(outbox.sent[0]?.signal.aborted).toBe(true);
		await outbox.pass(60 * MINUTE);
		expect({ sent: outbox.sent.length, entries: outbox.worker.view().entries }).toEqual({
			sent: 1,
			entries: [],
		});
	});

	it('in the moment in which it is to be sent, on a disk that refuses, is not forgotten', async () => {
		const { disk, refuse } = refusingDisk();
		const outbox = openOutbox(temporaryDirectory(), { disk });
		await outbox.worker.start();
		const key = await queueHook(outbox);
		refuse('ENOSPC');
		await outbox.time.advance(0);
		expect(outbox.entry(key).state).toBe('sending');
		await outbox.worker.discard(key);
		await outbox.pass(0);
		refuse(null);
		await outbox.pass(10 * MINUTE);
		expect({ sent: outbox.sent, entries: outbox.worker.view().entries }).toEqual({ sent: [], entries: [] });
	});

	it('of one that is being sent again at that moment sends it once at most', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		const key = await queueHook(outbox);
		outbox.answers.push({ kind: 'failed', detail: 'HTTP 410' });
		await outbox.pass(0);
		await Promise.all([outbox.worker.retry(key), outbox.worker.discard(key)]);
		await outbox.pass(60 * MINUTE);
		expect(outbox.sent.length).toBeLessThanOrEqual(2);
		expect(outbox.worker.view()).toMatchObject({ queued: 0, entries: [] });
	});
});

describe('a session that goes on', () => {
	it('drops its older turn and sends it never', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const [old, other] = [await queueTurn(outbox), await queueTurn(outbox, { session_key: 'session-2' })];
		const [first] = [outbox.worker.superseded('session-1', 'hash-2')];
		// From this moment on, whatever the disk does.
		expect(outbox.entry(old).state).toBe('failed');
		await first;
		expect(outbox.entry(old).detail).toContain('superseded');
		outbox.answers.push(done);
		outbox.worker.drain('back');
		await outbox.pass(60 * MINUTE);
		expect(outbox.sent.map(({ key }) => key)).toEqual([other]);
		expect(stateOnDisk(directory, old)).toBe('failed');
	});

	it('and has its answer by itself reconciles the turn without sending it', async () => {
		const outbox = openOutbox(temporaryDirectory());
		await outbox.worker.start();
		const key = await queueTurn(outbox);
		await outbox.worker.superseded('session-1', 'hash-1');
		expect(outbox.entry(key).state).toBe('pending');
		await outbox.worker.superseded('session-1', 'hash-1', true);
		expect(outbox.entry(key)).toMatchObject({
			state: 'reconciled',
			detail: expect.stringContaining('some other way'),
		});
		await outbox.pass(60 * MINUTE);
		expect(outbox.sent).toEqual([]);
	});
});

describe('compaction', () => {
	it('keeps the log small, drops what ended a week ago, and changes nothing that is open', async () => {
		const directory = temporaryDirectory();
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		const big = JSON.stringify('x'.repeat(1_500_000));
		const ended = await queueTurn(outbox, { body: big });
		outbox.answers.push({ kind: 'failed', detail: 'HTTP 400' });
		await outbox.pass(2 * MINUTE);
		const open = await queueTurn(outbox, { input_hash: 'hash-2', body: big });
		outbox.answers.push(...Array.from({ length: 6 }, () => retry), 'never');
		await outbox.pass(20 * MINUTE);
		expect(outbox.sent).toHaveLength(8);
		expect(linesOf(directory).length).toBeLessThan(8);
		expect(stateOnDisk(directory, open)).toBe('sent');
		await outbox.pass(8 * 24 * 60 * MINUTE);
		expect(linesOf(directory).map(({ idempotency_key }) => idempotency_key)).toEqual([open]);
		expect(outbox.worker.view().entries.map(({ idempotencyKey }) => idempotencyKey)).toEqual([open]);
		expect(ended).not.toBe(open);
	});

	it('that the disk refuses is reported, and everything goes on', async () => {
		const directory = temporaryDirectory();
		let refuses = false;
		const disk: DiskCalls = {
			...realDisk,
			rename: async (from, to) => {
				if (refuses) throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
				await realDisk.rename(from, to);
			},
		};
		const outbox = openOutbox(directory, { disk });
		await outbox.worker.start();
		const key = await queueTurn(outbox);
		await outbox.worker.discard(key);
		refuses = true;
		await outbox.pass(2 * 60 * MINUTE);
		expect(outbox.errors[0]).toContain('compacting the outbox');
		refuses = false;
		const next = await queueTurn(outbox);
		await outbox.pass(2 * 60 * MINUTE);
		expect(linesOf(directory).at(-1)?.idempotency_key).toBe(next);
	});
});

describe('damage', () => {
	it('in the log is reported and costs no entry', async () => {
		const directory = temporaryDirectory();
		const before = openOutbox(directory);
		await before.worker.start();
		const key = await queueTurn(before);
		const stopped = before.worker.stop();
		await before.time.advance(0);
		await stopped;
		const file = join(directory, OUTBOX_FILE);
		writeFileSync(file, 'not ours\n', { flag: 'a' });
		chmodSync(dirname(file), 0o700);
		const outbox = openOutbox(directory);
		await outbox.worker.start();
		expect(outbox.entry(key).state).toBe('pending');
		await queueHook(outbox);
		expect(outbox.damage).toEqual([expect.stringContaining('.corrupt-')]);
	});
});
