import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clocksOfThisMachine, SuspendDetector } from '../../src/main/machine/suspend.ts';

/** A machine whose clocks are moved by hand. */
class Machine {
	awakeMs = 5_000;
	alwaysMs = 90_000;
	/** macOS and Windows: one clock, which runs on. */
	readonly detector: SuspendDetector;
	constructor(kind: 'two clocks' | 'one clock') {
		const always = (): number => this.alwaysMs;
		this.detector = new SuspendDetector({
			awake: kind === 'two clocks' ? () => this.awakeMs : always,
			always,
		});
	}
	work(ms: number): void {
		this.awakeMs += ms;
		this.alwaysMs += ms;
	}
	sleep(ms: number): void {
		this.alwaysMs += ms;
	}
}

describe('on a machine with a clock that sleeps along', () => {
	it('a night is told once', () => {
		const machine = new Machine('two clocks');
		machine.work(20_000);
		machine.sleep(8 * 3_600_000);
		machine.work(10_000);
		expect(machine.detector.check()).toBe(8 * 3_600_000);
		machine.work(30_000);
		expect(machine.detector.check()).toBe(0);
	});

	it('a timer that is late by minutes is no sleep', () => {
		const machine = new Machine('two clocks');
		machine.work(600_000);
		expect(machine.detector.check()).toBe(0);
	});

	it('a night that the host tells of as well is not told twice, in any order of the news', () => {
		const machine = new Machine('two clocks');
		machine.detector.noteSuspend();
		machine.sleep(3_600_000);
		machine.detector.noteResume();
		expect(machine.detector.check()).toBe(3_600_000);
		machine.detector.noteSuspend();
		machine.sleep(3_600_000);
		expect(machine.detector.check()).toBe(3_600_000);
		machine.work(50);
		machine.detector.noteResume();
		machine.work(30_000);
		expect(machine.detector.check()).toBe(0);
	});
});

describe('on a machine whose clocks run on in sleep', () => {
	it('a sleep is what lies between suspend and resume', () => {
		const machine = new Machine('one clock');
		machine.work(20_000);
		machine.detector.noteSuspend();
		machine.sleep(3_600_000);
		machine.detector.noteResume();
		machine.work(10_000);
		expect(machine.detector.check()).toBe(3_600_000);
		expect(machine.detector.check()).toBe(0);
	});

	it('a beat between waking up and the news of it knows already', () => {
		const machine = new Machine('one clock');
		machine.detector.noteSuspend();
		machine.sleep(3_600_000);
		expect(machine.detector.check()).toBe(3_600_000);
		machine.detector.noteResume();
		machine.work(30_000);
		expect(machine.detector.check()).toBe(0);
	});

	it('news said twice, or only the second half, change nothing', () => {
		const machine = new Machine('one clock');
		machine.detector.noteResume();
		machine.detector.noteSuspend();
		machine.sleep(60_000);
		machine.detector.noteSuspend();
		machine.sleep(60_000);
		machine.detector.noteResume();
		machine.detector.noteResume();
		expect(machine.detector.check()).toBe(120_000);
	});
});

it('nights and days add up, and no work is ever called sleep', () => {
	const spell = fc.record({
		kind: fc.constantFrom('work', 'sleep', 'check'),
		ms: fc.integer({ min: 1_000, max: 1e7 }),
	});
	fc.assert(
		fc.property(fc.array(spell, { maxLength: 50 }), (spells) => {
			const machine = new Machine('two clocks');
			let slept = 0;
			let told = 0;
			for (const { kind, ms } of spells) {
				if (kind === 'work') machine.work(ms);
				else if (kind === 'sleep') {
					machine.sleep(ms);
					slept += ms;
				} else told += machine.detector.check();
			}
			expect(told + machine.detector.check()).toBe(slept);
		}),
	);
});

it('this machine did not sleep while it ran this', () => {
	const detector = new SuspendDetector(clocksOfThisMachine());
	expect(detector.check()).toBe(0);
});
