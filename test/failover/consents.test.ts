import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConsentAnswer, Consents } from '../../src/main/failover/consents.ts';

const request = {
	agentId: 'a',
	agentName: 'app',
	tool: 'Bash',
	target: 'git push',
	directory: '/home/me/app',
	why: 'It sends commits.',
	withinMs: 1000,
};

/** A desk on virtual time. */
function desk() {
	let now = 0;
	let timers: { at: number; work: () => void }[] = [];
	const changes: (ConsentAnswer | null)[] = [];
	const consents = new Consents({
		clock: { wall: () => now, steady: () => now },
		schedule: (ms, work) => {
			const timer = { at: now + ms, work };
			timers.push(timer);
			return () => {
				timers = timers.filter((one) => one !== timer);
			};
		},
		onChange: (ended) => changes.push(ended?.answer ?? null),
	});
	const advance = (ms: number): void => {
		now += ms;
		for (const timer of timers.filter(({ at }) => at <= now)) timer.work();
		timers = timers.filter(({ at }) => at > now);
	};
	return { consents, advance, changes, timers: () => timers.length };
}

describe('consent', () => {
	it.each([
		['allowed', true],
		['denied', false],
	] as const)('is %s by the operator, for this one call', async (answer, allow) => {
		const { consents, timers } = desk();
		const asked = consents.ask(request);
		const [view] = consents.views();
		expect(view).toMatchObject({ agentName: 'app', target: 'git push', askedAt: 0, expiresAt: 1000 });
		expect(consents.answer(view?.id ?? '', allow)).toBe(true);
		await expect(asked.answer).resolves.toBe(answer);
		expect([consents.views(), timers()]).toEqual([[], 0]);
		// Nothing is remembered: the same call asks again.
		consents.ask(request);
		expect(consents.views()).toHaveLength(1);
	});

	it('expires unanswered, and an answer after that is told that it came too late', async () => {
		const { consents, advance, changes } = desk();
		const asked = consents.ask(request);
		const id = consents.views()[0]?.id ?? '';
		advance(999);
		expect(consents.views()).toHaveLength(1);
		advance(1);
		await expect(asked.answer).resolves.toBe('expired');
		expect(consents.answer(id, true)).toBe(false);
		expect(changes).toEqual([null, 'expired']);
	});

	it('of a client that has left is closed', async () => {
		const { consents, timers } = desk();
		const asked = consents.ask(request);
		asked.abandon();
		asked.abandon();
		await expect(asked.answer).resolves.toBe('gone');
		expect([consents.views(), timers()]).toEqual([[], 0]);
	});

	it('is never given by the end of the floor', async () => {
		const { consents } = desk();
		const asked = [consents.ask(request), consents.ask(request)];
		consents.stop();
		expect(await Promise.all(asked.map(({ answer }) => answer))).toEqual(['expired', 'expired']);
	});

	it('is answered once, by whoever is first, in any order of events', async () => {
		const deed = fc.oneof(
			fc.record({ kind: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 700 }) }),
			fc.record({ kind: fc.constant('ask' as const) }),
			fc.record({
				kind: fc.constantFrom('allow' as const, 'deny' as const, 'leave' as const),
				which: fc.nat(9),
			}),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(deed, { maxLength: 40 }), async (deeds) => {
				const { consents, advance, timers } = desk();
				const asked: { abandon: () => void; id: string; given: ConsentAnswer[] }[] = [];
				for (const one of deeds) {
					if (one.kind === 'advance') advance(one.ms);
					else if (one.kind === 'ask') {
						const { answer, abandon } = consents.ask(request);
						const entry = { abandon, id: consents.views().at(-1)?.id ?? '', given: [] as ConsentAnswer[] };
						answer.then((given) => entry.given.push(given));
						asked.push(entry);
					} else {
						const entry = asked[one.which];
						if (entry === undefined) continue;
						if (one.kind === 'leave') entry.abandon();
						else consents.answer(entry.id, one.kind === 'allow');
					}
				}
				expect(timers()).toBe(consents.views().length);
				advance(1000);
				await Promise.resolve();
				expect(asked.map(({ given }) => given.length)).toEqual(asked.map(() => 1));
				expect([consents.views(), timers()]).toEqual([[], 0]);
			}),
			{ numRuns: 200 },
		);
	});
});
