import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunningTestFloor } from '../support/running-floor.ts';

let floor: RunningTestFloor;
let place: string;
beforeAll(async () => {
	place = await mkdtemp(join(tmpdir(), 'agent-floor-usage-'));
	// No beat comes: everything below is read for the events' sake.
	floor = await RunningTestFloor.start();
});
afterAll(async () => {
	await floor.dispose();
	await rm(place, { recursive: true, force: true });
});

const response = (id: string, output: number): string =>
	`${JSON.stringify({
		type: 'assistant',
		requestId: `req_${id}`,
		message: { id, model: 'claude-sonnet-4-5', usage: { input_tokens: 10, output_tokens: output } },
	})}\n`;

it('reads what a session wrote at its very end, although it has ended', async () => {
	const transcript = join(place, 's1.jsonl');
	const common = { session_id: 's1', transcript_path: transcript, cwd: place };
	await floor.hook('UserPromptSubmit', { ...common, prompt: 'x' });
	await appendFile(transcript, response('one', 100));
	await floor.hook('Stop', common);
	await floor.hook('SessionEnd', { ...common, reason: 'other' });
	// The transcript is written behind the hooks.
	await new Promise((resolve) => setTimeout(resolve, 300));
	await appendFile(transcript, response('two', 50));
	await expect.poll(() => floor.snapshot().agents[0]?.usage?.output, { timeout: 10_000 }).toBe(150);
	expect(floor.snapshot().agents[0]?.state.kind).toBe('exited');
});
