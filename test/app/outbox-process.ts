/**
 * A process of its own with an outbox, to be killed at any moment. Says on standard output what was acknowledged, one
 * key a line. Arguments: data directory, address of the receiver, and what to do: `queue` (send nothing), `work`
 * (queue and send) or `fill` (append to the log alone, long lines, many at once).
 */
import { writeSync } from 'node:fs';
import { OutboxWorker } from '../../src/main/app/outbox-worker.ts';
import { createWebhookSender } from '../../src/main/app/webhook.ts';
import { outboxEntrySchema } from '../../src/main/failover/outbox-entry.ts';
import { OutboxLog } from '../../src/main/store/outbox-log.ts';
import { hookEntry } from '../failover/outbox-entries.ts';

const [directory = '', url = '', what = ''] = process.argv.slice(2);

function say(line: string): void {
	writeSync(1, `${line}\n`);
}

const log = new OutboxLog({
	directory,
	schema: outboxEntrySchema,
	onDamage: (problem) => say(`damage ${problem}`),
});

async function fill(): Promise<never> {
	say('ready');
	for (let round = 0; ; round += 1) {
		await Promise.all(
			[1, 2, 3].map(async (size) => {
				const entry = hookEntry({ body: JSON.stringify('é💥'.repeat(size * size * 4_000 * (round % 4))) });
				await log.append([entry]);
				say(entry.idempotency_key);
			}),
		);
		if (round % 5 === 4) await log.compact((lines) => lines);
	}
}

async function work(): Promise<void> {
	const never = async () => ({ kind: 'failed', detail: 'not here' }) as const;
	const worker = new OutboxWorker({
		log,
		senders: { cloud_turn: never, download: never, hook: createWebhookSender({ url: () => url }) },
		clock: { wall: Date.now, steady: () => performance.now() },
		schedule: (ms, after) => {
			const timer = setTimeout(after, ms);
			return () => clearTimeout(timer);
		},
		// The pauses are those of the rules, only shorter: nobody wants to wait for a test.
		random: () => Math.random() * 0.02,
		...(what === 'queue' && { waitsFor: () => 'the network is gone' }),
		keepAnswer: () => {},
		onChange: () => {},
		onError: (where, error) => say(`error ${where} ${String(error)}`),
	});
	await worker.start();
	say('ready');
	for (let count = 0; count < 12; count += 1) {
		const { idempotency_key } = await worker.enqueue('hook', {
			url: new URL(url).origin,
			body: `{"n":${count}}`,
		});
		say(idempotency_key);
	}
	say('all queued');
}

await (what === 'fill' ? fill() : work());
setInterval(() => {}, 1_000);
