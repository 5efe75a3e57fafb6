import { describe, expect, it } from 'vitest';
import { order, resetEvidence, resume, steer } from '../../src/main/floor/orders.ts';
import { viewOf } from '../../src/main/floor/view.ts';
import { FloorFixture } from '../support/floor-fixture.ts';
import { usageView } from '../support/usage-views.ts';

describe('the ladder with what the heartbeat knows', () => {
	it('steers a looping agent, and climbs only after the note was read and the loop went on', () => {
		const fixture = new FloorFixture();
		fixture.loop(10);
		fixture.beat();
		expect(fixture.agent().level).toBe('steering');
		// Nothing could carry the note yet: the ladder waits.
		fixture.beat();
		expect(fixture.agent().level).toBe('steering');
		expect(fixture.agent().climbHeld).not.toBe('');
		const { before, after } = fixture.use('Bash', { command: 'npm test' });
		expect([before.verdict.kind, after.verdict.kind]).toEqual(['note', 'pass']);
		fixture.loop(2);
		fixture.beat();
		expect(fixture.agent().level).toBe('constrained');
	});

	it('lets an agent that changes its ways go down again, and takes back what it did not read', () => {
		const fixture = new FloorFixture();
		fixture.loop(10);
		fixture.beat();
		fixture.use('Bash', { command: 'npm test' });
		for (const step of ['a', 'b', 'c', 'd', 'e']) fixture.use('Bash', { command: `step ${step}` }, step);
		fixture.beat();
		expect(fixture.agent().level).toBe('healthy');
		expect(fixture.transitions()).toEqual(['healthy>steering', 'steering>healthy']);
		expect(fixture.agent().notes.every((note) => note.deliveredAt !== null)).toBe(true);
	});

	it('constrains to reading, says why and how it clears, and tells the model when it is lifted', () => {
		const fixture = new FloorFixture();
		fixture.loop(10);
		fixture.beat();
		fixture.loop(3);
		fixture.beat();
		expect(fixture.agent().level).toBe('constrained');
		const { before } = fixture.use('Bash', { command: 'npm test' });
		expect(before.verdict).toMatchObject({ kind: 'deny' });
		expect(before.verdict.kind === 'deny' && before.verdict.reason).toMatch(/Reading still works/);
		expect(fixture.use('Read', { file_path: '/w/app/a.ts' }, 'x').before.verdict.kind).toBe('pass');
		expect(fixture.agent().denials).toBe(1);
		expect(fixture.agent().calls.map((call) => call.outcome)).toContain('denied');
		for (const name of ['b', 'c', 'd', 'e']) fixture.use('Read', { file_path: `/w/app/${name}.ts` }, name);
		fixture.beat();
		expect(fixture.agent().level).toBe('steering');
		expect(fixture.agent().notes.at(-1)?.text).toMatch(/lifted/);
	});

	it('stops only with hardStop, then stays stopped whatever is clean, until resumed', () => {
		const fixture = new FloorFixture({ breaker: { hardStop: true } });
		fixture.loop(10);
		fixture.beat();
		for (let beats = 0; beats < 4; beats += 1) {
			fixture.loop(3);
			fixture.beat();
		}
		expect(fixture.agent().level).toBe('stopped');
		for (let beats = 0; beats < 20; beats += 1) fixture.beat();
		expect(fixture.agent().level).toBe('stopped');
		expect(fixture.happen({ kind: 'prompt', text: 'go on' }).verdict.kind).toBe('block-prompt');
		expect(fixture.use('Read', { file_path: 'a' }).before.verdict.kind).toBe('halt');
		expect(fixture.happen({ kind: 'other' }).verdict.kind).toBe('halt');
		expect(fixture.floor.incidents.all()).toMatchObject([{ kind: 'agent-stopped', endedAt: null }]);
		resume(fixture.floor, fixture.agent().id, fixture.now);
		expect(fixture.agent().level).toBe('healthy');
		expect(fixture.floor.incidents.all()).toMatchObject([{ endReason: 'resumed by the operator' }]);
		expect(fixture.happen({ kind: 'prompt', text: 'go on' }).verdict.kind).toBe('pass');
		fixture.beat();
		expect(fixture.agent().level).toBe('healthy');
	});

	it('does not count a provider that fails as an error storm of the agent (StopFailure 429, 529, refused)', () => {
		const fixture = new FloorFixture();
		for (let turn = 0; turn < 12; turn += 1) {
			fixture.happen({ kind: 'prompt', text: 'hi' });
			fixture.happen({ kind: 'turn-failed', blame: 'provider', error: 'rate_limit', message: '429' });
			fixture.beat();
		}
		expect(fixture.transitions()).toEqual([]);
		expect(viewOf(fixture.agent(), fixture.now)).toMatchObject({
			providerTrouble: { error: 'rate_limit' },
			state: { kind: 'waiting', reason: 'its turn failed: rate_limit', needsYou: true },
		});
	});

	it("counts the agent's own API errors", () => {
		const fixture = new FloorFixture();
		for (let turn = 0; turn < 6; turn += 1) {
			fixture.happen({ kind: 'turn-failed', blame: 'agent', error: 'invalid_request', message: '400' });
		}
		fixture.beat();
		expect(fixture.agent().evidence?.arm).toBe('error-storm');
	});

	it('does not judge an agent that has ended (U1)', () => {
		const fixture = new FloorFixture();
		fixture.loop(12);
		fixture.happen({ kind: 'session-end', reason: 'other' });
		fixture.beat();
		expect(fixture.transitions()).toEqual([]);
		expect(fixture.agent().notes).toEqual([]);
	});

	it('counts a call that was delivered twice once', () => {
		const fixture = new FloorFixture();
		for (let i = 0; i < 8; i += 1) {
			for (let twice = 0; twice < 2; twice += 1) {
				fixture.happen(
					{ kind: 'tool-call', callId: `c${i}`, tool: 'Bash', input: { command: 'npm test' } },
					{ dedupeKey: `s1/PreToolUse/c${i}` },
				);
			}
		}
		fixture.beat();
		expect(fixture.agent().level).toBe('healthy');
		expect(fixture.agent().calls).toHaveLength(8);
	});

	it('resets an agent’s evidence on the operator’s word', () => {
		const fixture = new FloorFixture();
		fixture.loop(10);
		fixture.beat();
		resetEvidence(fixture.floor, fixture.agent().id, fixture.now);
		fixture.beat();
		expect(fixture.agent().level).toBe('healthy');
	});

	it('a sleep of the machine is nobody’s inactivity', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'prompt', text: 'work' });
		fixture.now += 8 * 3_600_000;
		fixture.floor.noteSleep(8 * 3_600_000, fixture.now);
		expect(viewOf(fixture.agent(), fixture.now).state.kind).toBe('live');
	});
});

