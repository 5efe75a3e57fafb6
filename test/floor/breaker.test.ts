/** The ladder as seed 002 describes it, through its public face and with nothing but what the seed passes in. */
import { describe, expect, it } from 'vitest';
import {
	actionFor,
	type BreakerInput,
	CircuitBreaker,
	type CircuitBreakerConfig,
	LEVELS,
} from '../../src/main/floor/breaker.ts';
import { breakerStateSchema, evidenceSchema } from '../../src/shared/breaker-state.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import { BEAT_MS, inputOf, LadderDriver, MINUTE_MS, sampleOf } from './ladder/ladder-driver.ts';

const LOOP = { command: 'npm test --silent' };

function looping(config: Partial<CircuitBreakerConfig> = {}): LadderDriver {
	const driver = new LadderDriver(config);
	return driver.times(9, () => driver.breaker.recordToolUse('a', 'Bash', LOOP));
}

describe('the rungs', () => {
	it('are in climbing order', () => {
		expect(LEVELS).toEqual(['healthy', 'steering', 'constrained', 'stopped']);
	});

	it('have an action each, healthy none', () => {
		expect(LEVELS.map(actionFor)).toEqual(['none', 'steer', 'constrain', 'stop']);
	});
});

describe('climbing', () => {
	it('takes one rung a beat while a trip lasts, with hard stop to the end', () => {
		const driver = looping({ hardStop: true });
		const beats = [driver.beat(), driver.beat(), driver.beat(), driver.beat()];
		expect(beats.map((beat) => beat.state.level)).toEqual(['steering', 'constrained', 'stopped', 'stopped']);
		expect(beats.map((beat) => beat.action)).toEqual(['steer', 'constrain', 'stop', 'none']);
		expect(beats.map((beat) => beat.changed)).toEqual([true, true, true, false]);
	});

	it('ends at constrained without hard stop', () => {
		const driver = looping();
		const beats = [driver.beat(), driver.beat(), driver.beat(), driver.beat()];
		expect(beats.map((beat) => beat.state.level)).toEqual([
			'steering',
			'constrained',
			'constrained',
			'constrained',
		]);
		expect(beats[2]?.climbHeld).toBe('Hard stop is off: the ladder ends at constrained');
	});

	it('needs no further calls while the evidence is fresh', () => {
		const driver = looping({ hardStop: true });
		driver.beat();
		expect(driver.beat().evidence?.count).toBe(9);
	});

	it('goes one rung down on each clean beat, without an action', () => {
		const driver = looping();
		driver.beat();
		driver.beat();
		driver.breaker.recordToolUse('a', 'Read', { file_path: 'README.md' });
		driver.breaker.recordToolUse('a', 'Read', { file_path: 'package.json' });
		const beats = [driver.beat(), driver.beat(), driver.beat()];
		expect(beats.map((beat) => beat.state.level)).toEqual(['steering', 'healthy', 'healthy']);
		expect(beats.map((beat) => beat.action)).toEqual(['none', 'none', 'none']);
		expect(beats.map((beat) => beat.changed)).toEqual([true, true, false]);
		expect(beats.map((beat) => beat.state.reason)).toEqual(['No trip this beat', 'No trip this beat', '']);
	});

	it('comes down to the ceiling, a rung a beat, when hard stop is switched off', () => {
		const driver = looping({ hardStop: true });
		driver.times(3, () => driver.beat());
		driver.config = { ...driver.config, hardStop: false };
		expect(driver.beat().state.level).toBe('constrained');
	});
});

describe('the decision', () => {
	it('has a state of exactly four fields, valid for the channel, with a reason in figures', () => {
		const { state, evidence } = looping().beat();
		expect(breakerStateSchema.strict().parse(state)).toEqual({
			agentId: 'a',
			level: 'steering',
			reason: 'Called Bash `npm test --silent` 9 times (limit 8)',
			ts: Date.UTC(2026, 0, 5, 9) + BEAT_MS,
		});
		expect(evidenceSchema.strict().parse(evidence)).toMatchObject({
			arm: 'repeated-tool',
			counted: 'identical calls of Bash `npm test --silent`',
			count: 9,
			limit: 8,
			unit: 'calls',
		});
		expect(evidence?.lastOccurrences).toHaveLength(3);
		expect(evidence?.clears).toMatch(/different call/);
	});

	it('is healthy, silent and unchanged for an agent of which nothing is known', () => {
		expect(new LadderDriver().beat()).toEqual({
			agentId: 'a',
			state: { agentId: 'a', level: 'healthy', reason: '', ts: Date.UTC(2026, 0, 5, 9) + BEAT_MS },
			action: 'none',
			changed: false,
			evidence: null,
			climbHeld: '',
			warnings: [],
			arms: expect.any(Array),
		});
	});

	it('comes one for each agent, in the order of the inputs', () => {
		const decisions = looping().tick([inputOf('z'), inputOf('a'), inputOf('m')]);
		expect(decisions.map(({ agentId, state }) => [agentId, state.level])).toEqual([
			['z', 'healthy'],
			['a', 'steering'],
			['m', 'healthy'],
		]);
	});
});

