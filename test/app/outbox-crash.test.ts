import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OutboxWorker } from '../../src/main/app/outbox-worker.ts';
import { createWebhookSender } from '../../src/main/app/webhook.ts';
import { type OutboxEntry, outboxEntrySchema } from '../../src/main/failover/outbox-entry.ts';
import { OUTBOX_FILE, OutboxLog } from '../../src/main/store/outbox-log.ts';
import { VirtualTime } from '../failover/orchestrator-fixture.ts';
import { hookEntry } from '../failover/outbox-entries.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

const ROUNDS = 4;
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

interface Receiver {
	readonly url: string;
	/** The key of every request that came. */
	readonly requests: string[];
	/** What was really done: once a key, however often it came. */
	readonly effects: Map<string, string>;
}

/** Honours the Idempotency-Key, and takes its time. */
async function receiver(): Promise<Receiver> {
	const requests: string[] = [];
	const effects = new Map<string, string>();
	const server = createServer(async (request, response) => {
		let body = '';
		for await (const chunk of request) body += chunk;
		const key = String(request.headers['idempotency-key']);
		requests.push(key);
		if (!effects.has(key)) effects.set(key, body);
		await sleep(Math.random() * 10);
		response.end('{}');
	}).listen(0, '127.0.0.1');
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	return { url: `http://127.0.0.1:${port}/services/T0/s3cret?token=s3cret`, requests, effects };
}

interface Child {
	readonly process: ChildProcess;
	/** What it has said so far. */
	readonly said: string[];
	saying(words: string): Promise<void>;
	/** Resolves when it has had so many entries acknowledged. */
	acknowledging(count: number): Promise<void>;
	kill(): Promise<void>;
}