describe('trouble at the provider', () => {
	const TROUBLE = [
		{ error: 'rate_limit', message: '429 Too Many Requests', status: 429 },
		{ error: 'overloaded', message: '529 Overloaded', status: 529 },
		{ error: 'server_error', message: '503', status: 503 },
		{ error: 'connection', message: 'connect ECONNREFUSED', status: null },
	];
	it.each(TROUBLE)('$error that records, telemetry or the gateway tell never climbs an agent', (trouble) => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'prompt', text: 'go on' });
		for (let call = 0; call < 30; call += 1) {
			fixture.happen({ kind: 'provider-trouble', ...trouble });
			if (call % 3 === 2) fixture.beat();
		}
		expect(fixture.transitions()).toEqual([]);
		expect(fixture.agent()).toMatchObject({ evidence: null, providerTrouble: { error: trouble.error } });
		expect(fixture.agent().arms.find(({ arm }) => arm === 'error-storm')?.count).toBe(0);
		expect(fixture.agent().arms.find(({ arm }) => arm === 'no-progress')?.note).toBe(
			'Its provider is failing: that is not held against the agent.',
		);
	});

	it('holds a climb and says so; the loop is judged when the provider answers again', () => {
		const fixture = new FloorFixture();
		fixture.loop(6);
		fixture.happen({ kind: 'provider-trouble', ...(TROUBLE[1] ?? never()) });
		fixture.beat();
		expect(fixture.agent()).toMatchObject({
			level: 'healthy',
			climbHeld: 'Its provider is failing: that is not held against the agent',
		});
		fixture.loop(1);
		fixture.beat();
		expect(fixture.agent().level).toBe('steering');
	});
});

