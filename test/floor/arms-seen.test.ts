import { describe, expect, it } from 'vitest';
import { looksDifferent } from '../../src/main/floor/arms-seen.ts';
import type { ArmGauge } from '../../src/shared/breaker-state.ts';
import { FloorFixture } from '../support/floor-fixture.ts';

const gauge = (change: Partial<ArmGauge> = {}): ArmGauge => ({
	arm: 'same-result',
	counted: 'equal calls with the same result',
	count: 3,
	limit: 4,
	unit: 'calls',
	note: '',
	...change,
});
const cap = (count: number | null, limit: number | null = 100) =>
	gauge({ arm: 'cost-cap', unit: 'USD', count, limit });

describe('gauges', () => {
	it.each([
		['the same', [gauge()], [gauge()], false],
		['another count', [gauge()], [gauge({ count: 4 })], true],
		['a count that is not known any more', [gauge()], [gauge({ count: null })], true],
		['another limit', [gauge()], [gauge({ limit: null })], true],
		['another note', [gauge()], [gauge({ note: 'It waits for a long tool.' })], true],
		['another call', [gauge()], [gauge({ counted: 'equal calls: Read `a`' })], true],
		['one more', [gauge()], [gauge(), gauge()], true],
		['a floor that spent a little more', [cap(10)], [cap(10.9)], false],
		['a floor that spent more', [cap(10)], [cap(13)], true],
		['a floor that passed its cap', [cap(100)], [cap(100.01)], true],
	])('%s', (_what, told, now, differs) => {
		expect(looksDifferent(told, now)).toBe(differs);
	});
});

describe('a window', () => {
	const arms = (fixture: FloorFixture, arm: string) => fixture.agent().arms.find((one) => one.arm === arm);

	it('sees all arms of an agent, in order, from its first beat on', () => {
		const fixture = new FloorFixture();
		fixture.loop(3);
		expect(fixture.agent().arms).toEqual([]);
		fixture.beat();
		const shown = fixture.agent().arms;
		expect(shown.map(({ arm, count, limit }) => [arm, count, limit])).toEqual([
			['repeated-tool', 3, 8],
			['error-storm', 0, 5],
			['agent-token-cap', null, null],
			['cost-cap', null, null],
			['token-cap', null, null],
			['token-velocity', null, 60_000],
			['no-progress', 0, 2],
			['same-result', 3, 4],
			['cycle', 0, 2],
			['polling', 0, 40],
			['no-new-result', 2, 8],
		]);
	});

	it('is told nothing while nothing changes, and of a count that grew', () => {
		const fixture = new FloorFixture();
		fixture.loop(3);
		fixture.beat();
		fixture.floor.takeChanges(fixture.now);
		fixture.beat();
		expect(fixture.floor.takeChanges(fixture.now).agents).toEqual([]);
		const before = fixture.agent().arms;
		fixture.loop(1);
		fixture.beat();
		expect(fixture.agent().arms).not.toBe(before);
		expect(arms(fixture, 'same-result')?.count).toBe(4);
	});

	it('reads why an arm counts nothing', () => {
		const fixture = new FloorFixture({ breaker: { cycleLimit: null } });
		for (let call = 0; call < 6; call += 1) {
			fixture.happen({ kind: 'tool-call', callId: `${call}`, tool: 'Bash', input: { command: 'ls' } });
		}
		fixture.beat();
		expect(arms(fixture, 'same-result')).toMatchObject({
			count: null,
			note: 'Results are not told by this program.',
		});
		expect(arms(fixture, 'cycle')).toMatchObject({ limit: null, note: 'Switched off in the settings.' });
		expect(arms(fixture, 'no-progress')?.note).toBe('No usage of it was read on this beat.');
	});
});