describe('levelFor, forget, restore', () => {
	it('knows the level of an agent, and healthy for a stranger', () => {
		const driver = looping();
		driver.beat();
		expect(driver.breaker.levelFor('a')).toBe('steering');
		expect(driver.breaker.levelFor('nobody')).toBe('healthy');
	});

	it('forgets level and evidence', () => {
		const driver = looping();
		driver.beat();
		driver.breaker.forget('a');
		expect(driver.breaker.levelFor('a')).toBe('healthy');
		expect(driver.beat().state.level).toBe('healthy');
	});

	it('puts an agent back where it was, from where clean beats bring it down', () => {
		const driver = new LadderDriver({ hardStop: true });
		driver.breaker.restore('a', 'stopped');
		expect(driver.breaker.levelFor('a')).toBe('stopped');
		expect(driver.beat().state.level).toBe('constrained');
	});

	it('keeps the level when the evidence is reset', () => {
		const driver = looping();
		driver.beat();
		driver.breaker.resetEvidence('a');
		expect(driver.breaker.levelFor('a')).toBe('steering');
		expect(driver.beat()).toMatchObject({ evidence: null, state: { level: 'healthy' } });
	});
});

describe('configuration', () => {
	it('is read once per tick and applies at the next beat', () => {
		let reads = 0;
		let limit = 8;
		const breaker = new CircuitBreaker(() => {
			reads += 1;
			return { ...defaultSettings.breaker, repeatedToolLimit: limit };
		});
		for (let call = 0; call < 9; call += 1) breaker.recordToolUse('a', 'Bash', LOOP);
		limit = 9;
		const inputs = ['a', 'b', 'c'].map((id) => inputOf(id));
		expect(breaker.tick(inputs, 1_000)[0]?.state.level).toBe('healthy');
		limit = 8;
		expect(breaker.tick(inputs, 31_000)[0]?.state.level).toBe('steering');
		expect(reads).toBe(2);
	});

	it('disabled forces every agent to healthy', () => {
		const driver = looping();
		driver.beat();
		driver.beat();
		driver.config = { ...driver.config, enabled: false };
		expect(driver.beat()).toMatchObject({ action: 'none', changed: true, state: { level: 'healthy' } });
		expect(driver.beat()).toMatchObject({ changed: false, state: { reason: '' } });
	});

	it('runs the loop of the seed as it is written there', () => {
		const getConfig = () => ({
			enabled: true,
			hardStop: false,
			repeatedToolLimit: 8,
			errorStormLimit: 5,
			tokenVelocityPerMin: 60_000,
		});
		const breaker = new CircuitBreaker(getConfig);
		const agents = [{ id: 'agent-1', usageSample: null, fileMtimeProgress: true }];
		for (let count = 0; count < 6; count += 1) breaker.recordError('agent-1');
		breaker.recordCompactStart('agent-1');
		breaker.recordCompactEnd('agent-1');
		const inputs: BreakerInput[] = agents.map((a) => ({
			agentId: a.id,
			sample: a.usageSample,
			progressing: a.fileMtimeProgress,
		}));
		const enforced = breaker
			.tick(inputs, Date.now())
			.filter((d) => d.action !== 'none')
			.map((d) => [d.agentId, d.action]);
		expect(enforced).toEqual([['agent-1', 'steer']]);
	});
});

