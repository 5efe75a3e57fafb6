import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventQueue, type EventQueueOptions, type QueueTrouble } from '../../src/main/store/event-queue.ts';
import { StoreError } from '../../src/main/store/store-error.ts';

function diskFull(): StoreError {
	return new StoreError({ code: 'disk-full', message: 'full', meaning: 'm', remedy: 'r' });
}

/** A queue of texts on a disk that can be made to fail. */
function newQueue(options: Partial<EventQueueOptions<string>> = {}) {
	const disk = { batches: [] as string[][], fails: null as ((rows: readonly string[]) => unknown) | null };
	const troubles: QueueTrouble[] = [];
	const queue = new EventQueue<string>({
		write: (rows) => {
			const error = disk.fails?.(rows);
			if (error) throw error;
			disk.batches.push([...rows]);
		},
		bytesOf: (row) => row.length,
		onTrouble: (trouble) => troubles.push(trouble),
		...options,
	});
	return { queue, disk, troubles };
}

describe('the queue of events', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	it('writes nothing in the call that adds, and one batch a quarter of a second later', () => {
		const { queue, disk } = newQueue();
		queue.add('a');
		queue.add('b');
		vi.advanceTimersByTime(249);
		expect(disk.batches).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(disk.batches).toEqual([['a', 'b']]);
	});

	it('does not let a full batch wait, but still not in the call that adds', () => {
		const { queue, disk } = newQueue({ batchRows: 3 });
		for (const row of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) queue.add(row);
		expect(disk.batches).toEqual([]);
		vi.advanceTimersToNextTimer();
		vi.advanceTimersToNextTimer();
		vi.advanceTimersByTime(250);
		expect(disk.batches).toEqual([['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]);
	});

	it('keeps transactions small in bytes as well, but takes every row', () => {
		const { queue, disk } = newQueue({ batchBytes: 10 });
		for (const row of ['1234', '1234', '1234', 'x'.repeat(50), '1']) queue.add(row);
		queue.flush();
		expect(disk.batches.map((batch) => batch.length)).toEqual([2, 1, 1, 1]);
	});

	it('keeps its rows while the disk fails, says so once, and writes them when it works again', () => {
		const { queue, disk, troubles } = newQueue({ retryAfterMs: 1000 });
		disk.fails = diskFull;
		queue.add('a');
		vi.advanceTimersByTime(5000);
		queue.add('b');
		vi.advanceTimersByTime(5000);
		expect(troubles.map(({ error }) => error?.code)).toEqual(['disk-full']);
		disk.fails = null;
		vi.advanceTimersByTime(1000);
		expect(disk.batches).toEqual([['a', 'b']]);
		expect(troubles).toHaveLength(2);
		expect(troubles[1]).toEqual({ error: null, dropped: 0 });
	});

	it('is bounded in rows and in bytes; what is over is dropped and counted', () => {
		const { queue, disk, troubles } = newQueue({ mostRows: 5, mostBytes: 10 });
		disk.fails = diskFull;
		queue.add('12345');
		vi.advanceTimersByTime(250);
		queue.add('678901');
		for (let count = 0; count < 10; count += 1) queue.add('x');
		expect(queue.dropped).toBe(7);
		expect(troubles).toHaveLength(1);
		disk.fails = null;
		expect(queue.flush()).toBe(true);
		expect(disk.batches.flat()).toEqual(['12345', 'x', 'x', 'x', 'x']);
		expect(troubles.at(-1)).toEqual({ error: null, dropped: 7 });
	});

	it('says so when more comes than can be written in time', () => {
		const { queue, troubles } = newQueue({ mostRows: 2 });
		for (const row of ['a', 'b', 'c', 'd']) queue.add(row);
		expect(troubles.map(({ error }) => error?.code)).toEqual(['overloaded']);
		expect(queue.dropped).toBe(2);
	});

	it('takes one row that is larger than the bound when nothing else waits', () => {
		const { queue, disk } = newQueue({ mostBytes: 10 });
		queue.add('x'.repeat(100));
		queue.flush();
		expect(disk.batches).toHaveLength(1);
	});

	it('loses a row that cannot be stored, and only that one', () => {
		const { queue, disk, troubles } = newQueue();
		disk.fails = (rows) => (rows.includes('poison') ? new TypeError('cannot bind') : null);
		for (const row of ['a', 'poison', 'b']) queue.add(row);
		vi.advanceTimersByTime(250);
		expect(disk.batches.flat()).toEqual(['a', 'b']);
		expect(queue.dropped).toBe(1);
		expect(troubles[0]?.error?.code).toBe('failed');
		queue.add('c');
		vi.advanceTimersByTime(10_000);
		expect(disk.batches.flat()).toEqual(['a', 'b', 'c']);
		expect(troubles.at(-1)).toEqual({ error: null, dropped: 1 });
	});

	it('writes everything when it is disposed, and takes nothing after that', () => {
		const { queue, disk } = newQueue({ batchRows: 2 });
		for (const row of ['a', 'b', 'c']) queue.add(row);
		queue.dispose();
		queue.add('late');
		vi.advanceTimersByTime(10_000);
		expect(disk.batches.flat()).toEqual(['a', 'b', 'c']);
		expect(queue.dropped).toBe(1);
	});

	it('counts what it could not write when it was disposed', () => {
		const { queue, disk, troubles } = newQueue();
		disk.fails = diskFull;
		queue.add('a');
		queue.add('b');
		queue.dispose();
		expect(troubles.at(-1)?.dropped).toBe(2);
		expect(troubles.at(-1)?.error?.code).toBe('disk-full');
	});
});
