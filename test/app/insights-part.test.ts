/** Looking back, over real files and a real store: what it says of today is what the floor says of today. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createInsightsHandlers } from '../../src/main/app/insights-handlers.ts';
import { InsightsPart } from '../../src/main/app/insights-part.ts';
import type { UsageParts } from '../../src/main/app/usage-parts.ts';
import { createAgent } from '../../src/main/floor/agent.ts';
import type { Floor } from '../../src/main/floor/floor.ts';
import { openDatabase } from '../../src/main/store/database.ts';
import { FloorStore } from '../../src/main/store/floor-store.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import type { Insights } from '../../src/shared/insights-view.ts';
import { insightsSchema } from '../../src/shared/insights-view.ts';
import { boundsOf, dayAfter, localDay } from '../../src/shared/local-day.ts';
import { NO_USAGE, type UsageAmount } from '../../src/shared/usage-view.ts';
import { agentRow, sessionRow, transitionRow } from '../store/rows.ts';
import { temporaryDirectory } from '../usage/transcript-files.ts';
import { looked, newFloor, newRun, rollout, SESSION, served } from './usage-run.ts';

const OTHER = '01930000-0000-7000-8000-000000000002';

function newStore(): FloorStore {
	const { database } = openDatabase(temporaryDirectory());
	const store = new FloorStore(database, () => {});
	onTestFinished(() => store.dispose());
	return store;
}

/** Over figures that are there already, or over none. */
function newPart({
	store = newStore(),
	floor = newFloor(),
	usage,
	now = Date.now,
}: {
	readonly store?: FloorStore;
	readonly floor?: Floor;
	readonly usage?: UsageParts;
	readonly now?: () => number;
}): InsightsPart {
	return new InsightsPart({
		floor,
		store,
		now,
		repositoryOf: (directory) =>
			directory.startsWith('/home/me/app') ? { path: '/home/me/app', name: 'app' } : null,
		workSince: (day) => usage?.workSince(day) ?? { read: [], beside: [], notes: [] },
	});
}

function onFloor(floor: Floor, sessionId: string, demo = false): string {
	const id = `codex:${sessionId}`;
	const agent = createAgent({ id, client: 'codex', sessionId, demo }, Date.now());
	agent.directory = '/home/me/app';
	agent.model = 'gpt-5.4';
	floor.restore([agent]);
	return id;
}

/** Money to a billionth of a dollar: sums in another order differ in their last digits. */
const rounded = ({ costUsd, ...amount }: UsageAmount) => ({
	...amount,
	costUsd: costUsd === null ? null : Number(costUsd.toFixed(9)),
});

function added(rows: readonly { readonly amount: UsageAmount }[]) {
	const sum = (of: (amount: UsageAmount) => number) =>
		rows.reduce((total, { amount }) => total + of(amount), 0);
	return { work: sum(({ work }) => work), costUsd: sum(({ costUsd }) => costUsd ?? 0) };
}

/** Today as the floor says it, in every way of adding up. */
function expectAgreement({ usage }: Insights, parts: UsageParts): void {
	const { today } = parts.view();
	const own = usage.days.at(-1)?.amount;
	expect(own && rounded(own)).toEqual(today && rounded(today));
	for (const rows of [usage.agents, usage.repositories, usage.models]) {
		const { work, costUsd } = added(rows);
		expect(work).toBe(today?.work);
		expect(costUsd).toBeCloseTo(today?.costUsd ?? 0, 9);
		for (const { amount } of rows) expect(amount.costUsd ?? 0).toBeGreaterThanOrEqual(0);
	}
}

describe('today, looked back at, is today on the floor', () => {
	it('of sessions without hooks, one of them served in part by this machine', async () => {
		const [home, store] = [temporaryDirectory(), newStore()];
		rollout(home, 100_000);
		rollout(home, 50_000, { id: OTHER, model: 'a-model-nobody-prices', cwd: '/home/me/other' });
		const parts = newRun(home, { store: store.usage });
		served(parts, 25_000);
		parts.start();
		await looked(parts);
		const insights = await newPart({ store, usage: parts }).read(1);
		expectAgreement(insights, parts);
		expect(insightsSchema.parse(insights)).toEqual(insights);
		expect(insights.usage.agents.map(({ key, name }) => [key, name])).toEqual([
			[`codex ${SESSION}`, 'app'],
			[`codex ${OTHER}`, 'other'],
		]);
		expect(insights.usage.repositories.map(({ path, name }) => [path, name])).toEqual([
			['/home/me/app', 'app'],
			['/home/me/other', 'other'],
		]);
		expect(insights.usage.models).toMatchObject([
			{ model: 'gpt-5.4', local: false, amount: { work: 100_000, localWork: 25_000 } },
			{
				model: 'a-model-nobody-prices',
				amount: { costUsd: null, unpricedModels: ['a-model-nobody-prices'] },
			},
		]);
	});

	it('of an agent that the gateway served more than its file tells, and of one without a file', async () => {
		const [home, store, floor] = [temporaryDirectory(), newStore(), newFloor()];
		rollout(home, 10_000);
		const parts = newRun(home, { store: store.usage, floor });
		for (const [sessionId, input] of [
			[SESSION, 30_000],
			['no-file', 7_000],
		] as const) {
			const id = onFloor(floor, sessionId);
			served(parts, input, sessionId);
			await parts.agents.sample(id, 'codex', [sessionId], []);
		}
		parts.start();
		await looked(parts);
		const insights = await newPart({ store, floor, usage: parts }).read(7);
		expectAgreement(insights, parts);
		expect(insights.usage.agents.map(({ key, amount }) => [key, amount.work])).toEqual([
			[`codex:${SESSION}`, 30_000],
			['codex:no-file', 7_000],
		]);
		expect(insights.usage.repositories.map(({ name }) => name)).toEqual(['app']);
	});

	it('of a play, whose agents are all there is', async () => {
		const [home, floor, store] = [temporaryDirectory(), newFloor(), newStore()];
		const id = onFloor(floor, 'played', true);
		const today = { ...NO_USAGE, input: 500, work: 500, costUsd: 0.25 };
		const usage = {
			...today,
			asOf: Date.now(),
			source: 'transcript' as const,
			otherCounts: [],
			today,
			week: today,
		};
		const agent = floor.agent(id);
		if (agent) agent.usage = usage;
		const parts = newRun(home, { store: store.usage, floor, isDemoFloor: true });
		const insights = await newPart({ store, floor, usage: parts }).read(1);
		expectAgreement(insights, parts);
		expect(insights.usage).toMatchObject({ agents: [{ key: id, amount: { costUsd: 0.25 } }], notes: [] });
	});

	it('and says so while nothing was looked for', async () => {
		const store = newStore();
		const parts = newRun(temporaryDirectory(), { store: store.usage });
		const { usage } = await newPart({ store, usage: parts }).read(1);
		expect(parts.view().today).toBeNull();
		expect(usage.notes).toEqual(['Session files were not looked for yet: figures grow.']);
	});
});