describe('a count must exceed its limit', () => {
	it.each([
		[1, 1, 'healthy'],
		[1, 2, 'steering'],
		[8, 7, 'healthy'],
		[8, 8, 'healthy'],
		[8, 9, 'steering'],
		[100, 100, 'healthy'],
		[100, 101, 'steering'],
		[2_000, 2_001, 'steering'],
	])('repeated calls: limit %i, %i calls → %s', (repeatedToolLimit, calls, level) => {
		const driver = new LadderDriver({ repeatedToolLimit });
		driver.times(calls, () => driver.breaker.recordToolUse('a', 'Bash', LOOP));
		expect(driver.beat().state.level).toBe(level);
	});

	it.each([
		[1, 1, 'healthy'],
		[1, 2, 'steering'],
		[5, 5, 'healthy'],
		[5, 6, 'steering'],
		[200, 200, 'healthy'],
		[200, 201, 'steering'],
	])('errors: limit %i, %i errors → %s', (errorStormLimit, errors, level) => {
		const driver = new LadderDriver({ errorStormLimit });
		driver.times(errors, () => driver.breaker.recordError('a'));
		expect(driver.beat().state.level).toBe(level);
	});

	it.each([
		[29_999, 'healthy'],
		[30_000, 'healthy'],
		[30_001, 'steering'],
	])('velocity: %i output tokens in half a minute → %s', (output, level) => {
		const driver = new LadderDriver();
		driver.beat({ sample: sampleOf({ output: 1_000 }), progressing: true });
		const after = driver.beat({ sample: sampleOf({ output: 1_000 + output }), progressing: true });
		expect(after.state.level).toBe(level);
	});

	it.each([
		[{ tokenCap: 1_000 }, {}, 1_000, 'healthy'],
		[{ tokenCap: 1_000 }, {}, 1_001, 'steering'],
		[{}, { agentTokenCaps: { a: 1_000 } }, 1_000, 'healthy'],
		[{}, { agentTokenCaps: { a: 1_000 } }, 1_001, 'steering'],
		[{}, { costCapTokens: 1_000 }, 1_000, 'healthy'],
		[{}, { costCapTokens: 1_000 }, 1_001, 'steering'],
	])('caps: %o %o, %i work tokens → %s', (input, config, tokens, level) => {
		const driver = new LadderDriver(config);
		driver.beat({ sample: sampleOf({ input: 10 }), ...input });
		expect(driver.beat({ sample: sampleOf({ input: tokens }), ...input }).state.level).toBe(level);
	});

	it.each([
		[5, 'healthy'],
		[5.01, 'steering'],
	])('cost cap of 5 dollars, %f spent → %s', (usd, level) => {
		const driver = new LadderDriver({ costCapUsd: 5 });
		driver.beat({ sample: sampleOf({ input: 10, usd: 1 }) });
		expect(driver.beat({ sample: sampleOf({ input: 20, usd }) }).state.level).toBe(level);
	});
});

