import { describe, expect, it } from 'vitest';

interface Tally {
	passed: number;
	failed: number;
	skipped: number;
}
const script = new URL('../../scripts/test-results.mjs', import.meta.url).href;
const {
	tallyVitest,
	tallyPlaywright,
	countListed,
	sum,
	verdict,
}: {
	tallyVitest: (report: unknown, code: number) => Tally;
	tallyPlaywright: (report: unknown, code: number) => Tally;
	countListed: (report: unknown) => number;
	sum: (tallies: Tally[]) => Tally;
	verdict: (tally: Tally) => string;
} = await import(script);

const vitest = (passed: number, failed: number, files: unknown[] = []) => ({
	numPassedTests: passed,
	numFailedTests: failed,
	numPendingTests: 2,
	numTodoTests: 1,
	testResults: files,
});

describe('the tally of vitest', () => {
	it('has what passed, failed and was skipped or is to do', () => {
		expect(tallyVitest(vitest(7, 0), 0)).toEqual({ passed: 7, failed: 0, skipped: 3 });
		expect(tallyVitest(vitest(7, 2), 1)).toEqual({ passed: 7, failed: 2, skipped: 3 });
	});

	it('counts a file that could not be loaded', () => {
		const files = [
			{ status: 'failed', assertionResults: [] },
			{ status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
			{ status: 'passed', assertionResults: [] },
		];
		expect(tallyVitest(vitest(7, 1, files), 1).failed).toBe(2);
	});

	it('never calls a bad end good', () => {
		expect(tallyVitest(vitest(7, 0), 1).failed).toBe(1);
		expect(tallyVitest(null, 0).failed).toBe(1);
		expect(tallyVitest({ ...vitest(0, 0), numPendingTests: 0, numTodoTests: 0 }, 0).failed).toBe(1);
	});
});

describe('the tally of Playwright', () => {
	const report = (stats: object, errors: unknown[] = []) => ({
		stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
		errors,
	});

	it('has what passed, failed and was skipped; what passed only once is not good', () => {
		const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
		expect(tallyPlaywright(report(stats), 1)).toEqual({ passed: 5, failed: 2, skipped: 2 });
	});

	it('never calls a bad end good', () => {
		expect(tallyPlaywright(report({ expected: 5 }), 1).failed).toBe(1);
		expect(tallyPlaywright(report({ expected: 5 }, [{ message: 'no config' }]), 1).failed).toBe(1);
		expect(tallyPlaywright(report({}), 0).failed).toBe(1);
		expect(tallyPlaywright(null, 1).failed).toBe(1);
	});

	it('knows how many there are without running them', () => {
		const spec = { tests: [{}] };
		const list = { suites: [{ specs: [spec], suites: [{ specs: [spec, spec] }] }, { specs: [] }] };
		expect(countListed(list)).toBe(3);
		expect(countListed(null)).toBe(0);
	});
});

it('the last line is the sum', () => {
	const total = sum([
		{ passed: 1, failed: 0, skipped: 0 },
		{ passed: 40, failed: 1, skipped: 3 },
	]);
	expect(verdict(total)).toBe('41 passed, 1 failed, 3 skipped');
});