describe('an agent that has left the floor', () => {
	it('keeps its name with its work and its trips, over all of its sessions', async () => {
		const [store, now] = [newStore(), Date.now()];
		store.saveAgent(
			agentRow({
				id: 'codex:a',
				client: 'codex',
				sessionId: 'b',
				lastEventAt: now,
				name: 'shop',
				directory: '/w/shop',
			}),
		);
		for (const sessionId of ['a', 'b']) {
			store.saveSession(sessionRow({ client: 'codex', sessionId, agentId: 'codex:a' }));
		}
		store.recordTransition(transitionRow({ at: now, agentId: 'codex:a', sessionId: 'b' }));
		store.removeAgents(['codex:a']);
		const amount = { ...NO_USAGE, input: 10, work: 10 };
		const part = new InsightsPart({
			floor: newFloor(),
			store,
			now: () => now,
			repositoryOf: () => null,
			workSince: (day) => ({
				read: ['a', 'b'].map((sessionId) => ({
					client: 'codex',
					sessionId,
					directory: null,
					model: 'm',
					local: false,
					day,
					amount,
				})),
				beside: [],
				notes: [],
			}),
		});
		const { usage, trips } = await part.read(1);
		expect(usage.agents).toMatchObject([
			{ key: 'codex:a', name: 'shop', directory: '/w/shop', amount: { work: 20 } },
		]);
		expect(usage.repositories).toMatchObject([{ path: '/w/shop', name: 'shop' }]);
		expect(trips.list).toMatchObject([{ agentName: 'shop', client: 'codex', directory: '/w/shop' }]);
	});
});

describe('the days', () => {
	it('are those of the calendar, the one of 25 hours too', async () => {
		vi.stubEnv('TZ', 'Europe/Berlin');
		onTestFinished(() => {
			vi.unstubAllEnvs();
		});
		const store = newStore();
		const long = '2026-10-25';
		const { from, until } = boundsOf(long);
		expect(until - from).toBe(25 * 3_600_000);
		for (const at of [from - 1, from, until - 1, until]) store.recordTransition(transitionRow({ at }));
		const { trips, usage, reliability } = await newPart({ store, now: () => until + 1 }).read(3);
		const days = ['2026-10-24', long, '2026-10-26'];
		expect(trips.days).toEqual(
			[1, 2, 1].map((count, index) => ({ day: days[index], counts: { 'repeated-tool': count } })),
		);
		expect(usage.days.map(({ day }) => day)).toEqual(days);
		expect(reliability.days.map(({ day }) => day)).toEqual(days);
	});

	it('have their outages, also without a turn, and two providers at once count once', async () => {
		const store = newStore();
		const now = Date.now();
		const yesterday = boundsOf(dayAfter(localDay(now), -1)).from;
		for (const providerId of ['anthropic', 'openai']) {
			store.appendSlo({
				kind: 'degraded',
				id: providerId,
				providerId,
				startedAt: yesterday + 1000,
				knownUntil: yesterday + 61_000,
			});
		}
		const { days, fallbackRate } = (await newPart({ store, now: () => now }).read(2)).reliability;
		expect(days).toMatchObject([{ turns: 0, degradedMs: 60_000 }, { degradedMs: 0 }]);
		expect(fallbackRate).toBeNull();
	});
});

describe('a verdict', () => {
	it('is given, changed and taken back; on what is not kept it changes nothing and says so', async () => {
		const store = newStore();
		const at = Date.now();
		store.recordTransition(transitionRow({ at }));
		const part = newPart({ store, now: () => at });
		const handlers = createInsightsHandlers(part);
		const tripId = (await part.read(1)).trips.list[0]?.id ?? Number.NaN;
		for (const [verdict, precision] of [
			['right', 1],
			['right', 1],
			['false-alarm', 0],
			[null, null],
			[null, null],
		] as const) {
			expect(await handlers['trip:judge']({ tripId, verdict })).toMatchObject({ id: tripId, verdict });
			expect((await part.read(1)).trips.total).toMatchObject({ trips: 1, precision });
		}
		const judgeNothing = async () => handlers['trip:judge']({ tripId: tripId + 1, verdict: 'right' });
		await expect(judgeNothing()).rejects.toThrow(ChannelError);
		expect((await part.read(1)).trips.total).toMatchObject({ right: 0 });
	});
});