describe('a call in flight', () => {
	const write = (fixture: FloorFixture, output: number) => {
		const view = usageView({ output, work: output });
		const sample = { model: 'm', input: 0, output, cacheRead: 0, cacheCreation: 0, usd: null };
		fixture.floor.observe(fixture.agent().id, { usage: { view, sample, model: 'm' } }, fixture.now);
	};
	const call = { callId: 'long', tool: 'Task', input: { prompt: 'Do part 1.' } };

	it('is activity while it runs, whatever its helpers write meanwhile', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'tool-call', ...call });
		for (let beat = 1; beat < 24; beat += 1) {
			write(fixture, beat * 500);
			fixture.beat();
			expect(fixture.agent().evidence).toBeNull();
		}
		expect(fixture.agent().arms.find(({ arm }) => arm === 'no-progress')?.note).toBe(
			'It waits for a long tool.',
		);
	});

	it('is none for ever: what does not come back within a quarter of an hour was lost', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'tool-call', ...call });
		for (let beat = 1; beat < 40; beat += 1) {
			write(fixture, beat * 500);
			fixture.beat();
		}
		expect(fixture.agent().evidence?.arm).toBe('no-progress');
	});

	it('five minutes are counted from its end', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'tool-call', ...call });
		for (let beat = 1; beat < 20; beat += 1) {
			write(fixture, beat * 500);
			fixture.beat();
		}
		const ended = {
			result: undefined,
			failed: false,
			interrupted: false,
			durationMs: null,
			changedFile: null,
		};
		fixture.happen({ kind: 'tool-result', ...call, ...ended });
		const levels = Array.from({ length: 12 }, (_, beat) => {
			write(fixture, 20_000 + beat * 500);
			fixture.beat();
			return fixture.agent().level;
		});
		expect(levels.indexOf('steering')).toBe(10);
	});
});

function never(): never {
	throw new Error('the table is empty');
}

describe('orders', () => {
	it('outrank the ladder and are sticky', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'prompt', text: 'work' });
		const { id } = fixture.agent();
		order(fixture.floor, id, 'hold', 'lunch', fixture.now);
		const { before } = fixture.use('Read', { file_path: 'a' });
		expect(before.verdict.kind === 'deny' && before.verdict.reason).toMatch(/holds this agent.*lunch/);
		expect(fixture.happen({ kind: 'prompt', text: 'still there?' }).verdict.kind).toBe('pass');
		for (let beats = 0; beats < 5; beats += 1) fixture.beat();
		expect(viewOf(fixture.agent(), fixture.now)).toMatchObject({ standing: 'stopped', level: 'healthy' });
		order(fixture.floor, id, 'constrain', '', fixture.now);
		expect(fixture.use('Read', { file_path: 'a' }).before.verdict.kind).toBe('pass');
		expect(fixture.use('Write', { file_path: 'a' }).before.verdict.kind).toBe('deny');
		order(fixture.floor, id, 'stop', '', fixture.now);
		expect(fixture.happen({ kind: 'prompt', text: 'x' }).verdict.kind).toBe('block-prompt');
		expect(fixture.happen({ kind: 'waiting', on: 'permission', message: 'm' }).verdict.kind).toBe('halt');
		resume(fixture.floor, id, fixture.now);
		expect(fixture.use('Write', { file_path: 'a' }).before.verdict.kind).toBe('pass');
	});

	it('carry the operator’s own words on the next reply that can, once', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'prompt', text: 'work' });
		steer(fixture.floor, fixture.agent().id, 'use the staging database', fixture.now);
		const first = fixture.use('Read', { file_path: 'a' }).before;
		expect(first.verdict).toMatchObject({
			kind: 'note',
			text: expect.stringContaining('use the staging database'),
		});
		expect(fixture.use('Read', { file_path: 'b' }).before.verdict.kind).toBe('pass');
		expect(fixture.agent().notes[0]?.deliveredAt).not.toBeNull();
	});

	it('keep a note queued when its reply never arrived, and never put it on two replies at once', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'prompt', text: 'work' });
		steer(fixture.floor, fixture.agent().id, 'words', fixture.now);
		const event = fixture.event({ kind: 'prompt', text: 'x' });
		const lost = fixture.floor.answer(event, true);
		expect(fixture.floor.answer(event, true).verdict.kind).toBe('pass');
		fixture.floor.settle(lost, null);
		expect(fixture.floor.answer(event, true).verdict.kind).toBe('note');
	});

	it('name what is wrong: no such agent, an agent that ended', () => {
		const fixture = new FloorFixture();
		expect(() => order(fixture.floor, 'nobody', 'stop', '', 0)).toThrow(/not on the floor/);
		fixture.happen({ kind: 'session-end', reason: 'other' });
		expect(() => steer(fixture.floor, fixture.agent().id, 'x', 0)).toThrow(/has ended/);
	});
});