describe('the five families', () => {
	it('error storm: says how many, since when, and the last texts', () => {
		const driver = new LadderDriver();
		driver.times(6, (index) => {
			driver.wait(1_000).breaker.recordError('a', { at: driver.now, text: `invalid_request ${index}` });
		});
		const { state, evidence } = driver.beat();
		expect(state.reason).toBe('6 API errors of its own in a row (limit 5), last "invalid_request 5"');
		expect(evidence).toMatchObject({ arm: 'error-storm', count: 6, limit: 5, unit: 'errors' });
		expect(evidence?.lastOccurrences.map((one) => one.text)).toEqual([
			'invalid_request 3',
			'invalid_request 4',
			'invalid_request 5',
		]);
	});

	it.each<[string, (driver: LadderDriver) => unknown, string]>([
		[
			'a call told as the seed tells it',
			(d) => d.breaker.recordToolUse('a', 'Read', { file_path: 'a' }),
			'healthy',
		],
		['a call that succeeds', (d) => d.call('Read', { file_path: 'a' }, { result: 'text' }), 'healthy'],
		[
			'a call that fails',
			(d) => d.call('Read', { file_path: 'a' }, { result: 'no', failed: true }),
			'steering',
		],
		['a call without an answer', (d) => d.call('Read', { file_path: 'a' }), 'steering'],
		['a changed file', (d) => d.breaker.recordProgress('a', 'file', d.now), 'steering'],
		// Every failed turn is followed by a prompt: if that ended the run, there would be no storm.
		['a prompt', (d) => d.breaker.recordProgress('a', 'prompt', d.now), 'steering'],
	])('error storm: %s between errors → %s', (_what, happens, level) => {
		const driver = new LadderDriver();
		const error = () => driver.wait(1_000).breaker.recordError('a', { at: driver.now });
		driver.times(5, error);
		happens(driver);
		driver.times(5, error);
		expect(driver.beat().state.level).toBe(level);
	});

	it('no progress: different calls, told as the seed tells them, are progress', () => {
		const driver = new LadderDriver();
		driver.times(30, (index) => {
			driver.breaker.recordToolUse('a', 'Read', { file_path: `${index}` });
			expect(driver.beat({ sample: sampleOf({ output: index * 100 }) }).evidence).toBeNull();
		});
	});

	it('no progress: output without a changed file or a different call, five minutes and two beats', () => {
		const driver = new LadderDriver();
		driver.breaker.recordToolUse('a', 'Read', { file_path: 'a' }, { at: driver.now });
		const levels: string[] = [];
		driver.times(12, (index) => {
			levels.push(driver.beat({ sample: sampleOf({ output: 1_000 * (index + 1) }) }).state.level);
		});
		// Ten beats of half a minute until the window has passed, the tenth and eleventh count.
		expect(levels).toEqual([...Array(10).fill('healthy'), 'steering', 'constrained']);
	});

	it('velocity: a first sample is a baseline, not a spike', () => {
		const driver = new LadderDriver();
		const first = driver.beat({ sample: sampleOf({ output: 5_000_000 }), progressing: true });
		expect(first.state.level).toBe('healthy');
	});

	it('caps: the top spender of the floor is blamed, and one that was over on first sight trips at once', () => {
		const driver = new LadderDriver({ costCapTokens: 1_000 });
		const decisions = driver.tick([
			inputOf('small', { sample: sampleOf({ input: 400 }) }),
			inputOf('big', { sample: sampleOf({ input: 700 }) }),
		]);
		expect(decisions.map((d) => d.state.level)).toEqual(['healthy', 'steering']);
		expect(decisions[1]?.state.reason).toBe(
			"The floor spent 1 100 work tokens (cap 1 000); 700 of them are this agent's, the most among those still spending",
		);
	});

	it('gives the reason of the first arm that trips, in the order of the seed', () => {
		const arms: (string | undefined)[] = [];
		const config = { costCapUsd: 1, costCapTokens: 10_000, agentTokenCaps: { a: 5_000 } };
		const driver = new LadderDriver(config);
		const spend = (factor: number) =>
			sampleOf({ input: 8_000 * factor, output: 60_000 * factor, usd: factor });
		driver.breaker.recordToolUse('a', 'Bash', LOOP, { at: driver.now });
		driver.tick([inputOf('a', { sample: spend(1) })]);
		driver.wait(6 * MINUTE_MS);
		driver.tick([inputOf('a', { sample: spend(2) })]);
		driver.times(9, () => driver.breaker.recordToolUse('a', 'Bash', LOOP, { at: driver.now }));
		driver.times(6, () => driver.breaker.recordError('a', { at: driver.now }));
		let factor = 2;
		const arm = () => {
			factor += 1;
			arms.push(driver.beat({ sample: spend(factor) }).evidence?.arm);
		};
		arm();
		driver.config = { ...driver.config, repeatedToolLimit: 0 };
		arm();
		driver.config = { ...driver.config, errorStormLimit: 0 };
		arm();
		driver.config = { ...driver.config, agentTokenCaps: {} };
		arm();
		driver.config = { ...driver.config, costCapUsd: null };
		arm();
		driver.config = { ...driver.config, costCapTokens: null };
		arm();
		driver.config = { ...driver.config, tokenVelocityPerMin: Number.NaN };
		arm();
		expect(arms).toEqual([
			'repeated-tool',
			'error-storm',
			'agent-token-cap',
			'cost-cap',
			'token-cap',
			'token-velocity',
			'no-progress',
		]);
	});
});

describe('compaction', () => {
	it.each([
		['inside the five minutes from the start', 4.5 * MINUTE_MS, false, 'healthy'],
		['after five minutes without an end', 5 * MINUTE_MS, false, 'steering'],
		['90 seconds after the end are not over', 80_000, true, 'healthy'],
		['90 seconds after the end are over', 90_000, true, 'steering'],
	])('is no velocity spike: %s', (_name, after, ended, level) => {
		const driver = new LadderDriver();
		driver.beat({ sample: sampleOf({ output: 0 }), progressing: true });
		driver.breaker.recordCompactStart('a', driver.now);
		if (ended) driver.breaker.recordCompactEnd('a', driver.now);
		driver.wait(after - BEAT_MS);
		driver.tick([inputOf('a', { sample: sampleOf({ output: 10 }), progressing: true })]);
		expect(driver.beat({ sample: sampleOf({ output: 900_000 }), progressing: true }).state.level).toBe(level);
	});
});
