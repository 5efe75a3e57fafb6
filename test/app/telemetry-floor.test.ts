/** What records other than hooks bring to the floor: to sessions that are on it, and to nobody else. */
import { describe, expect, it } from 'vitest';
import { SessionCounters } from '../../src/main/app/session-counters.ts';
import { createTelemetrySink } from '../../src/main/app/telemetry-floor.ts';
import { createToldTrouble } from '../../src/main/app/told-trouble.ts';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import type { ProviderTrouble } from '../../src/main/usage/session-format.ts';
import { FloorFixture, T0 } from '../support/floor-fixture.ts';

const limited: ProviderTrouble = {
	at: T0 + 10_000,
	error: 'rate_limit',
	message: '429',
	status: 429,
	model: null,
	resetsAt: null,
	isRetry: true,
};

function place({ isConnected = true } = {}) {
	const fixture = new FloorFixture();
	fixture.happen({ kind: 'prompt', text: 'Go on' });
	const { floor } = fixture;
	const now = () => T0 + 20_000;
	const told: FloorEvent[] = [];
	const toldTrouble = createToldTrouble({ floor, now, onTrouble: (event) => told.push(event) });
	const counters = new SessionCounters(() => false);
	const sink = createTelemetrySink({
		floor,
		counters,
		now,
		isConnected: () => isConnected,
		onTrouble: toldTrouble,
		onUsage: () => {},
		onChange: () => {},
	});
	return { fixture, floor, sink, told, counters, now };
}

const problem = {
	sessionId: 's1',
	at: T0 + 5_000,
	event: 'PostToolUse',
	hooks: 1,
	failed: 1,
	cancelled: 0,
	durationMs: 30,
};

describe('trouble at a provider', () => {
	it('is shown on the agent, once for one failure, and never held against it', () => {
		const { fixture, sink, told } = place();
		sink.trouble('s1', limited);
		sink.trouble('s1', { ...limited, at: T0 + 12_000 });
		expect(told).toHaveLength(1);
		expect(fixture.agent().providerTrouble).toMatchObject({ error: 'rate_limit', at: T0 + 10_000 });
		sink.trouble('s1', { ...limited, error: 'overloaded', at: T0 + 13_000 });
		expect(told).toHaveLength(2);
	});

	it('is over when the agent has acted since, and is nobody’s whom the floor does not know', () => {
		const { fixture, floor, sink, told } = place();
		fixture.now = T0 + 15_000;
		fixture.happen({ kind: 'tool-call', callId: 'c', tool: 'Read', input: { file_path: '/a' } });
		sink.trouble('s1', limited);
		sink.trouble('another', limited);
		expect(told).toEqual([]);
		expect(floor.agents()).toHaveLength(1);
	});
});

describe('a hook that did not do its work', () => {
	it('is told where the floor’s hooks are, and only there', () => {
		const connected = place();
		connected.sink.hookProblem(problem);
		expect(connected.floor.incidents.all()).toMatchObject([{ kind: 'hook-problem', severity: 'info' }]);
		const apart = place({ isConnected: false });
		apart.sink.hookProblem(problem);
		connected.sink.hookProblem({ ...problem, sessionId: 'another' });
		expect(apart.floor.incidents.all()).toEqual([]);
		expect(connected.floor.incidents.all()).toHaveLength(1);
	});
});

describe('counts', () => {
	it('of a session that is not on the floor are kept for when it is', () => {
		const { counters, sink, now } = place();
		const usage = { input: 5, output: 2, cacheRead: 0, cacheCreation: 0, cacheCreation1h: 0, webSearches: 0 };
		const answer = { key: 'r', model: 'claude-sonnet-4-5', at: T0, usage };
		for (let time = 0; time < 2; time += 1) {
			sink.usage({ client: 'claude-code', sessionId: 'later', told: { by: 'log', ...answer } });
		}
		expect(counters.counts('claude-code', 'later', now())).toMatchObject([
			{ source: 'telemetry', total: { work: 7 } },
		]);
		expect(counters.counts('codex', 'later', now())).toEqual([]);
	});
});