describe('usage that is seen late', () => {
	const usage = (output: number, hasEarlierWork = false) => ({
		usage: {
			view: usageView({
				input: 0,
				output,
				cacheRead: 0,
				cacheCreation: 0,
				work: output,
				costUsd: null,
				unpricedModels: [],
			}),
			sample: { model: 'm', input: 0, output, cacheRead: 0, cacheCreation: 0, usd: null },
			model: 'm',
			hasEarlierWork,
		},
	});

	it('an older session’s transcript that is opened now is no burst and no spending, but counts in the totals', () => {
		const fixture = new FloorFixture({ breaker: { agentTokenCaps: { app: 400_000 } } });
		fixture.happen({ kind: 'prompt', text: 'x' });
		const { id } = fixture.agent();
		fixture.floor.observe(id, usage(1_000, true), fixture.now);
		fixture.beat();
		fixture.floor.observe(id, usage(500_000, true), fixture.now + 1_000);
		fixture.beat();
		expect(fixture.agent()).toMatchObject({ level: 'healthy', evidence: null, outputTokensPerMinute: null });
		fixture.floor.observe(id, usage(501_000), fixture.now + 1_000);
		fixture.beat();
		expect(fixture.agent().evidence).toMatchObject({ arm: 'agent-token-cap', count: 501_000 });
	});
});

describe('what the heartbeat takes for a sign', () => {
	it('errors are a storm across prompts, and not across turns that end well', () => {
		const storm = (isGood: boolean): string => {
			const fixture = new FloorFixture();
			for (let turn = 0; turn < 8; turn += 1) {
				fixture.happen({ kind: 'prompt', text: 'go on' });
				fixture.happen({ kind: 'turn-failed', blame: 'agent', error: 'max_output_tokens', message: '' });
				if (!isGood) continue;
				fixture.happen({ kind: 'prompt', text: 'go on' });
				fixture.happen({ kind: 'turn-end', message: 'done' });
			}
			fixture.beat();
			return fixture.agent().level;
		};
		expect([storm(false), storm(true)]).toEqual(['steering', 'healthy']);
	});

	it('a model that calls tools again has a provider that works: its loop counts', () => {
		const fixture = new FloorFixture();
		fixture.happen({ kind: 'turn-failed', blame: 'provider', error: 'rate_limit', message: '429' });
		fixture.loop(10);
		fixture.beat();
		expect(fixture.agent()).toMatchObject({ level: 'steering', providerTrouble: null });
	});

	it('a call that only its result tells of is an act: an agent that loops in refused edits climbs on', () => {
		const fixture = new FloorFixture();
		const refused = (times: number): void => {
			for (let i = 0; i < times; i += 1) {
				fixture.now += 1_000;
				fixture.happen({
					kind: 'tool-result',
					callId: `refused-${fixture.now}`,
					tool: 'Edit',
					input: { file_path: 'a', old_string: 'x', new_string: 'y' },
					result: 'String to replace not found in file.',
					failed: true,
					interrupted: false,
					durationMs: null,
					changedFile: null,
				});
			}
		};
		refused(10);
		fixture.beat();
		expect(fixture.agent().level).toBe('steering');
		refused(3);
		fixture.beat();
		expect(fixture.agent().level).toBe('constrained');
	});
});