function start(directory: string, url: string, what: 'queue' | 'work' | 'fill'): Child {
	const script = join(import.meta.dirname, 'outbox-process.ts');
	const process_ = spawn(process.execPath, [script, directory, url, what], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const said: string[] = [];
	let rest = '';
	process_.stdout.setEncoding('utf8').on('data', (text: string) => {
		const lines = (rest + text).split('\n');
		rest = lines.pop() ?? '';
		said.push(...lines);
	});
	onTestFinished(() => {
		process_.kill('SIGKILL');
	});
	return {
		process: process_,
		said,
		acknowledging: (count) =>
			vi.waitFor(() => expect(said.filter((line) => uuid.test(line)).length).toBeGreaterThanOrEqual(count), {
				timeout: 15_000,
				interval: 1,
			}),
		saying: (words) => vi.waitFor(() => expect(said).toContain(words), { timeout: 15_000, interval: 5 }),
		kill: async () => {
			process_.kill('SIGKILL');
			await once(process_, 'close');
		},
	};
}

function linesOf(directory: string): OutboxEntry[] {
	const text = readFileSync(join(directory, OUTBOX_FILE), 'utf8');
	expect(text.endsWith('\n')).toBe(true);
	return text
		.split('\n')
		.slice(0, -1)
		.map((line) => outboxEntrySchema.parse(JSON.parse(line)));
}

/** The floor after its restart: in this process, on virtual time, with the real log, sender and receiver. */
function restarted(directory: string, url: string) {
	const time = new VirtualTime();
	const damage: string[] = [];
	const log = new OutboxLog({ directory, schema: outboxEntrySchema, onDamage: (what) => damage.push(what) });
	const never = async () => ({ kind: 'failed', detail: 'not here' }) as const;
	const worker = new OutboxWorker({
		log,
		senders: { cloud_turn: never, download: never, hook: createWebhookSender({ url: () => url }) },
		clock: time.clock,
		schedule: time.schedule,
		random: Math.random,
		keepAnswer: () => {},
		onChange: () => {},
		onError: (_where, error) => {
			throw error;
		},
	});
	onTestFinished(async () => {
		const stopped = worker.stop();
		await time.advance(10_000);
		await stopped;
	});
	const drained = () =>
		vi.waitFor(
			async () => {
				await time.advance(1_000);
				expect(worker.view().queued).toBe(0);
			},
			{ timeout: 15_000, interval: 5 },
		);
	return { worker, drained, damage };
}

describe('seed 003, test 5', () => {
	it('enqueue → kill → restart → drained exactly once, idempotency key honoured, jitter applied', async () => {
		const directory = temporaryDirectory();
		const { url, requests, effects } = await receiver();
		const child = start(directory, url, 'queue');
		await child.saying('all queued');
		await child.kill();
		const acknowledged = child.said.filter((line) => uuid.test(line));
		expect(acknowledged).toHaveLength(12);
		expect(requests).toEqual([]);

		const { worker, drained } = restarted(directory, url);
		await worker.start();
		const times = worker.view().entries.map(({ nextAttemptAt }) => nextAttemptAt);
		expect(new Set(times).size).toBe(12);
		worker.drain('the network is back');
		await drained();
		expect(requests.toSorted()).toEqual(acknowledged.toSorted());
		expect(effects.size).toBe(12);
		const kept = readdirSync(join(directory, '.aide')).map((file) =>
			readFileSync(join(directory, '.aide', file), 'utf8'),
		);
		expect(kept.join()).not.toContain('s3cret');
		expect(worker.view().entries.map(({ state }) => state)).toEqual(acknowledged.map(() => 'reconciled'));

		const again = restarted(directory, url);
		await again.worker.start();
		again.worker.drain('the network is back');
		await again.drained();
		expect(requests).toHaveLength(12);
	});
});

describe('killed at any moment', () => {
	it('nothing acknowledged is lost, nothing is sent twice, and what is unclear is shown', async () => {
		const directory = temporaryDirectory();
		const { url, requests, effects } = await receiver();
		const acknowledged: string[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const child = start(directory, url, 'work');
			await child.acknowledging(1 + Math.floor(Math.random() * 12));
			await sleep(Math.random() * 30);
			await child.kill();
			acknowledged.push(...child.said.filter((line) => uuid.test(line)));
			expect(child.said.filter((line) => /^(damage|error)/.test(line))).toEqual([]);
		}
		const drain = restarted(directory, url);
		await drain.worker.start();
		await drain.drained();
		// Until the last end is written down as well.
		await drain.worker.stop();
		expect(drain.damage).toEqual([]);
		expect(new Set(requests).size).toBe(requests.length);

		const lines = linesOf(directory);
		const states = new Map(lines.map((line) => [line.idempotency_key, line.state]));
		const uncertain = [...states].flatMap(([key, state]) => (state === 'sent' ? key : []));
		const { worker, drained } = restarted(directory, url);
		await worker.start();
		expect(worker.view()).toMatchObject({ queued: 0, uncertain: uncertain.length });
		for (const key of acknowledged) expect(['sent', 'reconciled']).toContain(states.get(key));
		for (const [key, state] of states) if (state === 'reconciled') expect(effects.has(key)).toBe(true);

		for (const key of uncertain) await worker.retry(key);
		await drained();
		expect(new Set(effects.keys())).toEqual(new Set(states.keys()));
		expect(requests.length).toBeLessThanOrEqual(states.size + uncertain.length);
		expect(worker.view().uncertain).toBe(0);
	});

	it('the log has every line that was acknowledged, whole, and none fused', async () => {
		const directory = temporaryDirectory();
		const acknowledged: string[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const child = start(directory, '', 'fill');
			await child.acknowledging(1 + Math.floor(Math.random() * 20));
			await sleep(Math.random() * 10);
			await child.kill();
			acknowledged.push(...child.said.filter((line) => uuid.test(line)));
			const damage: string[] = [];
			const log = new OutboxLog({
				directory,
				schema: outboxEntrySchema,
				onDamage: (what) => damage.push(what),
			});
			const recovered = new Set((await log.read()).map((line) => line.idempotency_key));
			for (const key of acknowledged) expect(recovered).toContain(key);
			await log.append([hookEntry()]);
			await log.close();
			expect(new Set(linesOf(directory).map((line) => line.idempotency_key))).toHaveLength(
				recovered.size + 1,
			);
			expect(damage).toEqual([]);
		}
		expect(acknowledged.length).toBeGreaterThan(0);
	});
});
