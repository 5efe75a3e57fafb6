import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isQuiet, nextMinute } from '../../src/main/notices/quiet-hours.ts';
import { agent } from '../desktop/floor-fixture.ts';
import { asking, MINUTE, NoticeDesk, resting, seen } from './notice-desk.ts';

const HOUR = 60 * MINUTE;

function inZone(zone: string): void {
	vi.stubEnv('TZ', zone);
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
}

const night = { quietFrom: '22:00', quietUntil: '07:30' };
const local = (day: string, time: string) => new Date(`${day}T${time}:00`).getTime();

describe('quiet hours', () => {
	it.each([
		['21:59', night, false],
		['22:00', night, true],
		['00:00', night, true],
		['07:29', night, true],
		['07:30', night, false],
		['12:59', { quietFrom: '13:00', quietUntil: '14:00' }, false],
		['13:00', { quietFrom: '13:00', quietUntil: '14:00' }, true],
		['14:00', { quietFrom: '13:00', quietUntil: '14:00' }, false],
		['22:00', { quietFrom: '22:00', quietUntil: '22:00' }, false],
		['23:00', { quietFrom: '22:00', quietUntil: null }, false],
		['23:00', { quietFrom: null, quietUntil: '07:30' }, false],
	])('at %s, %j: %s', (time, hours, quiet) => {
		expect(isQuiet(local('2026-05-04', time), hours)).toBe(quiet);
	});

	/** How long it is quiet from noon to noon, in minutes. */
	function quietMinutes(day: string, hours: typeof night): number {
		const noon = local(day, '12:00');
		const minutes = Array.from({ length: 26 * 60 }, (_, index) => noon + index * MINUTE);
		return minutes.filter((at) => isQuiet(at, hours)).length;
	}

	it('are as long as the clock on the wall says when clocks are set forward and back', () => {
		inZone('Europe/Berlin');
		expect(quietMinutes('2026-05-04', night)).toBe(9.5 * 60);
		expect(quietMinutes('2026-03-28', night)).toBe(8.5 * 60);
		expect(quietMinutes('2026-10-24', night)).toBe(10.5 * 60);
	});

	it('end where the clock jumps over their end, and at the full minute in any zone', () => {
		inZone('Europe/Berlin');
		const gap = { quietFrom: '22:00', quietUntil: '02:30' };
		const beforeGap = local('2026-03-29', '01:59');
		expect([isQuiet(beforeGap, gap), isQuiet(beforeGap + MINUTE, gap)]).toEqual([true, false]);
		inZone('Asia/Kathmandu');
		const end = local('2026-05-04', '07:30');
		expect([isQuiet(end - 1, night), isQuiet(end, night)]).toEqual([true, false]);
		expect([nextMinute(end - 1), nextMinute(end)]).toEqual([end, end + MINUTE]);
	});
});

describe('while it is quiet', () => {
	const evening = local('2026-05-04', '21:00');
	const morning = local('2026-05-05', '07:30');

	function desk(): NoticeDesk {
		return new NoticeDesk({ now: evening, rules: night });
	}

	it('nothing is shown; at its end one notice says what still needs the operator', () => {
		const quiet = desk();
		expect(quiet.see(seen({ agents: [asking('a', evening)] }))).toEqual(['a needs you']);
		const before = quiet.see(seen({ agents: [asking('a', evening)] }), 2 * HOUR);
		const agents = [asking('a', evening), asking('b', quiet.now), asking('c', quiet.now)];
		expect([...before, ...quiet.see(seen({ agents }), HOUR)]).toEqual([]);
		const left = seen({ agents: agents.slice(0, 2) });
		expect(quiet.settle(left, 12 * HOUR)).toEqual(['2 need you']);
		expect(quiet.shown.at(-1)).toMatchObject({ at: morning, body: 'a needs you · b needs you' });
		expect(quiet.titles()).toEqual(['2 need you']);
	});

	it('it ends silently when nothing needs anybody', () => {
		const quiet = desk();
		quiet.see(seen({ agents: [asking('a', evening)] }), 2 * HOUR);
		expect(quiet.settle(seen({}), 12 * HOUR)).toEqual([]);
		expect(quiet.see(seen({}), 12 * HOUR)).toEqual([]);
	});

	it('what is not to be told does not come up at its end', () => {
		const quiet = desk();
		const agents = [asking('played', evening, { demo: true }), agent('real')];
		expect(quiet.settle(seen({ agents }))).toEqual([]);
		quiet.see(seen({ agents }), 2 * HOUR);
		expect(quiet.settle(seen({ agents }), 12 * HOUR)).toEqual([]);
	});

	it('one that is left is told by itself, and what is over is taken away at night as well', () => {
		const quiet = desk();
		quiet.see(seen({ agents: [asking('a', evening)] }));
		quiet.see(seen({}), 2 * HOUR);
		expect(quiet.titles()).toEqual([]);
		expect(quiet.settle(seen({ agents: [asking('b', quiet.now)] }), 12 * HOUR)).toEqual(['b needs you']);
	});

	it('turns end unheard, also afterwards', () => {
		const quiet = desk();
		const ended = evening + 3 * HOUR;
		const floor = seen({ agents: [resting('a', ended)] }, { a: [evening, ended] });
		quiet.see(floor, 3 * HOUR);
		quiet.restart();
		expect(quiet.settle(floor, 12 * HOUR)).toEqual([]);
	});

	it('a restart in it changes nothing, and one after it repeats nothing', () => {
		const quiet = desk();
		quiet.see(seen({ agents: [asking('a', evening)] }), 2 * HOUR);
		quiet.restart();
		expect(quiet.settle(seen({ agents: [asking('a', evening)] }), 12 * HOUR)).toEqual(['a needs you']);
		quiet.restart();
		expect(quiet.settle(seen({ agents: [asking('a', evening)] }), 2 * HOUR)).toEqual([]);
	});

	it('hours that are set again and again repeat nothing', () => {
		const quiet = desk();
		const floor = seen({ agents: [asking('a', evening)] });
		for (let turn = 0; turn < 6; turn += 1) {
			quiet.rules = { ...quiet.rules, quietFrom: turn % 2 === 0 ? '00:00' : null, quietUntil: '23:59' };
			quiet.see(floor, 5 * MINUTE);
		}
		expect(quiet.shown).toHaveLength(1);
	});
});
