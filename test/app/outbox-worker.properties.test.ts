/** Whatever happens in whatever order: nothing acknowledged is lost, and nothing is sent twice by itself. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cloudTurn, hook } from '../failover/outbox-entries.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import {
	type Answer,
	linesOf,
	type OpenedOutbox,
	openOutbox,
	refusingDisk,
	stateOnDisk,
} from './outbox-fixture.ts';

type Step =
	| { readonly do: 'enqueue'; readonly session: number }
	| { readonly do: 'pass'; readonly seconds: number }
	| { readonly do: 'answer'; readonly answer: Exclude<Answer, 'never'> }
	| { readonly do: 'drain' | 'crash' | 'disk' }
	| { readonly do: 'retry' | 'discard'; readonly nth: number }
	| { readonly do: 'superseded'; readonly session: number; readonly answered: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('enqueue' as const), session: fc.nat(3) }) },
	{
		weight: 4,
		arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 5, 90, 900) }),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('answer' as const),
			answer: fc.constantFrom<Exclude<Answer, 'never'>>(
				{ kind: 'done', detail: '' },
				{ kind: 'retry', detail: '' },
				{ kind: 'retry', detail: '', afterMs: 60_000 },
				{ kind: 'wait', detail: '' },
				{ kind: 'failed', detail: '' },
				new Error('cut'),
			),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constantFrom('drain' as const, 'crash' as const, 'disk' as const) }),
	},
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constantFrom('retry' as const, 'discard' as const), nth: fc.nat(5) }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('superseded' as const),
			session: fc.nat(3),
			answered: fc.boolean(),
		}),
	},
);

/** What may happen to a key next: `free` to be sent by itself, only by a `person`, or `never` again. */
type Leave = 'free' | 'person' | 'never';

class Model {
	readonly directory = temporaryDirectory();
	readonly disk = refusingDisk();
	readonly leave = new Map<string, Leave>();
	readonly discarded = new Set<string>();
	isRefusing = false;
	outbox: OpenedOutbox;
	#seen = 0;
	#serial = 0;
	readonly #superseded = new Set<string>();
	/** Calls of senders that were not answered yet. */
	#open: { key: string; answer: OpenedOutbox['sent'][number]['answer'] }[] = [];

	constructor() {
		this.outbox = openOutbox(this.directory, { disk: this.disk.disk });
	}

