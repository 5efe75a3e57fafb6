/** Records and counts that neighbouring programs lost, doubled or choked on. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportEvents } from '../../src/main/store/event-export.ts';
import { costWords } from '../../src/shared/format.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { newHome, total } from '../usage/index-files.ts';
import { assistantLine, type Row } from '../usage/transcript-files.ts';

describe('ccusage 866, 888, 1762: one response in several rows, with figures that come later (H35)', () => {
	const row = (input: number, output: number): Row => ({
		id: 'msg_1',
		requestId: 'req_1',
		usage: { input_tokens: input, output_tokens: output, cache_read_input_tokens: input * 3 },
	});
	const rows = [row(1, 1), row(4_000, 120), row(4_000, 311)];
	const orders = [
		[0, 1, 2],
		[0, 2, 1],
		[1, 0, 2],
		[1, 2, 0],
		[2, 0, 1],
		[2, 1, 0],
	];

	it.each(orders)('is counted once, at its largest, in the order %i %i %i', async (...order) => {
		const home = newHome();
		const lines = order.map((index) => assistantLine(rows[index] ?? row(0, 0)));
		home.write('s-1.jsonl', lines);
		home.write('s-2.jsonl', [...lines, ...lines]);
		const index = home.index();
		await index.look();
		expect(total(index, 's-1', 's-2')).toMatchObject({ input: 4_000, output: 311, cacheRead: 12_000 });
		expect(index.machineUsage().today).toMatchObject({ work: 4_311 });
	});
});

it('t3code 11021, openclaw 111175: no price is no $0.00, and the total is a lower bound (U65)', async () => {
	const home = newHome();
	home.write('s-1.jsonl', [assistantLine({ id: 'a', model: 'claude-x' })]);
	home.write('s-2.jsonl', [assistantLine({ id: 'b', usage: { input_tokens: 0, output_tokens: 1_000_000 } })]);
	const index = home.index();
	await index.look();
	expect(costWords(total(index, 's-1'))).toBe('unpriced');
	expect(costWords(total(index, 's-1', 's-2'))).toBe('≥ $25.00, some models unpriced');
});

it('anthropics/claude-code 56064, claude-code-trace 85: half a character is kept, and read again (H27)', async () => {
	const floor = await RunningTestFloor.start();
	onTestFinished(() => floor.dispose());
	const body = '{"session_id":"s-1","cwd":"/w","prompt":"abc\\ud83d"}';
	expect((await floor.hook('UserPromptSubmit', body)).status).toBe(200);
	await expect.poll(() => floor.snapshot().agents).toHaveLength(1);
	await floor.restart();
	const [kept] = [...exportEvents(floor.directory, 0)];
	expect(kept?.body).toBe(body);
	expect(JSON.parse(JSON.stringify(JSON.parse(kept?.body ?? '')))).toMatchObject({ prompt: 'abc\ud83d' });
	expect(JSON.stringify(floor.snapshot())).not.toMatch(/\\ud83d/);
});
