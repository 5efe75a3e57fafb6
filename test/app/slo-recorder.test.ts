import { describe, expect, it, onTestFinished } from 'vitest';
import { NOTE_EVERY_MS, SloRecorder } from '../../src/main/app/slo-recorder.ts';
import type { TurnEnd, TurnFacts } from '../../src/main/failover/desk.ts';
import { openDatabase } from '../../src/main/store/database.ts';
import { FloorStore } from '../../src/main/store/floor-store.ts';
import { boundsOf, localDay } from '../../src/shared/local-day.ts';
import { isSameModel } from '../../src/shared/model-names.ts';
import { VirtualTime } from '../failover/orchestrator-fixture.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

const MINUTE = 60_000;

function facts(more: Partial<TurnFacts> = {}): TurnFacts {
	return {
		turnId: 'turn-1',
		sessionKey: 'session-1',
		isAttributed: true,
		subagentId: null,
		agentId: 'agent-1',
		agentName: 'app',
		workspace: '/home/dev/app',
		providerId: 'anthropic',
		protocol: 'anthropic-messages',
		model: 'claude-opus-4-8',
		isStream: true,
		offersTools: true,
		estimatedTokens: 1_000,
		maxOutputTokens: null,
		activity: 'other',
		inputHash: 'hash-1',
		prompt: '',
		isAuxiliary: false,
		startedAt: 0,
		...more,
	};
}

const answered = (harness: 'local' | 'cloud', model = 'claude-opus-4-8'): TurnEnd => ({
	kind: 'answered',
	harness,
	at: 'somewhere',
	model,
});

function open(directory = temporaryDirectory()) {
	const { database } = openDatabase(directory);
	const store = new FloorStore(database, () => {});
	onTestFinished(() => store.dispose());
	const time = new VirtualTime();
	const { from } = boundsOf('2026-11-30');
	// Ten in the morning of a known day.
	const wall = () => from + 10 * 60 * MINUTE + time.now - 1_000_000;
	const recorder = new SloRecorder({
		append: (row) => store.appendSlo(row),
		clock: { wall, steady: time.clock.steady },
		schedule: time.schedule,
		isDemo: (agentId) => agentId.startsWith('demo'),
	});
	onTestFinished(() => recorder.dispose());
	const ended = (end: TurnEnd, more: Partial<TurnFacts> = {}) =>
		recorder.listen({ kind: 'turn-ended', at: wall(), facts: facts(more), end });
	const provider = (down: boolean, providerId = 'anthropic') =>
		recorder.listen({ kind: 'provider-changed', at: wall(), providerId, down, reason: '' });
	const minutesDown = () => store.sloTotal('2026-11-30').degradedMs / MINUTE;
	return { store, database, time, wall, recorder, ended, provider, minutesDown, directory };
}

describe('turns', () => {
	it('are counted by how they ended', () => {
		const { store, ended, wall } = open();
		ended(answered('cloud'));
		ended(answered('cloud', 'claude-opus-4-8-20261101'));
		ended(answered('local', 'qwen3-coder:30b'));
		ended(answered('cloud', 'claude-haiku-4-5'));
		ended({ kind: 'refused' });
		ended({ kind: 'queued' });
		ended({ kind: 'failed' });
		expect(store.sloDays(1, wall())).toMatchObject([
			{ day: localDay(wall()), turns: 7, fallbackTurns: 2, refusedTurns: 1, queuedTurns: 1 },
		]);
	});

	it('of the demo, of helper requests and of clients that left are not', () => {
		const { store, ended, wall } = open();
		ended(answered('local'), { agentId: 'demo-1' });
		ended(answered('cloud'), { isAuxiliary: true });
		ended({ kind: 'client-left' });
		expect(store.sloDays(1, wall())).toEqual([]);
		ended(answered('cloud'), { agentId: null });
		expect(store.sloDays(1, wall())).toMatchObject([{ turns: 1 }]);
	});

	it('never reach the disk while they are told, even one that is locked', () => {
		const { store, database, ended, wall } = open();
		database.pragma('query_only = ON');
		expect(() => ended(answered('cloud'))).not.toThrow();
		expect(store.flush()).toBe(false);
		database.pragma('query_only = OFF');
		expect(store.sloDays(1, wall())).toMatchObject([{ turns: 1 }]);
	});
});