	/** Every call of a sender that is new: was it allowed? */
	look(): void {
		for (const { key, answer } of this.outbox.sent.slice(this.#seen)) {
			expect({ key, leave: this.leave.get(key) }).toEqual({ key, leave: 'free' });
			// Until it is answered nobody knows whether it arrived.
			this.leave.set(key, 'person');
			this.#open.push({ key, answer });
		}
		this.#seen = this.outbox.sent.length;
	}

	async run(one: Step): Promise<void> {
		const { worker, time } = this.outbox;
		switch (one.do) {
			case 'enqueue':
				await this.#enqueue(one.session);
				break;
			case 'pass':
				await this.outbox.pass(one.seconds * 1_000);
				break;
			case 'answer': {
				const call = this.#open.shift();
				if (!call) break;
				const known = one.answer instanceof Error ? 'cut' : one.answer.kind;
				if (known === 'done') this.leave.set(call.key, 'never');
				else if (known === 'retry' || known === 'wait') this.#free(call.key);
				call.answer(one.answer);
				await this.outbox.pass(0);
				break;
			}
			case 'drain':
				worker.drain('back');
				break;
			case 'disk':
				this.isRefusing = !this.isRefusing;
				this.disk.refuse(this.isRefusing ? 'ENOSPC' : null);
				break;
			case 'crash':
				await this.crash();
				break;
			case 'retry':
			case 'discard':
				await this.#person(one.do, one.nth);
				break;
			case 'superseded': {
				const key = `session-${one.session}`;
				await worker.superseded(key, 'newest', one.answered);
				for (const { idempotencyKey, state, detail } of worker.view().entries) {
					if (state !== 'failed' || !detail.startsWith('superseded')) continue;
					this.leave.set(idempotencyKey, 'person');
					this.#superseded.add(idempotencyKey);
				}
				await time.advance(0);
				break;
			}
		}
		this.look();
	}

	/** The process is gone: what is on the disk is all there is. */
	async crash(): Promise<void> {
		await this.outbox.pass(0);
		this.look();
		for (const [key, leave] of this.leave) {
			const state = stateOnDisk(this.directory, key);
			// What became of it was refused by the disk: it may have arrived, and a person may send it again.
			if (state === 'sent') this.leave.set(key, 'person');
			// That its session had gone on was refused by the disk: it is as if that was never known.
			else if (state === 'pending' && this.#superseded.has(key) && leave === 'person')
				this.leave.set(key, 'free');
			// And that it was thrown away in the moment in which it was to be sent.
			else if (state === 'pending' && this.discarded.delete(key)) this.leave.set(key, 'free');
		}
		this.#superseded.clear();
		this.#open = [];
		this.#seen = 0;
		const { now } = this.outbox.time;
		this.outbox = openOutbox(this.directory, { disk: this.disk.disk });
		this.outbox.time.now = now;
		await this.outbox.worker.start();
	}

	async #enqueue(session: number): Promise<void> {
		this.#serial += 1;
		const { worker } = this.outbox;
		const payload = cloudTurn({ session_key: `session-${session}`, input_hash: `hash-${this.#serial}` });
		const queued = session === 0 ? worker.enqueue('hook', hook()) : worker.enqueue('cloud_turn', payload);
		await queued.then(
			({ idempotency_key: key }) => {
				expect(this.isRefusing).toBe(false);
				this.leave.set(key, 'free');
			},
			() => expect(this.isRefusing).toBe(true),
		);
	}

	async #person(what: 'retry' | 'discard', nth: number): Promise<void> {
		const entry = this.outbox.worker.view().entries[nth];
		if (!entry) return;
		const { idempotencyKey: key, state } = entry;
		try {
			await this.outbox.worker[what](key);
		} catch {
			// Refused by the disk, or done already: as if nobody had clicked.
			return;
		}
		if (what === 'discard') {
			this.discarded.add(key);
			this.leave.set(key, 'never');
		}
		if (what === 'retry' && state !== 'sending' && this.leave.get(key) !== 'never')
			this.leave.set(key, 'free');
	}

	/** Unless it was discarded meanwhile. */
	#free(key: string): void {
		if (this.leave.get(key) !== 'never') this.leave.set(key, 'free');
	}
}

it('nothing acknowledged is lost and nothing is sent twice by itself', { timeout: 60_000 }, async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
			const model = new Model();
			await model.outbox.worker.start();
			for (const one of steps) await model.run(one);
			model.isRefusing = false;
			model.disk.refuse(null);
			await model.outbox.pass(120_000);
			model.look();
			await model.crash();
			if (model.leave.size === 0) return;
			// Every key that was acknowledged is on the disk, but those that a person threw away, and no other.
			const lines = new Set(linesOf(model.directory).map(({ idempotency_key }) => idempotency_key));
			for (const key of lines) expect(model.leave.has(key)).toBe(true);
			for (const key of model.leave.keys()) expect(lines.has(key) || model.discarded.has(key)).toBe(true);
			// What may still go out by itself does, once; the rest waits for a person.
			const free = [...model.leave].filter(([, leave]) => leave === 'free').map(([key]) => key);
			const open = model.outbox.worker.view();
			expect(open.queued).toBe(free.length);
			model.outbox.answers.push(...free.map(() => ({ kind: 'done', detail: '' }) as const));
			model.outbox.worker.drain('back');
			await model.outbox.pass(120_000);
			expect(model.outbox.sent.map(({ key }) => key).toSorted()).toEqual(free.toSorted());
		}),
		{ numRuns: 20 },
	);
});
