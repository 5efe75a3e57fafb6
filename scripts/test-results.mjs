/** What the test runners wrote about themselves, as three numbers. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/** A runner that ended badly without naming a failure has failed once; so has one that reported nothing. */
function withExitCode(tally, code) {
	const nothing = tally.passed + tally.failed + tally.skipped === 0;
	if (tally.failed === 0 && (code !== 0 || nothing)) return { ...tally, failed: 1 };
	return tally;
}

/** @returns {Tally} of vitest's JSON report (`null`: there is none) */
export function tallyVitest(report, code) {
	if (report === null) return { passed: 0, failed: 1, skipped: 0 };
	// A file that could not even be loaded has no tests in it that could have failed.
	const unloaded = report.testResults.filter(
		(file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
	);
	const tally = {
		passed: report.numPassedTests,
		failed: report.numFailedTests + unloaded.length,
		skipped: report.numPendingTests + report.numTodoTests,
	};
	return withExitCode(tally, code);
}

/** @returns {Tally} of Playwright's JSON report (`null`: there is none) */
export function tallyPlaywright(report, code) {
	if (report === null) return { passed: 0, failed: 1, skipped: 0 };
	const { expected, unexpected, flaky, skipped } = report.stats;
	return withExitCode({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, code);
}

/** The tests in a report of `playwright test --list`. */
export function countListed(report) {
	const count = (suite) =>
		(suite.specs ?? []).reduce((sum, spec) => sum + spec.tests.length, 0) +
		(suite.suites ?? []).reduce((sum, inner) => sum + count(inner), 0);
	return report === null ? 0 : count(report);
}

/** @param {Tally[]} tallies */
export function sum(tallies) {
	const total = { passed: 0, failed: 0, skipped: 0 };
	for (const tally of tallies) for (const key of Object.keys(total)) total[key] += tally[key];
	return total;
}

/** The last line of `npm test`. */
export function verdict({ passed, failed, skipped }) {
	return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