describe('the same model', () => {
	it('is one whatever its date, its alias and its client’s mark', () => {
		const same: [string, string][] = [
			['claude-opus-4-8', 'claude-opus-4-8-20261101'],
			['claude-opus-4-8[1m]', 'claude-opus-4-8'],
			['claude-opus-4-8-latest', 'claude-opus-4-8-20261101'],
			['gpt-6', 'gpt-6-2026-08-01'],
			['GPT-6', 'gpt-6'],
			['claude-opus-4-8@20261101', 'claude-opus-4-8'],
		];
		for (const [asked, got] of same)
			expect([asked, got, isSameModel(asked, got)]).toEqual([asked, got, true]);
		const different: [string, string][] = [
			['claude-opus-4-8', 'claude-haiku-4-5'],
			['gpt-6', 'gpt-6-mini'],
			['gpt-6', 'gpt-5'],
			['qwen3:30b', 'qwen3:8b'],
		];
		for (const [asked, got] of different)
			expect([asked, got, isSameModel(asked, got)]).toEqual([asked, got, false]);
	});
});

describe('popups and the queue', () => {
	it('are counted on the day they were seen', () => {
		const { store, recorder, wall } = open();
		for (const popupMs of [120, -3]) {
			recorder.listen({
				kind: 'popup-opened',
				at: wall(),
				providerId: 'anthropic',
				popupId: 'p',
				cause: 'network-lost',
				popupMs,
			});
		}
		for (const depth of [1, 4, 0]) recorder.listen({ kind: 'queue-depth', at: wall(), depth });
		expect(store.sloDays(1, wall())).toMatchObject([
			{ popupMs: { count: 2, p50: 0, p99: 120, max: 120 }, queueDepthMax: 4 },
		]);
	});

	it('that wait over midnight are the next day’s as well', async () => {
		const { store, recorder, wall, time } = open();
		recorder.listen({ kind: 'queue-depth', at: wall(), depth: 3 });
		await time.advance(15 * 60 * MINUTE);
		expect(store.sloTotal('2026-12-01').queueDepthMax).toBe(3);
		recorder.listen({ kind: 'queue-depth', at: wall(), depth: 0 });
		await time.advance(24 * 60 * MINUTE);
		expect(store.sloTotal('2026-12-02').queueDepthMax).toBe(0);
		expect(time.timers).toBe(0);
	});
});

describe('time in which a provider is down', () => {
	it('is from its loss to its return, told once or twice', async () => {
		const { provider, time, minutesDown } = open();
		provider(true);
		await time.advance(5 * MINUTE);
		provider(true);
		await time.advance(5 * MINUTE);
		provider(false);
		await time.advance(30 * MINUTE);
		provider(false);
		expect(minutesDown()).toBe(10);
		expect(time.timers).toBe(0);
	});

	it('ends when the floor stops', async () => {
		const { provider, time, recorder, minutesDown } = open();
		provider(true);
		await time.advance(7 * MINUTE);
		recorder.dispose();
		await time.advance(30 * MINUTE);
		expect(minutesDown()).toBe(7);
		provider(true);
		expect(time.timers).toBe(0);
	});

	it('ends with what was noted last when the floor crashed, not with the restart', async () => {
		const directory = temporaryDirectory();
		const { provider, time, store } = open(directory);
		provider(true);
		await time.advance(10 * MINUTE + NOTE_EVERY_MS / 2);
		store.flush();
		// Nothing is said to the recorder: the process is gone.
		expect(open(directory).minutesDown()).toBe(10);
	});

	it('leaves out the hours in which the machine slept', async () => {
		const { provider, time, minutesDown } = open();
		provider(true);
		await time.advance(2 * MINUTE);
		await time.sleep(8 * 60 * MINUTE);
		await time.advance(3 * MINUTE);
		provider(false);
		expect(minutesDown()).toBeCloseTo(5, 5);
	});

	it('leaves them out as well when the first thing after the night is that it answers', async () => {
		const { provider, time, minutesDown } = open();
		provider(true);
		await time.advance(2 * MINUTE);
		time.now += 8 * 60 * MINUTE;
		provider(false);
		expect(minutesDown()).toBe(2);
	});

	it('is never below nothing when the clock is set back', () => {
		const { recorder, wall, minutesDown } = open();
		const told = (down: boolean, at: number) =>
			recorder.listen({ kind: 'provider-changed', at, providerId: 'anthropic', down, reason: '' });
		told(true, wall());
		told(false, wall() - 5 * MINUTE);
		expect(minutesDown()).toBe(0);
	});
});
