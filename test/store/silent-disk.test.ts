import { expect, it, onTestFinished, vi } from 'vitest';
import { readSmallFile } from '../../src/main/store/small-file.ts';

vi.mock('node:fs/promises', async (original) => ({
	...(await original<typeof import('node:fs/promises')>()),
	stat: () => new Promise(() => undefined),
}));

it('a disk that does not answer is given up, and the error says after how long', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const reading = readSmallFile('/mnt/x.json', { largestBytes: 1_000, meaning: 'Nothing is known.' });
	const refused = expect(reading).rejects.toMatchObject({
		message: 'Could not read /mnt/x.json: its disk has not answered for 5 s.',
		meaning: 'Nothing is known.',
	});
	await vi.advanceTimersByTimeAsync(5_000);
	await refused;
});
